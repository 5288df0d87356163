#include "core/os/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/errors/errors.h"
#include "core/os/fd.h"

namespace plumbline::os {

namespace {

Error cannot_read(const std::string& path, int why) {
  return the_error("file.cannot-read", path, std::strerror(why));
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  // A FIFO must not make us wait.
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.open()) return cannot_read(path, errno);
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) return cannot_read(path, errno);
  if (!S_ISREG(status.st_mode)) return cannot_read(path, S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return MappedFile(nullptr, 0);
  void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (bytes == MAP_FAILED) return cannot_read(path, errno);
  return MappedFile(static_cast<const char*>(bytes), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile::~MappedFile() {
  if (bytes_ != nullptr) ::munmap(const_cast<char*>(bytes_), size_);
}

}  // namespace plumbline::os
