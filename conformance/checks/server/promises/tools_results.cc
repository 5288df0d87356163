// Whether what tools answer holds together in itself. No clause says so much.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr int kResultDepthMax = 12;
constexpr std::int64_t kOddLetters = 40;
constexpr std::size_t kOddCallsMax = 16;
constexpr std::size_t kOwnTextMax = 400;  // Bytes: what is longer may be a page about such marks.

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

constexpr ServerCheck kToolsResultsChecks[] = {
    {"tools.texts-are-formatted", Eras::kBoth, SessionUse::kShared, formats_its_texts},
};

}  // namespace

ServerChecks tools_results_checks() { return kToolsResultsChecks; }

}  // namespace plumbline::conformance
