// RecordingPairs tells which response of a recording answers which request. Nothing is looked at
// before it is asked for the first time, then every line once.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/record/recording_index.h"

namespace plumbline::scenarios {

class RecordingPairs {
 public:
  // `index` must outlive the pairs.
  explicit RecordingPairs(const RecordingIndex& index) : index_(index) {}

  // page returns a JSON array with an element for each of these lines, as RecordingIndex::page
  // takes them: null for what is neither question nor answer; {} for a request that nobody
  // answered; else the other one's {"line"}, how long the answer took in {"ms"}, and what was asked
  // for in {"method"} and, where it has one, {"name"}.
  std::string page(std::size_t first, std::size_t count);

 private:
  static constexpr std::uint32_t kNeither = UINT32_MAX;
  static constexpr std::uint32_t kOpen = UINT32_MAX - 1;

  void find_all();
  Json told_of(std::size_t line) const;

  const RecordingIndex& index_;
  std::vector<std::uint32_t> others_;  // Empty until all are found.
};

}  // namespace plumbline::scenarios
