#include "conformance/invariants/oracle.h"

#include "conformance/invariants/rules.h"

namespace plumbline::conformance {

std::span<const Oracle> all_oracles() {
  static constexpr Oracle kOracles[] = {
      {"jsonrpc.version-is-2.0", "server", says_version},
      {"jsonrpc.version-is-2.0", "client", says_version},
  };
  return kOracles;
}

}  // namespace plumbline::conformance
