// Masker takes secrets out of what is recorded, each by a placeholder of its own: the same secret
// is the same placeholder throughout, so that what matched still does.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
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

  // mask returns what Redactor does, with "[secret 1]" and so on in place of what is secret, and
  // what was named. `cut` says where a text was cut before it came here. What was a secret once, by
  // its name, is one wherever it stands later.
  std::string mask(std::string text, CutEnds cut = {}) const;
  Json mask(Json message) const;

  // lets_through returns whether a secret that is known by its value stands in `text`.
  bool lets_through(std::string_view text) const { return redactor_.finds_secret(text); }

  // placeholder returns what stands in place of `secret`.
  std::string placeholder(std::string_view secret) const;

 private:
  std::optional<bool> named(std::string_view name) const;
  void learn() const;

  mutable Redactor redactor_;
  Masks masks_;
  mutable std::map<std::string, std::size_t, std::less<>> known_;
  mutable std::vector<std::string> fresh_;  // Of them, what is to be learned.
  mutable std::size_t learned_ = 0;
};

}  // namespace plumbline::scenarios
