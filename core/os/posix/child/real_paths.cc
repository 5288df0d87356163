#include "core/os/child/real_paths.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "core/base/errors/errors.h"
#include "core/base/sha256.h"
#include "core/os/fd.h"
#include "core/os/real_file_store.h"

namespace plumbline::os {

namespace {

constexpr int kInterpretersMax = 4;  // Of interpreters that are scripts, as Linux has it.
constexpr std::size_t kFirstLineBytesMax = 256;  // Of a script, that Linux reads.

// ReadProgram is a program that was read to its end.
struct ReadProgram {
  Fd fd;
  std::string digest;
  std::string interpreter;  // Its path; empty: it is no script.
};

struct HeldProgram final : OpenProgram::Held {
  explicit HeldProgram(Fd opened) : fd(std::move(opened)) {}
  Fd fd;
};

Error unreadable(const std::string& path, int error) {
  return posix_error(ErrorCode::kInvalidInput, "cannot read the program \"" + path + "\"", error);
}

// interpreter_in returns the path that a first line "#!/bin/sh -e" names.
std::string interpreter_in(std::string_view first_bytes) {
  if (!first_bytes.starts_with("#!")) return "";
  first_bytes.remove_prefix(2);
  first_bytes = first_bytes.substr(0, first_bytes.find('\n'));
  const std::size_t begin = first_bytes.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  first_bytes.remove_prefix(begin);
  return std::string(first_bytes.substr(0, first_bytes.find_first_of(" \t")));
}

Result<ReadProgram> read_program(const std::string& path) {
  ReadProgram out;
  // A FIFO must not make us wait.
  out.fd = Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!out.fd.open()) return unreadable(path, errno);
  struct stat about {};
  if (::fstat(out.fd.number(), &about) != 0) return unreadable(path, errno);
  if (!S_ISREG(about.st_mode)) return unreadable(path, EACCES);
  Sha256 hash;
  std::array<char, 1U << 16U> buffer{};
  std::string first;
  for (;;) {
    const ssize_t got = ::read(out.fd.number(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path, errno);
    if (got == 0) break;
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
    if (first.empty()) first = bytes.substr(0, kFirstLineBytesMax);
    hash.update(bytes);
  }
  out.digest = hash.finish_hex();
  out.interpreter = interpreter_in(first);
  return out;
}

}  // namespace

Result<std::string> RealPaths::real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  if (real == nullptr) return the_error("file.cannot-find", path, reason_of(errno));
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

Result<std::string> RealPaths::text_of(const std::string& path) {
  const Result<std::string> real = real_path(path);
  if (!real.ok()) return real.error();
  return RealFileStore().read_below("/", real.value().substr(1));
}

Result<OpenProgram> RealPaths::open_program(const std::string& path) {
  Result<ReadProgram> read = read_program(path);
  if (!read.ok()) return read.error();
  OpenProgram out;
  out.digest = read.value().digest;
  const bool script = !read.value().interpreter.empty();
  const int number = read.value().fd.number();
  out.path = script ? path : "/proc/self/fd/" + std::to_string(number);
  out.open = std::make_unique<HeldProgram>(std::move(read.value().fd));
  std::string next = read.value().interpreter;
  for (int i = 0; i < kInterpretersMax && !next.empty(); ++i) {
    const Result<ReadProgram> interpreter = read_program(next);
    if (!interpreter.ok()) return interpreter.error();
    Sha256 hash;
    hash.update(out.digest + " by " + interpreter.value().digest);
    out.digest = hash.finish_hex();
    next = interpreter.value().interpreter;
  }
  return out;
}

// A number of a folder that is gone may be given to another one: the time at which it was made
// tells them apart, where the file system knows it.
Result<OpenFolder> RealPaths::open_folder(const std::string& path) {
  Fd fd(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct statx about {};
  const unsigned wanted = STATX_INO | STATX_BTIME;
  if (!fd.open() || ::statx(fd.number(), "", AT_EMPTY_PATH, wanted, &about) != 0) {
    return posix_error(ErrorCode::kInvalidInput, "cannot read the folder \"" + path + "\"", errno);
  }
  const bool has_birth = (about.stx_mask & STATX_BTIME) != 0;
  OpenFolder out;
  out.number = std::to_string(about.stx_dev_major) + ":" + std::to_string(about.stx_dev_minor) +
               " " + std::to_string(about.stx_ino);
  if (has_birth) {
    out.number += " " + std::to_string(about.stx_btime.tv_sec) + "." +
                  std::to_string(about.stx_btime.tv_nsec);
  }
  out.path = "/proc/self/fd/" + std::to_string(fd.number());
  out.open = std::make_unique<HeldProgram>(std::move(fd));
  return out;
}

}  // namespace plumbline::os
