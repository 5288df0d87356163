#include "cli/commands/agents/tool_calls.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "core/agents/approvals/approval.h"
#include "core/agents/supervisor/answer/answer_text.h"
#include "core/agents/supervisor/words/plain_text.h"
#include "core/base/wait.h"
#include "core/connector/traced_client.h"
#include "core/mcp/server/client_needs.h"

namespace plumbline::cli {

namespace {

using mcp::ServerCall;

constexpr const char* kElicit = "elicitation/create";
constexpr Duration kPersonPatience = std::chrono::minutes(10);  // With a person.

// StepTeller tells a client of each node of a run, as progress of its call, and the log.
class StepTeller final : public graph::GraphObserver {
 public:
  StepTeller(const ServerCall& call, const ToolCalls::Log& log) : call_(call), log_(log) {}

  // implements GraphObserver ---
  void node_started(std::string_view node, std::int64_t /*step*/, int attempt) override {
    std::string what(node);
    std::ranges::replace(what, '_', ' ');
    if (attempt > 1) what += ", attempt " + std::to_string(attempt);
    tell(std::move(what));
  }
  void node_ended(std::string_view, std::int64_t, graph::StepResult, const Error*) override {}
  void edge_taken(std::string_view, std::string_view) override {}
  void interrupted(std::string_view, const Json&) override {}

  // tell says what is done now; still says that it still is, so that a client whose patience each
  // progress renews does not give up.
  void tell(std::string what) {
    if (log_) log_(call_.target + ": " + what);
    last_ = what;
    waited_ = 0;
    call_.progress(static_cast<double>(++told_), std::nullopt, std::move(what));
  }
  void still() {
    waited_ += kBeatSeconds;
    call_.progress(static_cast<double>(++told_), std::nullopt,
                   last_ + ", for " + std::to_string(waited_) + " s");
  }

  static constexpr int kBeatSeconds = 10;

 private:
  const ServerCall& call_;
  const ToolCalls::Log& log_;
  std::int64_t told_ = 0;
  std::string last_ = "at work";
  int waited_ = 0;
};

// beat tells every ten seconds that a call is still at work, until it is dropped.
Task<void> beat(Loop& loop, StepTeller& teller) {
  for (;;) {
    co_await Sleep(loop, after(loop.now(), std::chrono::seconds(StepTeller::kBeatSeconds)));
    teller.still();
  }
}

// error_answer is the answer to a call that cannot be made.
Json error_answer(const std::string& tool, const Error& error) {
  const std::string said = agents::supervisor::with_full_stop(error.message);
  const bool conflict = error.code == ErrorCode::kConflict;
  const bool wrong = error.code == ErrorCode::kInvalidInput;
  const char* const code = conflict ? "conflict" : wrong ? "bad_arguments" : "store";
  return {{"status", "error"},
          {"tool", tool},
          {"content", said},
          {"error", {{"code", code}, {"message", said}, {"do", ""}}}};
}

// result_of is an answer as a result of tools/call: text for a person, and the whole as JSON for
// the model, as a second text and, where the revision has it, as structured content. The JSON has
// the text in it, so a client that goes by `audience` hands each reader one of the two.
//
// Spec 2025-06-18, server/tools, Structured Content (SHOULD return the serialized JSON as text):
// https://modelcontextprotocol.io/specification/2025-06-18/server/tools#structured-content
Json result_of(const Json& answer, mcp::Revision revision) {
  std::string text = string_or(answer, "content", "");
  const std::string tool = string_or(answer, "tool", "");
  const bool asks_nobody = tool == "version" || tool == "listmodels";
  if (find(answer, "thread_id") != nullptr && !asks_nobody) {
    text += "\n\n" + agents::supervisor::footer_of(answer);
  }
  Json out = tool_text(std::move(text), string_or(answer, "status", "") == "error");
  out["content"][0]["annotations"] = {{"audience", {"user"}}};
  out["content"].push_back({{"type", "text"},
                            {"text", dump_json(answer)},
                            {"annotations", {{"audience", {"assistant"}}}}});
  if (mcp::has_structured_content(revision)) out["structuredContent"] = answer;
  return out;
}

Json choice(const char* title) {
  return {{"type", "boolean"}, {"title", title}, {"default", false}};
}

// Form is what a person is to decide, as a client puts it before them.
struct Form {
  Json params;
  bool cut = false;  // Something is left out, and they may ask to see all of it.
};

// form_of makes the form of `review`. Of a line about `bytes_max` bytes stand there.
Form form_of(const Json& review, std::size_t bytes_max) {
  Form out;
  const std::string text = agents::approvals::text_of(review, bytes_max, out.cut);
  std::string message = "Run this command? (" + string_or(review, "reason", "") + ")\n\n" + text;
  Json fields = {{"approve", choice("Run it")},
                 {"reason", {{"type", "string"}, {"title", "Why not"}, {"maxLength", 500}}}};
  if (bool_or(review, "remembers", false)) {
    fields["remember"] = choice("The same command may run again in this thread, unasked");
  }
  if (out.cut) fields["show_all"] = choice("Show all of it first, and ask again");
  Json schema = {{"type", "object"},
                 {"properties", std::move(fields)},
                 {"required", Json::array({"approve"})}};
  out.params = {
      {"mode", "form"}, {"message", std::move(message)}, {"requestedSchema", std::move(schema)}};
  return out;
}

Json refusal(std::string why) { return {{"approve", false}, {"reason", std::move(why)}}; }

// decision_in returns what a person has said to the form.
Json decision_in(const Json& said) {
  const std::string action = string_or(said, "action", "");
  if (action == "decline") return refusal("the person declined");
  if (action != "accept") return refusal("the person did not decide");
  const Json* const content = find(said, "content");
  if (content == nullptr || !content->is_object()) return refusal("the form came back empty");
  if (bool_or(*content, "approve", false)) {
    Json approved = {{"approve", true}};
    if (bool_or(*content, "remember", false)) approved["remember"] = true;
    return approved;
  }
  return refusal(string_or(*content, "reason", ""));
}

// The name of a question says about which call it was asked (KeptThread::use), for the client that
// comes back with the answer in a call of its own.
std::string question_name(const std::string& use, const Json& review) {
  return use + "." + string_or(review, "approval_id", "");
}

// call_answered returns which call comes back answered; "" where none does. The server has dropped
// what is no answer to a question of this very call.
std::string call_answered(const Json& params) {
  const Json* const answers = find(params, "inputResponses");
  if (answers == nullptr || !answers->is_object() || answers->empty()) return "";
  const std::string name = answers->items().begin().key();
  return name.substr(0, std::min(name.find('.'), name.size()));
}

// asks_for_all returns whether a person wants to see what is left out before they decide.
bool asks_for_all(const Form& form, const mcp::Reply<Json>& said) {
  if (!form.cut || !said.ok() || string_or(said.value(), "action", "") != "accept") return false;
  const Json* const content = find(said.value(), "content");
  return content != nullptr && content->is_object() && bool_or(*content, "show_all", false);
}

Task<Json> ask_person(ServerCall call, Instant deadline, std::string use, Json review) {
  const Form form = form_of(review, agents::approvals::kRowBytesMax);
  Json question = form.params;
  if (mcp::undeclared_capability(call.client(), kElicit, question)) {
    co_return refusal(
        "a person has to approve it, and this client cannot ask one: use a client with "
        "elicitation, or let commands run unasked by \"approval\": false in the settings");
  }
  std::string name = question_name(use, review);
  mcp::Reply<Json> said =
      co_await call.ask(std::string(name), kElicit, std::move(question), deadline);
  if (asks_for_all(form, said)) {
    question = form_of(review, std::numeric_limits<std::size_t>::max()).params;
    name += "-all";
    said = co_await call.ask(std::move(name), kElicit, std::move(question), deadline);
  }
  if (!said.ok()) co_return refusal("the person was not reached: " + said.error().message);
  co_return decision_in(said.value());
}

}  // namespace

Json tool_text(std::string text, bool wrong) {
  return {{"content", {{{"type", "text"}, {"text", std::move(text)}}}}, {"isError", wrong}};
}

Task<mcp::Reply<Json>> ToolCalls::answer(ServerCall call) {
  Json arguments = call.arguments();
  StepTeller steps(call, log_);
  agents::supervisor::CallAids aids;
  aids.answers = call_answered(call.params);
  if (!aids.answers.empty()) {
    arguments.erase("continuation_id");
    arguments["thread_id"] = aids.answers.substr(0, aids.answers.rfind('-'));
  }
  aids.who = call.principal;
  aids.observer = &steps;
  aids.traceparent = connector::parent_in(call.params);
  aids.approve = [this, &call](std::string of, Json review) {
    return ask_person(call, after(loop_.now(), kPersonPatience), std::move(of), std::move(review));
  };
  aids.progress = [&steps](const std::string& line) { steps.tell(line); };
  const mcp::Revision revision = call.client().revision;
  aids.connection = {{"revision", mcp::name_of(revision)},
                     {"client", call.client().name + " " + call.client().version}};
  Task<void> beating = beat(loop_, steps);
  beating.start();
  std::string tool = call.target;
  const Result<Json> answer = co_await desk_.call(std::move(tool), std::move(arguments), aids);
  if (!answer.ok()) co_return result_of(error_answer(call.target, answer.error()), revision);
  co_return result_of(answer.value(), revision);
}

}  // namespace plumbline::cli
