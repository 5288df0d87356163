// notifications/cancelled: spec, basic/utilities/cancellation (2026-07-28:
// basic/patterns/cancellation).

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/oracles/readings.h"
#include "conformance/oracles/rules.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// Cancelling and answering may cross for so long.
constexpr Duration kCrossing = std::chrono::milliseconds(500);

// That of the Language Server Protocol, which many use.
constexpr std::int64_t kRequestCancelled = -32800;
constexpr std::int64_t kCancelledByPython = 0;  // That of the SDK for Python, version 1.

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

// Use is a method that uses an item of a list.
struct Use {
  std::string_view method;
  const char* list;
  const char* item;  // The member that names it.
};

constexpr std::array<Use, 3> kUses = {{{"tools/call", "tools", "name"},
                                       {"prompts/get", "prompts", "name"},
                                       {"resources/read", "resources", "uri"}}};

// Uses knows where the tools, prompts and resources of lists were used.
class Uses {
 public:
  explicit Uses(const Dialogue& dialogue) : dialogue_(dialogue) {
    for (std::size_t place = 0; place < dialogue.said.size(); ++place) {
      const ObservedMessage& said = dialogue.said[place];
      for (std::size_t use = 0; use < kUses.size(); ++use) {
        if (said.method != kUses[use].method) continue;
        const Json* const item = find(said.params(), kUses[use].item);
        if (item != nullptr) used_[use][item].push_back(place);
      }
    }
  }

  // of returns where an item of the list at `response` was used first after that; kNoPlace:
  // nowhere.
  std::size_t of(std::size_t response) {
    const auto [known, is_new] = first_.try_emplace(response, kNoPlace);
    if (!is_new) return known->second;
    for (std::size_t use = 0; use < kUses.size(); ++use) {
      const Json* const items = find(dialogue_.said[response].result(), kUses[use].list);
      if (items == nullptr || !items->is_array()) continue;
      for (const Json& item : *items) {
        const Json* const name = find(item, kUses[use].item);
        const auto used = name == nullptr ? used_[use].end() : used_[use].find(name);
        if (used == used_[use].end()) continue;
        const auto next = std::ranges::upper_bound(used->second, response);
        if (next != used->second.end()) known->second = std::min(known->second, *next);
      }
    }
    return known->second;
  }

 private:
  const Dialogue& dialogue_;
  std::map<const Json*, std::vector<std::size_t>, JsonLess> used_[kUses.size()];
  std::map<std::size_t, std::size_t> first_;  // What was looked up, by the response.
};

// Afterwards knows what a server says about a request beside its answer.
class Afterwards {
 public:
  explicit Afterwards(const Dialogue& dialogue) : dialogue_(dialogue), readings_(dialogue) {
    for (std::size_t place = 0; place < dialogue.said.size(); ++place) {
      const ObservedMessage& said = dialogue.said[place];
      ends_by_itself_ = ends_by_itself_ || is_ended(said);
      const Json* const meta = find(said.params(), "_meta");
      const Json* const event = meta == nullptr ? nullptr : find(*meta, kMetaSubscription);
      if (event != nullptr && said.method == "notifications/subscriptions/acknowledged") {
        acknowledged_.insert(event);
      }
      if (said.by != Side::kServer) continue;
      if (event != nullptr) events_[event].push_back(place);
      const Json* const token = find(said.params(), "progressToken");
      if (token != nullptr && said.method == "notifications/progress") {
        progress_[token].push_back(place);
      }
    }
  }

  // is_acknowledged returns whether the subscription `request` was.
  bool is_acknowledged(const ObservedMessage& request) const {
    return acknowledged_.contains(find(*request.message, "id"));
  }

  // ends_by_itself returns whether it ended a subscription that nobody had cancelled: what ends
  // another one may cross with its cancellation.
  bool ends_by_itself() const { return ends_by_itself_; }

  // read returns where the server shows that it has got to what was said at `place`.
  std::size_t read(std::size_t place) const { return readings_.of(place); }

  // said_of returns where progress or an event of `request` is told first, after the server has
  // shown that it got to its cancellation at `place` and when nothing crosses that; kNoPlace:
  // nowhere.
  std::size_t said_of(const ObservedMessage& request, std::size_t place) const {
    const Json* const meta = find(request.params(), "_meta");
    const Json* const token = meta == nullptr ? nullptr : find(*meta, "progressToken");
    const std::size_t progress = token == nullptr ? kNoPlace : first_of(progress_, token, place);
    return std::min(progress, first_of(events_, find(*request.message, "id"), place));
  }

 private:
  using Places = std::map<const Json*, std::vector<std::size_t>, JsonLess>;

  std::size_t first_of(const Places& all, const Json* key, std::size_t place) const {
    const auto found = all.find(key);
    if (found == all.end()) return kNoPlace;
    const ObservedMessage& cancel = dialogue_.said[place];
    const auto early = [&](std::size_t later) {
      return later <= read(place) || was_crossing(cancel, dialogue_.said[later]);
    };
    const auto first = std::ranges::partition_point(found->second, early);
    return first == found->second.end() ? kNoPlace : *first;
  }

  static bool is_ended(const ObservedMessage& said) {
    const bool listens = said.method == "subscriptions/listen" && !said.responses.empty();
    return listens && said.responses.front() < said.cancelled;
  }

  const Dialogue& dialogue_;
  Readings readings_;
  bool ends_by_itself_ = false;
  std::set<const Json*, JsonLess> acknowledged_;
  Places progress_;  // By token.
  Places events_;    // By the id of the subscription.
};

// Successes is what was asked anywhere and got a result: by method and name.
class Successes {
 public:
  explicit Successes(const Transcript& transcript) {
    for (const Dialogue& dialogue : transcript.dialogues()) {
      for (const ObservedMessage& said : dialogue.said) {
        if (said.responses.empty()) continue;
        const ObservedMessage& response = dialogue.said[said.responses.front()];
        const bool failed = bool_or(response.result(), "isError", false);
        if (response.message->contains("result") && !failed) all_.insert(of(said));
      }
    }
  }

  bool contains(const ObservedMessage& request) const { return all_.contains(of(request)); }

 private:
  static std::pair<std::string, std::string> of(const ObservedMessage& request) {
    return {request.method, string_or(request.params(), "name", "")};
  }

  std::set<std::pair<std::string, std::string>> all_;
};

bool speaks_of_cancelling(std::string_view text) {
  const std::string lower = lower_case(text);
  return lower.find("cancel") != std::string::npos || lower.find("abort") != std::string::npos;
}

// says_it_was_cancelled returns whether a response is an error about the cancellation, by its code,
// or the failure of a tool that says so in words.
bool says_it_was_cancelled(const ObservedMessage& response) {
  const std::optional<std::int64_t> code = find_int(response.error(), "code");
  if (code) return *code == kRequestCancelled || *code == kCancelledByPython;
  if (!bool_or(response.result(), "isError", false)) return false;
  const Json* const content = find(response.result(), "content");
  return content != nullptr && content->is_array() &&
         std::ranges::any_of(*content, [](const Json& part) {
           return part.is_object() && speaks_of_cancelling(string_or(part, "text", ""));
         });
}

// given_up returns where `request`, cancelled at `place`, is answered with an error, or with what
// says so, though it would not fail for another reason; a subscription with anything; kNoPlace:
// nowhere.
std::size_t given_up(const Dialogue& dialogue, const ObservedMessage& request, std::size_t place,
                     const Afterwards& afterwards, const Successes& successes) {
  const bool listens = request.method == "subscriptions/listen";
  const bool goes_well =
      listens ? afterwards.is_acknowledged(request) : successes.contains(request);
  if (!goes_well) return kNoPlace;
  const std::size_t read = listens ? place : afterwards.read(place);
  for (const std::size_t response : request.responses) {
    const ObservedMessage& said = dialogue.said[response];
    const bool ends = listens && !afterwards.ends_by_itself();
    const bool error = ends || find(*said.message, "error") != nullptr;
    if (error && response > read) return response;
    if (response > place && says_it_was_cancelled(said)) return response;
  }
  return kNoPlace;
}

// cancelled_at_work returns the place of the request of `dialogue` that the cancellation at `place`
// is the first to name, while it has no answer; kNoPlace: there is none.
std::size_t cancelled_at_work(const Dialogue& dialogue, std::size_t place) {
  const std::size_t named = dialogue.said[place].cancels;
  if (named == kNoPlace) return kNoPlace;
  const ObservedMessage& request = dialogue.said[named];
  const bool answered = !request.responses.empty() && request.responses.front() < place;
  if (request.id_repeated || answered || request.cancelled != place) return kNoPlace;
  return named;
}

// answers returns whether a response is one: with a result and an error it says neither.
bool answers(const ObservedMessage& response) {
  return find(*response.message, "result") == nullptr ||
         find(*response.message, "error") == nullptr;
}

}  // namespace

Finding cancels_its_own_requests(const Transcript& transcript) {
  Ruling ruling(transcript);
  PerDialogue<Uses> uses;
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
                if (!answers(response)) return;
                if (uses.of(dialogue).of(request.responses.front()) < place) {
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
  PerDialogue<Readings> readings;
  const Successes successes(transcript);
  const Side side = other_side(transcript.judged());
  each_cancel(transcript, side,
              [&](const Dialogue& dialogue, const ObservedMessage& said, std::size_t place) {
                const std::size_t named = cancelled_at_work(dialogue, place);
                if (named == kNoPlace) return;
                ruling.sees();
                const ObservedMessage& request = dialogue.said[named];
                if (request.responses.empty()) return;
                const std::size_t answered = request.responses.front();
                const ObservedMessage& response = dialogue.said[answered];
                // What says that it was cancelled, where it goes well otherwise, crosses nothing.
                if (says_it_was_cancelled(response) && successes.contains(request)) {
                  return ruling.breaks(response,
                                       "a response to a request that had been cancelled: it says "
                                       "so, expected none");
                }
                if (was_crossing(said, response)) return;
                if (readings.of(dialogue).of(place) >= answered) return;
                ruling.breaks(response, "a response to a request that had been cancelled " +
                                            std::to_string(milliseconds_of(response.entry->at -
                                                                           said.entry->at)) +
                                            " ms before");
              });
  return ruling.finding("nothing that was at work was cancelled");
}

Finding says_nothing_after_cancel(const Transcript& transcript) {
  Ruling ruling(transcript);
  PerDialogue<Afterwards> all;
  const Successes successes(transcript);
  each_cancel(transcript, Side::kClient,
              [&](const Dialogue& dialogue, const ObservedMessage&, std::size_t place) {
                const std::size_t named = cancelled_at_work(dialogue, place);
                if (named == kNoPlace) return;
                // The page of cancellation lets a server answer what it could not stop. Who answers
                // with an error has stopped it: that crosses with nothing.
                ruling.sees();
                const ObservedMessage& request = dialogue.said[named];
                const Afterwards& afterwards = all.of(dialogue);
                const std::size_t error = given_up(dialogue, request, place, afterwards, successes);
                const std::size_t told = afterwards.said_of(request, place);
                if (error == kNoPlace && told == kNoPlace) return;
                const ObservedMessage& later = dialogue.said[std::min(error, told)];
                ruling.breaks(later,
                              error <= told
                                  ? "a response to a request that was cancelled before, and "
                                    "that goes well where it is not"
                                  : later.method + " for a request that was cancelled before");
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
