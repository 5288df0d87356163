#include "core/rpc/in_flight.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/base/check.h"
#include "core/base/rare.h"

namespace plumbline::rpc {

InFlight::InFlight(std::size_t size_max) : size_max_(size_max), text_(rare(Rare::kRpcIdsText)) {
  constexpr std::int64_t kHigh = (std::int64_t{1} << 33) + 1;
  if (rare(Rare::kRpcIdsHigh)) next_id_ = first_id_ = kHigh;
}

RpcId InFlight::named(std::int64_t id) const {
  return text_ ? RpcId(std::to_string(id)) : RpcId(id);
}

std::optional<std::int64_t> InFlight::number_of(const RpcId& name) const {
  if (!text_) return name.number() ? std::optional(*name.number()) : std::nullopt;
  const std::string* const text = name.text();
  if (text == nullptr) return std::nullopt;
  std::int64_t id = 0;
  const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), id);
  if (failed != std::errc() || *text != std::to_string(id)) return std::nullopt;
  return id;
}

std::int64_t InFlight::start(std::string method, Instant now, Instant deadline) {
  check(!full(), "more requests in flight than allowed");
  Entry entry;
  entry.id = next_id_++;
  entry.method = std::move(method);
  entry.started = now;
  entry.deadline = deadline;
  entries_.push_back(std::move(entry));
  return entries_.back().id;
}

InFlight::Standing InFlight::standing(std::int64_t id) const {
  if (id < first_id_ || id >= next_id_) return Standing::kNeverSent;
  const auto waits = [id](const Entry& entry) { return entry.id == id; };
  if (std::any_of(entries_.begin(), entries_.end(), waits)) return Standing::kWaiting;
  if (std::find(abandoned_.begin(), abandoned_.end(), id) != abandoned_.end()) {
    return Standing::kAbandoned;
  }
  return Standing::kAnswered;
}

InFlight::Entry* InFlight::find(std::int64_t id) {
  for (Entry& entry : entries_) {
    if (entry.id == id) return &entry;
  }
  return nullptr;
}

InFlight::Entry* InFlight::find_token(const RpcId& token) {
  for (Entry& entry : entries_) {
    if (entry.progress_token == token) return &entry;
  }
  return nullptr;
}

InFlight::Entry InFlight::take(std::int64_t id) {
  const auto found = std::ranges::find(entries_, id, &Entry::id);
  check(found != entries_.end(), "a request ends twice");
  Entry entry = std::move(*found);
  entries_.erase(found);
  return entry;
}

InFlight::Entry InFlight::answer(std::int64_t id) { return take(id); }

InFlight::Entry InFlight::abandon(std::int64_t id) {
  Entry entry = take(id);
  abandoned_.push_back(id);
  if (abandoned_.size() > size_max_) abandoned_.pop_front();
  return entry;
}

InFlight::Judgement InFlight::judge(const RpcId& id) {
  const std::optional<std::int64_t> number = number_of(id);
  Judgement out;
  switch (number ? standing(*number) : Standing::kNeverSent) {
    case Standing::kWaiting:
      out.awaited = true;
      break;
    case Standing::kAbandoned:
      out.late = true;
      std::erase(abandoned_, *number);
      break;
    case Standing::kAnswered:
      out.violation = "a second answer to request " + describe(id);
      break;
    case Standing::kNeverSent:
      out.violation = "an answer to request " + describe(id) + ", which was never sent";
      break;
  }
  return out;
}

Instant InFlight::next_deadline() const {
  Instant first = kNever;
  for (const Entry& entry : entries_) first = std::min(first, entry.deadline);
  return first;
}

std::vector<std::int64_t> InFlight::due(Instant now) const {
  std::vector<std::int64_t> out;
  for (const Entry& entry : entries_) {
    if (entry.deadline <= now) out.push_back(entry.id);
  }
  return out;
}

std::vector<std::int64_t> InFlight::ids() const {
  std::vector<std::int64_t> out;
  out.reserve(entries_.size());
  for (const Entry& entry : entries_) out.push_back(entry.id);
  return out;
}

}  // namespace plumbline::rpc
