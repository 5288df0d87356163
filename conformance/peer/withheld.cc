#include "conformance/peer/withheld.h"

#include <utility>

namespace plumbline::conformance {

Json Withheld::without_them(Json declared) const {
  for (const Capability& one : capabilities) {
    const auto found = declared.find(one.name);
    if (found == declared.end() || *found == one.instead) continue;
    if (*found == one.refused && !one.instead.is_null()) {
      *found = one.instead;
    } else {
      declared.erase(found);
    }
  }
  return declared;
}

std::string Withheld::names() const {
  std::string names;
  for (const Capability& one : capabilities) {
    names += (names.empty() ? "\"" : ", \"") + one.name + "\": " + dump_json(one.refused);
  }
  return names;
}

}  // namespace plumbline::conformance
