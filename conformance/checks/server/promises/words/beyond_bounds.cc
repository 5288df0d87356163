#include "conformance/checks/server/promises/words/beyond_bounds.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/exercise.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/words/beyond_pairs.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"
#include "core/base/text.h"
#include "core/base/wait.h"
#include "core/schema/schema.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kBeyondToolsMax = 24;
constexpr std::size_t kBeyondMax = 8;  // Of one tool.
constexpr std::size_t kCloseMax = 3;   // Of these, with what is close to what is allowed.
constexpr int kAnswersDepthMax = 8;
// What waits for so long, or does that so often, is not asked to.
constexpr std::array<std::string_view, 14> kWaiting = {
    "timeout", "delay",   "wait", "sleep",  "duration",     "steps",  "seconds",
    "secs",    "minutes", "ms",   "millis", "milliseconds", "repeat", "iterations"};
constexpr Duration kQuickTool = std::chrono::milliseconds(500);
// What an answer says that has noticed.
constexpr std::array<std::string_view, 17> kNoticed = {
    "invalid", "error", "must",    "clamp",   "capped", "adjusted",
    "out of",  "allow", "maximum", "minimum", "exceed", "unsupported",
    "unknown", "not ",  "instead", "ignored", "warning"};

// Beyond is a call of a tool with one such argument.
struct Beyond {
  const Json* tool = nullptr;
  std::string name;
  BeyondPair calls;
};

bool is_waiting(const std::string& name) {
  return std::ranges::any_of(words_of(name), [](const std::string& word) {
    return std::ranges::find(kWaiting, word) != kWaiting.end();
  });
}

// beyond_of returns calls of a tool with one argument beyond what its schema allows, made of one
// that went well.
std::vector<Beyond> beyond_of(Probe& probe, const Json& tool, const Json& params) {
  std::vector<Beyond> found;
  const Json* const properties = properties_of(tool);
  if (properties == nullptr || !params.contains("arguments")) return found;
  Measured& measured = probe.measured();
  const Result<schema::Schema> schema = measured.compile(tool["inputSchema"]);
  if (!schema.ok()) return found;
  std::size_t close = 0;
  for (const auto& [name, property] : properties->items()) {
    const Json* const good = find(params["arguments"], name);
    for (BeyondPair& pair : beyond_pairs(tool, name, property, good)) {
      if (pair.close ? close == probe.as_many(kCloseMax) : is_waiting(name)) continue;
      Beyond one{&tool, name, {params, params, pair.why, pair.bounded, pair.chosen, pair.close}};
      BeyondPair& calls = one.calls;
      calls.allowed["arguments"][name] = std::move(pair.allowed);
      calls.beyond["arguments"][name] = std::move(pair.beyond);
      const bool fits = !measured.violation(schema.value(), calls.allowed["arguments"]);
      if (!fits || !measured.violation(schema.value(), calls.beyond["arguments"])) continue;
      if (found.size() == probe.as_many(kBeyondMax)) continue;
      close += pair.close ? 1 : 0;
      found.push_back(std::move(one));
    }
  }
  return measured.decides() ? std::move(found) : std::vector<Beyond>();
}

std::string plainly(const Json& value) {
  return value.is_string() ? value.get<std::string>() : dump_json(value);
}

// text_with returns `text` with `now` in place of `was` as a word of its own.
std::string text_with(std::string text, const std::string& was, const std::string& now) {
  const auto stands = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  for (std::size_t at = text.find(was); at != std::string::npos;) {
    const bool whole = (at == 0 || !stands(at - 1)) && !stands(at + was.size());
    if (whole) text.replace(at, was.size(), now);
    at = text.find(was, at + (whole ? now.size() : 1));
  }
  return text;
}

// takes_its_place returns whether somewhere in an answer stands `now` where `was` stood, alone or
// as a word of a text.
bool takes_its_place(const Json& before, const Json& after, const Json& was, const Json& now,
                     int depth_max = kAnswersDepthMax) {
  if (before == was && after == now) return true;
  if (depth_max == 0 || before.type() != after.type()) return false;
  if (const auto* const text = before.get_ptr<const std::string*>()) {
    const std::string word = plainly(was);
    if (before == after || word.empty()) return false;
    return Json(text_with(*text, word, plainly(now))) == after;
  }
  if (before.is_object()) {
    if (before.size() != after.size()) return false;  // One more may say what was done.
    for (const auto& [name, value] : before.items()) {
      const Json* const other = find(after, name);
      if (other != nullptr && takes_its_place(value, *other, was, now, depth_max - 1)) return true;
    }
    return false;
  }
  if (!before.is_array() || before.size() != after.size()) return false;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (takes_its_place(before[i], after[i], was, now, depth_max - 1)) return true;
  }
  return false;
}

// is_told_of returns whether somewhere in an answer stands `now` where `was` stood, and `was` in
// another member beside it: the one is what was asked for, and the other what was done.
bool is_told_of(const Json& before, const Json& after, const Json& was, const Json& now,
                int depth_max = kAnswersDepthMax) {
  if (!before.is_structured() || before.type() != after.type() || depth_max == 0) return false;
  if (before.is_array()) {
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
      if (is_told_of(before[i], after[i], was, now, depth_max - 1)) return true;
    }
    return false;
  }
  const bool used = std::ranges::find(after, was) != after.end();
  for (const auto& [name, value] : before.items()) {
    const Json* const other = find(after, name);
    if (other == nullptr) continue;
    if (used && value == was && *other == now) return true;
    if (is_told_of(value, *other, was, now, depth_max - 1)) return true;
  }
  return false;
}

// notices returns whether an answer has words of something being wrong that another one has not.
bool notices(const Json& answer, const Json& usual) {
  const std::string text = lower_case(dump_json(answer));
  const std::string other = lower_case(dump_json(usual));
  return std::ranges::any_of(kNoticed, [&](std::string_view word) {
    return mentions(text, word) && !mentions(other, word);
  });
}

Finding took(const Beyond& one, const std::string& what, const Reply& reply) {
  return about(
      broken("the tool \"" + shortened(string_or(*one.tool, "name", "")) + "\" was called with " +
             shortened(dump_json(one.calls.beyond["arguments"][one.name])) + " for \"" +
             shortened(one.name) + "\", beyond " + shortened(one.calls.why) + ", and " + what +
             "; expected an error"),
      reply);
}

// went_on_with compares what a tool that only reads answers to the bound, beyond it and without the
// argument: all twice, for what changes by itself proves nothing.
Task<Finding> went_on_with(Client client, Beyond one) {
  std::vector<Json> answers;
  const Json& allowed = one.calls.allowed;
  const Json& beyond = one.calls.beyond;
  Json without = allowed;
  without["arguments"].erase(one.name);
  Reply wrong;
  for (const Json& params : {allowed, beyond, allowed, beyond, without}) {
    Reply reply = co_await client.request("tools/call", params);
    const bool free = params == without;
    if (!has_gone_well(reply) && !free) co_return passes();
    answers.push_back(answer_in(reply));
    if (params == beyond) wrong = std::move(reply);
  }
  const bool still = answers[0] == answers[2] && answers[1] == answers[3];
  const bool cut = answers[0] == answers[1] || answers[1] == answers[4];
  if (!still || cut || notices(answers[1], answers[0])) co_return passes();
  co_return took(one,
                 "answered otherwise than to the bound itself: " +
                     shown(first_difference_of(answers[0], answers[1])),
                 wrong);
}

// is_lost_in returns whether an answer says nothing: an empty list, null.
bool is_lost_in(const Json& answer) {
  if (answer.is_null()) return true;
  return answer.is_structured() && std::ranges::all_of(answer, [](const Json& inside) {
           return inside.is_null() || (inside.is_structured() && inside.empty());
         });
}

// with_value returns a call with another value for the argument, and other texts, if what was made
// once may not be made twice.
Json with_value(const Beyond& one, Json params, bool anew, Json value) {
  if (anew) params = with_other_texts(std::move(params), *one.tool);
  params["arguments"][one.name] = std::move(value);
  return params;
}

// took_the_same compares what a tool answers to a value that is allowed.
Task<Finding> took_the_same(Client client, Beyond one, Reply reply) {
  const bool reads = says_hint(*one.tool, "readOnlyHint", true);
  Json& allowed = one.calls.allowed;
  const Json now = one.calls.beyond["arguments"][one.name];
  const Json was = allowed["arguments"][one.name];
  allowed = with_value(one, one.calls.beyond, false, was);
  Reply usual = co_await client.request("tools/call", allowed);
  for (int i = 0; i < 2 && !reads && !has_gone_well(usual); ++i) {
    allowed = with_value(one, std::move(allowed), true, was);
    usual = co_await client.request("tools/call", allowed);
  }
  if (!has_gone_well(usual)) co_return not_for_it("");
  const Json before = answer_in(usual);
  const Json after = answer_in(reply);
  if (notices(after, before) || is_told_of(before, after, was, now)) co_return passes();
  if (takes_its_place(before, after, was, now)) {
    co_return took(one, "answered with that as with " + shortened(dump_json(was)), reply);
  }
  const bool taken = one.calls.chosen || (one.calls.close && before == after);
  if (taken && !is_lost_in(after)) co_return took(one, "answered as if nothing were wrong", reply);
  if (!one.calls.bounded || !reads) co_return passes();
  co_return co_await went_on_with(client, std::move(one));
}

Task<Finding> judge_beyond(Client client, Beyond one) {
  Json& beyond = one.calls.beyond;
  const Json now = beyond["arguments"][one.name];
  Reply reply = co_await client.request("tools/call", beyond);
  if (is_refused(reply) && !says_hint(*one.tool, "readOnlyHint", true)) {
    beyond = with_value(one, std::move(beyond), true, now);
    reply = co_await client.request("tools/call", beyond);
  }
  if (!has_gone_well(reply)) co_return reply.answered() ? passes() : not_for_it("");
  co_return co_await took_the_same(client, std::move(one), std::move(reply));
}

}  // namespace

Task<Finding> refuses_beyond_bounds(Probe& probe, Client client) {
  const Exercise& exercise = *co_await probe.exercise();
  std::size_t tools = 0;
  std::size_t judged = 0;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    const std::vector<const Call*> calls = good_calls(exercise, name);
    if (calls.empty() || !probe.may_call(tool) || probe.disturbs(name)) continue;
    if (calls.front()->reply.took > kQuickTool || calls.back()->reply.took > kQuickTool) continue;
    if (!calls.back()->wants.empty() || tools++ == kBeyondToolsMax) continue;
    co_await Sleep(probe.loop(), probe.loop().now());  // A schema may take long.
    for (const Beyond& one : beyond_of(probe, tool, calls.back()->params)) {
      Finding finding = co_await judge_beyond(client, one);
      if (finding.verdict == Verdict::kFail) co_return std::move(finding);
      judged += finding.verdict == Verdict::kPass ? 1 : 0;
    }
  }
  co_return judged > 0 ? passes() : not_for_it("");
}

}  // namespace plumbline::conformance
