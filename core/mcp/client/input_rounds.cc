#include "core/mcp/client/input_rounds.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace plumbline::mcp {

const InputRounds::Round* InputRounds::find_sent(std::int64_t wire) const {
  const auto found = sent_.find(wire);
  return found == sent_.end() ? nullptr : &found->second;
}

std::int64_t InputRounds::wire_of(std::int64_t id) const {
  for (const auto& [wire, round] : sent_) {
    if (round.id == id) return wire;
  }
  return id;
}

std::int64_t InputRounds::end(std::int64_t wire) {
  const auto found = sent_.find(wire);
  if (found == sent_.end()) return wire;
  const std::int64_t id = found->second.id;
  sent_.erase(found);
  return id;
}

std::int64_t InputRounds::wait(std::int64_t wire, Instant deadline,
                               std::optional<std::string> state) {
  const auto found = sent_.find(wire);
  check(found != sent_.end(), "input for a call that is not on the wire");
  Round round = std::move(found->second);
  sent_.erase(found);
  round.deadline = deadline;
  round.state = std::move(state);
  const std::int64_t id = round.id;
  waiting_.insert_or_assign(id, std::move(round));
  return id;
}

const InputRounds::Round* InputRounds::find_waiting(std::int64_t id) const {
  const auto found = waiting_.find(id);
  return found == waiting_.end() ? nullptr : &found->second;
}

std::optional<InputRounds::Round> InputRounds::take_waiting(std::int64_t id) {
  auto node = waiting_.extract(id);
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped());
}

std::vector<std::int64_t> InputRounds::all_waiting() const {
  std::vector<std::int64_t> out;
  for (const auto& [id, round] : waiting_) out.push_back(id);
  return out;
}

std::vector<std::int64_t> InputRounds::due(Instant now) const {
  std::vector<std::int64_t> out;
  for (const auto& [id, round] : waiting_) {
    if (round.deadline <= now) out.push_back(id);
  }
  return out;
}

Instant InputRounds::next_deadline() const {
  Instant next = kNever;
  for (const auto& [id, round] : waiting_) next = std::min(next, round.deadline);
  return next;
}

}  // namespace plumbline::mcp
