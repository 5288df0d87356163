#include "core/os/optional/system_vault.h"

#include "core/os/node/host.h"

namespace plumbline::os {

Result<std::string> key_in_vault(const std::string& fresh) {
  Json what = host::request("key_in_vault");
  what["fresh"] = fresh;
  const host::Answer key = host::ask(what);
  if (key.ok()) return key.value();
  const std::string& code = key.error().code;
  return Error{code == "NONE"   ? ErrorCode::kUnsupported
               : code == "LATE" ? ErrorCode::kDeadlineExceeded
                                : ErrorCode::kInvalidInput,
               key.error().text};
}

}  // namespace plumbline::os
