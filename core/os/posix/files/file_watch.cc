#include "core/os/files/file_watch.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <sys/inotify.h>
#include <unistd.h>

#include "core/os/fd_watch.h"

namespace plumbline::os {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kEvents =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE;
constexpr std::size_t kFoldersMax = 20'000;

}  // namespace

bool is_left_out(std::string_view folder) {
  for (const std::string_view name : {"node_modules", "target", "__pycache__", "venv"}) {
    if (folder == name) return true;
  }
  return folder.starts_with('.');
}

struct FileWatch::Events {
  Events(RealLoop& loop, Fd events, std::function<void()> ready)
      : watch(loop, std::move(events), std::move(ready)) {}

  FdWatch watch;
};

FileWatch::FileWatch(RealLoop& loop, Duration quiet, OnChange on_change)
    : loop_(loop), quiet_(quiet), on_change_(std::move(on_change)), calm_([this] { tell(); }) {
  const int number = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (number < 0) return;
  events_ = std::make_unique<Events>(loop_, Fd(number), [this] { read_events(); });
  events_->watch.await_readable();
}

FileWatch::~FileWatch() = default;

Status FileWatch::add(const std::string& path) {
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (failed || !fs::exists(status)) {
    return Error{ErrorCode::kInvalidInput, path + ": there is no such file or folder"};
  }
  if (fs::is_directory(status)) return add_below(path);
  const fs::path file(path);
  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  return watch(folder, file.filename().string());
}

Status FileWatch::watch(const std::string& folder, const std::string& file) {
  if (events_ == nullptr || folders_.size() >= kFoldersMax) {
    return Error{ErrorCode::kLimitReached, folder + ": the system watches no more folders"};
  }
  const int number = ::inotify_add_watch(events_->watch.fd(), folder.c_str(), kEvents | IN_ONLYDIR);
  if (number < 0) {
    const bool full = errno == ENOSPC || errno == ENOMEM;
    return Error{full ? ErrorCode::kLimitReached : ErrorCode::kInvalidInput,
                 folder + ": cannot be watched: " + std::generic_category().message(errno)};
  }
  const auto [known, fresh] = folders_.try_emplace(number, Folder{folder, {}});
  if (file.empty()) known->second.files.clear();
  if (!file.empty() && (fresh || !known->second.files.empty())) known->second.files.insert(file);
  return Done{};
}

Status FileWatch::add_below(const std::string& folder) {
  Status watched = watch(folder, "");
  if (!watched.ok()) return watched;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    std::error_code unknown;
    if (entry.is_symlink(unknown) || !entry.is_directory(unknown)) continue;
    if (is_left_out(entry.path().filename().string())) continue;
    const bool here = folder == ".";
    Status below = add_below(here ? entry.path().filename().string() : entry.path().string());
    if (!below.ok() && below.error().code == ErrorCode::kLimitReached) return below;
  }
  return Done{};
}

void FileWatch::read_events() {
  alignas(inotify_event) std::array<char, 16'384> buffer;
  for (;;) {
    const ssize_t got = ::read(events_->watch.fd(), buffer.data(), buffer.size());
    if (got <= 0) break;
    for (const char* at = buffer.data(); at < buffer.data() + got;) {
      inotify_event event;
      std::memcpy(&event, at, sizeof(event));
      note(event.wd, event.mask, event.len == 0 ? "" : at + sizeof(event));
      at += sizeof(event) + event.len;
    }
  }
  events_->watch.await_readable();
}

void FileWatch::note(int number, std::uint32_t what, std::string_view name) {
  if ((what & IN_IGNORED) != 0) {
    folders_.erase(number);
    return;
  }
  const auto known = folders_.find(number);
  if (known == folders_.end() || name.empty()) return;
  const Folder& folder = known->second;
  const std::string path =
      folder.path == "." ? std::string(name) : folder.path + '/' + std::string(name);
  if (!folder.files.empty() && !folder.files.contains(std::string(name))) return;
  if ((what & IN_ISDIR) != 0) {
    const bool came = (what & (IN_CREATE | IN_MOVED_TO)) != 0;
    if (!came || is_left_out(name)) return;
    const Status added = add_below(path);
    if (!added.ok()) return;
  } else if ((what & IN_CREATE) != 0) {
    return;  // It is written next.
  }
  changed_.insert(path);
  loop_.arm(calm_, after(loop_.now(), quiet_));
}

void FileWatch::tell() { on_change_(std::exchange(changed_, {})); }

}  // namespace plumbline::os
