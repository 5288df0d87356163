// Names behind a gateway that renames: the same way for all, found out or declared.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace plumbline::conformance {

// Renaming is what a gateway puts before and behind each name.
struct Renaming {
  std::string prefix;
  std::string suffix;

  std::string of(std::string_view name) const { return prefix + std::string(name) + suffix; }
};

// GatewayManner is what a gateway does on purpose, as its user declares it.
struct GatewayManner {
  std::string renames;   // "weather_{name}"; empty: what is the same for all is found out.
  bool merges = false;   // It lists what others serve as well.
  bool filters = false;  // It keeps back some of what it could list.
};

// read_renaming reads a pattern with "{name}" in it once. kInvalidInput: it has not.
Result<Renaming> read_renaming(std::string_view pattern);

// find_renaming returns how names before became names after: nothing put to them when that explains
// one of them, or else what explains most, and more than one unless it is like `known`, how the
// gateway renames something else. Of many only the first are read.
Renaming find_renaming(const std::vector<std::string>& before,
                       const std::vector<std::string>& after, const Renaming& known = {});

}  // namespace plumbline::conformance
