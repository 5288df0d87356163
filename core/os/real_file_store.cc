#include "core/os/real_file_store.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "core/base/limits.h"
#include "core/os/fd.h"

namespace plumbline::os {

namespace {

namespace fs = std::filesystem;

constexpr int kSilenceMsMax = 10'000;

Error file_error(std::string_view what, const std::string& path, int error) {
  return posix_error(ErrorCode::kInvalidInput, std::string(what) + " " + path, error);
}

Error file_error(std::string_view what, const std::string& path, const std::error_code& error) {
  return file_error(what, path, error.value());
}

// await_bytes waits until a pipe or a terminal has something to read, or has ended.
bool await_bytes(const Fd& fd) {
  pollfd asked{fd.number(), POLLIN, 0};
  return poll(&asked, 1, kSilenceMsMax) > 0;
}

Status write_all(const Fd& fd, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(fd.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return file_error("cannot write", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return Done{};
}

Status write_in_place(const std::string& path, std::string_view bytes) {
  const Fd fd(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (!fd.open()) return file_error("cannot write", path, errno);
  return write_all(fd, path, bytes);
}

// write_temporary writes `bytes` to a new file and makes sure that they are on the disk.
Status write_temporary(const std::string& temporary, const std::string& path, mode_t mode,
                       std::string_view bytes) {
  unlink(temporary.c_str());  // Left by a process of our number that was killed.
  const Fd fd(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!fd.open()) return file_error("cannot write", path, errno);
  Status written = write_all(fd, path, bytes);
  if (!written.ok()) return written;
  if (fsync(fd.number()) != 0) return file_error("cannot write", path, errno);
  return Done{};
}

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

}  // namespace

Result<std::string> RealFileStore::read_file(const std::string& path) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd.open()) return file_error("cannot read", path, errno);
  std::string bytes;
  std::array<char, 64U << 10U> buffer;
  for (;;) {
    const ssize_t count = read(fd.number(), buffer.data(), buffer.size());
    if (count == 0) return bytes;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN && await_bytes(fd)) continue;
    if (count < 0) return file_error("cannot read", path, errno);
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
    if (bytes.size() > limits::kFileBytesMax) {
      return Error{ErrorCode::kLimitReached,
                   path + " has more than " + std::to_string(limits::kFileBytesMax) + " bytes"};
    }
  }
}

Status RealFileStore::write_file(const std::string& path, std::string_view bytes) {
  struct stat about{};
  const bool exists = stat(path.c_str(), &about) == 0;
  if (exists && S_ISDIR(about.st_mode)) return file_error("cannot write", path, EISDIR);
  if (exists && !S_ISREG(about.st_mode)) return write_in_place(path, bytes);
  if (exists && access(path.c_str(), W_OK) != 0) return file_error("cannot write", path, errno);
  std::error_code no_link;
  const fs::path resolved = exists ? fs::canonical(path, no_link) : fs::path(path);
  const std::string target = no_link ? path : resolved.string();
  const std::string temporary = target + ".tmp-" + std::to_string(getpid());
  const mode_t mode = exists ? about.st_mode & 0777U : 0666U;
  Status written = write_temporary(temporary, path, mode, bytes);
  if (written.ok() && rename(temporary.c_str(), target.c_str()) != 0) {
    written = file_error("cannot write", path, errno);
  }
  if (!written.ok()) unlink(temporary.c_str());
  return written;
}

Result<std::vector<std::string>> RealFileStore::list_files(const std::string& path,
                                                           std::string_view extension) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error) return file_error("cannot read", path, error);
  if (!fs::is_directory(status)) return std::vector<std::string>{path};
  std::vector<std::string> found;
  fs::recursive_directory_iterator entry(path, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (is_hidden(entry->path())) {
      if (entry->is_directory(ignored)) entry.disable_recursion_pending();
      continue;
    }
    if (entry->is_directory(ignored)) continue;
    std::string name = entry->path().string();
    if (name.ends_with(extension)) found.push_back(std::move(name));
    if (found.size() > limits::kFilesListedMax) {
      return Error{ErrorCode::kLimitReached,
                   path + " holds more than " + std::to_string(limits::kFilesListedMax) + " files"};
    }
  }
  if (error) return file_error("cannot read", path, error);
  std::ranges::sort(found);
  return found;
}

Status make_folder(const std::string& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (!failed && fs::is_directory(path, failed)) return Done{};
  return Error{ErrorCode::kInvalidInput, path + ": cannot be made a folder"};
}

}  // namespace plumbline::os
