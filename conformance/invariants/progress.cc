// notifications/progress: spec, basic/utilities/progress (2026-07-28: basic/patterns/progress).

#include <chrono>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "conformance/invariants/rules.h"

namespace plumbline::conformance {

namespace {

constexpr int kPerSecondMax = 100;
// What comes on different streams of HTTP may overtake.
constexpr Duration kOvertaking = std::chrono::milliseconds(500);

constexpr std::string_view kProgress = "notifications/progress";
constexpr const char* kNoProgress = "it reported no progress";

const Json* token_asked(const Said& said) {
  if (!said.is_request()) return nullptr;
  const Json* const meta = find(said.params(), "_meta");
  return meta == nullptr ? nullptr : find(*meta, "progressToken");
}

bool is_token(const Json& token) { return token.is_string() || as_int(token).has_value(); }

// is_task returns whether the request goes on after its response `said`.
bool is_task(const Said& said) {
  return find(said.result(), "task") != nullptr ||
         string_or(said.result(), "resultType", "") == "task";
}

// asker_of returns the last request before `place` that has `token`; nullptr for none.
const Said* asker_of(const Dialogue& dialogue, std::size_t place, const Json& token) {
  const Side side = dialogue.said[place].by;
  for (std::size_t i = place; i-- > 0;) {
    const Said& said = dialogue.said[i];
    if (said.by == side) continue;
    const Json* const asked = token_asked(said);
    if (asked != nullptr && *asked == token) return &said;
  }
  return nullptr;
}

// each_progress calls `look` with every progress notification that has a token, and its place.
template <class Look>
void each_progress(const Hearing& hearing, const Look& look) {
  each(hearing, [&](const Dialogue& dialogue, const Said& said) {
    const Json* const token = find(said.params(), "progressToken");
    if (said.method != kProgress || token == nullptr) return;
    look(dialogue, said, static_cast<std::size_t>(&said - dialogue.said.data()), *token);
  });
}

}  // namespace

Finding progress_tokens_are_typed(const Hearing& hearing) {
  Ruling ruling(hearing);
  each(hearing, [&](const Dialogue&, const Said& said) {
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

Finding progress_tokens_are_unique(const Hearing& hearing) {
  Ruling ruling(hearing);
  for (const Dialogue& dialogue : hearing.dialogues()) {
    for (std::size_t place = 0; place < dialogue.said.size(); ++place) {
      const Said& said = dialogue.said[place];
      const Json* const token = token_asked(said);
      if (said.by != hearing.judged() || token == nullptr) continue;
      ruling.sees();
      for (std::size_t before = 0; before < place; ++before) {
        const Said& other = dialogue.said[before];
        const Json* const same = token_asked(other);
        const bool open = other.responses.empty() || other.responses.front() > place;
        if (other.by != said.by || same == nullptr || *same != *token || !open) continue;
        ruling.breaks(said, "two requests at work have the progress token " + dump_json(*token));
        break;
      }
    }
  }
  return ruling.finding("it asked for no progress");
}

Finding progress_increases(const Hearing& hearing) {
  Ruling ruling(hearing);
  // By the request, as its token may be used again, and by the stream: streams may overtake.
  std::map<std::pair<const Said*, std::uint32_t>, double> latest;
  each_progress(hearing, [&](const Dialogue& dialogue, const Said& said, std::size_t place,
                             const Json& token) {
    const Json* const value = find(said.params(), "progress");
    const Said* const request = asker_of(dialogue, place, token);
    if (value == nullptr || !value->is_number() || request == nullptr) return;
    ruling.sees();
    const double progress = value->get<double>();
    const auto [before, first] = latest.try_emplace({request, said.entry->exchange}, progress);
    if (!first && progress <= before->second) {
      ruling.breaks(said, "progress " + dump_json(*value) + " after " +
                              dump_json(Json(before->second)) + ", expected more each time");
    }
    before->second = progress;
  });
  return ruling.finding(kNoProgress);
}

Finding progress_messages_say_something(const Hearing& hearing) {
  Ruling ruling(hearing);
  each(hearing, [&](const Dialogue&, const Said& said) {
    const Json* const message = find(said.params(), "message");
    if (said.method != kProgress || message == nullptr) return;
    ruling.sees();
    const auto text = find_string(said.params(), "message");
    if (!text || text->empty())
      ruling.breaks(said, "the message of progress is " + dump_json(*message));
  });
  return ruling.finding("no progress had a message");
}

Finding progress_is_of_known_tokens(const Hearing& hearing) {
  Ruling ruling(hearing);
  each_progress(hearing, [&](const Dialogue& dialogue, const Said& said, std::size_t place,
                             const Json& token) {
    ruling.sees();
    if (asker_of(dialogue, place, token) != nullptr) return;
    ruling.breaks(said, "progress of " + dump_json(token) + ", which no request has as its token");
  });
  return ruling.finding(kNoProgress);
}

Finding progress_stops_with_the_answer(const Hearing& hearing) {
  Ruling ruling(hearing);
  each_progress(hearing, [&](const Dialogue& dialogue, const Said& said, std::size_t place,
                             const Json& token) {
    const Said* const request = asker_of(dialogue, place, token);
    if (request == nullptr) return;
    ruling.sees();
    if (request->responses.empty() || request->responses.front() > place) return;
    const Said& response = dialogue.said[request->responses.front()];
    const bool overtaken = response.entry->exchange != said.entry->exchange &&
                           said.entry->at - response.entry->at < kOvertaking;
    if (is_task(response) || overtaken) return;
    ruling.breaks(said, "progress of " + dump_json(token) + " after the response to its request");
  });
  return ruling.finding(kNoProgress);
}

Finding progress_is_limited(const Hearing& hearing) {
  Ruling ruling(hearing);
  std::map<const Dialogue*, std::deque<Instant>> recent;
  each_progress(hearing, [&](const Dialogue& dialogue, const Said& said, std::size_t, const Json&) {
    ruling.sees();
    std::deque<Instant>& times = recent[&dialogue];
    times.push_back(said.entry->at);
    while (times.back() - times.front() > std::chrono::seconds(1)) times.pop_front();
    if (times.size() == kPerSecondMax + 1) {
      ruling.breaks(said, "more than 100 progress notifications within a second");
    }
  });
  return ruling.finding(kNoProgress);
}

namespace {

// task_begun returns the response before `place` that made a task of a request with `token`, with
// any token when that is null; nullptr for none.
const Said* task_begun(const Dialogue& dialogue, std::size_t place, const Json& token) {
  for (std::size_t i = place; i-- > 0;) {
    const Said& said = dialogue.said[i];
    if (said.by != dialogue.said[place].by || said.request == kNoPlace) continue;
    if (find(said.result(), "task") == nullptr) continue;
    const Json* const asked = token_asked(dialogue.said[said.request]);
    if (asked != nullptr && (token.is_null() || *asked == token)) return &said;
  }
  return nullptr;
}

// task_ended returns what said before `place` that the task `id` is over; nullptr for nothing.
const Said* task_ended(const Dialogue& dialogue, std::size_t place, const std::string& id) {
  for (std::size_t i = 0; i < place; ++i) {
    const Said& said = dialogue.said[i];
    const bool told = said.method == "notifications/tasks/status";
    const Json& task = told ? said.params() : said.result();
    if (string_or(task, "taskId", "") != id) continue;
    const std::string status = string_or(task, "status", "");
    if (status == "completed" || status == "failed" || status == "cancelled") return &said;
  }
  return nullptr;
}

constexpr const char* kNoTaskProgress = "no task reported progress";

}  // namespace

Finding progress_of_tasks_keeps_its_token(const Hearing& hearing) {
  Ruling ruling(hearing);
  each_progress(hearing, [&](const Dialogue& dialogue, const Said& said, std::size_t place,
                             const Json& token) {
    if (task_begun(dialogue, place, token) != nullptr) return ruling.sees();
    const bool unknown = asker_of(dialogue, place, token) == nullptr;
    if (!unknown || task_begun(dialogue, place, nullptr) == nullptr) return;
    ruling.breaks(said, "progress of " + dump_json(token) +
                            " while a task runs, expected the token of its request");
  });
  return ruling.finding(kNoTaskProgress);
}

Finding progress_of_tasks_stops(const Hearing& hearing) {
  Ruling ruling(hearing);
  each_progress(hearing, [&](const Dialogue& dialogue, const Said& said, std::size_t place,
                             const Json& token) {
    const Said* const begun = task_begun(dialogue, place, token);
    if (begun == nullptr) return;
    ruling.sees();
    const std::string id = string_or(*find(begun->result(), "task"), "taskId", "");
    const Said* const ended = task_ended(dialogue, place, id);
    if (ended == nullptr) return;
    const bool overtaken = ended->entry->exchange != said.entry->exchange &&
                           said.entry->at - ended->entry->at < kOvertaking;
    if (!overtaken) ruling.breaks(said, "progress of the task " + id + ", which is over");
  });
  return ruling.finding(kNoTaskProgress);
}

}  // namespace plumbline::conformance
