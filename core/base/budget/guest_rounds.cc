#include "core/base/budget/guest_rounds.h"

#include <algorithm>
#include <vector>

namespace plumbline {

bool GuestRounds::take(const std::string& guest, Waiting& waiting) {
  Line& line = lines_[guest];
  if (!round_.armed()) loop_.arm(round_, loop_.now());
  if (!line.had_turn && line.waiting.empty()) return line.had_turn = true;
  if (std::ranges::find(line.waiting, &waiting) == line.waiting.end()) {
    line.waiting.push_back(&waiting);
  }
  return false;
}

void GuestRounds::leave(const std::string& guest, Waiting& waiting) {
  const auto line = lines_.find(guest);
  if (line != lines_.end()) std::erase(line->second.waiting, &waiting);
}

void GuestRounds::round() {
  const Lifeline::Guard guard(lifeline_);
  std::erase_if(lines_, [](const auto& entry) { return entry.second.waiting.empty(); });
  std::vector<std::string> guests;
  for (auto& [guest, line] : lines_) {
    line.had_turn = true;
    guests.push_back(guest);
  }
  if (!guests.empty()) loop_.arm(round_, loop_.now());
  for (const std::string& guest : guests) {
    const auto line = lines_.find(guest);
    if (line == lines_.end() || line->second.waiting.empty()) continue;
    Waiting& next = *line->second.waiting.front();
    line->second.waiting.pop_front();
    next.on_turn();
    if (!guard.alive()) return;
  }
}

}  // namespace plumbline
