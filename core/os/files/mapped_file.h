// MappedFile is a file that is looked at where it lies, however long it is.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace plumbline::os {

class MappedFile {
 public:
  // open maps the file as long as it is now. kInvalidInput: it cannot be read, or is no file.
  static Result<MappedFile> open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  // text is valid as long as the file. One that somebody makes shorter meanwhile ends the process.
  std::string_view text() const { return {bytes_, size_}; }

 private:
  MappedFile(const char* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

  const char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace plumbline::os
