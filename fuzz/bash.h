// Bash as fuzz targets ask it: one of them answers for all lines. What it is asked is a script of
// one line that says its words; nothing is started by it.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/os/child/real_paths.h"
#include "core/os/child/real_spawner.h"
#include "core/os/real_loop.h"

namespace plumbline::fuzzing {

// Bash runs a script that reads lines, each with a NUL at its end, and says words likewise; \1 NUL
// after those of a line. PATH is empty there, and it stands where no file can be made.
class Bash final : private net::PipeReader {
 public:
  static bool is_here() { return os::RealPaths().is_program("/bin/bash"); }

  explicit Bash(const char* script) {
    net::Command command({"bash", "--norc", "--noprofile", "-c", script});
    command.program = "/bin/bash";
    command.env = {{"PATH", "/nonexistent"}, {"LC_ALL", "C.UTF-8"}};
    command.inherits = false;
    command.cwd = "/proc";
    auto child = spawner_.spawn(command);
    check(child.ok(), "bash cannot be started");
    child_ = std::move(child).value();
    child_->stdio().start(*this);
  }

  std::vector<std::string> words(const std::string& line) {
    said_.clear();
    child_->stdio().write(line + '\0');
    loop_.run_until([this] { return ended_ || said_.ends_with(kEnd); });
    check(!ended_, "bash has ended");
    std::vector<std::string> out;
    for (std::size_t at = 0; at < said_.size() - kEnd.size();) {
      const std::size_t end = said_.find('\0', at);
      out.push_back(said_.substr(at, end - at));
      at = end + 1;
    }
    return out;
  }

 private:
  static constexpr std::string_view kEnd = std::string_view("\1\0", 2);

  void on_bytes(std::string_view bytes) override { said_ += bytes; }
  void on_end(const Error*) override { ended_ = true; }

  os::RealLoop loop_;
  os::RealSpawner spawner_{loop_};
  std::string said_;
  bool ended_ = false;
  std::unique_ptr<net::Child> child_;  // Last: it calls the rest.
};

}  // namespace plumbline::fuzzing
