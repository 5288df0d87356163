#include "core/graph/checkpoint.h"

#include "core/base/check.h"

namespace plumbline::graph {

std::string_view name_of(Origin origin) {
  switch (origin) {
    case Origin::kBeginning:
      return "start";
    case Origin::kStep:
      return "step";
    case Origin::kUpdate:
      return "update";
    case Origin::kFork:
      return "fork";
  }
  check(false, "an Origin without a name");
  return {};
}

}  // namespace plumbline::graph
