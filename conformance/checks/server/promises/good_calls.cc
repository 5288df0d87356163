#include "conformance/checks/server/promises/good_calls.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "conformance/checks/server/features/reasons.h"
#include "conformance/checks/server/learned_values.h"
#include "conformance/checks/server/mended/mended_arguments.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/tool_arguments.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kCallsOfTool = 2;
constexpr int kMendings = 2;

// What a member is called that changes by itself.
constexpr std::array<std::string_view, 46> kOfTime = {
    "time",     "timestamp", "date",    "now",       "at",      "age",      "uptime",  "elapsed",
    "duration", "took",      "ms",      "seconds",   "id",      "uuid",     "token",   "nonce",
    "random",   "seed",      "request", "trace",     "session", "cache",    "cached",  "hits",
    "hit",      "views",     "viewed",  "visits",    "reads",   "accessed", "seen",    "last",
    "calls",    "called",    "usage",   "used",      "counter", "requests", "latency", "memory",
    "cpu",      "load",      "pid",     "remaining", "tip",     "quota"};

// What a tool is called that shows what was done, and not what is.
constexpr std::array<std::string_view, 18> kRecords = {
    "log",     "logs",  "history", "recent",    "audit",    "usage",
    "stats",   "event", "events",  "activity",  "status",   "metrics",
    "journal", "trace", "changes", "revisions", "versions", "trail"};

// What a failure says that comes of too many calls.
constexpr std::array<std::string_view, 8> kOfLimits = {"rate",     "limit", "quota",   "throttl",
                                                       "too many", "busy",  "timeout", "timed out"};

Json without_meta(Json value) {
  if (value.is_object()) value.erase("_meta");
  return value;
}

// read_texts puts what texts say as JSON in their place.
void read_texts(Json& result) {
  for (const char* const member : {"content", "contents"}) {
    Json* const blocks = result.is_object() && result.contains(member) ? &result[member] : nullptr;
    if (blocks == nullptr || !blocks->is_array()) continue;
    for (Json& block : *blocks) {
      const Result<Json> inside = parse_json(string_or(block, "text", ""));
      if (inside.ok() && inside.value().is_structured()) block["text"] = inside.value();
    }
  }
}

void find_difference(const Json& before, const Json& after, const std::string& member,
                     FirstDifference& found) {
  if (found.any || before == after) return;
  if (before.is_object() && after.is_object()) {
    for (const auto& [name, value] : before.items()) {
      const Json* const other = find(after, name);
      if (other != nullptr) find_difference(value, *other, name, found);
    }
    if (found.any) return;
  }
  if (before.is_array() && after.is_array() && before.size() == after.size()) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      find_difference(before[i], after[i], member, found);
    }
    return;
  }
  found = {member, before, after, true};
}

// words_around returns the words of the line in which two texts begin to differ.
std::vector<std::string> words_around(const std::string& one, const std::string& other) {
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
  const std::size_t line = one.rfind('\n', at == 0 ? 0 : at - 1);
  const std::size_t begin = line == std::string::npos ? 0 : line + 1;
  return words_of(one.substr(begin, std::min(one.find('\n', at), one.size()) - begin));
}

}  // namespace

bool says_hint(const Json& tool, const char* hint, bool value) {
  const Json* const annotations = find(tool, "annotations");
  const Json* const said = annotations == nullptr ? nullptr : find(*annotations, hint);
  return said != nullptr && *said == Json(value);
}

std::vector<const Call*> good_calls(const Exercise& exercise, std::string_view tool) {
  std::vector<const Call*> calls;
  for (const Call* const call : exercise.completed("tools/call")) {
    const bool failed = bool_or(*call->complete(), "isError", false);
    if (failed || !call->first || string_or(call->params, "name", "") != tool) continue;
    if (calls.size() == kCallsOfTool) calls.pop_back();
    calls.push_back(call);
  }
  return calls;
}

Json known_params(Probe& probe, const Exercise& exercise, const Json& tool) {
  const std::vector<const Call*> calls = good_calls(exercise, string_or(tool, "name", ""));
  if (!calls.empty()) return calls.back()->params;
  LearnedValues values;
  values.learn(probe.survey(), exercise);
  Json params = probe.call_params(tool);
  std::vector<Json> learned = learned_arguments(values, tool, params["arguments"]);
  if (learned.empty()) return nullptr;
  params["arguments"] = std::move(learned.front());
  return params;
}

std::vector<Json> reading_calls(Probe& probe, const Exercise& exercise, std::size_t most) {
  std::vector<Json> found;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    const bool reads = says_hint(tool, "readOnlyHint", true) && probe.may_call(tool);
    if (!reads || probe.disturbs(name)) continue;
    for (const Call* const call : good_calls(exercise, name)) {
      if (found.size() < most) found.push_back(call->params);
    }
  }
  return found;
}

Task<std::vector<Json>> answers_to(Client client, std::vector<Json> calls) {
  std::vector<Json> answers;
  for (Json& params : calls) {
    const Reply reply = co_await client.request("tools/call", std::move(params));
    answers.push_back(has_gone_well(reply) ? answer_in(reply) : Json());
  }
  co_return std::move(answers);
}

Task<Reply> call_mended(Client client, const Json* tool, Json* params) {
  Reply reply = co_await client.request("tools/call", *params);
  for (int i = 0; i < kMendings && !has_gone_well(reply); ++i) {
    const std::string said = text_of_failure(reply);
    for (Json& arguments : mended_arguments(*tool, (*params)["arguments"], said)) {
      (*params)["arguments"] = std::move(arguments);
      reply = co_await client.request("tools/call", *params);
      if (has_gone_well(reply)) break;
    }
  }
  co_return std::move(reply);
}

std::string tool_in(const Json& params) {
  return "the tool \"" + shortened(string_or(params, "name", "")) + "\"";
}

std::string given_in(const Json& params) {
  const Json* const arguments = find(params, "arguments");
  return arguments == nullptr ? "nothing" : shortened(dump_json(*arguments));
}

bool has_gone_well(const Reply& reply) {
  const Json* const result = reply.result();
  return result != nullptr && !is_failure(*result) && find(*result, "task") == nullptr &&
         string_or(*result, "resultType", "complete") == "complete";
}

bool is_refused(const Reply& reply) {
  const std::string text = lower_case(text_of_failure(reply));
  if (text.empty()) return false;
  const auto says = [&](std::string_view word) { return mentions(text, word); };
  return std::ranges::none_of(kOfLimits, says) && other_reason(reply, "", {}).empty();
}

Json answer_in(const Reply& reply) {
  if (reply.error() != nullptr) return without_meta(*reply.error());
  if (reply.result() == nullptr) return nullptr;
  Json answer = without_meta(*reply.result());
  read_texts(answer);
  // The same is told twice: by what is structured it is told best.
  if (answer.contains("structuredContent")) return answer["structuredContent"];
  const Json* const only = at_pointer(answer, "/content/0/text");
  const bool alone = only != nullptr && only->is_structured() && answer["content"].size() == 1;
  return alone ? Json(*only) : answer;
}

FirstDifference first_difference_of(const Json& before, const Json& after) {
  FirstDifference found;
  find_difference(before, after, "", found);
  return found;
}

bool tells_of_time(const FirstDifference& difference) {
  std::vector<std::string> words = words_of(difference.member);
  if (difference.before.is_string() && difference.after.is_string()) {
    const std::vector<std::string> around =
        words_around(difference.before.get<std::string>(), difference.after.get<std::string>());
    words.insert(words.end(), around.begin(), around.end());
  }
  return std::ranges::any_of(words, [](const std::string& word) {
    return std::ranges::find(kOfTime, word) != kOfTime.end();
  });
}

bool keeps_a_record(std::string_view tool) {
  return std::ranges::any_of(words_of(tool), [](const std::string& word) {
    return std::ranges::find(kRecords, word) != kRecords.end();
  });
}

std::string shown(const FirstDifference& difference) {
  const std::string name =
      difference.member.empty() ? "it" : "\"" + shortened(difference.member) + "\"";
  return name + " is " + shortened(dump_json(difference.before)) + ", then " +
         shortened(dump_json(difference.after));
}

}  // namespace plumbline::conformance
