#include "core/os/files/file_watch.h"

#include <utility>

#include "core/os/node/host.h"

namespace plumbline::os {

// The host watches, and says the path of each file that has changed.
struct FileWatch::Events final : private host::Hearer {
  explicit Events(FileWatch& watch) : owner(watch), number(host::new_number()) {
    host::listen(number, this);
  }
  ~Events() {
    host::listen(number, nullptr);
    host::say_about("close", number);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  void hear(host::Event event, std::string_view payload) override {
    if (event == host::Event::kBytes) owner.note(0, 0, payload);
  }

  FileWatch& owner;
  std::uint32_t number;
};

FileWatch::FileWatch(RealLoop& loop, Duration quiet, OnChange on_change)
    : loop_(loop),
      quiet_(quiet),
      on_change_(std::move(on_change)),
      events_(std::make_unique<Events>(*this)),
      calm_([this] { tell(); }) {}

FileWatch::~FileWatch() = default;

Status FileWatch::add(const std::string& path) {
  Json what = host::request("watch");
  what["id"] = events_->number;
  what["path"] = path;
  const host::Answer folders = host::order(what);
  if (!folders.ok() && folders.error().code == "ENOENT") {
    return Error{ErrorCode::kInvalidInput, path + ": there is no such file or folder"};
  }
  if (!folders.ok()) {
    return Error{ErrorCode::kLimitReached, path + ": cannot be watched: " + folders.error().text};
  }
  std::string_view left = folders.value();
  while (!left.empty()) {
    const std::string_view folder = left.substr(0, left.find('\0'));
    left.remove_prefix(folder.size() + 1);
    folders_.emplace(static_cast<int>(folders_.size()), Folder{std::string(folder), {}});
  }
  return Done{};
}

void FileWatch::note(int /*number*/, std::uint32_t /*what*/, std::string_view path) {
  changed_.insert(std::string(path));
  loop_.arm(calm_, after(loop_.now(), quiet_));
}

void FileWatch::tell() { on_change_(std::exchange(changed_, {})); }

}  // namespace plumbline::os
