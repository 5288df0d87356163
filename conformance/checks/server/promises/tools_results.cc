// Whether what tools answer holds together in itself. No clause says so much.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr int kResultDepthMax = 12;
constexpr std::int64_t kOddLetters = 40;
constexpr std::size_t kOddCallsMax = 16;
constexpr std::size_t kOwnTextMax = 400;  // Bytes: what is longer may be a page about such marks.
constexpr double kPercentileMin = 10;     // Below, "p1" and "p2" are names of other things.

// What comes out where a value is put into a text that has no form as one, and in which language.
struct Unformatted {
  std::string_view mark;
  std::string_view comes_of;
};

constexpr std::array<Unformatted, 9> kUnformatted = {{
    {"[object Object]", "an object put into a text: JavaScript"},
    {"[object Promise]", "a promise that was not awaited: JavaScript"},
    {"[object Map]", "a Map put into a text: JavaScript"},
    {"[object Set]", "a Set put into a text: JavaScript"},
    {"<coroutine object ", "a coroutine that was not awaited: Python"},
    {" object at 0x", "an object put into a text: Python"},
    {"%!d(", "a value of another kind than the format has: Go"},
    {"%!s(", "a value of another kind than the format has: Go"},
    {"%!v(", "a value of another kind than the format has: Go"},
}};

const Unformatted* unformatted_in(const Json& value, int depth_max = kResultDepthMax) {
  if (const auto* const text = value.get_ptr<const std::string*>()) {
    if (text->size() > kOwnTextMax) return nullptr;
    const auto found = std::ranges::find_if(kUnformatted, [text](const Unformatted& each) {
      return text->find(each.mark) != std::string::npos;
    });
    return found == kUnformatted.end() ? nullptr : &*found;
  }
  if (depth_max == 0 || !value.is_structured()) return nullptr;
  for (const Json& inside : value) {
    if (const Unformatted* const found = unformatted_in(inside, depth_max - 1)) return found;
  }
  return nullptr;
}

// answer_of returns what a call was answered with, a result or an error; null: nothing.
Json answer_of(const Call& call) {
  if (const Json* const result = call.reply.result()) return *result;
  return call.reply.error() == nullptr ? Json() : *call.reply.error();
}

// odd_texts returns texts that name nothing, of letters that are two units each in UTF-16: cut
// where it may be, one of them is cut in the middle of a letter.
std::vector<std::string> odd_texts(std::int64_t letters_max) {
  std::vector<std::string> texts = {"", "x"};
  for (std::string& text : texts) {
    const auto room = std::min(letters_max, kOddLetters) - static_cast<std::int64_t>(text.size());
    for (std::int64_t i = 0; i < room; ++i) text += "\xF0\x9F\x8C\x8A";
  }
  return texts;
}

// odd_calls returns calls of tools with such a text in place of one of their own.
std::vector<Json> odd_calls(Probe& probe, const Exercise& exercise) {
  std::vector<Json> calls;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string called = string_or(tool, "name", "");
    const Json* const properties = properties_of(tool);
    const bool destroys =
        !says_hint(tool, "readOnlyHint", true) && !says_hint(tool, "destructiveHint", false);
    if (destroys || !probe.may_call(tool) || probe.disturbs(called)) continue;
    if (properties == nullptr) continue;
    const std::vector<const Call*> good = good_calls(exercise, called);
    const Json usual = good.empty() ? probe.call_params(tool) : good.front()->params;
    for (const auto& [name, property] : properties->items()) {
      if (string_or(property, "type", "") != "string" || is_stated(property)) continue;
      for (std::string& text : odd_texts(int_or(property, "maxLength", kOddLetters))) {
        if (calls.size() == kOddCallsMax) return calls;
        calls.push_back(usual);
        calls.back()["arguments"][name] = std::move(text);
      }
    }
  }
  return calls;
}

std::string says_unformatted(const Json& params, const Unformatted& found) {
  return tool_in(params) + ", called with " + given_in(params) + ", answers with \"" +
         std::string(found.mark) + "\", which tells nobody anything: it is " +
         std::string(found.comes_of);
}

Task<Finding> formats_its_texts(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  Client client = probe.client();
  for (const Json& params : odd_calls(probe, exercise)) {
    const Reply reply = co_await client.request("tools/call", params);
    if (!reply.answered()) break;
    const Json* const result = reply.result();
    const Unformatted* const found = result == nullptr ? nullptr : unformatted_in(*result);
    tally.saw();
    if (found != nullptr) tally.wrong(says_unformatted(params, *found), reply);
  }
  for (const Call& call : exercise.calls) {
    if (!call.first || call.method != "tools/call" || !call.reply.answered()) continue;
    tally.saw();
    const Unformatted* const found = unformatted_in(answer_of(call));
    if (found == nullptr || unformatted_in(call.params) != nullptr) continue;
    tally.wrong(says_unformatted(call.params, *found), call.evidence);
  }
  co_return tally.finding("no tool has answered");
}

// Bound is a number whose name says where it stands among others of the same base.
struct Bound {
  std::string base;
  double rank;  // Of what is called least 0, of what is called most 100; a mean has none: -1.
  std::string name;
  double value;
};

constexpr double kMean = -1;
constexpr double kMiddle = 50;

// percentile_of returns which one a word like "p95" names.
std::optional<double> percentile_of(std::string_view name) {
  if (name.size() < 2 || name.size() > 4 || (name[0] != 'p' && name[0] != 'P')) return std::nullopt;
  double rank = 0;
  for (const char digit : name.substr(1)) {
    if (std::isdigit(static_cast<unsigned char>(digit)) == 0) return std::nullopt;
    rank = rank * 10 + (digit - '0');
  }
  if (rank < kPercentileMin) return std::nullopt;
  return rank > 100 ? rank / 10 : rank;
}

std::optional<double> rank_of_word(std::string_view word) {
  if (word == "min" || word == "minimum" || word == "lowest") return 0;
  if (word == "max" || word == "maximum" || word == "highest") return 100;
  if (word == "mean" || word == "avg" || word == "average") return kMean;
  if (word == "median") return kMiddle;
  return std::nullopt;
}

// bound_of returns what a member is among others; nothing: its name says nothing of that.
std::optional<Bound> bound_of(const std::string& name, const Json& value) {
  if (!value.is_number()) return std::nullopt;
  if (const std::optional<double> rank = percentile_of(name)) {
    return Bound{"", *rank, name, value.get<double>()};
  }
  std::optional<double> rank;
  std::string base;
  for (const std::string& word : words_of(name)) {
    const std::optional<double> its = rank_of_word(word);
    if (its && rank) return std::nullopt;
    if (its) rank = its;
    if (!its) base += (base.empty() ? "" : " ") + word;
  }
  if (!rank) return std::nullopt;
  return Bound{std::move(base), *rank, name, value.get<double>()};
}

// disagree returns whether two numbers cannot both be true.
bool disagree(const Bound& low, const Bound& high) {
  if (low.base != high.base) return false;
  if (high.value <= 0 && low.value > 0) return false;  // 0 and -1 stand for no bound as well.
  if (low.rank == kMean) return high.rank == 100 && low.value > high.value;
  if (high.rank == kMean) return low.rank == 0 && low.value > high.value;
  return low.rank < high.rank && low.value > high.value;
}

// contradiction_in says which two numbers of one object contradict each other; empty: none do.
std::string contradiction_in(const Json& value, int depth_max = kResultDepthMax) {
  if (depth_max == 0 || !value.is_structured()) return {};
  std::vector<Bound> bounds;
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) {
      if (auto bound = bound_of(name, member)) bounds.push_back(*std::move(bound));
    }
  }
  for (const Bound& low : bounds) {
    for (const Bound& high : bounds) {
      if (!disagree(low, high)) continue;
      return "\"" + shortened(low.name) + "\" is " + dump_json(value[low.name]) + " and \"" +
             shortened(high.name) + "\" is " + dump_json(value[high.name]);
    }
  }
  for (const Json& inside : value) {
    if (std::string found = contradiction_in(inside, depth_max - 1); !found.empty()) return found;
  }
  return {};
}

Task<Finding> gives_numbers_that_agree(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("tools/call")) {
    if (!has_gone_well(call->reply)) continue;
    tally.saw();
    // What the judge gave itself is not the tool's.
    const std::string found = contradiction_in(answer_in(call->reply));
    if (found.empty() || !contradiction_in(call->params).empty()) continue;
    tally.wrong(tool_in(call->params) + ", called with " + given_in(call->params) + ", says that " +
                    found + ": numbers that are sorted as texts come out in such an order",
                call->evidence);
  }
  co_return tally.finding("no tool has answered");
}

constexpr ServerCheck kToolsResultsChecks[] = {
    {"tools.texts-are-formatted", Eras::kBoth, SessionUse::kShared, formats_its_texts},
    {"tools.numbers-agree", Eras::kBoth, SessionUse::kShared, gives_numbers_that_agree},
};

}  // namespace

ServerChecks tools_results_checks() { return kToolsResultsChecks; }

}  // namespace plumbline::conformance
