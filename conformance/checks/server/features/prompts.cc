// Prompts: spec, server/prompts.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/prompt_types.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listings.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "core/schema/text_example.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoPrompts = "it does not declare prompts";
constexpr const char* kNoneGot = "no prompt could be got";
constexpr std::size_t kPromptsTried = 6;
constexpr std::size_t kPromptsTaxed = 3;  // With several calls each.

std::string got_prompt(const Call& call) {
  return "the prompt \"" + shortened(string_or(call.params, "name", "")) + "\" ";
}

Task<Finding> declares_prompts(Probe& probe) {
  co_return co_await declares_feature(probe, "prompts/list", "prompts");
}

Task<Finding> lists_prompts(Probe& probe) {
  co_return answers_list(probe.survey().prompts, "prompts");
}

Task<Finding> lists_the_same_prompts(Probe& probe) {
  co_return co_await lists_everywhere_the_same(probe, "prompts/list", "prompts", "name");
}

Task<Finding> tells_of_changed_prompts(Probe& probe) {
  co_return co_await tells_of_a_change(probe, "prompts", Shows::kPromptsChange);
}

const Json* messages_in(const Call& call) {
  const Json* const messages = find(*call.complete(), "messages");
  return messages != nullptr && messages->is_array() ? messages : nullptr;
}

std::string message_problem(const Json& message) {
  const std::string role = string_or(message, "role", "");
  if (role != "user" && role != "assistant") return "has the role \"" + shortened(role) + "\"";
  const Json* const content = find(message, "content");
  if (content == nullptr) return "has no content";
  if (!content->is_object()) {
    return "has content that is " + std::string(type_name(*content)) + ", expected one block";
  }
  // What is inside a block of media is judged by itself.
  if (!find_string(*content, "type")) return "has content without a type";
  if (string_or(*content, "type", "") == "text" && !find_string(*content, "text")) {
    return "has a text block without text";
  }
  return "";
}

Task<Finding> prompts_have_messages(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("prompts/get")) {
    tally.saw();
    const Json* const messages = messages_in(*call);
    if (messages == nullptr) {
      tally.wrong(got_prompt(*call) + "has no messages array", call->evidence);
      continue;
    }
    for (const Json& message : *messages) {
      const std::string wrong = message_problem(message);
      if (wrong.empty()) continue;
      tally.wrong(got_prompt(*call) + "has a message that " + wrong, call->evidence);
      break;
    }
  }
  co_return tally.finding(kNoneGot);
}

// each_block judges the content blocks of one type in every prompt.
Task<Finding> each_block(Probe& probe, std::string type, std::string (*problem)(const Json&)) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("prompts/get")) {
    const Json* const messages = messages_in(*call);
    if (messages == nullptr) continue;
    for (const Json& message : *messages) {
      const Json* const block = find(message, "content");
      if (block == nullptr || string_or(*block, "type", "") != type) continue;
      tally.saw();
      const std::string wrong = problem(*block);
      if (!wrong.empty()) {
        tally.wrong(got_prompt(*call) + "has a block of type " + type + " that " + wrong,
                    call->evidence);
      }
    }
  }
  co_return tally.finding("no prompt has a block of type " + type);
}

Task<Finding> images_are_encoded(Probe& probe) {
  co_return co_await each_block(probe, "image", media_problem);
}

Task<Finding> sounds_are_encoded(Probe& probe) {
  co_return co_await each_block(probe, "audio", media_problem);
}

std::string embedded_problem(const Json& block) {
  const Json* const resource = find(block, "resource");
  if (resource == nullptr) return "has no resource";
  if (std::string wrong = contents_problem(*resource); !wrong.empty()) return wrong;
  if (std::string wrong = binary_problem(*resource); !wrong.empty()) return wrong;
  const std::string uri = string_or(*resource, "uri", "");
  if (!is_uri(uri)) return "has the URI \"" + shortened(uri) + "\", which is none";
  const auto mime_type = find_string(*resource, "mimeType");
  if (!mime_type) return "has no mimeType";
  return is_mime_type(*mime_type) ? "" : "has the mimeType \"" + shortened(*mime_type) + "\"";
}

Task<Finding> embeds_whole_resources(Probe& probe) {
  co_return co_await each_block(probe, "resource", embedded_problem);
}

Task<Reply> get_prompt(Probe& probe, Json name, Json arguments) {
  Client client = probe.client();
  Json params = Json::object();
  params["name"] = std::move(name);
  params["arguments"] = std::move(arguments);
  co_return co_await client.request("prompts/get", std::move(params));
}

Task<Reply> get_again(Probe& probe, Json params) {
  Client client = probe.client();
  co_return co_await client.request("prompts/get", std::move(params));
}

Task<Finding> refuses_unknown_prompts(Probe& probe) {
  if (!probe.survey().declares("/prompts")) co_return not_for_it(kNoPrompts);
  const Reply reply = co_await get_prompt(probe, "plumbline_no_such_prompt", Json::object());
  co_return expect_error(reply, {-32602});
}

// required_argument returns the first argument of `prompt` that is required, nullptr for none.
const Json* required_argument(const Json& prompt) {
  const Json* const arguments = find(prompt, "arguments");
  if (arguments == nullptr || !arguments->is_array()) return nullptr;
  for (const Json& argument : *arguments) {
    if (bool_or(argument, "required", false)) return &argument;
  }
  return nullptr;
}

Task<Finding> refuses_missing_arguments(Probe& probe) {
  Finding finding = not_for_it("no prompt has a required argument");
  std::size_t tries = 0;
  for (const Json& prompt : probe.survey().prompts.items) {
    if (required_argument(prompt) == nullptr) continue;
    if (++tries > probe.as_many(kPromptsTried)) break;
    const Json name = string_or(prompt, "name", "");
    const Reply reply = co_await get_prompt(probe, name, Json::object());
    finding = expect_error(reply, {-32602});
    if (finding.verdict == Verdict::kPass) continue;
    finding.message.insert(0, "the prompt " + dump_json(name) + " without its required arguments ");
    break;
  }
  co_return std::move(finding);
}

// arguments_of returns `value` for every argument of `prompt`.
Json arguments_of(const Json& prompt, const Json& value) {
  Json all = Json::object();
  const Json* const arguments = find(prompt, "arguments");
  if (arguments == nullptr || !arguments->is_array()) return all;
  for (const Json& argument : *arguments) all[string_or(argument, "name", "")] = value;
  return all;
}

std::vector<const Json*> prompts_with_arguments(const Probe& probe) {
  std::vector<const Json*> prompts;
  for (const Json& prompt : probe.survey().prompts.items) {
    if (prompts.size() == probe.as_many(kPromptsTaxed)) break;
    if (!arguments_of(prompt, "").empty()) prompts.push_back(&prompt);
  }
  return prompts;
}

Task<Finding> survives_odd_arguments(Probe& probe) {
  const std::vector<const Json*> prompts = prompts_with_arguments(probe);
  if (prompts.empty()) co_return not_for_it("no prompt has arguments");
  for (const Json* const prompt : prompts) {
    const Json name = string_or(*prompt, "name", "");
    std::vector<Json> odd = {arguments_of(*prompt, 4711), arguments_of(*prompt, Json::array()),
                             arguments_of(*prompt, std::string(20'000, 'a'))};
    odd.push_back(arguments_of(*prompt, "plumbline"));
    odd.back()["plumbline_unknown"] = "x";
    for (Json& arguments : odd) {
      const std::string shown = shortened(dump_json(arguments));
      const Reply reply = co_await get_prompt(probe, name, std::move(arguments));
      if (reply.answered() || reply.status != 0) continue;
      co_return broken("got " + reply.describe() + " to the prompt " + dump_json(name) +
                       " with the arguments " + shown + ", expected an error or a result");
    }
  }
  co_return passes();
}

Task<Finding> takes_arguments_literally(Probe& probe) {
  const std::vector<const Json*> prompts = prompts_with_arguments(probe);
  if (prompts.empty()) co_return not_for_it("no prompt has arguments");
  for (const Json* const prompt : prompts) {
    const Json name = string_or(*prompt, "name", "");
    for (const char* const value : {"plumb{{7*7}}line", "plumb${7*7}line", "plumb<%= 7*7 %>line",
                                    "../../../../../etc/passwd", "file:///etc/passwd"}) {
      const Reply reply = co_await get_prompt(probe, name, arguments_of(*prompt, value));
      if (!reply.answered()) co_return undecided("got " + reply.describe());
      const std::string text = dump_json(*reply.message);
      const std::string of = "\" of the prompt " + dump_json(name);
      if (mentions(text, "plumb49line")) {
        co_return broken("the argument \"" + std::string(value) + of + " was evaluated");
      }
      if (mentions(text, "root:x:0:0")) {
        co_return broken("the argument \"" + std::string(value) + of +
                         " opened a file of the system");
      }
    }
  }
  co_return passes();
}

Task<Finding> tells_only_what_is_declared(Probe& probe) {
  if (!probe.survey().declares("/prompts")) co_return not_for_it(kNoPrompts);
  const Exercise& exercise = *co_await probe.exercise();
  if (probe.survey().declares("/prompts/listChanged")) {
    co_return not_for_it("it declares prompts.listChanged");
  }
  for (const ServerAsked& told : exercise.told) {
    if (told.method() != "notifications/prompts/list_changed") continue;
    Finding finding = broken(
        "notifications/prompts/list_changed came, and prompts.listChanged is "
        "not declared");
    finding.evidence = told.evidence;
    if (!finding.evidence.empty()) finding.evidence.back().judged = true;
    co_return std::move(finding);
  }
  co_return passes();
}

// takes_texts: an argument that has to be a number or a list cannot be given, for all are texts.
// One that reads a number out of a text takes "4".
Task<Finding> takes_texts(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call& call : exercise.calls) {
    const Json* const arguments = find(call.params, "arguments");
    if (call.method != "prompts/get" || !call.reply.answered() || arguments == nullptr) continue;
    tally.saw();
    const PromptType* const type = type_asked_for(call.reply);
    if (type == nullptr) continue;
    Json params = call.params;
    for (Json& value : params["arguments"]) value = std::string(type->text);
    const Reply reply = co_await get_again(probe, params);
    if (type_asked_for(reply) != type) continue;
    tally.wrong(got_prompt(call) + "refuses a text, and all arguments of prompts are texts: with " +
                    shortened(dump_json(params["arguments"])) + " it got " + reply.describe(),
                reply);
  }
  co_return tally.finding("no prompt has arguments");
}

// optional_argument returns the first argument of `prompt` that `given` does without.
const Json* optional_argument(const Json& prompt, const Json& given) {
  const Json* const arguments = find(prompt, "arguments");
  if (arguments == nullptr || !arguments->is_array()) return nullptr;
  for (const Json& argument : *arguments) {
    const bool required = bool_or(argument, "required", false);
    if (!required && !given.contains(string_or(argument, "name", ""))) return &argument;
  }
  return nullptr;
}

// judge_bare_prompt gets a prompt that needs no argument without the member that would hold them.
Task<Finding> judge_bare_prompt(Probe& probe) {
  for (const Json& prompt : probe.survey().prompts.items) {
    if (required_argument(prompt) != nullptr) continue;
    const Json name = string_or(prompt, "name", "");
    Json params = {{"name", name}};
    const Reply bare = co_await get_again(probe, std::move(params));
    const Reply whole = co_await get_prompt(probe, name, Json::object());
    if (!bare.code() || whole.result() == nullptr) co_return passes();
    co_return about(broken("the prompt " + dump_json(name) + " without the member arguments got " +
                           bare.describe() + ", and with arguments {} a result"),
                    bare);
  }
  co_return not_for_it("each prompt needs an argument");
}

// does_without_optional_arguments: a prompt that is refused with its required arguments alone is
// not given with an optional one beside them either.
Task<Finding> does_without_optional_arguments(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Finding bare = co_await judge_bare_prompt(probe);
  if (bare.verdict == Verdict::kFail) co_return std::move(bare);
  Finding finding = not_for_it("no prompt has an optional argument");
  if (bare.verdict == Verdict::kPass) finding = passes();
  std::size_t tries = 0;
  for (const Call& call : exercise.calls) {
    if (call.method != "prompts/get" || !call.first || !call.reply.answered()) continue;
    const std::string name = string_or(call.params, "name", "");
    const Json* const prompt = Survey::item(probe.survey().prompts, "name", name);
    Json given = Json::object();
    if (const Json* const sent = find(call.params, "arguments")) given = *sent;
    const Json* argument = prompt == nullptr ? nullptr : optional_argument(*prompt, given);
    if (argument == nullptr) continue;
    if (finding.verdict == Verdict::kSkip) finding = passes();
    if (!call.reply.code() || ++tries > probe.as_many(kPromptsTried)) continue;
    std::string added;
    for (; argument != nullptr; argument = optional_argument(*prompt, given)) {
      const std::string key = string_or(*argument, "name", "");
      added += (added.empty() ? "" : ", ") + key;
      given[key] =
          schema::text_example(key, string_or(*argument, "description", "")).value_or("plumbline");
    }
    const Reply whole = co_await get_prompt(probe, name, given);
    if (whole.result() == nullptr) continue;
    const Reply again = co_await get_again(probe, call.params);
    if (!again.code()) continue;
    co_return about(
        broken("prompts/get of " + dump_json(Json(name)) + " without its optional argument " +
               added + " got " + again.describe() + "; with it, a result came"),
        again);
  }
  co_return std::move(finding);
}

constexpr ServerCheck kPromptsChecks[] = {
    {"prompts.capability-declared", Eras::kBoth, SessionUse::kShared, declares_prompts},
    {"prompts.list-responds", Eras::kStateless, SessionUse::kOpens, lists_prompts},
    {"prompts.list-not-connection-dependent", Eras::kStateless, SessionUse::kShared,
     lists_the_same_prompts},
    {"prompts.list-changed-notification", Eras::kBoth, SessionUse::kAlone,
     tells_of_changed_prompts},
    {"prompts.result-shape", Eras::kBoth, SessionUse::kOpens, prompts_have_messages},
    {"prompts.image-content-encoding", Eras::kBoth, SessionUse::kOpens, images_are_encoded},
    {"prompts.audio-content-encoding", Eras::kBoth, SessionUse::kOpens, sounds_are_encoded},
    {"prompts.embedded-resource-fields", Eras::kBoth, SessionUse::kOpens, embeds_whole_resources},
    {"prompts.unknown-prompt-error", Eras::kBoth, SessionUse::kShared, refuses_unknown_prompts},
    {"prompts.missing-argument-error", Eras::kBoth, SessionUse::kShared, refuses_missing_arguments},
    {"prompts.optional-arguments-optional", Eras::kBoth, SessionUse::kShared,
     does_without_optional_arguments},
    {"prompts.argument-values-strings", Eras::kBoth, SessionUse::kShared, takes_texts},
    {"prompts.arguments-validated", Eras::kBoth, SessionUse::kAlone, survives_odd_arguments},
    {"prompts.inputs-outputs-validated", Eras::kBoth, SessionUse::kShared,
     takes_arguments_literally},
    {"prompts.respect-capabilities", Eras::kBoth, SessionUse::kOpens, tells_only_what_is_declared},
};

}  // namespace

ServerChecks prompts_checks() { return kPromptsChecks; }

}  // namespace plumbline::conformance
