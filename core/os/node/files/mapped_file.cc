#include "core/os/files/mapped_file.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/base/check.h"
#include "core/base/errors/errors.h"
#include "core/os/node/host.h"

namespace plumbline::os {

// The host maps nothing: the file is read whole.
Result<MappedFile> MappedFile::open(const std::string& path) {
  Json what = host::request("read_regular");
  what["path"] = path;
  const host::Answer read = host::ask(what);
  if (!read.ok()) {
    return the_error("file.cannot-read", path, read.error().text);
  }
  const std::size_t size = read.value().size();
  if (size == 0) return MappedFile(nullptr, 0);
  auto* const bytes = static_cast<char*>(std::malloc(size));
  check(bytes != nullptr, "there is no memory for a file");
  std::memcpy(bytes, read.value().data(), size);
  return MappedFile(bytes, size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile::~MappedFile() { std::free(const_cast<char*>(bytes_)); }

}  // namespace plumbline::os
