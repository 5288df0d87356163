#include "core/os/files/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/os/fd.h"

namespace plumbline::os {

Result<TemporaryFolder> TemporaryFolder::make() {
  std::error_code failed;
  std::filesystem::path above = std::filesystem::temp_directory_path(failed);
  if (failed) above = "/tmp";
  std::string path = (above / "plumbline-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) {
    return posix_error(ErrorCode::kInvalidInput, "cannot make a folder in " + above.string(),
                       errno);
  }
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Status TemporaryFolder::fill(const std::string& from) const {
  constexpr auto kHow =
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::copy_symlinks;
  std::error_code failed;
  std::filesystem::copy(from, path_, kHow, failed);
  if (failed) return Error{ErrorCode::kInvalidInput, from + ": " + failed.message()};
  return Done{};
}

}  // namespace plumbline::os
