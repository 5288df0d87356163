// Columns takes the lines of a table apart: columns between tabs, a heading above.

#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace plumbline::conformance {

class Columns {
 public:
  // Columns stands before the first line below the heading. `table` must outlive what it returns.
  explicit Columns(std::string_view table) : rest_(table) { next_line(); }

  // next_line goes to the next line; false: there is none.
  bool next_line() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return !line_.empty();
  }

  // next returns the next column of the line; empty behind the last.
  std::string_view next() {
    const std::size_t end = std::min(line_.find('\t'), line_.size());
    const std::string_view column = line_.substr(0, end);
    line_.remove_prefix(std::min(end + 1, line_.size()));
    return column;
  }

 private:
  std::string_view rest_;
  std::string_view line_;
};

}  // namespace plumbline::conformance
