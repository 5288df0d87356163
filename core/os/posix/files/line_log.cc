#include "core/os/files/line_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "core/base/errors/errors.h"

namespace plumbline::os {

namespace {

constexpr int kNamesMax = 1'000;

// numbered returns the name of the `number`th file beside `path`.
std::string numbered(const std::string& path, int number) {
  if (number == 1) return path;
  const std::filesystem::path whole(path);
  const std::string name =
      whole.stem().string() + '-' + std::to_string(number) + whole.extension().string();
  return (whole.parent_path() / name).string();
}

Fd open_to_append(const std::string& path) {
  return Fd(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600));
}

// ends_in_a_line returns whether a file is empty or ends with a newline.
bool ends_in_a_line(const Fd& fd) {
  char last = '\n';
  const off_t size = lseek(fd.number(), 0, SEEK_END);
  return size <= 0 || pread(fd.number(), &last, 1, size - 1) != 1 || last == '\n';
}

}  // namespace

Result<LineLog> LineLog::open(const std::string& path) {
  for (int number = 1; number <= kNamesMax; ++number) {
    const std::string name = numbered(path, number);
    Fd fd = open_to_append(name);
    if (!fd.open()) return the_error("file.cannot-write", name, reason_of(errno));
    if (flock(fd.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) continue;
    const bool torn = !ends_in_a_line(fd);
    return LineLog(name, std::move(fd), torn);
  }
  return the_error("file.cannot-write", path, "as many others as there are names append to it");
}

Result<LineLog> LineLog::share(const std::string& path) {
  Fd fd = open_to_append(path);
  if (!fd.open()) return the_error("file.cannot-write", path, reason_of(errno));
  return LineLog(path, std::move(fd), false);
}

Status LineLog::append(std::string_view line) {
  // What was torn is ended together with the line behind it: nobody dies between the two.
  std::string ended;
  if (torn_) line = ended = "\n" + std::string(line);
  while (!line.empty()) {
    const ssize_t count = ::write(fd_.number(), line.data(), line.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      return the_error_as(ErrorCode::kLimitReached, "file.cannot-write", path_, reason_of(errno));
    }
    line.remove_prefix(static_cast<std::size_t>(count));
    torn_ = !line.empty();
  }
  return Done{};
}

}  // namespace plumbline::os
