#include "core/agents/supervisor/threads/tool_call.h"

#include <utility>
#include <vector>

#include "core/agents/agent.h"
#include "core/agents/supervisor/answer/answer_text.h"
#include "core/agents/supervisor/nodes/step_input.h"
#include "core/agents/supervisor/words/command_words.h"
#include "core/agents/supervisor/words/workflow_words.h"

namespace plumbline::agents::supervisor {

namespace {

// said_by returns what a call says for itself.
std::string said_by(const Json& arguments) {
  return string_or(arguments, "step", string_or(arguments, "prompt", ""));
}

Json turn_of(const char* role, const std::string& tool, std::string content, Json files) {
  return {
      {"role", role}, {"tool", tool}, {"content", std::move(content)}, {"files", std::move(files)}};
}

bool is_step(const Json& call) { return find(call, "step") != nullptr; }

bool asks_for(const Json* review, std::string_view type) {
  return review != nullptr && string_or(*review, "type", "") == type;
}

// Text that clients show is bounded: many cut what is longer, and do not say so.
constexpr std::size_t kTextBytesMax = 60'000;
constexpr std::size_t kStepOutputBytes = 4'000;

void add_block(std::string& out, const std::string& heading, const std::string& text) {
  if (!text.empty()) out += "\n\n## " + heading + "\n\n" + text;
}

std::string items_of(const Json& holder, const char* key) {
  std::string out;
  const Json* const items = find(holder, key);
  if (items == nullptr || !items->is_array()) return out;
  for (const Json& item : *items) {
    const std::string text =
        item.is_string() ? item.get<std::string>()
                         : string_or(item, "file", "") + ": " + string_or(item, "why", "") + ".";
    out += (out.empty() ? "- " : "\n- ") + text;
  }
  return out;
}

// lines_of_findings returns them as a list.
std::string lines_of_findings(const Json& findings) {
  std::string out;
  for (const Json& finding : findings) {
    const std::string file = string_or(finding, "file", "");
    const std::int64_t line = int_or(finding, "line", 0);
    out += (out.empty() ? "- [" : "\n- [") + string_or(finding, "severity", "") + "] " + file +
           (line == 0 ? "" : ":" + std::to_string(line)) + (file.empty() ? "" : ": ") +
           string_or(finding, "text", "");
  }
  return out;
}

// taken_of returns what a caller reads between two steps: what it adds up to, what commands have
// shown, and what could not be read.
std::string taken_of(const Json& next_step) {
  std::string out = "Step " + std::to_string(int_or(next_step, "step_number", 0)) + " of " +
                    std::to_string(int_or(next_step, "total_steps", 0)) + " is taken. " +
                    string_or(next_step, "summary", "");
  add_block(out, "Findings", lines_of_findings(next_step.at("findings")));
  std::string commands;
  for (const Json& result : next_step.at("cli_results")) {
    commands +=
        (commands.empty() ? "```\n" : "\n```\n") + command_text(result, kStepOutputBytes) + "```";
  }
  add_block(out, "Commands", commands);
  const std::string unread = items_of(next_step, "files_left_out");
  const std::string problems = items_of(next_step, "problems");
  add_block(out, "Not read", unread + (unread.empty() || problems.empty() ? "" : "\n") + problems);
  add_block(out, "Not documented yet", items_of(next_step, "files_left"));
  return out;
}

Json nobody_approves() {
  return {{"approve", false}, {"reason", "there is nobody who could approve it"}};
}

}  // namespace

ToolCall::ToolCall(const SupervisorServices& services, Loop& loop, ThreadBook& book,
                   store::ThreadStore& checkpoints, KeptThread thread, CallAids aids)
    : services_(services),
      loop_(loop),
      book_(book),
      checkpoints_(checkpoints),
      saved_(checkpoints),
      thread_(std::move(thread)),
      aids_(std::move(aids)) {
  services_.who = (aids_.who.empty() ? "" : aids_.who + ", ") + "thread " + thread_.id();
  if (aids_.progress) services_.progress = aids_.progress;
  services_.about.update(aids_.connection);
}

Task<Result<Json>> ToolCall::answer(std::string tool, Json arguments) {
  arguments.erase("thread_id");
  arguments.erase("continuation_id");
  tool_ = std::move(tool);
  call_ = std::move(arguments);
  if (!aids_.answers.empty()) {
    Result<Json> out = co_await go_on_answered();
    co_return out;
  }
  const bool again = thread_.tool == tool_ && book_.says_the_same(thread_, call_);
  const bool answered = thread_.status == CallStatus::kAnswered;
  if (again && answered && is_step(call_) && string_or(thread_.answer, "status", "") != "error") {
    co_return thread_.answer;
  }
  const bool next = thread_.tool == tool_ && is_step(call_);
  if (!answered && (again || next)) {
    if (thread_.altered && !again) {
      co_return Error{ErrorCode::kInvalidInput,
                      "secrets were taken out of what is kept of the last call, so it cannot be "
                      "taken up: make the same call again, or begin a new thread"};
    }
    if (again) thread_.call = call_;
    Result<Json> past = co_await take_up();
    if (!past.ok() || again) co_return past;
  }
  if (next && !thread_.question.empty()) {
    Result<Json> out = co_await next_step();
    co_return out;
  }
  if (thread_.status == CallStatus::kWorking) {
    // Of a process that is gone nobody waits for the answer.
    const Result<bool> ours = co_await book_.is_ours(thread_.writer);
    if (!ours.ok()) co_return ours.error();
    if (!ours.value()) {
      co_return Error{ErrorCode::kInvalidInput, "the thread is at work, wait for its answer"};
    }
  }
  Result<Json> out = co_await anew();
  co_return out;
}

// go_on_answered goes on with a call that has waited for a person.
Task<Result<Json>> ToolCall::go_on_answered() {
  if (thread_.use() != aids_.answers) {
    co_return Error{ErrorCode::kInvalidInput,
                    "the question that is answered is of an earlier call of the thread, which is "
                    "over: nothing was run"};
  }
  if (thread_.status == CallStatus::kAnswered) co_return thread_.answer;
  thread_.call = call_;  // The same, whatever was taken out of what is kept.
  Result<Json> out = co_await take_up();
  co_return out;
}

void ToolCall::open_run() {
  run_.reset();
  place_.emplace(saved_, thread_.run_id(), loop_, book_.writer());
  run_ = std::make_unique<SupervisorRun>(services_, loop_, aids_.observer, &*place_);
}

// begin_run goes on with what is kept of the run, or begins it.
Task<void> ToolCall::begin_run() {
  open_run();
  Json call = thread_.call;
  SupervisorState initial = supervisor_state(thread_.tool, std::move(call), thread_.conversation);
  co_await run_->start(std::move(initial), aids_.traceparent);
}

// take_up answers the last call, which was left unanswered.
Task<Result<Json>> ToolCall::take_up() {
  const Result<bool> ours = co_await book_.is_ours(thread_.writer);
  if (!ours.ok()) co_return ours.error();
  if (!ours.value() && thread_.status == CallStatus::kWorking) {
    co_return Error{ErrorCode::kInvalidInput, "the thread is at work, wait for its answer"};
  }
  const Status kept = co_await keep(CallStatus::kWorking);
  if (!kept.ok()) co_return kept.error();
  co_await begin_run();
  const bool heard_nothing = asks_for(run_->review(), "step") &&
                             string_or(*run_->review(), "approval_id", "") == thread_.question;
  if (heard_nothing) {
    Json call = thread_.call;
    co_await run_->resume(std::move(call), aids_.traceparent);
  }
  Result<Json> out = co_await finish();
  co_return out;
}

// next_step gives the workflow that waits its next step.
Task<Result<Json>> ToolCall::next_step() {
  co_await begin_run();
  if (!asks_for(run_->review(), "step")) {
    co_return Error{ErrorCode::kInvalidInput,
                    "the workflow of the thread cannot go on, begin a new one without an id: " +
                        run_->state().answer.response_content};
  }
  const Status right = check_supervisor_answer(*run_->review(), call_);
  if (!right.ok()) co_return right.error();
  thread_.call = call_;
  ++thread_.calls;
  const Status kept = co_await keep(CallStatus::kWorking);
  if (!kept.ok()) co_return kept.error();
  Json call = call_;
  co_await run_->resume(std::move(call), aids_.traceparent);
  Result<Json> out = co_await finish();
  co_return out;
}

// anew begins a run, in a thread that goes on from this one where this one has grown too long: with
// the last answer, and its name.
Task<Result<Json>> ToolCall::anew() {
  const std::vector<Json>& turns = thread_.conversation.conversation_turns;
  if (turns.size() >= book_.limits().turns_max) {
    Conversation next;
    next.parent_thread_id = thread_.id();
    next.conversation_turns = {turns.back()};
    thread_ = book_.begin(std::move(next), thread_.owner);
  }
  std::string before = thread_.run_id();
  ++thread_.run;
  ++thread_.calls;
  thread_.tool = tool_;
  thread_.call = call_;
  thread_.question.clear();
  const Status kept = co_await keep(CallStatus::kWorking);
  if (!kept.ok()) co_return kept.error();
  const Status erased = co_await checkpoints_.erase(std::move(before));
  if (!erased.ok()) co_return erased.error();
  co_await begin_run();
  Result<Json> out = co_await finish();
  co_return out;
}

// finish asks about commands until the run ends or wants its next step, and keeps what is told.
Task<Result<Json>> ToolCall::finish() {
  while (asks_for(run_->review(), "command")) {
    Json decision = nobody_approves();
    if (aids_.approve) {
      const Status asks = co_await keep(CallStatus::kAsking);
      if (!asks.ok()) co_return asks.error();
      Json review = *run_->review();
      decision = co_await aids_.approve(thread_.use(), std::move(review));
      const Status works = co_await keep(CallStatus::kWorking);
      if (!works.ok()) co_return works.error();
    }
    co_await run_->resume(std::move(decision), aids_.traceparent);
  }
  thread_.answer = told();
  const Status kept = co_await keep(CallStatus::kAnswered);
  if (!kept.ok()) co_return kept.error();
  co_return thread_.answer;
}

Task<Status> ToolCall::keep(CallStatus status) {
  thread_.status = status;
  Status kept = co_await book_.put(thread_);
  co_return kept;
}

// told returns the answer, and adds what was said on both sides to the thread.
Json ToolCall::told() {
  const Json* const review = run_->review();
  Json out = {
      {"tool", thread_.tool}, {"thread_id", thread_.id()}, {"continuation_id", thread_.id()}};
  if (thread_.conversation.parent_thread_id) {
    out["parent_thread_id"] = *thread_.conversation.parent_thread_id;
  }
  thread_.question.clear();
  thread_.conversation.remembered = run_->state().conversation.remembered;
  std::string taken;
  if (review != nullptr) {
    thread_.question = string_or(*review, "approval_id", "");
    out["status"] = "continue";
    out["next_step"] = review->at("arguments");
    std::string content = taken_of(out["next_step"]);
    taken = content;  // This goes on in the thread, and not the order to make the next step.
    add_block(content, "Next", items_of(out["next_step"], "required_actions"));
    out["content"] = cut_text(std::move(content), kTextBytesMax);
  } else {
    const Answered& answer = run_->state().answer;
    out["status"] = name_of(answer.status);
    out["content"] = cut_text(answer_text(run_->state()), kTextBytesMax);
    out["metadata"] = answer.response_metadata;
    add_answer_fields(run_->state(), out);
  }
  const Json* const files = find(thread_.call, "files");
  std::vector<Json>& turns = thread_.conversation.conversation_turns;
  turns.push_back(turn_of("user", thread_.tool, said_by(thread_.call),
                          files != nullptr ? *files : Json::array()));
  if (taken.empty()) taken = out["content"].get<std::string>();
  turns.push_back(turn_of("assistant", thread_.tool, std::move(taken), Json::array()));
  const Json* const model = find(out, "model");
  if (model != nullptr) turns.back()["model"] = string_or(*model, "name", "");
  const std::size_t turns_max = book_.limits().turns_max;
  out["turns_left"] = turns_max > turns.size() ? turns_max - turns.size() : 0;
  return out;
}

}  // namespace plumbline::agents::supervisor
