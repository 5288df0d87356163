// Whether two tools that only read say the same of one thing: the price of an article in the list
// and the price of it alone. They are asked one after the other, in a session of their own.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/values/counting.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kReadersAskedMax = 16;
constexpr std::size_t kThingsMax = 400;
constexpr std::size_t kShortBytesMax = 40;  // A longer text may be told in short elsewhere.
constexpr std::array<std::string_view, 5> kKnownBy = {"id", "sku", "code", "key", "uuid"};

// Thing is an object in an answer that is known by an id.
struct Thing {
  std::string known_by;
  Json id;
  const Json* object;
};

void things_in(const Json& value, std::vector<Thing>& found) {
  if (!value.is_structured() || found.size() >= kThingsMax) return;
  if (value.is_object()) {
    for (const std::string_view name : kKnownBy) {
      const Json* const id = find(value, name);
      if (id == nullptr || id->is_structured() || id->is_null()) continue;
      found.push_back({std::string(name), *id, &value});
      break;
    }
  }
  for (const Json& inside : value) things_in(inside, found);
}

// is_called_alike returns whether two objects are one thing: they are called the same as well.
bool is_called_alike(const Json& one, const Json& other) {
  return std::ranges::any_of(std::array{"name", "title", "label"}, [&](const char* called) {
    const auto first = find_string(one, called);
    return first && first == find_string(other, called);
  });
}

// may_differ returns whether two values may be the same, told otherwise: rounded, or in short.
bool may_differ(const Json& one, const Json& other) {
  if (one.is_boolean() && other.is_boolean()) return false;
  if (one.is_number_integer() && other.is_number_integer()) return false;
  if (one.is_number() && other.is_number()) {
    const double apart = one.get<double>() - other.get<double>();
    return apart < 1.0 && apart > -1.0;
  }
  const auto* const text = one.get_ptr<const std::string*>();
  const auto* const its = other.get_ptr<const std::string*>();
  if (text == nullptr || its == nullptr) return true;
  return text->size() > kShortBytesMax || its->size() > kShortBytesMax || text->starts_with(*its) ||
         its->starts_with(*text);
}

FirstDifference disagreement_of(const Json& one, const Json& other) {
  for (const auto& [name, value] : one.items()) {
    const Json* const its = find(other, name);
    if (its == nullptr || *its == value || may_differ(value, *its)) continue;
    FirstDifference found{name, value, *its, true};
    if (!tells_of_time(found)) return found;
  }
  return {};
}

// Answer is what a tool gave in this session.
struct Answer {
  std::string tool;
  Json value;
  Reply reply;
};

// Apart is of what two answers speak differently.
struct Apart {
  const Answer* one;
  const Answer* other;
  Thing thing;
  FirstDifference difference;
};

std::optional<Apart> apart_in_answers(const Answer& one, const Answer& other) {
  std::vector<Thing> things;
  std::vector<Thing> others;
  things_in(one.value, things);
  things_in(other.value, others);
  for (const Thing& thing : things) {
    for (const Thing& its : others) {
      const bool same = thing.known_by == its.known_by && thing.id == its.id;
      if (!same || !is_called_alike(*thing.object, *its.object)) continue;
      FirstDifference difference = disagreement_of(*thing.object, *its.object);
      if (difference.any) return Apart{&one, &other, thing, std::move(difference)};
    }
  }
  return std::nullopt;
}

// asks_for_one_thing returns whether a call has no argument but the one that names something: with
// a unit or a date besides, another value may be right.
bool asks_for_one_thing(const Json& params) {
  const Json* const arguments = find(params, "arguments");
  return arguments == nullptr || arguments->size() <= 1;
}

Task<Finding> say_the_same(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  std::vector<Json> calls = reading_calls(probe, exercise, kReadersAskedMax);
  std::erase_if(calls, [](const Json& params) { return !asks_for_one_thing(params); });
  if (calls.size() < 2) co_return not_for_it("no two tools that only read have answered");
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  std::vector<Answer> answers;
  // Twice, as what changes by itself disagrees with itself.
  for (std::size_t i = 0; i < 2 * calls.size(); ++i) {
    const Json& params = calls[i % calls.size()];
    Reply reply = co_await client.request("tools/call", params);
    Json value = has_gone_well(reply) ? answer_in(reply) : Json();
    answers.push_back({string_or(params, "name", ""), std::move(value), std::move(reply)});
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    for (std::size_t j = i + 1; j < calls.size(); ++j) {
      if (answers[i].tool == answers[j].tool) continue;
      const std::optional<Apart> apart = apart_in_answers(answers[i], answers[j]);
      const bool still = answers[i].value == answers[i + calls.size()].value &&
                         answers[j].value == answers[j + calls.size()].value;
      if (!apart || !still) continue;
      co_return about(
          broken("of " + apart->thing.known_by + " " + shortened(dump_json(apart->thing.id)) +
                 " \"" + shortened(apart->one->tool) + "\" says that \"" +
                 shortened(apart->difference.member) + "\" is " +
                 shortened(dump_json(apart->difference.before)) + ", and \"" +
                 shortened(apart->other->tool) + "\" that it is " +
                 shortened(dump_json(apart->difference.after))),
          apart->one->reply, apart->other->reply);
    }
  }
  co_return co_await counts_agree(probe, client);
}

constexpr ServerCheck kToolsAgreeingChecks[] = {
    {"tools.answers-agree", Eras::kBoth, SessionUse::kOpens, say_the_same},
};

}  // namespace

ServerChecks tools_agreeing_checks() { return kToolsAgreeingChecks; }

}  // namespace plumbline::conformance
