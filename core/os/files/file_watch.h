// FileWatch tells that files have changed: once, after a quiet moment, so that what an editor or a
// build writes in several steps is one change. Nothing is looked at again and again: the system
// tells (inotify; Node's fs.watch in the module).

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

class FileWatch {
 public:
  using OnChange = std::function<void(std::set<std::string> changed)>;

  // `on_change` is called from the loop with the files that changed, once nothing has for `quiet`.
  FileWatch(RealLoop& loop, Duration quiet, OnChange on_change);
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;
  ~FileWatch();

  // add watches a file, also one that an editor puts into the place of it, or a folder and all that
  // lies below it now or later. Hidden folders, and those of what others have built
  // (node_modules ...), are left out below it. kInvalidInput: there is no such path; kLimitReached:
  // the system watches no more.
  Status add(const std::string& path);

  // folders returns how many are watched.
  std::size_t folders() const { return folders_.size(); }

 private:
  struct Events;
  struct Folder {
    std::string path;
    std::set<std::string> files;  // Only these; empty: all, and the folders below it.
  };

  Status watch(const std::string& folder, const std::string& file);
  Status add_below(const std::string& folder);
  void read_events();
  void note(int number, std::uint32_t what, std::string_view name);
  void tell();

  RealLoop& loop_;
  Duration quiet_;
  OnChange on_change_;
  std::map<int, Folder> folders_;  // By the number that the system gave.
  std::set<std::string> changed_;
  std::unique_ptr<Events> events_;  // Null where the system tells none.
  Alarm calm_;
};

// is_left_out returns whether a folder of this name is not looked into.
bool is_left_out(std::string_view folder);

}  // namespace plumbline::os
