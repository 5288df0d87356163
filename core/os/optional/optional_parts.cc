#include "core/os/optional/optional_parts.h"

#include "core/os/optional/secret_service.h"
#include "core/os/ssh/ssh_dialer.h"
#include "core/os/store/open_postgres.h"

namespace plumbline::os {

std::vector<OptionalPart> optional_parts() {
  return {{"libpq", "threads and sessions kept in PostgreSQL", is_postgres_loadable()},
          {"libssh", "commands on other machines", is_ssh_loadable()},
          {"libsecret", "tokens kept in the keyring", SecretServiceStore::is_loadable()}};
}

}  // namespace plumbline::os
