#include "core/agents/supervisor/threads/tool_desk.h"

#include <utility>

#include "core/json/value_bytes.h"

namespace plumbline::agents::supervisor {

namespace {

// So many of the steps of a run are kept, for whoever looks at it.
constexpr std::size_t kRunStepsKept = 8;
constexpr std::size_t kRunBytesKept = std::size_t{1} << 20U;

// Of the arguments of a call, in memory. No model reads as much; what is long goes into files.
constexpr std::size_t kArgumentsBytesMax = std::size_t{2} << 20U;

Error invalid(std::string why) { return {ErrorCode::kInvalidInput, std::move(why)}; }

}  // namespace

class ToolDesk::Busy {
 public:
  Busy(std::set<std::string>& ids, std::string id) : ids_(ids), id_(std::move(id)) {
    ids_.insert(id_);
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() { ids_.erase(id_); }

 private:
  std::set<std::string>& ids_;
  std::string id_;
};

ToolDesk::ToolDesk(SupervisorServices& services, Loop& loop, const Keeping& keeping,
                   ThreadLimits limits)
    : services_(services),
      loop_(loop),
      book_(keeping, limits),
      checkpoints_(keeping.records, keeping.clock,
                   {.steps_max = kRunStepsKept,
                    .steps_bytes_max = kRunBytesKept,
                    .redactor = keeping.redactor}) {}

Task<void> ToolDesk::forget_old() {
  for (const std::string& id : book_.old_threads()) {
    if (busy_.contains(id)) continue;
    std::string run = co_await book_.forget(id);
    if (run.empty()) continue;
    const Status erased = co_await checkpoints_.erase(std::move(run));
    static_cast<void>(erased);  // Nobody looks for it any more.
  }
}

Task<Result<KeptThread>> ToolDesk::thread_of(Json arguments, std::string who) {
  const std::string thread = string_or(arguments, "thread_id", "");
  std::string continued = string_or(arguments, "continuation_id", thread);
  if (!thread.empty() && thread != continued) {
    co_return invalid("\"thread_id\" and \"continuation_id\" name two threads, expected one");
  }
  if (continued.empty()) co_return book_.begin({}, std::move(who));
  Result<KeptThread> found = co_await book_.find(std::move(continued), std::move(who));
  co_return found;
}

Task<Result<Json>> ToolDesk::call(std::string tool, Json arguments, CallAids aids) {
  trace::OpenSpan span(services_.tracer, "tools/call " + tool, trace::SpanKind::kServer,
                       aids.traceparent);
  span.set("mcp.method.name", std::string("tools/call"));
  span.set("gen_ai.operation.name", std::string("execute_tool"));
  span.set("gen_ai.tool.name", tool);
  aids.traceparent = span.traceparent();
  Result<Json> told = co_await answer(std::move(tool), std::move(arguments), std::move(aids));
  const bool wrong = !told.ok() || string_or(told.value(), "status", "") == "error";
  if (wrong) {
    span.fail("tool_error",
              told.ok() ? string_or(told.value(), "content", "") : told.error().message);
  }
  co_return told;
}

Task<Result<Json>> ToolDesk::answer(std::string tool, Json arguments, CallAids aids) {
  const Result<const ToolSpec*> known = find_tool(tool);
  if (!known.ok()) co_return known.error();
  if (value_bytes(arguments) > kArgumentsBytesMax) {
    co_return invalid("the arguments have more than 2 MB: put what is long into files");
  }
  const Status open = co_await book_.open();
  if (!open.ok()) co_return open.error();
  co_await forget_old();
  Json named = Json::object();
  for (const char* const name : {"thread_id", "continuation_id"}) {
    if (const Json* const id = find(arguments, name)) named[name] = *id;
  }
  Result<KeptThread> thread = co_await thread_of(std::move(named), aids.who);
  if (!thread.ok()) co_return thread.error();
  if (busy_.contains(thread.value().id())) {
    co_return invalid("the thread is at work, wait for its answer");
  }
  const Busy busy(busy_, thread.value().id());
  ToolCall work(services_, loop_, book_, checkpoints_, std::move(thread).value(), std::move(aids));
  Result<Json> out = co_await work.answer(std::move(tool), std::move(arguments));
  co_return out;
}

}  // namespace plumbline::agents::supervisor
