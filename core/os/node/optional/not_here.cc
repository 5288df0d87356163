// What needs a library of the system's is for the native program.
#include "core/os/optional/secret_service.h"
#include "core/os/ssh/ssh_dialer.h"
#include "core/os/store/open_postgres.h"

namespace plumbline::os {

namespace {

Error not_here(const std::string& what) {
  return {ErrorCode::kUnsupported,
          what + " for the native program: this is its WebAssembly module"};
}

}  // namespace

bool SecretServiceStore::is_loadable() { return false; }

Result<std::unique_ptr<SecretServiceStore>> SecretServiceStore::open(SecretStore& /*claims*/) {
  return not_here("a keyring is");
}

bool is_ssh_loadable() { return false; }

Result<net::RemoteAccess> SshDialer::resolve(net::RemoteAccess /*access*/) {
  return not_here("commands on other machines are");
}

Task<Result<std::unique_ptr<net::RemoteHost>>> SshDialer::connect(net::RemoteAccess /*access*/,
                                                                  Instant /*deadline*/) {
  co_return not_here("commands on other machines are");
}

bool is_postgres_loadable() { return false; }

Task<Result<std::unique_ptr<RecordStore>>> open_postgres(RealLoop& /*loop*/, std::string /*uri*/) {
  co_return not_here("threads in PostgreSQL are");
}

}  // namespace plumbline::os
