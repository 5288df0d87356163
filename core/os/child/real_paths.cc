#include "core/os/child/real_paths.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

#include "core/os/fd.h"

namespace plumbline::os {

Result<std::string> RealPaths::real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  if (real == nullptr) {
    return posix_error(ErrorCode::kInvalidInput, "cannot find \"" + path + "\"", errno);
  }
  return std::string(real.get());
}

bool RealPaths::is_folder(const std::string& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
}

bool RealPaths::is_program(const std::string& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

}  // namespace plumbline::os
