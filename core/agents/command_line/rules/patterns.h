// Patterns find in a command line what must not run, whatever program it begins with.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace plumbline::agents::command_line {

// Danger is one pattern and what it is called in a refusal.
struct Danger {
  std::string_view pattern;  // RE2.
  std::string_view what;     // "it formats a file system".
};

// local_dangers are those of every command; remote_dangers come to them on other machines.
const std::vector<Danger>& local_dangers();
const std::vector<Danger>& remote_dangers();

class Patterns {
 public:
  // Of `dangers`, and of `blocked`: texts that no command may hold as whole words, whatever blanks
  // stand between them and in capitals or not ("rm -rf /", "mkfs": also "mkfs.ext4", not "mkfsx").
  Patterns(const std::vector<Danger>& dangers, const std::vector<std::string>& blocked);
  Patterns(Patterns&& other) noexcept;
  Patterns& operator=(Patterns&& other) noexcept;
  ~Patterns();

  // find returns why `line` must not run; nothing when no pattern is found in it. A line break is a
  // character like another: nothing hides behind one. Takes time in proportion to the line.
  std::optional<std::string> find(std::string_view line) const;

 private:
  struct Entry;
  void add(const std::string& pattern, std::string why);

  std::vector<std::unique_ptr<const Entry>> entries_;
};

}  // namespace plumbline::agents::command_line
