#include "core/os/files/file_locks.h"

#include "core/base/errors/errors.h"
#include "core/base/sha256.h"
#include "core/os/node/host.h"

namespace plumbline::os {

namespace {

// The host locks no bytes: a lock is a file beside `path` that holds the number of a process. That
// of a process that has died is nobody's.
Json about_lock(std::string_view op, const std::string& path, const std::string& name) {
  Sha256 hash;
  hash.update(name);
  Json what = host::request(op);
  what["path"] = path + "." + hash.finish_hex().substr(0, 16);
  return what;
}

}  // namespace

Result<bool> FileLocks::take(const std::string& name) {
  const host::Answer taken = host::ask(about_lock("take_lock", path_, name));
  if (taken.ok()) return taken.value() == "yes";
  return the_error("file.cannot-lock", path_, taken.error().text);
}

void FileLocks::give_back(const std::string& name) {
  (void)host::ask(about_lock("give_back_lock", path_, name));
}

}  // namespace plumbline::os
