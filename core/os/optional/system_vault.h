// The vault of the system: the Keychain of macOS, the Credential Manager of Windows. The
// WebAssembly module alone runs there; for the native program the keyring is SecretServiceStore.

#pragma once

#include <string>

#include "core/base/result.h"

namespace plumbline::os {

// key_in_vault returns the one key that the vault keeps for the user who runs us. Where there is
// none yet, it is `fresh` from now on: 32 bytes in base64. It waits a minute for a vault that is
// locked. kUnsupported: there is no vault here; kDeadlineExceeded: nobody unlocked it;
// kInvalidInput: it cannot be read, or has another thing in the place of the key.
Result<std::string> key_in_vault(const std::string& fresh);

}  // namespace plumbline::os
