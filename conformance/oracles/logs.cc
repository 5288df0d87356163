// notifications/message: spec, server/utilities/logging.

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/oracles/rules.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kMessage = "notifications/message";
constexpr const char* kNoLogs = "it logged nothing";
constexpr int kLogsPerSecondMax = 300;
// A message may come so long after the response that it belongs to.
constexpr Duration kLate = std::chrono::milliseconds(500);

constexpr std::array<std::string_view, 8> kLevels = {"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};

// severity_of returns the place of a level, nothing when it is none.
std::optional<std::size_t> severity_of(const Json* level) {
  if (level == nullptr || !level->is_string()) return std::nullopt;
  const auto found = std::ranges::find(kLevels, level->get_ref<const std::string&>());
  if (found == kLevels.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kLevels.begin());
}

const Json* level_wanted(const ObservedMessage& request) {
  const Json* const meta = find(request.params(), "_meta");
  return meta == nullptr ? nullptr : find(*meta, kMetaLogLevel);
}

template <class Look>
void each_log(const Transcript& transcript, const Look& look) {
  each(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (said.method == kMessage) look(dialogue, said);
  });
}

// Wanting is the requests of one dialogue that ask for logs. It goes through them once, beside the
// logs: each is counted from when it was made until its answer is long past.
class Wanting {
 public:
  explicit Wanting(const Dialogue& dialogue) : dialogue_(dialogue) {}

  // lowest returns the least severity that a request asks for to which `log` may belong; nothing
  // when none asks for logs. To be asked of logs in their order.
  std::optional<std::size_t> lowest(const ObservedMessage& log) {
    if (const ObservedMessage* const opening = dialogue_.opening(log)) {
      return severity_of(level_wanted(*opening));
    }
    for (; &dialogue_.said[next_] < &log; ++next_) take_in(dialogue_.said[next_]);
    for (; !ending_.empty() && log.entry->at - ending_.top().first > kLate; ending_.pop()) {
      --asking_[ending_.top().second];
    }
    const auto lowest = std::ranges::find_if(asking_, [](int requests) { return requests > 0; });
    if (lowest == asking_.end()) return std::nullopt;
    return static_cast<std::size_t>(lowest - asking_.begin());
  }

 private:
  void take_in(const ObservedMessage& said) {
    const auto level = said.is_request() ? severity_of(level_wanted(said)) : std::nullopt;
    if (!level) return;
    ++asking_[*level];
    if (said.responses.empty()) return;
    ending_.emplace(dialogue_.said[said.responses.front()].entry->at, *level);
  }

  using Ending = std::pair<Instant, std::size_t>;  // When a request was answered, and its level.

  const Dialogue& dialogue_;
  std::size_t next_ = 0;  // What is not taken in.
  std::array<int, kLevels.size()> asking_{};
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> ending_;
};

}  // namespace

Finding logging_is_declared(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_log(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (!dialogue.tells_capabilities) return;
    ruling.sees();
    if (find(*dialogue.server_capabilities, "logging") != nullptr) return;
    ruling.breaks(said, "a log message from a server that does not declare logging");
  });
  return ruling.finding(kNoLogs);
}

Finding log_levels_are_known(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (said.method == kMessage) {
      ruling.sees();
      const Json* const level = find(said.params(), "level");
      if (!severity_of(level)) {
        ruling.breaks(said, "the level is " + (level ? dump_json(*level) : "missing") +
                                ", expected one of the eight of RFC 5424");
      }
      if (find(said.params(), "data") == nullptr) ruling.breaks(said, "a log message without data");
    }
    const Json* const error = find(*said.message, "error");
    if (said.request == kNoPlace || error == nullptr || error->is_null()) return;
    const ObservedMessage& request = dialogue.said[said.request];
    const bool declared = find(*dialogue.server_capabilities, "logging") != nullptr;
    // The stateless revisions have no such method to refuse by its level.
    if (request.method != "logging/setLevel" || !declared || dialogue.stateless()) return;
    if (!severity_of(find(request.params(), "level"))) return;
    if (find_string(*request.message, "jsonrpc") != "2.0") return;  // Refused for that.
    const Json* const code = at_pointer(*said.message, "/error/code");
    if (code != nullptr && *code == Json(-32601)) {
      return ruling.breaks(said,
                           "logging is declared, and logging/setLevel gets error -32601: MCP "
                           "Inspector and VS Code set a level when they connect, and say that it "
                           "failed");
    }
    ruling.breaks(said, "logging/setLevel refuses the level \"" +
                            string_or(request.params(), "level", "") + "\"");
  });
  return ruling.finding(kNoLogs);
}

Finding logs_are_limited(const Transcript& transcript) {
  Ruling ruling(transcript);
  std::map<const Dialogue*, std::deque<Instant>> recent;
  each_log(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    ruling.sees();
    std::deque<Instant>& times = recent[&dialogue];
    times.push_back(said.entry->at);
    while (times.back() - times.front() > std::chrono::seconds(1)) times.pop_front();
    if (times.size() == kLogsPerSecondMax + 1) {
      ruling.breaks(said, "more than 300 log messages within a second");
    }
  });
  return ruling.finding(kNoLogs);
}

Finding logs_are_asked_for(const Transcript& transcript) {
  Ruling ruling(transcript);
  for (const Dialogue& dialogue : transcript.dialogues()) {
    if (!dialogue.stateless()) continue;
    Wanting wanting(dialogue);
    const bool may_log = find(*dialogue.server_capabilities, "logging") != nullptr;
    for (const ObservedMessage& said : dialogue.said) {
      // A call without a level is the chance to break it.
      if (may_log && said.method == "tools/call" && level_wanted(said) == nullptr) ruling.sees();
      if (said.method != kMessage || said.by != transcript.judged()) continue;
      ruling.sees();
      if (wanting.lowest(said)) continue;
      ruling.breaks(said, "a log message, and no request at work asks for any with logLevel");
    }
  }
  return ruling.finding("it cannot log, or no tool was called");
}

Finding logs_are_severe_enough(const Transcript& transcript) {
  Ruling ruling(transcript);
  for (const Dialogue& dialogue : transcript.dialogues()) {
    if (!dialogue.stateless()) continue;
    Wanting wanting(dialogue);
    for (const ObservedMessage& said : dialogue.said) {
      if (said.method != kMessage || said.by != transcript.judged()) continue;
      const auto severity = severity_of(find(said.params(), "level"));
      const auto wanted = wanting.lowest(said);
      if (!severity || !wanted) continue;
      ruling.sees();
      if (*severity >= *wanted) continue;
      ruling.breaks(said, "a log message of level " + std::string(kLevels[*severity]) +
                              ", the request asks for " + std::string(kLevels[*wanted]) +
                              " and worse");
    }
  }
  return ruling.finding(kNoLogs);
}

Finding logs_stay_on_their_stream(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_log(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (!dialogue.stateless()) return;
    ruling.sees();
    const Json* const meta = find(said.params(), "_meta");
    const ObservedMessage* const opening = dialogue.opening(said);
    const bool listening = opening != nullptr && opening->method == "subscriptions/listen";
    if (!listening && (meta == nullptr || !meta->contains(kMetaSubscription))) {
      return;
    }
    ruling.breaks(said, "a log message on the stream of subscriptions/listen");
  });
  return ruling.finding(kNoLogs);
}

}  // namespace plumbline::conformance
