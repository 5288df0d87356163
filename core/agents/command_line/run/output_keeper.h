// OutputKeeper keeps the beginning and the end of what a command says, and how much lay between.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plumbline::agents::command_line {

class OutputKeeper {
 public:
  // Keeps at most `bytes_max` bytes: the first half of them from the beginning, the rest from the
  // end.
  explicit OutputKeeper(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  void append(std::string_view bytes);

  // text returns all that was said; where something was cut, a line between the beginning and the
  // end says how much: "[... 1048576 bytes cut ...]".
  std::string text() const;

  // cut_bytes returns how many bytes text() leaves out.
  std::uint64_t cut_bytes() const;

 private:
  std::size_t tail_bytes_max() const { return bytes_max_ - bytes_max_ / 2; }

  std::size_t bytes_max_;
  std::uint64_t bytes_ = 0;
  std::string head_;
  std::string tail_;  // At most twice its bound, so that moving it is rare.
};

// cut_mark returns the line that stands for what was cut.
std::string cut_mark(std::uint64_t bytes);

}  // namespace plumbline::agents::command_line
