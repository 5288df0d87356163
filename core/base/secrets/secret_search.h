// SecretSearch finds secrets in a text: those that are known, those that are named, and those that
// look like one; as they stand, in escapes of JSON, percent-encoded, and in base64, also one in the
// other.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/secrets/named_secrets.h"
#include "core/base/secrets/secret_finder.h"
#include "core/base/secrets/token_shapes.h"

namespace plumbline {

class SecretSearch {
 public:
  // Both must outlive it.
  SecretSearch(const SecretFinder& known, const NameRule& names) : known_(known), names_(names) {}

  // find returns where secrets stand in `text`, in order, none over another. Takes time in
  // proportion to it. Of what is to be shortened, the whole is searched first; of what was, `cut`
  // says where.
  std::vector<Named> find(std::string_view text, CutEnds cut = {}) const;

 private:
  void look(std::string_view text, CutEnds cut, int depth, std::vector<Named>& found) const;
  void look_behind_escapes(std::string_view text, CutEnds cut, int depth,
                           std::vector<Named>& found) const;
  void look_in_base64(std::string_view text, int depth, std::vector<Named>& found) const;
  bool holds_secret(std::string_view run, int depth) const;

  const SecretFinder& known_;
  const NameRule& names_;
};

// in_order puts what was found in order; what overlaps is one.
std::vector<Named> in_order(std::vector<Named> found);

// forms_of returns `secret` as it may be written: as it stands, escaped for JSON, for a URL and for
// HTML, in hexadecimal digits, and the digits of base64 that do not depend on what stands around
// it.
std::vector<std::string> forms_of(const std::string& secret);

}  // namespace plumbline
