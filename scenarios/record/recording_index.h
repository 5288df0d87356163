// RecordingIndex finds lines of a recording that is too long to be read whole: it keeps where each
// begins, eight bytes a line, and looks at nothing else until it is asked.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/record/recording.h"

namespace plumbline::scenarios {

class RecordingIndex {
 public:
  // `text` must outlive the index.
  explicit RecordingIndex(std::string_view text);

  std::size_t lines() const { return starts_.size(); }

  // line returns the one of this number, from 0 on, without its end.
  std::string_view line(std::size_t number) const;

  // page returns these lines as a JSON array, at most kPageLinesMax of them and about
  // kPageBytesMax; a line that is no JSON, as a torn one, is a string.
  std::string page(std::size_t first, std::size_t count) const;

  // Hits is where something was found: line numbers, and where to go on.
  struct Hits {
    std::vector<std::size_t> lines;
    std::size_t next = 0;  // lines(): nothing is left.
  };

  // search looks from line `first` on for lines that hold `words` as they are, and went to `to`;
  // both empty: every line. It stops at kHitsMax of them.
  Hits search(std::string_view words, std::optional<Side> to, std::size_t first) const;

  static constexpr std::size_t kPageLinesMax = 500;
  static constexpr std::size_t kPageBytesMax = 4U << 20U;
  static constexpr std::size_t kHitsMax = 5'000;

 private:
  std::size_t number_at(std::size_t byte) const;

  std::string_view text_;
  std::vector<std::uint64_t> starts_;
};

}  // namespace plumbline::scenarios
