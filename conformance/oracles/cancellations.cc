// notifications/cancelled: spec, basic/utilities/cancellation (2026-07-28:
// basic/patterns/cancellation).

#include <algorithm>
#include <chrono>
#include <string>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/oracles/rules.h"

namespace plumbline::conformance {

namespace {

// Cancelling and answering may cross for so long.
constexpr Duration kCrossing = std::chrono::milliseconds(500);

constexpr std::string_view kCancelled = "notifications/cancelled";
constexpr const char* kNothingCancelled = "it cancelled nothing";

// each_cancel calls `look` with the place of every cancellation that `side` sent.
template <class Look>
void each_cancel(const Transcript& transcript, Side side, const Look& look) {
  for (const Dialogue& dialogue : transcript.dialogues()) {
    for (std::size_t place = 0; place < dialogue.said.size(); ++place) {
      const ObservedMessage& said = dialogue.said[place];
      if (said.by == side && said.method == kCancelled) look(dialogue, said, place);
    }
  }
}

Side other_side(Side side) { return side == Side::kClient ? Side::kServer : Side::kClient; }

// was_crossing returns whether `said` may have been under way when `cancel` was sent.
bool was_crossing(const ObservedMessage& cancel, const ObservedMessage& said) {
  return said.entry->at - cancel.entry->at < kCrossing;
}

// shows_reading returns whether the server answers here a request that came behind the cancellation
// at `place`: until then it may not have got to it.
bool shows_reading(const ObservedMessage& said, std::size_t place) {
  return said.by == Side::kServer && said.request != kNoPlace && said.request > place;
}

// was_read returns whether its asker used a tool, prompt or resource of the list at `response`
// before `until`.
bool was_read(const Dialogue& dialogue, std::size_t response, std::size_t until) {
  const Json& list = dialogue.said[response].result();
  for (std::size_t place = response + 1; place < until; ++place) {
    const ObservedMessage& said = dialogue.said[place];
    const bool calls = said.method == "tools/call" || said.method == "prompts/get";
    const char* const of = calls ? "name" : "uri";
    const Json* const used = find(said.params(), of);
    if (used == nullptr || (!calls && said.method != "resources/read")) continue;
    const Json* const items =
        find(list, calls ? said.method == "tools/call" ? "tools" : "prompts" : "resources");
    if (items == nullptr || !items->is_array()) continue;
    for (const Json& item : *items) {
      const Json* const own = find(item, of);
      if (own != nullptr && *own == *used) return true;
    }
  }
  return false;
}

// has_read returns whether the server shows, between the cancellation at `place` and `end`, that it
// has got to it. A slow one has not.
bool has_read(const Dialogue& dialogue, std::size_t place, std::size_t end) {
  for (std::size_t i = place + 1; i < end; ++i) {
    if (shows_reading(dialogue.said[i], place)) return true;
  }
  return false;
}

bool is_about(const ObservedMessage& said, const ObservedMessage& request) {
  const Json* const meta = find(request.params(), "_meta");
  const Json* const token = meta == nullptr ? nullptr : find(*meta, "progressToken");
  const Json* const about = find(said.params(), "progressToken");
  return said.method == "notifications/progress" && token && about && *token == *about;
}

// goes_well returns whether the same was asked elsewhere and got a result.
bool goes_well(const Transcript& transcript, const ObservedMessage& request) {
  const std::string name = string_or(request.params(), "name", "");
  for (const Dialogue& dialogue : transcript.dialogues()) {
    for (const ObservedMessage& said : dialogue.said) {
      const bool same =
          said.method == request.method && string_or(said.params(), "name", "") == name;
      if (!same || said.responses.empty()) continue;
      if (find(*dialogue.said[said.responses.front()].message, "result")) return true;
    }
  }
  return false;
}

// is_acknowledged returns whether a subscription was.
bool is_acknowledged(const Dialogue& dialogue, const ObservedMessage& request) {
  return std::ranges::any_of(dialogue.said, [&](const ObservedMessage& said) {
    const Json* const meta = find(said.params(), "_meta");
    const Json* const id = meta == nullptr ? nullptr : find(*meta, kMetaSubscription);
    return said.method == "notifications/subscriptions/acknowledged" && id != nullptr &&
           *id == *find(*request.message, "id");
  });
}

// gave_up returns whether `later` is an error for `request`, which fails for no other reason than
// that it was cancelled: `was_read` says whether the server has got to that.
bool gave_up(const Transcript& transcript, const Dialogue& dialogue, const ObservedMessage& later,
             const ObservedMessage& request, bool was_read) {
  const bool fails = later.request != kNoPlace && &dialogue.said[later.request] == &request &&
                     find(*later.message, "error") != nullptr;
  if (!fails) return false;
  if (request.method == "subscriptions/listen") return is_acknowledged(dialogue, request);
  return was_read && goes_well(transcript, request);
}

}  // namespace

Finding cancels_its_own_requests(const Transcript& transcript) {
  Ruling ruling(transcript);
  const Side side = transcript.judged();
  each_cancel(transcript, side,
              [&](const Dialogue& dialogue, const ObservedMessage& said, std::size_t place) {
                const Json* const id = find(said.params(), "requestId");
                if (id == nullptr) return;
                ruling.sees();
                const std::size_t named = said.cancels;
                if (named == kNoPlace) {
                  return ruling.breaks(
                      said, "it cancels " + dump_json(*id) + ", which it never requested");
                }
                const ObservedMessage& request = dialogue.said[named];
                if (request.method == "initialize") return;  // cancellation.not-initialize says it.
                if (request.responses.empty() || request.responses.front() > place) return;
                const ObservedMessage& response = dialogue.said[request.responses.front()];
                if (was_read(dialogue, request.responses.front(), place)) {
                  return ruling.breaks(
                      said, "it cancels " + dump_json(*id) + ", of whose result it had made use");
                }
                // A response that was under way may be believed to be missing.
                if (said.entry->at - response.entry->at < kCrossing) return;
                ruling.breaks(said, "it cancels " + dump_json(*id) + ", which had been answered");
              });
  return ruling.finding(kNothingCancelled);
}

Finding cancels_by_id(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_cancel(transcript, transcript.judged(),
              [&](const Dialogue&, const ObservedMessage& said, std::size_t) {
                ruling.sees();
                const Json* const id = find(said.params(), "requestId");
                if (id == nullptr) return ruling.breaks(said, "a cancellation without requestId");
                if (id->is_string() || as_int(*id)) return;
                ruling.breaks(said, "a cancellation with the requestId " + dump_json(*id));
              });
  return ruling.finding(kNothingCancelled);
}

Finding server_cancels_subscriptions_alone(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_cancel(
      transcript, transcript.judged(),
      [&](const Dialogue& dialogue, const ObservedMessage& said, std::size_t) {
        if (!dialogue.stateless()) return;
        ruling.sees();
        // It names a request of the client, not one of its own.
        const Json* const id = find(said.params(), "requestId");
        const auto& asked = dialogue.asked[0];
        const auto named = id == nullptr ? asked.end() : asked.find(id);
        if (named != asked.end() && dialogue.said[named->second].method == "subscriptions/listen") {
          return;
        }
        ruling.breaks(said, "the server cancels what is no subscriptions/listen");
      });
  return ruling.finding(kNothingCancelled);
}

Finding answers_nothing_cancelled(const Transcript& transcript) {
  Ruling ruling(transcript);
  const Side side = other_side(transcript.judged());
  each_cancel(transcript, side,
              [&](const Dialogue& dialogue, const ObservedMessage& said, std::size_t place) {
                const std::size_t named = said.cancels;
                if (named == kNoPlace || dialogue.said[named].id_repeated) return;
                const ObservedMessage& request = dialogue.said[named];
                if (!request.responses.empty() && request.responses.front() < place) return;
                ruling.sees();
                if (request.responses.empty()) return;
                const std::size_t answered = request.responses.front();
                const ObservedMessage& response = dialogue.said[answered];
                if (was_crossing(said, response)) return;
                const bool server = side == Side::kClient;
                if (server && !has_read(dialogue, place, answered)) return;
                ruling.breaks(response, "a response to a request that had been cancelled " +
                                            std::to_string(milliseconds_of(response.entry->at -
                                                                           said.entry->at)) +
                                            " ms before");
              });
  return ruling.finding("nothing that was at work was cancelled");
}

Finding says_nothing_after_cancel(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_cancel(transcript, Side::kClient,
              [&](const Dialogue& dialogue, const ObservedMessage& said, std::size_t place) {
                const std::size_t named = said.cancels;
                if (named == kNoPlace || dialogue.said[named].id_repeated) return;
                const ObservedMessage& request = dialogue.said[named];
                if (!request.responses.empty() && request.responses.front() < place) return;
                // The page of cancellation lets a server answer what it could not stop. Who answers
                // with an error has stopped it: that crosses with nothing.
                ruling.sees();
                const Json& id = *find(*request.message, "id");
                bool was_read = false;
                for (std::size_t i = place + 1; i < dialogue.said.size(); ++i) {
                  const ObservedMessage& later = dialogue.said[i];
                  if (gave_up(transcript, dialogue, later, request, was_read)) {
                    ruling.breaks(later,
                                  "an error for a request that was cancelled before, and "
                                  "that goes well where it is not");
                    break;
                  }
                  const bool in_time = !was_read || was_crossing(said, later);
                  was_read = was_read || shows_reading(later, place);
                  if (later.by != Side::kServer || in_time) continue;
                  const Json* const meta = find(later.params(), "_meta");
                  const Json* const listening =
                      meta == nullptr ? nullptr : find(*meta, kMetaSubscription);
                  const bool event = listening != nullptr && *listening == id;
                  if (!is_about(later, request) && !event) continue;
                  ruling.breaks(later, later.method + " for a request that was cancelled before");
                  break;
                }
              });
  return ruling.finding("nothing that was at work was cancelled");
}

Finding tasks_are_not_cancelled_as_requests(const Transcript& transcript) {
  Ruling ruling(transcript);
  const Side side = transcript.judged();
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    if (said.method == "tasks/cancel") ruling.sees();
  });
  each_cancel(
      transcript, side, [&](const Dialogue& dialogue, const ObservedMessage& said, std::size_t) {
        const std::size_t named = said.cancels;
        if (named == kNoPlace || dialogue.said[named].responses.empty()) return;
        const ObservedMessage& response = dialogue.said[dialogue.said[named].responses.front()];
        if (find(response.result(), "task") == nullptr || was_crossing(response, said)) return;
        ruling.breaks(said, "a request that became a task is cancelled, expected tasks/cancel");
      });
  return ruling.finding("it cancelled no task");
}

}  // namespace plumbline::conformance
