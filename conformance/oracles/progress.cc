// notifications/progress: spec, basic/utilities/progress (2026-07-28: basic/patterns/progress).

#include <chrono>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/oracles/rules.h"

namespace plumbline::conformance {

namespace {

constexpr int kPerSecondMax = 100;
// What comes on different streams of HTTP may overtake.
constexpr Duration kOvertaking = std::chrono::milliseconds(500);

constexpr std::string_view kProgress = "notifications/progress";
constexpr const char* kNoProgress = "it reported no progress";

const Json* token_asked(const ObservedMessage& said) {
  if (!said.is_request()) return nullptr;
  const Json* const meta = find(said.params(), "_meta");
  return meta == nullptr ? nullptr : find(*meta, "progressToken");
}

bool is_token(const Json& token) { return token.is_string() || as_int(token).has_value(); }

// is_task returns whether the request goes on after its response `said`.
bool is_task(const ObservedMessage& said) {
  return find(said.result(), "task") != nullptr ||
         string_or(said.result(), "resultType", "") == "task";
}

// overtaken returns whether `later` may have been said before `said`, on another stream. Not on one
// that was opened when `said` had come.
bool overtaken(const Dialogue& dialogue, const ObservedMessage& said,
               const ObservedMessage& later) {
  const ObservedMessage* const opening = dialogue.opening(later);
  if (opening != nullptr && opening > &said) return false;  // They stand in one vector.
  return said.entry->exchange != later.entry->exchange &&
         later.entry->at - said.entry->at < kOvertaking;
}

// Reported is one progress notification that has a token, and what was said before about that.
struct Reported {
  const Dialogue& dialogue;
  const ObservedMessage& said;
  std::size_t place;
  const Json& token;
  const ObservedMessage* asker = nullptr;  // The last request with the token.
  const ObservedMessage* begun =
      nullptr;  // The last response that made a task of a request with the token,
  const ObservedMessage* ended = nullptr;  // and what said first that this task is over.
  bool any_begun = false;                  // Whether there was a task at all.
  const ObservedMessage* only = nullptr;   // The request at work, where there is no other.
};

// Memory is what is known of a dialogue up to one place.
struct Memory {
  std::map<const Json*, const ObservedMessage*, JsonLess> askers;  // By token.
  std::map<const Json*, const ObservedMessage*, JsonLess> begun;   // Likewise.
  std::map<std::string, const ObservedMessage*> ended;             // By the id of the task.
  std::set<const ObservedMessage*> at_work;                        // Requests of the other side.

  void learn(const Dialogue& dialogue, const ObservedMessage& said, Side judged) {
    if (said.request != kNoPlace) at_work.erase(&dialogue.said[said.request]);
    const bool asks = said.is_request() && said.by != judged;
    if (asks && said.method != "subscriptions/listen") at_work.insert(&said);
    const Json* const token = token_asked(said);
    if (token != nullptr && said.by != judged) askers[token] = &said;
    const bool told = said.method == "notifications/tasks/status";
    const Json& task = told ? said.params() : said.result();
    const std::string status = string_or(task, "status", "");
    if (status == "completed" || status == "failed" || status == "cancelled") {
      ended.try_emplace(string_or(task, "taskId", ""), &said);
    }
    if (said.by != judged || said.request == kNoPlace) return;
    const Json* const asked = token_asked(dialogue.said[said.request]);
    if (asked != nullptr && find(said.result(), "task") != nullptr) begun[asked] = &said;
  }

  template <class Map, class Key>
  static const ObservedMessage* in(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : found->second;
  }
};

std::string task_of(const ObservedMessage& begun) {
  return string_or(*find(begun.result(), "task"), "taskId", "");
}

// has_its_own returns whether there is progress under `token` in the dialogue.
bool has_its_own(const Dialogue& dialogue, const Json& token) {
  return std::ranges::any_of(dialogue.said, [&](const ObservedMessage& said) {
    const Json* const named = find(said.params(), "progressToken");
    return said.method == kProgress && named != nullptr && *named == token;
  });
}

// mistaken returns the token of the only request at work, where progress names one instead that was
// answered before that was made; nullptr where it does not. Where the one at work gets its own, the
// other is late.
const Json* mistaken(const Reported& reported) {
  const std::vector<ObservedMessage>& said = reported.dialogue.said;
  const std::vector<std::size_t>& responses = reported.asker->responses;
  if (reported.only == nullptr || responses.empty()) return nullptr;
  const ObservedMessage& response = said[responses.front()];
  const bool before = &response < reported.only;  // They stand in one vector.
  if (!before || is_task(response) || overtaken(reported.dialogue, response, reported.said))
    return nullptr;
  const Json* const token = token_asked(*reported.only);
  return token == nullptr || has_its_own(reported.dialogue, *token) ? nullptr : token;
}

// each_progress calls `look` with every progress notification of the judged side that has a token.
template <class Look>
void each_progress(const Transcript& transcript, const Look& look) {
  for (const Dialogue& dialogue : transcript.dialogues()) {
    Memory memory;
    for (std::size_t place = 0; place < dialogue.said.size(); ++place) {
      const ObservedMessage& said = dialogue.said[place];
      const Json* const token = find(said.params(), "progressToken");
      if (said.by == transcript.judged() && said.method == kProgress && token != nullptr) {
        Reported reported{dialogue, said, place, *token};
        reported.asker = Memory::in(memory.askers, token);
        reported.begun = Memory::in(memory.begun, token);
        if (reported.begun) reported.ended = Memory::in(memory.ended, task_of(*reported.begun));
        reported.any_begun = !memory.begun.empty();
        if (memory.at_work.size() == 1) reported.only = *memory.at_work.begin();
        look(reported);
      }
      memory.learn(dialogue, said, transcript.judged());
    }
  }
}

}  // namespace

Finding progress_tokens_are_typed(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    const Json* token = token_asked(said);
    if (said.method == kProgress) token = find(said.params(), "progressToken");
    if (token == nullptr) return;
    ruling.sees();
    if (is_token(*token)) return;
    ruling.breaks(
        said, "the progress token " + dump_json(*token) + " is neither a string nor an integer");
  });
  return ruling.finding("it used no progress token");
}

Finding progress_tokens_are_unique(const Transcript& transcript) {
  Ruling ruling(transcript);
  for (const Dialogue& dialogue : transcript.dialogues()) {
    std::map<const Json*, std::vector<const ObservedMessage*>, JsonLess> at_work;  // By token.
    for (std::size_t place = 0; place < dialogue.said.size(); ++place) {
      const ObservedMessage& said = dialogue.said[place];
      const Json* const token = token_asked(said);
      if (said.by != transcript.judged() || token == nullptr) continue;
      ruling.sees();
      std::vector<const ObservedMessage*>& others = at_work[token];
      const auto is_over = [&] {
        const std::vector<std::size_t>& responses = others.back()->responses;
        return !responses.empty() && responses.front() <= place;
      };
      while (!others.empty() && is_over()) others.pop_back();
      if (!others.empty()) {
        ruling.breaks(said, "two requests at work have the progress token " + dump_json(*token));
      }
      others.push_back(&said);
    }
  }
  return ruling.finding("it asked for no progress");
}

Finding progress_increases(const Transcript& transcript) {
  Ruling ruling(transcript);
  // By the request, as its token may be used again, and by the stream: streams may overtake.
  std::map<std::pair<const ObservedMessage*, std::uint32_t>, double> latest;
  each_progress(transcript, [&](const Reported& reported) {
    const ObservedMessage& said = reported.said;
    const Json* const value = find(said.params(), "progress");
    if (value == nullptr || !value->is_number() || reported.asker == nullptr) return;
    ruling.sees();
    const double progress = value->get<double>();
    const auto [before, first] =
        latest.try_emplace({reported.asker, said.entry->exchange}, progress);
    if (!first && progress <= before->second) {
      ruling.breaks(said, "progress " + dump_json(*value) + " after " +
                              dump_json(Json(before->second)) + ", expected more each time");
    }
    before->second = progress;
  });
  return ruling.finding(kNoProgress);
}

Finding progress_messages_say_something(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    const Json* const message = find(said.params(), "message");
    if (said.method != kProgress || message == nullptr) return;
    ruling.sees();
    const auto text = find_string(said.params(), "message");
    if (!text || text->empty())
      ruling.breaks(said, "the message of progress is " + dump_json(*message));
  });
  return ruling.finding("no progress had a message");
}

Finding progress_is_of_known_tokens(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_progress(transcript, [&](const Reported& reported) {
    ruling.sees();
    if (reported.asker == nullptr) {
      return ruling.breaks(reported.said, "progress of " + dump_json(reported.token) +
                                              ", which no request has as its token");
    }
    if (const Json* const other = mistaken(reported)) {
      ruling.breaks(reported.said, "progress of " + dump_json(reported.token) +
                                       ", whose request had been answered before, came while "
                                       "only that of " +
                                       dump_json(*other) + " was at work");
    }
  });
  return ruling.finding(kNoProgress);
}

Finding progress_stops_with_the_answer(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_progress(transcript, [&](const Reported& reported) {
    const ObservedMessage* const request = reported.asker;
    if (request == nullptr) return;
    ruling.sees();
    if (request->responses.empty() || request->responses.front() > reported.place) return;
    const ObservedMessage& response = reported.dialogue.said[request->responses.front()];
    if (is_task(response) || overtaken(reported.dialogue, response, reported.said)) return;
    ruling.breaks(reported.said, "progress of " + dump_json(reported.token) +
                                     " after the response to its request");
  });
  return ruling.finding(kNoProgress);
}

Finding progress_is_limited(const Transcript& transcript) {
  Ruling ruling(transcript);
  std::map<const Dialogue*, std::deque<Instant>> recent;
  each_progress(transcript, [&](const Reported& reported) {
    ruling.sees();
    std::deque<Instant>& times = recent[&reported.dialogue];
    times.push_back(reported.said.entry->at);
    while (times.back() - times.front() > std::chrono::seconds(1)) times.pop_front();
    if (times.size() == kPerSecondMax + 1) {
      ruling.breaks(reported.said, "more than 100 progress notifications within a second");
    }
  });
  return ruling.finding(kNoProgress);
}

namespace {

constexpr const char* kNoTaskProgress = "no task reported progress";

}  // namespace

Finding progress_of_tasks_keeps_its_token(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_progress(transcript, [&](const Reported& reported) {
    if (reported.begun != nullptr) return ruling.sees();
    if (reported.asker != nullptr || !reported.any_begun) return;
    ruling.breaks(reported.said, "progress of " + dump_json(reported.token) +
                                     " while a task runs, expected the token of its request");
  });
  return ruling.finding(kNoTaskProgress);
}

Finding progress_of_tasks_stops(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_progress(transcript, [&](const Reported& reported) {
    if (reported.begun == nullptr) return;
    ruling.sees();
    if (reported.ended == nullptr) return;
    if (overtaken(reported.dialogue, *reported.ended, reported.said)) return;
    ruling.breaks(reported.said,
                  "progress of the task " + task_of(*reported.begun) + ", which is over");
  });
  return ruling.finding(kNoTaskProgress);
}

}  // namespace plumbline::conformance
