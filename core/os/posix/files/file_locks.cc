#include "core/os/files/file_locks.h"

#include <fcntl.h>

#include <cerrno>
#include <charconv>
#include <cstdint>

#include "core/base/errors/errors.h"
#include "core/base/sha256.h"
#include "core/os/real_file_store.h"

namespace plumbline::os {

namespace {

// place_of returns the byte of the file that `name` is, far from any other.
off_t place_of(const std::string& name) {
  Sha256 hash;
  hash.update(name);
  const std::string digits = hash.finish_hex();
  std::int64_t place = 0;
  std::from_chars(digits.data(), digits.data() + 15, place, 16);  // 60 bits.
  return static_cast<off_t>(place);
}

}  // namespace

// The locks are those of the open file: two FileLocks of one process keep each other out, too.
bool FileLocks::set(const std::string& name, int type) {
  struct flock lock = {};
  lock.l_type = static_cast<short>(type);
  lock.l_whence = SEEK_SET;
  lock.l_start = place_of(name);
  lock.l_len = 1;
  return ::fcntl(fd_.number(), F_OFD_SETLK, &lock) == 0;
}

Result<bool> FileLocks::take(const std::string& name) {
  if (!fd_.open() && make_private_folder_of(path_)) {
    fd_ = Fd(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600));
  }
  if (fd_.open() && set(name, F_WRLCK)) return true;
  if (fd_.open() && (errno == EAGAIN || errno == EACCES)) return false;
  return the_error("file.cannot-lock", path_, reason_of(errno));
}

void FileLocks::give_back(const std::string& name) {
  if (fd_.open()) set(name, F_UNLCK);
}

}  // namespace plumbline::os
