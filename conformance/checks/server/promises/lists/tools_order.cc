// Whether a list comes in the order that its tool speaks of: "in the order in which they start",
// "sorted by price". Instants and numbers alone are compared: texts sort in many ways.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/instants.h"
#include "conformance/checks/server/promises/lists/sorting.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kListedMin = 3;
constexpr std::array<std::string_view, 5> kSpeaksOfOrder = {"in the order", "in order of",
                                                            "ordered by", "sorted by", "sorts by"};
// What comes first, where times say which that is.
constexpr std::array<std::string_view, 2> kUpwards = {"oldest", "earliest"};
constexpr std::array<std::string_view, 3> kDownwards = {"newest", "latest", "most recent"};
// An order of which the members say nothing, or not all.
constexpr std::array<std::string_view, 9> kOtherOrders = {
    "relevan", "score", "match", "then by", "grouped", "insert", "added", "importan", "similar"};

std::optional<double> measure_of(const Json* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) return value->get<double>();
  const auto* const text = value->get_ptr<const std::string*>();
  return text == nullptr ? std::nullopt : instant_of(*text);
}

// promise_of returns the sentence of a description that speaks of an order; empty: none does.
std::string promise_of(const Json& tool) {
  const std::string text = lower_case(string_or(tool, "description", ""));
  for (const std::string_view words : kSpeaksOfOrder) {
    const std::size_t at = text.find(words);
    if (at == std::string::npos) continue;
    const std::string sentence = text.substr(at, std::min(text.find(". ", at), text.size()) - at);
    const auto says = [&](std::string_view other) { return mentions(sentence, other); };
    return std::ranges::any_of(kOtherOrders, says) ? "" : sentence;
  }
  return {};
}

// members_of returns the members of objects that a promise names.
std::vector<std::string> members_of(const Json& items, const std::string& promise) {
  std::vector<std::string> found;
  const std::vector<std::string> said = words_of(promise);
  const std::set<std::string> words(said.begin(), said.end());
  for (const auto& [name, value] : items.front().items()) {
    const std::vector<std::string> own = words_of(name);
    const bool named = std::ranges::any_of(own, [&](const std::string& word) {
      return word.size() > 2 && (words.contains(word) || words.contains(word + "s"));
    });
    if (named) found.push_back(name);
  }
  return found;
}

// lists_in calls `see` with each list of objects in an answer.
template <typename See>
void lists_in(const Json& value, const See& see) {
  if (!value.is_structured()) return;
  const bool objects = value.is_array() && value.size() >= kListedMin &&
                       std::ranges::all_of(value, [](const Json& one) { return one.is_object(); });
  if (objects) see(value);
  for (const Json& inside : value) lists_in(inside, see);
}

// Jump is where a list leaves its order.
struct Jump {
  std::string member;
  Json before;
  Json after;
};

// jump_in returns where a list goes neither up nor down all along by a member; nothing: it does, or
// that is nothing to be compared.
std::optional<Jump> jump_in(const Json& list, const std::string& member) {
  std::optional<Jump> up;
  std::optional<Jump> down;
  std::optional<double> before;
  const Json* last = nullptr;
  for (const Json& item : list) {
    const Json* const value = find(item, member);
    const std::optional<double> now = measure_of(value);
    if (!now) return std::nullopt;
    if (before && *now < *before && !up) up = Jump{member, *last, *value};
    if (before && *now > *before && !down) down = Jump{member, *last, *value};
    before = now;
    last = value;
  }
  // Where it mostly goes up, what goes down is told.
  return up && down ? up : std::nullopt;
}

// leaves_order returns where a list leaves the order that was promised; nothing: by some member it
// keeps it, or none can be compared.
std::optional<Jump> leaves_order(const Json& answer, const std::string& promise) {
  std::optional<Jump> found;
  lists_in(answer, [&](const Json& list) {
    const std::vector<std::string> members = members_of(list, promise);
    std::optional<Jump> here;
    for (const std::string& member : members) {
      here = jump_in(list, member);
      if (!here) return;
    }
    if (here && !found) found = here;
  });
  return found;
}

// speaks_of_first returns whether a text says "the oldest first", with a word between or without.
bool speaks_of_first(const std::string& text, const auto& words) {
  return std::ranges::any_of(words, [&](std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const std::size_t behind = at + word.size();
      if (text.compare(behind, 6, " first") == 0) return true;
      const std::size_t next = text.find(' ', behind + 1);
      if (next != std::string::npos && text.compare(next, 6, " first") == 0) return true;
    }
    return false;
  });
}

// Direction is in which times go, as a description says.
enum class Direction { kUp, kDown };

// direction_of returns it; nothing: the description says none, or both.
std::optional<Direction> direction_of(const Json& tool) {
  const std::string text = lower_case(string_or(tool, "description", ""));
  const bool up = speaks_of_first(text, kUpwards);
  const bool down = speaks_of_first(text, kDownwards);
  if (up == down) return std::nullopt;
  return up ? Direction::kUp : Direction::kDown;
}

// goes returns whether the times under a member never go against `direction`, and whether they all
// go so; nothing: they are no times.
std::optional<std::pair<bool, bool>> goes(const Json& list, const std::string& member,
                                          Direction direction) {
  bool with = true;
  bool against = true;
  std::optional<double> before;
  for (const Json& item : list) {
    const Json* const value = find(item, member);
    const auto* const text = value == nullptr ? nullptr : value->get_ptr<const std::string*>();
    const std::optional<double> now = text == nullptr ? std::nullopt : instant_of(*text);
    if (!now) return std::nullopt;
    if (before) {
      const bool up = *now > *before;
      const bool down = *now < *before;
      with = with && (direction == Direction::kUp ? !down : !up);
      against = against && (direction == Direction::kUp ? down : up);
    }
    before = now;
  }
  return std::pair(with, against);
}

// turned_by returns the member by whose times a list goes the other way all along; empty: there is
// none, or by another member it goes as it should.
std::string turned_by(const Json& answer, Direction direction) {
  std::string found;
  lists_in(answer, [&](const Json& list) {
    std::string here;
    for (const auto& [member, value] : list.front().items()) {
      const auto way = goes(list, member, direction);
      if (way && way->first) return;
      if (way && way->second) here = member;
    }
    if (found.empty()) found = here;
  });
  return found;
}

// judge_direction judges a call of a tool that says what comes first.
void judge_direction(const Json& tool, const Call& call, Tally& tally) {
  const std::optional<Direction> direction = direction_of(tool);
  if (!direction) return;
  tally.saw();
  const std::string member = turned_by(answer_in(call.reply), *direction);
  if (member.empty()) return;
  const bool up = *direction == Direction::kUp;
  tally.wrong("the tool \"" + shortened(string_or(tool, "name", "")) + "\" says that the " +
                  (up ? "oldest" : "newest") + " comes first, and in its answer each \"" +
                  shortened(member) + "\" is " + (up ? "earlier" : "later") +
                  " than the one before",
              call.evidence);
}

Task<Finding> lists_in_its_order(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Json& tool : probe.survey().tools.items) {
    judge_sorting(tool, exercise, tally);
    judge_first(tool, exercise, tally);
    for (const Call* const call : good_calls(exercise, string_or(tool, "name", ""))) {
      judge_direction(tool, *call, tally);
    }
    const std::string promise = promise_of(tool);
    if (promise.empty()) continue;
    for (const Call* const call : good_calls(exercise, string_or(tool, "name", ""))) {
      const Json answer = answer_in(call->reply);
      tally.saw();
      const std::optional<Jump> jump = leaves_order(answer, promise);
      if (!jump) continue;
      tally.wrong("the tool \"" + shortened(string_or(tool, "name", "")) +
                      "\" speaks of a list \"" + shortened(promise) + "\", and in its answer \"" +
                      shortened(jump->member) + "\" is " + shortened(dump_json(jump->after)) +
                      " behind " + shortened(dump_json(jump->before)) +
                      "; compare instants and numbers, not their texts",
                  call->evidence);
      break;
    }
  }
  co_return tally.finding("no tool that has answered speaks of an order");
}

constexpr ServerCheck kToolsOrderChecks[] = {
    {"tools.order-as-described", Eras::kBoth, SessionUse::kOpens, lists_in_its_order},
};

}  // namespace

ServerChecks tools_order_checks() { return kToolsOrderChecks; }

}  // namespace plumbline::conformance
