#include "core/agents/supervisor/threads/tool_desk.h"

#include <algorithm>
#include <utility>

#include "core/agents/agent.h"
#include "core/agents/supervisor/workflow/step_input.h"
#include "core/base/percent.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::size_t kThreadIdBytes = 16;

Error invalid(std::string why) { return {ErrorCode::kInvalidInput, std::move(why)}; }

// said_by returns what a call says for itself.
std::string said_by(const Json& arguments) {
  return string_or(arguments, "step", string_or(arguments, "prompt", ""));
}

Json turn_of(const char* role, const std::string& tool, std::string content, Json files) {
  return {
      {"role", role}, {"tool", tool}, {"content", std::move(content)}, {"files", std::move(files)}};
}

}  // namespace

class ToolDesk::Work {
 public:
  explicit Work(Talk& talk) : talk_(talk) { talk_.busy = true; }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work() {
    talk_.busy = false;
    if (!waits_) talk_.run.reset();
  }

  void waits() { waits_ = true; }

 private:
  Talk& talk_;
  bool waits_ = false;
};

ToolDesk::ToolDesk(SupervisorServices& services, Loop& loop, RandomBytes random,
                   ThreadLimits limits)
    : services_(services), loop_(loop), random_(std::move(random)), limits_(limits) {}

void ToolDesk::forget_old() {
  std::erase_if(talks_, [this](const auto& each) {
    return !each.second.busy && after(each.second.used, limits_.age_max) < loop_.now();
  });
}

Result<ToolDesk::Talk*> ToolDesk::begin(Conversation conversation) {
  if (talks_.size() >= limits_.threads_max) {
    auto oldest = talks_.end();
    for (auto at = talks_.begin(); at != talks_.end(); ++at) {
      if (at->second.busy) continue;
      if (oldest == talks_.end() || at->second.used < oldest->second.used) oldest = at;
    }
    if (oldest == talks_.end()) {
      return Error{ErrorCode::kLimitReached, "all threads are at work, try again later"};
    }
    talks_.erase(oldest);
  }
  conversation.thread_id = hex_of(random_(kThreadIdBytes));
  Talk& talk = talks_[conversation.thread_id];
  talk.conversation = std::move(conversation);
  talk.used = loop_.now();
  return &talk;
}

Result<ToolDesk::Talk*> ToolDesk::talk_of(const Json& arguments) {
  const std::string thread = string_or(arguments, "thread_id", "");
  const std::string continued = string_or(arguments, "continuation_id", thread);
  if (!thread.empty() && thread != continued) {
    return invalid("\"thread_id\" and \"continuation_id\" name two threads, expected one");
  }
  if (continued.empty()) return begin({});
  const auto found = talks_.find(continued);
  if (found == talks_.end()) {
    return invalid("there is no such thread, or it has expired; begin a new one without an id");
  }
  if (found->second.busy) return invalid("the thread is at work, wait for its answer");
  return &found->second;
}

// with_room returns the talk, or one that goes on from it where it has grown too long: with the
// last answer, and its name.
Result<ToolDesk::Talk*> ToolDesk::with_room(Talk& talk) {
  const std::vector<Json>& turns = talk.conversation.conversation_turns;
  if (turns.size() < limits_.turns_max) return &talk;
  Conversation next;
  next.parent_thread_id = talk.conversation.thread_id;
  next.conversation_turns = {turns.back()};
  return begin(std::move(next));
}

// told returns the answer, and adds what was said on both sides to the thread.
Json ToolDesk::told(Talk& talk, const std::string& said, const Json& arguments) {
  const SupervisorState& state = talk.run->state();
  const Json* const review = talk.run->review();
  Json out = {{"tool", talk.tool},
              {"thread_id", talk.conversation.thread_id},
              {"continuation_id", talk.conversation.thread_id}};
  if (talk.conversation.parent_thread_id) {
    out["parent_thread_id"] = *talk.conversation.parent_thread_id;
  }
  if (review != nullptr) {
    out["status"] = "continue";
    out["next_step"] = review->at("arguments");
    out["content"] = "The next step is yours.";
    for (const Json& action : out["next_step"]["required_actions"]) {
      out["content"] = out["content"].get<std::string>() + "\n- " + action.get<std::string>();
    }
  } else {
    out["status"] = name_of(state.answer.status);
    out["content"] = state.answer.response_content;
    out["metadata"] = state.answer.response_metadata;
  }
  const Json* const files = find(arguments, "files");
  std::vector<Json>& turns = talk.conversation.conversation_turns;
  turns.push_back(turn_of("user", talk.tool, said, files != nullptr ? *files : Json::array()));
  turns.push_back(turn_of("assistant", talk.tool,
                          review != nullptr ? "" : state.answer.response_content, Json::array()));
  if (review != nullptr) turns.back()["content"] = out["content"];
  talk.used = loop_.now();
  return out;
}

Task<Result<Json>> ToolDesk::call(std::string tool, Json arguments, std::string traceparent) {
  trace::OpenSpan span(services_.tracer, "tools/call " + tool, trace::SpanKind::kServer,
                       traceparent);
  span.set("mcp.method.name", std::string("tools/call"));
  span.set("gen_ai.operation.name", std::string("execute_tool"));
  span.set("gen_ai.tool.name", tool);
  Result<Json> told = co_await answer(std::move(tool), std::move(arguments), span.traceparent());
  const bool wrong = !told.ok() || string_or(told.value(), "status", "") == "error";
  if (wrong) {
    span.fail("tool_error",
              told.ok() ? string_or(told.value(), "content", "") : told.error().message);
  }
  co_return told;
}

Task<Result<Json>> ToolDesk::answer(std::string tool, Json arguments, std::string parent) {
  const Result<const ToolSpec*> known = find_tool(tool);
  if (!known.ok()) co_return known.error();
  forget_old();
  Result<Talk*> found = talk_of(arguments);
  if (!found.ok()) co_return found.error();
  Talk* talk = found.value();
  const bool next_step =
      talk->run != nullptr && talk->tool == tool && find(arguments, "step") != nullptr;
  if (next_step) {
    const Status right = check_supervisor_answer(*talk->run->review(), arguments);
    if (!right.ok()) co_return right.error();
  } else {
    talk->run.reset();
    const Result<Talk*> room = with_room(*talk);
    if (!room.ok()) co_return room.error();
    talk = room.value();
  }
  Work work(*talk);
  Json copy = arguments;
  if (next_step) {
    co_await talk->run->resume(std::move(copy), parent);
  } else {
    talk->tool = tool;
    talk->run = std::make_unique<SupervisorRun>(services_, loop_, nullptr, nullptr);
    SupervisorState initial =
        supervisor_state(std::move(tool), std::move(copy), talk->conversation);
    co_await talk->run->start(std::move(initial), parent);
  }
  while (talk->run->review() != nullptr &&
         string_or(*talk->run->review(), "type", "") == "command") {
    Json refusal = {{"approve", false}, {"reason", "there is nobody who could approve it"}};
    co_await talk->run->resume(std::move(refusal), parent);
  }
  if (talk->run->review() != nullptr) work.waits();
  co_return told(*talk, said_by(arguments), arguments);
}

}  // namespace plumbline::agents::supervisor
