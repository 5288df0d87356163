// SecretServiceStore keeps secrets in the keyring of the desktop: the Secret Service of
// freedesktop.org, spoken to by libsecret.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/doors/secret_store.h"

namespace plumbline::os {

class SecretServiceStore : public SecretStore {
 public:
  // open finds the service on the session bus of the environment. Claims are made in `claims`,
  // which must outlive the store: a keyring has none. kUnsupported: built without libsecret, or
  // there is no bus, or nobody on it keeps secrets.
  static Result<std::unique_ptr<SecretServiceStore>> open(SecretStore& claims);

  // is_loadable returns whether libsecret is there.
  static bool is_loadable();

  virtual ~SecretServiceStore() = default;

  // implements SecretStore ---
  //
  // A keyring that is locked asks its user to open it, and the program waits, for a minute at most:
  // kDeadlineExceeded.
};

}  // namespace plumbline::os
