// Readings tells what a side is known to have read, by what it has answered.

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "conformance/oracles/transcript.h"

namespace plumbline::conformance {

// Readings knows when a side has shown that it got so far: it answers a request that came behind.
// Until then it may not have got to it, for it may be slow.
class Readings {
 public:
  explicit Readings(const Dialogue& dialogue) : dialogue_(dialogue) {
    for (std::vector<std::size_t>& shown : shown_) shown.assign(dialogue.said.size() + 1, kNoPlace);
    for (std::size_t place = dialogue.said.size(); place-- > 0;) {
      const ObservedMessage& said = dialogue.said[place];
      for (const Side side : {Side::kClient, Side::kServer}) {
        std::vector<std::size_t>& shown = shown_[index_of(side)];
        const bool answered = said.by == side && !said.responses.empty();
        shown[place] = std::min(shown[place + 1], answered ? said.responses.front() : kNoPlace);
      }
    }
  }

  // of returns where the other side shows first that it has got to what was said at `place`;
  // kNoPlace: nowhere.
  std::size_t of(std::size_t place) const {
    const std::size_t behind = behind_of(place);
    return behind == kNoPlace ? kNoPlace : shown_[index_of(dialogue_.said[place].by)][behind];
  }

 private:
  static std::size_t index_of(Side side) { return side == Side::kClient ? 0 : 1; }

  // behind_of returns from where on what is said comes behind that. Each POST has a way of its own,
  // on which others overtake it until it is answered.
  std::size_t behind_of(std::size_t place) const {
    const ObservedMessage& said = dialogue_.said[place];
    if (said.by == Side::kServer || said.entry->exchange == 0) return place + 1;
    const auto posted = dialogue_.exchanges.find(said.entry->exchange);
    return posted == dialogue_.exchanges.end() ? kNoPlace : posted->second.answered;
  }

  const Dialogue& dialogue_;
  std::vector<std::size_t> shown_[2];  // By who asks and place: of any request from there on.
};

}  // namespace plumbline::conformance
