#include "scenarios/judge/waits.h"

#include <algorithm>

namespace plumbline::scenarios {

namespace {

std::string id_of(const Json& detail) {
  const Json* const id = find(detail, "id");
  return id == nullptr ? std::string() : dump_json(*id);
}

}  // namespace

void Waits::close(std::vector<Open>& open, const TraceEvent& event) {
  const std::string id = id_of(event.detail);
  std::erase_if(open, [&](const Open& one) { return one.id == id && one.who == event.who; });
}

void Waits::on_event(const TraceEvent& event) {
  const std::string who(event.who);
  const std::string method = string_or(event.detail, "method", "");
  const std::int64_t now_ms = milliseconds_of(event.at.time_since_epoch());
  switch (event.kind) {
    case EventKind::kNodeStarted:
      node_ = who;
      ++counts_["ran " + node_];
      return;
    case EventKind::kRequestStarted:
      ours_.push_back(Open{who, id_of(event.detail), method, now_ms});
      return;
    case EventKind::kRequestEnded:
      return close(ours_, event);
    case EventKind::kMessageSent:
      if (method.empty()) return close(theirs_, event);
      ++counts_["sent " + method + " to " + who];
      return;
    case EventKind::kMessageReceived:
      if (method.empty()) return;
      ++counts_["received " + method + " from " + who];
      if (!id_of(event.detail).empty()) {
        theirs_.push_back(Open{who, id_of(event.detail), method, now_ms});
      }
      return;
    case EventKind::kConnection:
      ++counts_[who + " " + string_or(event.detail, "state", "")];
      return;
    default:
      return;
  }
}

std::string Waits::describe() const {
  std::string out;
  for (const Open& one : ours_) {
    out += (out.empty() ? "the assistant, in " + node_ + ", waits for " : ", and for ") +
           one.method + " of " + one.who + " since " + std::to_string(one.since_ms) + " ms";
  }
  for (const Open& one : theirs_) {
    out += (out.empty() ? "" : "; ") + one.who + " waits for our answer to " + one.method +
           " since " + std::to_string(one.since_ms) + " ms";
  }
  if (!out.empty()) return out;
  return "the assistant is in " + node_ + ", and no request is open";
}

std::string Waits::busiest() const {
  const auto most =
      std::ranges::max_element(counts_, {}, [](const auto& entry) { return entry.second; });
  if (most == counts_.end()) return "nothing was sent";
  return most->first + ", " + std::to_string(most->second) + " times";
}

}  // namespace plumbline::scenarios
