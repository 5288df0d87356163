#include "cli/commands/agents/tool_calls.h"

#include <algorithm>
#include <utility>

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
    if (log_) log_(call_.target + ": " + what);
    call_.progress(static_cast<double>(++told_), std::nullopt, std::move(what));
  }
  void node_ended(std::string_view, std::int64_t, graph::StepResult, const Error*) override {}
  void edge_taken(std::string_view, std::string_view) override {}
  void interrupted(std::string_view, const Json&) override {}

 private:
  const ServerCall& call_;
  const ToolCalls::Log& log_;
  std::int64_t told_ = 0;
};

// question_about makes a form of what a person is to decide.
Json question_about(const Json& review) {
  const Json& command = review.at("arguments");
  std::string message = "Run this command?\n\n" + string_or(command, "command", "");
  const std::string folder = string_or(command, "folder", "");
  const std::string host = string_or(command, "host", "");
  if (!folder.empty()) message += "\n\nin " + folder;
  if (!host.empty()) message += "\n\non " + host;
  Json schema = {{"type", "object"},
                 {"properties",
                  {{"approve", {{"type", "boolean"}, {"title", "Run it"}, {"default", false}}},
                   {"reason", {{"type", "string"}, {"title", "Why not"}, {"maxLength", 500}}}}},
                 {"required", Json::array({"approve"})}};
  return {
      {"mode", "form"}, {"message", std::move(message)}, {"requestedSchema", std::move(schema)}};
}

Json refusal(std::string why) { return {{"approve", false}, {"reason", std::move(why)}}; }

// decision_in returns what a person has said to the form.
Json decision_in(const Json& said) {
  const std::string action = string_or(said, "action", "");
  if (action == "decline") return refusal("the person declined");
  if (action != "accept") return refusal("the person did not decide");
  const Json* const content = find(said, "content");
  if (content == nullptr || !content->is_object()) return refusal("the form came back empty");
  if (bool_or(*content, "approve", false)) return {{"approve", true}};
  return refusal(string_or(*content, "reason", ""));
}

// The name of a question says in which thread it was asked, for the client that comes back with the
// answer in a call of its own.
std::string question_name(const std::string& thread, const Json& review) {
  return thread + "." + string_or(review, "approval_id", "");
}

// thread_answered returns the thread of a question that comes back answered; "" where none does.
std::string thread_answered(const Json& params) {
  const Json* const answers = find(params, "inputResponses");
  if (answers == nullptr || !answers->is_object() || answers->empty()) return "";
  const std::string name = answers->items().begin().key();
  return name.substr(0, std::min(name.find('.'), name.size()));
}

Task<Json> ask_person(ServerCall call, Instant deadline, std::string thread, Json review) {
  Json question = question_about(review);
  if (mcp::undeclared_capability(call.client(), kElicit, question)) {
    co_return refusal(
        "a person has to approve it, and this client cannot ask one: use a client with "
        "elicitation, or let commands run unasked by \"approval\": false in the settings");
  }
  std::string name = question_name(thread, review);
  const mcp::Reply<Json> said =
      co_await call.ask(std::move(name), kElicit, std::move(question), deadline);
  if (!said.ok()) co_return refusal("the person was not reached: " + said.error().message);
  co_return decision_in(said.value());
}

}  // namespace

Json tool_text(std::string text, bool wrong) {
  return {{"content", {{{"type", "text"}, {"text", std::move(text)}}}}, {"isError", wrong}};
}

Task<mcp::Reply<Json>> ToolCalls::answer(ServerCall call) {
  Json arguments = call.arguments();
  const std::string thread = thread_answered(call.params);
  if (!thread.empty()) {
    arguments.erase("continuation_id");
    arguments["thread_id"] = thread;
  }
  StepTeller steps(call, log_);
  agents::supervisor::CallAids aids;
  aids.who = call.principal;
  aids.observer = &steps;
  aids.traceparent = connector::parent_in(call.params);
  aids.approve = [this, &call](std::string in, Json review) {
    return ask_person(call, after(loop_.now(), kPersonPatience), std::move(in), std::move(review));
  };
  std::string tool = call.target;
  const Result<Json> answer = co_await desk_.call(std::move(tool), std::move(arguments), aids);
  if (!answer.ok()) co_return tool_text(answer.error().message, true);
  const bool wrong = string_or(answer.value(), "status", "") == "error";
  co_return tool_text(dump_json(answer.value()), wrong);
}

}  // namespace plumbline::cli
