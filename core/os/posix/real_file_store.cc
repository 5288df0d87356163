#include "core/os/real_file_store.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>
#include <tuple>

#include "core/base/errors/errors.h"
#include "core/base/limits.h"
#include "core/os/fd.h"

namespace plumbline::os {

namespace {

namespace fs = std::filesystem;

constexpr int kSilenceMsMax = 10'000;
constexpr int kLinksMax = 40;  // As Linux follows.

constexpr ErrorName<2> kReading = "file.cannot-read";
constexpr ErrorName<2> kWriting = "file.cannot-write";

Error file_error(ErrorName<2> what, const std::string& path, int error) {
  return the_error(what, path, reason_of(error));
}

Error file_error(ErrorName<2> what, const std::string& path, const std::error_code& error) {
  return file_error(what, path, error.value());
}

// await waits until a pipe or a terminal has something to read or room to write, or has ended.
bool await(const Fd& fd, short what) {
  pollfd asked{fd.number(), what, 0};
  return poll(&asked, 1, kSilenceMsMax) > 0;
}

Result<std::string> read_all(const Fd& fd, const std::string& path) {
  std::string bytes;
  std::array<char, 64U << 10U> buffer;
  for (;;) {
    const ssize_t count = read(fd.number(), buffer.data(), buffer.size());
    if (count == 0) return bytes;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN && await(fd, POLLIN)) continue;
    if (count < 0) return file_error(kReading, path, errno);
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
    if (bytes.size() > limits::kFileBytesMax) {
      return Error{ErrorCode::kLimitReached,
                   path + " has more than " + std::to_string(limits::kFileBytesMax) + " bytes"};
    }
  }
}

Status write_all(const Fd& fd, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(fd.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN && await(fd, POLLOUT)) continue;
    if (count < 0) return file_error(kWriting, path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return Done{};
}

// Place is where the bytes of a path go.
struct Place {
  std::string path;     // With no symbolic link left at its end.
  int descriptor = -1;  // Of ours, when the path stands for what is open there.
};

// place_of follows the symbolic links at the end of `path`, also those that lead to what is not
// there yet. They end at a descriptor of this process (/dev/stdout, /dev/fd/3): a file that is open
// there is not ours to replace.
Result<Place> place_of(const std::string& path) {
  Place place{path, -1};
  for (int links = 0; links < kLinksMax; ++links) {
    std::error_code none;
    const fs::path here(place.path);
    const fs::path folder = fs::canonical(here.has_parent_path() ? here.parent_path() : ".", none);
    const std::string name = here.filename().string();
    if (!none && folder == "/proc/" + std::to_string(getpid()) + "/fd") {
      place.descriptor = std::atoi(name.c_str());
      return place;
    }
    const fs::path next = fs::read_symlink(here, none);
    if (none) return place;
    place.path = (next.is_absolute() ? next : here.parent_path() / next).string();
  }
  return file_error(kWriting, path, ELOOP);
}

Status write_to_descriptor(int number, const std::string& path, std::string_view bytes) {
  const Fd fd(fcntl(number, F_DUPFD_CLOEXEC, 0));
  if (!fd.open()) return file_error(kWriting, path, errno);
  return write_all(fd, path, bytes);
}

// open_in_place opens a device or a pipe; a pipe that nobody reads, once somebody does.
Fd open_in_place(const std::string& path) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  for (int waited_ms = 0;; waited_ms += static_cast<int>(kPause.count())) {
    Fd fd(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    if (fd.open() || errno != ENXIO || waited_ms >= kSilenceMsMax) return fd;
    std::this_thread::sleep_for(kPause);
  }
}

Status write_in_place(const std::string& path, std::string_view bytes) {
  const Fd fd = open_in_place(path);
  if (!fd.open()) return file_error(kWriting, path, errno);
  return write_all(fd, path, bytes);
}

// write_temporary writes `bytes` to a new file and makes sure that they are on the disk.
Status write_temporary(const std::string& temporary, const std::string& path, mode_t mode,
                       std::string_view bytes) {
  unlink(temporary.c_str());  // Left by a process of our number that was killed.
  const Fd fd(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!fd.open()) return file_error(kWriting, path, errno);
  Status written = write_all(fd, path, bytes);
  if (!written.ok()) return written;
  if (fsync(fd.number()) != 0) return file_error(kWriting, path, errno);
  return Done{};
}

// keep_name makes sure that the new name of a file is on the disk as well. Not every file system
// can.
void keep_name(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const Fd fd(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.open()) fsync(fd.number());
}

// make_private_folders makes `folder` and those above it that are missing.
bool make_private_folders(const fs::path& folder) {
  if (folder.empty()) return true;
  if (mkdir(folder.c_str(), 0700) != 0) {
    if (errno == EEXIST) return true;
    if (errno != ENOENT || !make_private_folders(folder.parent_path())) return false;
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return false;
  }
  keep_name(folder);
  return true;
}

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

}  // namespace

RealFileStore::RealFileStore() { std::signal(SIGXFSZ, SIG_IGN); }

Result<std::string> RealFileStore::read_file(const std::string& path) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd.open()) return file_error(kReading, path, errno);
  return read_all(fd, path);
}

Result<std::string> RealFileStore::read_below(const std::string& root, const std::string& path) {
  const std::string whole = root.ends_with('/') ? root + path : root + "/" + path;
  Fd at(open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  const fs::path names(path);
  if (names.empty() || names.is_absolute()) return file_error(kReading, whole, EINVAL);
  for (auto name = names.begin(); at.open() && name != names.end(); ++name) {
    if (*name == "..") return file_error(kReading, whole, EINVAL);
    // An O_PATH of a link is the link itself, and opens no pipe or device.
    at = Fd(openat(at.number(), name->c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  }
  if (!at.open()) return file_error(kReading, whole, errno);
  struct stat about {};
  if (fstat(at.number(), &about) != 0) return file_error(kReading, whole, errno);
  if (S_ISDIR(about.st_mode)) return file_error(kReading, whole, EISDIR);
  if (!S_ISREG(about.st_mode)) {
    return the_error("file.cannot-read", whole, "it is no regular file");
  }
  const std::string found = "/proc/self/fd/" + std::to_string(at.number());
  const Fd fd(open(found.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.open()) return file_error(kReading, whole, errno);
  return read_all(fd, whole);
}

Status RealFileStore::write_file(const std::string& path, std::string_view bytes) {
  const Result<Place> place = place_of(path);
  if (!place.ok()) return place.error();
  if (place.value().descriptor >= 0) {
    return write_to_descriptor(place.value().descriptor, path, bytes);
  }
  const std::string& target = place.value().path;
  struct stat about {};
  const bool exists = stat(target.c_str(), &about) == 0;
  if (exists && S_ISDIR(about.st_mode)) return file_error(kWriting, path, EISDIR);
  if (exists && !S_ISREG(about.st_mode)) return write_in_place(path, bytes);
  if (exists && access(target.c_str(), W_OK) != 0) return file_error(kWriting, path, errno);
  const std::string temporary = target + ".tmp-" + std::to_string(getpid());
  const mode_t mode = exists ? about.st_mode & 0777U : 0666U;
  Status written = write_temporary(temporary, path, mode, bytes);
  if (written.ok() && rename(temporary.c_str(), target.c_str()) != 0) {
    written = file_error(kWriting, path, errno);
  }
  if (!written.ok()) {
    unlink(temporary.c_str());
    return written;
  }
  keep_name(target);
  return Done{};
}

Status check_writable(const std::string& path) {
  const Result<Place> place = place_of(path);
  if (!place.ok()) return place.error();
  if (place.value().descriptor >= 0) return Done{};
  const std::string& target = place.value().path;
  struct stat about {};
  const bool exists = stat(target.c_str(), &about) == 0;
  if (exists && S_ISDIR(about.st_mode)) return file_error(kWriting, path, EISDIR);
  if (exists && access(target.c_str(), W_OK) != 0) return file_error(kWriting, path, errno);
  if (exists && !S_ISREG(about.st_mode)) return Done{};
  const fs::path folder = fs::path(target).parent_path();
  const char* const where = folder.empty() ? "." : folder.c_str();
  if (stat(where, &about) != 0) return file_error(kWriting, path, errno);
  if (!S_ISDIR(about.st_mode)) return file_error(kWriting, path, ENOTDIR);
  if (access(where, W_OK | X_OK) != 0) return file_error(kWriting, path, errno);
  return Done{};
}

Result<bool> RealFileStore::create_file(const std::string& path, std::string_view bytes) {
  if (!make_private_folder_of(path)) return file_error(kWriting, path, errno);
  const Fd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd.open() && errno == EEXIST) return false;
  if (!fd.open()) return file_error(kWriting, path, errno);
  Status written = write_all(fd, path, bytes);
  if (written.ok() && fsync(fd.number()) != 0) written = file_error(kWriting, path, errno);
  if (!written.ok()) {
    unlink(path.c_str());
    return written.error();
  }
  keep_name(path);
  return true;
}

Status RealFileStore::append_file(const std::string& path, std::string_view bytes) {
  const bool fresh = access(path.c_str(), F_OK) != 0;
  const Fd fd(
      open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600));
  if (!fd.open()) return file_error(kWriting, path, errno);
  // What others append meanwhile is not to be cut off with what of ours does not fit.
  const bool alone = flock(fd.number(), LOCK_EX | LOCK_NB) == 0;
  const off_t end = lseek(fd.number(), 0, SEEK_END);
  Status written = write_all(fd, path, bytes);
  if (!written.ok() && alone) std::ignore = ftruncate(fd.number(), end);
  if (!written.ok()) return written;
  if (fsync(fd.number()) != 0) return file_error(kWriting, path, errno);
  if (fresh) keep_name(path);
  return Done{};
}

Status RealFileStore::remove_file(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) {
    return posix_error(ErrorCode::kInvalidInput, "cannot remove " + path, errno);
  }
  keep_name(path);
  return Done{};
}

Status RealFileStore::rename_file(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) != 0) {
    return posix_error(ErrorCode::kInvalidInput, "cannot rename " + from + " to " + to, errno);
  }
  keep_name(to);
  keep_name(from);
  return Done{};
}

Result<unsigned> RealFileStore::mode_of(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return file_error(kReading, path, errno);
  return about.st_mode & 07777U;
}

Status RealFileStore::set_mode(const std::string& path, unsigned mode) {
  if (chmod(path.c_str(), mode) != 0) {
    return posix_error(ErrorCode::kInvalidInput, "cannot set the mode of " + path, errno);
  }
  return Done{};
}

Result<std::vector<std::string>> RealFileStore::list_files(const std::string& path,
                                                           std::string_view extension) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error) return file_error(kReading, path, error);
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
  if (error) return file_error(kReading, path, error);
  std::ranges::sort(found);
  return found;
}

Status make_folder(const std::string& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (!failed && fs::is_directory(path, failed)) return Done{};
  return Error{ErrorCode::kInvalidInput, path + ": cannot be made a folder"};
}

bool make_private_folder_of(const std::string& path) {
  return make_private_folders(fs::path(path).parent_path());
}

std::string absolute_path(const std::string& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  return failed ? path : absolute.lexically_normal().string();
}

bool is_folder(const std::string& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

bool is_there(const std::string& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

}  // namespace plumbline::os
