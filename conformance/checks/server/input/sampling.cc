// What servers ask of a client's model: spec, client/sampling.

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/input/scripted.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/answers.h"
#include "core/schema/schema.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kSamplingMethod = "sampling/createMessage";
constexpr const char* kNeverSamples = "it never asks for sampling";

// each_sampling judges every sampling request of one exercise. `problem` returns an empty string
// for a good one.
template <typename Problem>
Finding each_sampling(const Exercise& exercise, Problem problem) {
  Tally tally;
  for (const ServerAsked* const asked : exercise.asked_by(kSamplingMethod)) {
    tally.saw();
    const std::string wrong = problem(asked->params());
    if (!wrong.empty()) tally.wrong("a sampling request " + wrong, asked->evidence);
  }
  return tally.finding(kNeverSamples);
}

// sampled_barely returns what was asked of a client that has declared sampling and no more of it.
Task<const Exercise*> sampled_barely(Probe& probe) {
  const Exercise* const all = co_await probe.exercise();
  if (all->asked_by(kSamplingMethod).empty()) co_return all;  // Nor will it ask a lesser one.
  co_return co_await probe.exercise(Declared::kBare);
}

Task<Finding> offers_no_tools_unasked(Probe& probe) {
  const Exercise& bare = *co_await sampled_barely(probe);
  co_return each_sampling(bare, [](const Json& params) -> std::string {
    for (const char* const member : {"tools", "toolChoice"}) {
      if (find(params, member) != nullptr) {
        return "has " + std::string(member) + ", and the client has not declared sampling.tools";
      }
    }
    return "";
  });
}

std::string context_problem(const Json& params) {
  const std::string context = string_or(params, "includeContext", "none");
  return context == "none" ? "" : "has the includeContext \"" + shortened(context) + "\"";
}

Task<Finding> avoids_context(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  co_return each_sampling(all, context_problem);
}

Task<Finding> includes_no_context_unasked(Probe& probe) {
  const Exercise& bare = *co_await sampled_barely(probe);
  co_return each_sampling(bare, context_problem);
}

const Json* messages_of(const Json& params) {
  const Json* const messages = find(params, "messages");
  return messages != nullptr && messages->is_array() ? messages : nullptr;
}

std::string sampling_content_problem(const Json& content, bool several) {
  if (content.is_object()) return block_problem(content);
  if (!content.is_array()) return "is " + std::string(type_name(content));
  if (!several) return "is an array, expected one block";
  for (const Json& block : content) {
    if (std::string wrong = block_problem(block); !wrong.empty()) return wrong;
  }
  return "";
}

std::string messages_problem(const Json& params, bool several) {
  const Json* const messages = messages_of(params);
  if (messages == nullptr) return "has no messages array";
  for (const Json& message : *messages) {
    const std::string role = string_or(message, "role", "");
    if (role != "user" && role != "assistant") {
      return "has a message with the role \"" + shortened(role) + "\"";
    }
    const Json* const content = find(message, "content");
    if (content == nullptr) return "has a message without content";
    const std::string wrong = sampling_content_problem(*content, several);
    if (!wrong.empty()) return "has a message whose content " + wrong;
  }
  return "";
}

Task<Finding> asks_in_full(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const bool several = knows_tools_in_sampling(probe.revision());
  co_return each_sampling(all, [several](const Json& params) -> std::string {
    const Json* const most = find(params, "maxTokens");
    if (most == nullptr || !most->is_number()) return "has no maxTokens that is a number";
    return messages_problem(params, several);
  });
}

Task<Finding> asks_with_roles(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  co_return each_sampling(
      all, [](const Json& params) -> std::string { return messages_problem(params, true); });
}

// blocks_of returns the content blocks of a message as a list.
std::vector<Json> blocks_of(const Json& message) {
  const Json* const content = find(message, "content");
  if (content == nullptr) return {};
  if (!content->is_array()) return {*content};
  return {content->begin(), content->end()};
}

std::set<std::string> ids_in(const Json& message, std::string_view type, const char* key) {
  std::set<std::string> ids;
  for (const Json& block : blocks_of(message)) {
    if (string_or(block, "type", "") == type) ids.insert(string_or(block, key, ""));
  }
  return ids;
}

bool follows_up(const Json& params) {
  return mentions(dump_json(params), "\"tool_use\"") ||
         mentions(dump_json(params), "\"tool_result\"");
}

// each_follow_up judges the requests in which the history of a tool loop comes back.
template <typename Problem>
Finding each_follow_up(const Exercise& exercise, Problem problem) {
  Tally tally;
  for (const ServerAsked* const asked : exercise.asked_by(kSamplingMethod)) {
    const Json params = asked->params();
    if (!follows_up(params) || messages_of(params) == nullptr) continue;
    tally.saw();
    const std::string wrong = problem(params);
    if (!wrong.empty()) tally.wrong("a sampling request " + wrong, asked->evidence);
  }
  return tally.finding("it never lets the client's model use tools");
}

Task<Finding> keeps_results_apart(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  co_return each_follow_up(all, [](const Json& params) -> std::string {
    for (const Json& message : *messages_of(params)) {
      const std::vector<Json> blocks = blocks_of(message);
      const auto is_result = [](const Json& block) {
        return string_or(block, "type", "") == "tool_result";
      };
      if (std::ranges::any_of(blocks, is_result) && !std::ranges::all_of(blocks, is_result)) {
        return "has a message with tool results and something else";
      }
    }
    return "";
  });
}

Task<Finding> answers_every_use(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  co_return each_follow_up(all, [](const Json& params) -> std::string {
    const Json& messages = *messages_of(params);
    for (std::size_t at = 0; at < messages.size(); ++at) {
      const std::set<std::string> uses = ids_in(messages[at], "tool_use", "id");
      if (uses.empty()) continue;
      if (at + 1 == messages.size()) return "ends with a tool use without its result";
      if (ids_in(messages[at + 1], "tool_result", "toolUseId") != uses) {
        return "has tool uses that the next message does not answer one by one";
      }
    }
    return "";
  });
}

Task<Finding> keeps_meta_of_uses(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  co_return each_follow_up(all, [](const Json& params) -> std::string {
    for (const Json& message : *messages_of(params)) {
      for (const Json& block : blocks_of(message)) {
        // The judge's own uses have such an id, and _meta.
        const bool ours = string_or(block, "type", "") == "tool_use" &&
                          string_or(block, "id", "").starts_with("use-");
        if (!ours) continue;
        const Json* const meta = find(block, "_meta");
        if (meta == nullptr || find(*meta, "plumbline/kept") == nullptr) {
          return "has a tool use that has lost its _meta";
        }
      }
    }
    return "";
  });
}

// copes_with: a call that asks for sampling comes to an end, whatever the model answers.
Task<Finding> copes_with(Probe& probe, Json answer, std::string what) {
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> calls = all.asking(kSamplingMethod);
  if (calls.empty()) co_return not_for_it("no call asks for sampling");
  Client client = probe.client();
  const Answerer script = [answer](const Json& request) {
    const bool sampling = string_or(request, "method", "") == kSamplingMethod;
    return sampling ? answer : result_answer(granted(request));
  };
  const Reply reply = co_await call_by_script(client, *calls.front(), script);
  if (reply.answered()) co_return passes();
  co_return broken("got " + reply.describe() + " when the model answered " + what +
                   ", expected a result or an error");
}

Json short_sample() {
  Json result = Json::object();
  result["role"] = "assistant";
  result["model"] = "plumbline-another-model";
  result["content"]["type"] = "text";
  result["content"]["text"] = "s";
  return result;
}

Task<Finding> takes_other_models(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> calls = all.asking(kSamplingMethod);
  if (calls.empty()) co_return not_for_it("no call asks for sampling");
  Client client = probe.client();
  const Answerer script = [](const Json& request) {
    const bool sampling = string_or(request, "method", "") == kSamplingMethod;
    return result_answer(sampling ? short_sample() : granted(request));
  };
  const Reply reply = co_await call_by_script(client, *calls.front(), script);
  if (succeeded(reply) || asks_for_input(reply)) co_return passes();
  co_return broken("got " + reply.describe() +
                   " when another model answered, in short and without a stopReason");
}

Task<Finding> takes_arrays_of_blocks(Probe& probe) {
  Json several = short_sample();
  const Json block = several["content"];
  several["content"] = Json::array();
  several["content"].push_back(block);
  co_return co_await copes_with(probe, result_answer(several), "with an array of blocks");
}

Task<Finding> survives_bad_samples(Probe& probe) {
  Json image = short_sample();
  image["content"] = Json::object();
  image["content"]["type"] = "image";
  image["content"]["data"] = "no base64!";
  image["content"]["mimeType"] = "none";
  Json unknown = short_sample();
  unknown["role"] = "plumbline";
  unknown["content"]["type"] = "plumbline";
  std::vector<Json> nonsense;
  nonsense.push_back(std::move(image));
  nonsense.push_back(std::move(unknown));
  nonsense.push_back(Json::object());
  for (const Json& bad : nonsense) {
    const Finding finding = co_await copes_with(probe, result_answer(bad), "with nonsense");
    if (finding.verdict != Verdict::kPass) co_return finding;
  }
  co_return passes();
}

constexpr ServerCheck kSamplingChecks[] = {
    {"sampling.no-tools-without-capability", Eras::kBoth, SessionUse::kOpens,
     offers_no_tools_unasked},
    {"sampling.avoid-include-context", Eras::kBoth, SessionUse::kOpens, avoids_context},
    {"sampling.include-context-needs-capability", Eras::kBoth, SessionUse::kOpens,
     includes_no_context_unasked},
    {"sampling.request-required-fields", Eras::kStateful, SessionUse::kOpens, asks_in_full},
    {"sampling.message-role-content", Eras::kStateless, SessionUse::kOpens, asks_with_roles},
    {"sampling.tool-results-only-message", Eras::kBoth, SessionUse::kOpens, keeps_results_apart},
    {"sampling.tool-use-balanced", Eras::kBoth, SessionUse::kOpens, answers_every_use},
    {"sampling.tool-meta-preserved", Eras::kBoth, SessionUse::kOpens, keeps_meta_of_uses},
    {"sampling.client-may-modify-parameters", Eras::kBoth, SessionUse::kAlone, takes_other_models},
    {"sampling.content-array-tolerated", Eras::kStateful, SessionUse::kAlone,
     takes_arrays_of_blocks},
    {"sampling.content-validated", Eras::kBoth, SessionUse::kAlone, survives_bad_samples},
};

}  // namespace

ServerChecks sampling_checks() { return kSamplingChecks; }

}  // namespace plumbline::conformance
