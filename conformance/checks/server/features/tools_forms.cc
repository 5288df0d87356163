// What comes of what is listed: forms of one call that mean the same, what a call leaves behind,
// how results are written. Spec, schema#calltoolrequest ("arguments" is optional), server/tools.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/bad_calls.h"
#include "conformance/checks/server/features/reasons.h"
#include "conformance/checks/server/input/scripted.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/listings.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/text.h"
#include "core/base/wait.h"
#include "core/schema/schema.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kCalledMax = 4;
constexpr std::size_t kUsedMax = 8;

// needs_nothing returns whether {} are arguments for `tool`, as its schema has it.
bool needs_nothing(Probe& probe, const Json& tool) {
  const Json* const schema = find(tool, "inputSchema");
  if (schema == nullptr) return false;
  const Result<schema::Schema> compiled = probe.measured().compile(*schema);
  if (!compiled.ok()) return false;
  return !probe.measured().violation(compiled.value(), Json::object());
}

// judge_form calls `tool` with {} and in another form: whatever it does, it does for both.
Task<Finding> judge_form(Client& client, Json tool) {
  const std::string name = string_or(tool, "name", "");
  Json plain = Json::object();
  plain["name"] = name;
  Json empty = plain;
  empty["arguments"] = Json::object();
  const Reply usual = co_await client.call("tools/call", empty);
  if (!usual.answered()) co_return undecided("got " + usual.describe());
  const Reply without = co_await client.call("tools/call", std::move(plain));
  if (!without.answered() && without.status < 400) {
    co_return undecided("got " + without.describe());
  }
  if (succeeded(without)) {
    if (succeeded(usual)) co_return passes();
    co_return about(broken("the tool \"" + shortened(name) +
                           "\", whose inputSchema asks for no arguments, refuses \"arguments\": {} "
                           "and takes a call without: got " +
                           usual.describe()),
                    usual);
  }
  if (!succeeded(usual)) co_return not_for_it("\"" + shortened(name) + "\" fails in any case");
  // What is done once, such as to take a seat, fails the second time in any form.
  const Reply again = co_await client.call("tools/call", std::move(empty));
  if (!succeeded(again)) co_return not_for_it("\"" + shortened(name) + "\" works only so often");
  co_return about(broken("the tool \"" + shortened(name) +
                         "\", whose inputSchema asks for no arguments, refuses a call without the "
                         "member \"arguments\": got " +
                         without.describe() + ", expected what \"arguments\": {} gets"),
                  without);
}

Task<Finding> does_without_arguments(Probe& probe) {
  Client client = probe.client();
  std::size_t called = 0;
  Finding nothing = not_for_it("no tool that may be called does without arguments");
  for (const Json& tool : probe.survey().tools.items) {
    const bool disturbs = probe.disturbs(string_or(tool, "name", ""));
    if (called == kCalledMax || disturbs || !probe.may_call(tool)) continue;
    if (!needs_nothing(probe, tool)) continue;
    Finding finding = co_await judge_form(client, tool);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    if (finding.verdict == Verdict::kInconclusive) nothing = std::move(finding);
    if (finding.verdict != Verdict::kPass) continue;
    ++called;
  }
  if (called == 0) co_return std::move(nothing);
  Finding finding = passes();
  finding.observed = static_cast<std::int64_t>(called);
  co_return std::move(finding);
}

// said_changed returns whether the server has said in this session that its tools are others.
bool said_changed(Client& client) {
  for (const Frame& frame : client.session().wire().inbox().frames) {
    if (string_or(*frame.message, "method", "") == "notifications/tools/list_changed") return true;
  }
  return false;
}

// The list before and after a few calls, which change nothing as far as anybody has said.
Task<Finding> lists_the_same_after_use(Probe& probe) {
  // Another check may have called its tools in a session that is there already.
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  const Listing before = co_await list_all(client.session(), probe.check(), "tools/list", "tools");
  const Listing again = co_await list_all(client.session(), probe.check(), "tools/list", "tools");
  if (before.items != again.items) co_return not_for_it("it changes without any call");
  std::vector<Client::Begun> calls;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    if (calls.size() == kUsedMax || probe.disturbs(name) || !probe.may_call(tool)) continue;
    Json params = probe.call_params(tool);
    calls.push_back(client.begin(client.request_of("tools/call", std::move(params))));
  }
  if (calls.empty()) co_return not_for_it("it has no tool that may be called");
  for (Client::Begun& call : calls) co_await client.finish(std::move(call));
  const Listing then = co_await list_all(client.session(), probe.check(), "tools/list", "tools");
  co_await client.hush();
  if (!before.whole || !then.whole) co_return undecided("a list could not be had in full");
  if (before.items == then.items) co_return passes();
  if (said_changed(client)) co_return not_for_it("it says that its list has changed");
  const std::vector<std::string> old_names = values_of(before, "name");
  const std::vector<std::string> new_names = values_of(then, "name");
  const std::string what = old_names == new_names
                               ? "one of the tools is another one than before"
                               : joined(old_names) + " became " + joined(new_names);
  co_return about(broken("tools/list has changed with calls alone, and no "
                         "notifications/tools/list_changed came: " +
                         shortened(what)),
                  then.pages.back());
}

// each_binary_block holds each block with an image, a sound or a resource to `problem`.
Task<Finding> each_binary_block(Probe* probe, std::string (*problem)(const Json& block)) {
  const Exercise& exercise = *co_await probe->exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("tools/call")) {
    const Json* const content = find(*call->complete(), "content");
    if (content == nullptr || !content->is_array()) continue;
    for (const Json& block : *content) {
      const std::string type = block.is_object() ? string_or(block, "type", "") : "";
      if (type != "image" && type != "audio" && type != "resource") continue;
      tally.saw();
      const std::string wrong = problem(block);
      if (wrong.empty()) continue;
      tally.wrong("the tool \"" + shortened(string_or(call->params, "name", "")) +
                      "\" answered with a block of the type \"" + type + "\" that " + wrong,
                  call->evidence);
    }
  }
  co_return tally.finding("no tool has answered with an image, a sound or a resource");
}

Task<Finding> encodes_what_is_binary(Probe& probe) {
  co_return co_await each_binary_block(&probe, encoding_problem);
}

Task<Finding> labels_what_is_binary(Probe& probe) {
  co_return co_await each_binary_block(&probe, label_problem);
}

// judge_failure holds the structure of a failed call of a tool with an outputSchema to that.
template <typename Shown>
Task<void> judge_failure(Probe& probe, std::string name, Json result, Tally& tally, Shown shown) {
  const Json* const tool = probe.survey().tool(name);
  const Json* const promised = tool == nullptr ? nullptr : find(*tool, "outputSchema");
  if (promised == nullptr || !bool_or(result, "isError", false)) co_return;
  co_await Sleep(probe.loop(), probe.loop().now());  // A schema may take long.
  const Result<schema::Schema> schema = probe.measured().compile(*promised);
  if (!schema.ok()) co_return;
  tally.saw();
  const Json* const structured = find(result, "structuredContent");
  if (structured == nullptr) co_return;
  const auto violation = probe.measured().violation(schema.value(), *structured);
  if (!violation) co_return;
  tally.wrong("the tool \"" + shortened(name) +
                  "\" failed with structuredContent that does not fit its outputSchema: " +
                  violation->message +
                  "; clients of the TypeScript SDK and Claude say so in place of the failure",
              std::move(shown));
}

// Clients such as the TypeScript SDK's hold the structure of a failure to the schema as well, and
// show that it does not fit in place of what went wrong. Many tools fail of bad arguments alone.
Task<Finding> fails_without_another_structure(Probe& probe) {
  Client client = probe.client();
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("tools/call")) {
    const std::string name = string_or(call->params, "name", "");
    co_await judge_failure(probe, name, *call->complete(), tally, call->evidence);
  }
  std::vector<BadCall> bad = co_await calls_to_refuse(probe, "outputSchema");
  for (BadCall& call : bad) {
    const std::string name = string_or(call.params, "name", "");
    const Reply reply = co_await client.request("tools/call", std::move(call.params));
    if (reply.result() == nullptr) continue;
    co_await judge_failure(probe, name, *reply.result(), tally, reply);
  }
  co_return tally.finding("no tool with an outputSchema has failed");
}

// snake_case_in returns the first member of `value`, or of what it holds, that is written as a
// member of the protocol with underscores; empty: none. Free content is not looked into.
std::string snake_case_in(const Json& value, int depth = 0) {
  constexpr std::string_view kWritten[] = {
      "mime_type",     "input_schema",   "output_schema", "structured_content",
      "is_error",      "next_cursor",    "server_info",   "protocol_version",
      "uri_template",  "read_only_hint", "list_changed",  "resource_templates",
      "last_modified", "result_type",    "cache_scope",   "input_requests"};
  constexpr std::string_view kFree[] = {"_meta",       "inputSchema",       "outputSchema",
                                        "arguments",   "structuredContent", "properties",
                                        "experimental"};
  constexpr int kDepthMax = 6;
  if (depth > kDepthMax) return "";
  if (value.is_array()) {
    for (const Json& item : value) {
      if (std::string found = snake_case_in(item, depth + 1); !found.empty()) return found;
    }
  }
  if (!value.is_object()) return "";
  for (const auto& [name, member] : value.items()) {
    if (std::ranges::find(kWritten, name) != std::end(kWritten)) return name;
    if (std::ranges::find(kFree, name) != std::end(kFree)) continue;
    if (std::string found = snake_case_in(member, depth + 1); !found.empty()) return found;
  }
  return "";
}

// A member by another word, where the one that MCP has is missing.
struct OtherWord {
  std::string_view list;
  std::string_view word;
  std::string_view due;
};

constexpr OtherWord kOtherWords[] = {
    {"prompts", "args", "arguments"},         {"prompts", "parameters", "arguments"},
    {"prompts", "params", "arguments"},       {"resources", "mimetype", "mimeType"},
    {"resources", "mime", "mimeType"},        {"resources", "contentType", "mimeType"},
    {"tools", "hints", "annotations"},        {"tools", "outputschema", "outputSchema"},
    {"resourceTemplates", "mime", "mimeType"}};

// note_other_words notes what items of a list call otherwise than MCP does.
void note_other_words(const Reply& page, Tally& tally) {
  for (const auto& [list, word, due] : kOtherWords) {
    const Json* const items = page.result() == nullptr ? nullptr : find(*page.result(), list);
    if (items == nullptr || !items->is_array()) continue;
    for (const Json& item : *items) {
      if (find(item, word) == nullptr || find(item, due) != nullptr) continue;
      tally.wrong("an item of \"" + std::string(list) + "\" has the member \"" + std::string(word) +
                      "\", which MCP calls \"" + std::string(due) + "\": clients overlook it",
                  page);
      break;
    }
  }
}

Task<Finding> writes_members_as_they_are(Probe& probe) {
  const Survey& survey = probe.survey();
  Tally tally;
  const auto judge = [&tally](const Json& found, std::string what, auto shown) {
    tally.saw();
    const std::string name = snake_case_in(found);
    if (name.empty()) return;
    tally.wrong(what + " has the member \"" + name +
                    "\", which MCP writes without underscores: clients overlook it",
                std::move(shown));
  };
  if (const Json* const result = survey.opening.result()) {
    judge(*result, "the first answer", survey.opening);
  }
  for (const Listing* const listing :
       {&survey.tools, &survey.resources, &survey.templates, &survey.prompts}) {
    for (const Reply& page : listing->pages) {
      if (page.result() != nullptr) judge(*page.result(), "a list", page);
      note_other_words(page, tally);
    }
  }
  const Exercise& exercise = *co_await probe.exercise();
  for (const Call& call : exercise.calls) {
    if (call.reply.result() == nullptr) continue;
    judge(*call.reply.result(), "the result of " + call.method, call.evidence);
  }
  co_return tally.finding("it gave no result");
}

// is_served_now returns whether a resource is not listed any longer, or is read: a call of a tool
// may have taken it away.
Task<bool> is_served_now(Probe& probe, std::string uri) {
  Client client = co_await probe.open(probe.usual());
  const Listing list =
      co_await list_all(client.session(), probe.check(), "resources/list", "resources");
  if (!list.whole || Survey::item(list, "uri", uri) == nullptr) co_return true;
  Json params = {{"uri", std::move(uri)}};
  const Reply reply = co_await client.request("resources/read", std::move(params));
  co_return reply.error() == nullptr;
}

// fails_by_itself returns whether a prompt that takes no arguments has failed, for a reason that is
// not its user's to mend.
bool fails_by_itself(Probe& probe, const Call& call) {
  // And of what another client would bring.
  constexpr std::string_view kBrought[] = {"token",   "key",    "connect",   "client", "declare",
                                           "support", "elicit", "capabilit", "roots",  "sampling"};
  const std::int64_t code = call.reply.code().value_or(1);
  const bool inside = code == 0 || code == -32603 || code == -32000;
  if (call.method != "prompts/get" || call.reply.error() == nullptr || !inside) return false;
  const Json* const prompt =
      Survey::item(probe.survey().prompts, "name", string_or(call.params, "name", ""));
  const Json* const wanted = prompt == nullptr ? nullptr : find(*prompt, "arguments");
  const std::string text = lower_case(text_of_failure(call.reply));
  const bool of_user = is_for_users(text) || mentions_any(text, kBrought);
  const bool bare = prompt != nullptr && (wanted == nullptr || wanted->empty());
  return bare && !of_user && other_reason(call.reply, "", {}).empty();
}

Task<Finding> serves_what_it_lists(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call& call : exercise.calls) {
    if (!call.first || !call.reply.answered()) continue;
    const bool reads = call.method == "resources/read";
    const std::string name = string_or(call.params, reads ? "uri" : "name", "");
    // What a template stands for need not be there.
    const bool made_up = reads && Survey::item(probe.survey().resources, "uri", name) == nullptr;
    if (name.empty() || made_up) continue;
    tally.saw();
    const Json* const error = call.reply.error();
    const std::string says = error == nullptr ? "" : string_or(*error, "message", "");
    // A tool that is only for tasks is known, and says -32601. Of what was made up for a parameter
    // it may say that this is unknown: its own name has to be in the message.
    const bool unknown =
        reads ? call.reply.code() == -32002 || call.reply.code() == -32601
              : call.reply.code() == -32602 && mentions(says, "nknown") && mentions(says, name);
    if (!unknown && !fails_by_itself(probe, call)) continue;
    if (reads) {
      const bool served = co_await is_served_now(probe, name);
      if (served) continue;
    }
    tally.wrong("\"" + shortened(name) + "\" is listed, and " + call.method + " of it got " +
                    call.reply.describe(),
                call.evidence);
  }
  co_return tally.finding("nothing that is listed was asked for");
}

// A client lists again when it is told to: one that is told whenever it lists never stops.
Task<Finding> tells_of_changes_alone(Probe& probe) {
  constexpr const char* kToolsChanged = "notifications/tools/list_changed";
  constexpr int kLists = 3;
  if (!probe.survey().declares("/tools/listChanged")) {
    co_return not_for_it("it does not declare tools.listChanged");
  }
  Client client = probe.client();
  if (!co_await client.can_hear()) co_return not_for_it("it has no stream to say it on");
  Json before;
  Json notice;
  for (int time = 0; time < kLists; ++time) {
    const std::size_t first = frames_of(client);
    const Reply reply = co_await client.request("tools/list");
    if (reply.result() == nullptr) co_return undecided("tools/list got " + reply.describe());
    notice = co_await await_notice(client, first, kToolsChanged, probe.pace().quiet());
    if (notice.is_null()) co_return passes();
    // Told rightly, of what something else has changed: another client, or a check beside this one.
    if (time > 0 && *reply.result() != before) co_return passes();
    before = *reply.result();
    const Duration quiet = probe.pace().quiet();
    const Json stray = co_await await_notice(client, frames_of(client), kToolsChanged, quiet);
    if (!stray.is_null()) co_return passes();  // It comes while nobody lists.
  }
  co_return showing(
      broken("each of three tools/list was followed by notifications/tools/list_changed, and all "
             "three lists were the same: a client that lists again when it is told so, as those "
             "on the official SDKs may, never stops"),
      notice);
}

constexpr ServerCheck kToolsFormsChecks[] = {
    {"tools.error-structure-fits", Eras::kBoth, SessionUse::kShared,
     fails_without_another_structure},
    {"tools.list-changed-only-then", Eras::kStateful, SessionUse::kAlone, tells_of_changes_alone},
    {"schema.member-names-exact", Eras::kBoth, SessionUse::kOpens, writes_members_as_they_are},
    {"base.listed-is-served", Eras::kBoth, SessionUse::kOpens, serves_what_it_lists},
    {"tools.media-encoded", Eras::kBoth, SessionUse::kOpens, encodes_what_is_binary},
    {"tools.media-labelled", Eras::kBoth, SessionUse::kOpens, labels_what_is_binary},
    {"tools.arguments-optional", Eras::kBoth, SessionUse::kAlone, does_without_arguments},
    {"tools.list-stable-under-calls", Eras::kStateful, SessionUse::kOpens,
     lists_the_same_after_use},
};

}  // namespace

ServerChecks tools_forms_checks() { return kToolsFormsChecks; }

}  // namespace plumbline::conformance
