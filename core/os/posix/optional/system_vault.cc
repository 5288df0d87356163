#include "core/os/optional/system_vault.h"

namespace plumbline::os {

Result<std::string> key_in_vault(const std::string& /*fresh*/) {
  return Error{ErrorCode::kUnsupported, "this system has no vault that is known here"};
}

}  // namespace plumbline::os
