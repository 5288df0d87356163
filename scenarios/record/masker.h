// Masker takes secrets out of what is recorded, each by a placeholder of its own: the same secret
// is the same placeholder throughout, so that what matched still does.

#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "core/json/redactor.h"

namespace plumbline::scenarios {

// Masks is what a person says beyond the known kinds of secrets.
struct Masks {
  std::vector<std::string> redact;  // Names of members, or with a slash JSON pointers in a message.
  std::vector<std::string> keep;    // Names that are taken for those of secrets, and are none.
};

class Masker {
 public:
  // `secrets` knows the values that may not be written.
  Masker(Redactor secrets, Masks masks);
  Masker(const Masker&) = delete;
  Masker& operator=(const Masker&) = delete;

  // mask returns `text` with "[secret 1]" and so on in place of what is secret. Of a message also
  // the members whose names say so, whatever their type, the keys of objects, and what was named.
  std::string mask(std::string text) const;
  Json mask(Json message) const;

  // mask_text is mask for a line that is no message, which may look much like one: of what stands
  // in it as "NAME": "TEXT", the text is masked as well where the name says so.
  std::string mask_text(std::string_view text) const;

  // lets_through returns whether a secret that is known by its value stands in `text`.
  bool lets_through(std::string_view text) const { return redactor_.finds_secret(text); }

 private:
  std::string placeholder(std::string_view secret) const;
  bool is_named(const std::string& key) const;
  void mask_within(Json& value) const;

  Redactor redactor_;
  Masks masks_;
  mutable std::map<std::string, std::size_t, std::less<>> known_;
};

}  // namespace plumbline::scenarios
