// The spans of a request to the supervisor.

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/agents/agent.h"
#include "core/agents/supervisor/models/traced_shelf.h"
#include "core/agents/supervisor/supervisor_fixture.h"
#include "core/agents/supervisor/threads/tool_desk.h"
#include "core/trace/otlp_traces.h"
#include "fakes/world/sim_record_store.h"

namespace plumbline::agents::supervisor {
namespace {

class SpanKeeper final : public trace::SpanSink {
 public:
  void on_span(trace::Span span) override { spans.push_back(std::move(span)); }

  // named returns the spans whose names begin so.
  std::vector<const trace::Span*> named(std::string_view name) const {
    std::vector<const trace::Span*> out;
    for (const trace::Span& span : spans) {
      if (span.name.starts_with(name)) out.push_back(&span);
    }
    return out;
  }
  const trace::Span* parent(const trace::Span& of) const {
    const auto found = std::ranges::find_if(
        spans, [&](const trace::Span& span) { return span.context.span_id == of.parent_id; });
    return found == spans.end() ? nullptr : &*found;
  }

  std::vector<trace::Span> spans;
};

struct TracedWorld {
  explicit TracedWorld(std::uint64_t seed = 1) : rng(seed) {
    redactor.add("hunter2-token");
    world.services.tracer = &tracer;
    services.tracer = &tracer;
    services.desk = &desk();
    services.paths = &world.commands.paths;
    services.files = &world.commands.files;
    services.roots = {"/srv/project"};
  }

  command_line::CommandDesk& desk() {
    command_line::CommandWorld& commands = world.commands;
    commands.desk();  // Makes the rules.
    commands.made = std::make_unique<command_line::CommandDesk>(*commands.policy, commands.runner,
                                                                &commands.audit, "", &tracer);
    return *commands.made;
  }
  std::string random(std::size_t count) {
    std::string out;
    while (out.size() < count) out += static_cast<char>(rng.below(256));
    return out;
  }
  Json call(std::string tool, Json arguments, std::string parent = {}) {
    CallAids aids;
    aids.traceparent = std::move(parent);
    Task<Result<Json>> task = tools.call(std::move(tool), std::move(arguments), std::move(aids));
    check(world.commands.loop.run_task(task).ok(), "the call hangs");
    return task.result().ok() ? task.result().value() : Json(task.result().error().message);
  }

  Rng rng;
  SupervisorWorld world;
  SpanKeeper kept;
  Redactor redactor;
  trace::Tracer tracer{world.commands.loop, std::chrono::hours(1),
                       [this](std::size_t count) { return random(count); }, redactor, kept};
  TracedShelf shelf{world.shelf, &tracer};
  SupervisorServices services{shelf};
  fakes::SimRecordStore records{world.commands.loop};
  ToolDesk tools{
      services, world.commands.loop, {records, world.commands.clock, [this](std::size_t count) {
                                        return random(count);
                                      }}};
};

constexpr const char* kDebugging = R"({"model": "m", "turns": [
    {"text": "{\"step\": \"the test fails\", \"next_step_required\": true,
               \"commands\": [\"pytest tests/test_foo.py --key hunter2-token\", \"rm -rf /\"]}",
     "latency_ms": 5},
    {"text": "{\"step\": \"read foo\", \"confidence\": \"high\", \"next_step_required\": false,
               \"findings\": [{\"text\": \"foo returns 2\"}]}"},
    {"text": "foo must return 1."}]})";

// judge_tree expects what every trace must be.
void judge_tree(const SpanKeeper& kept, const std::string& remote_parent) {
  std::map<std::string, int> ids;
  int roots = 0;
  for (const trace::Span& span : kept.spans) {
    EXPECT_EQ(++ids[span.context.span_id], 1);
    EXPECT_EQ(span.context.trace_id, kept.spans.front().context.trace_id);
    EXPECT_GE(span.end, span.start);
    const trace::Span* const parent = kept.parent(span);
    if (parent == nullptr) {
      ++roots;
      EXPECT_EQ(span.parent_id, remote_parent);
      continue;
    }
    EXPECT_LE(parent->start, span.start) << span.name << " of " << parent->name;
    EXPECT_GE(parent->end, span.end) << span.name << " of " << parent->name;
  }
  EXPECT_EQ(roots, 1);
}

TEST(SupervisorTraceTest, ACallIsOneTraceFromTheClientToTheCommand) {
  TracedWorld traced;
  traced.world.shelf.add("m", kDebugging);
  const Json told = traced.call("debug", {{"prompt", "Debug the failing test"}},
                                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
  EXPECT_TRUE(string_or(told, "content", "").starts_with("foo must return 1.\n\n"));
  const SpanKeeper& kept = traced.kept;
  judge_tree(kept, "b7ad6b7169203331");
  EXPECT_EQ(kept.spans.back().name, "tools/call debug");
  EXPECT_EQ(kept.spans.back().kind, trace::SpanKind::kServer);
  EXPECT_EQ(kept.spans.back().context.trace_id, "0af7651916cd43dd8448eb211c80319c");
  ASSERT_EQ(kept.named("chat m").size(), 3U);
  EXPECT_EQ(kept.parent(*kept.named("chat m")[0])->name, "node workflow_agent/execute_step");
  EXPECT_EQ(kept.parent(*kept.named("chat m")[2])->name, "node expert_analysis");
  EXPECT_EQ(kept.parent(*kept.named("node workflow_agent/execute_step")[0])->name,
            "node workflow_agent");
  EXPECT_EQ(kept.parent(*kept.named("node workflow_agent")[0])->name.substr(0, 19),
            "node workflow_agent");
  EXPECT_EQ(kept.parent(*kept.named("invoke_agent supervisor")[0])->name, "tools/call debug");
}

TEST(SupervisorTraceTest, CommandsHaveSpansAndSecretsStayOut) {
  TracedWorld traced;
  traced.world.shelf.add("m", kDebugging);
  traced.call("debug", {{"prompt", "Debug the failing test"}});
  judge_tree(traced.kept, "");
  const auto ran = traced.kept.named("execute pytest");
  ASSERT_EQ(ran.size(), 1U);
  EXPECT_EQ(traced.kept.parent(*ran[0])->name, "node cli_agent");
  EXPECT_EQ(std::get<std::int64_t>(ran[0]->attributes.at("process.exit.code")), 0);
  EXPECT_EQ(std::get<std::string>(ran[0]->attributes.at("process.command_line")),
            "pytest tests/test_foo.py --key [redacted]");
  const auto blocked = traced.kept.named("execute rm");
  ASSERT_EQ(blocked.size(), 1U);
  EXPECT_EQ(std::get<std::string>(blocked[0]->attributes.at("error.type")), "blocked");
  EXPECT_EQ(dump_json(trace::otlp_traces(traced.kept.spans, {})).find("hunter2"),
            std::string::npos);
}

TEST(SupervisorTraceTest, VoicesSideBySideAreBelowTheirOwnNodes) {
  TracedWorld traced;
  traced.world.shelf.add("m", R"({"turns": [{"text": "both", "always": true}]})");
  traced.world.shelf.add("a", R"({"model": "a", "turns": [{"text": "yes", "latency_ms": 30}]})");
  traced.world.shelf.add("b", R"({"model": "b", "turns": [{"text": "no", "latency_ms": 10}]})");
  traced.call(
      "consensus",
      {{"prompt", "Use a cache?"},
       {"models", {{{"model", "a"}, {"stance", "for"}}, {{"model", "b"}, {"stance", "against"}}}}});
  judge_tree(traced.kept, "");
  const auto a = traced.kept.named("chat a");
  const auto b = traced.kept.named("chat b");
  ASSERT_EQ(a.size(), 1U);
  ASSERT_EQ(b.size(), 1U);
  EXPECT_NE(a[0]->parent_id, b[0]->parent_id);
  for (const trace::Span* const span : {a[0], b[0]}) {
    const trace::Span* const node = traced.kept.parent(*span);
    EXPECT_EQ(node->name, "node workflow_agent/consult_model");
    EXPECT_EQ(node->end - node->start, span->end - span->start);
  }
}

TEST(SupervisorTraceTest, AStepOfTheUserEndsItsTraceAndTheNextHasItsOwn) {
  TracedWorld traced;
  traced.world.shelf.add("m", R"({"turns": [{"text": "the cause", "always": true}]})");
  Json step = {{"step", "x"}, {"step_number", 1}, {"total_steps", 2}, {"next_step_required", true}};
  const Json told = traced.call("debug", step);
  judge_tree(traced.kept, "");
  const std::string first = traced.kept.spans.back().context.trace_id;
  traced.kept.spans.clear();
  step["step_number"] = 2;
  step["next_step_required"] = false;
  step["thread_id"] = told["thread_id"];
  traced.call("debug", step);
  judge_tree(traced.kept, "");
  EXPECT_NE(traced.kept.spans.back().context.trace_id, first);
  const auto run = traced.kept.named("invoke_agent supervisor");
  ASSERT_EQ(run.size(), 2U);  // What was kept is taken up, then goes on.
  EXPECT_EQ(std::get<std::string>(run[1]->attributes.at("gen_ai.conversation.id")),
            told["thread_id"].get<std::string>());
}

// Whatever tools are called, and however their models answer or fail.
RC_GTEST_PROP(SupervisorTracePropTest, EveryTraceIsATree, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto tool = *rc::gen::inRange<std::size_t>(0, all_tools().size());
  const auto answer = *rc::gen::element<std::string>(
      R"({"text": "Fine.", "always": true, "latency_ms": 3})",
      R"({"text": "{\"step\": \"s\", \"next_step_required\": true, \"commands\": [\"git status\"]}",
          "times": 3, "latency_ms": 2}, {"text": "done", "always": true})",
      R"({"fails": {"status": 503}, "times": 2}, {"text": "late", "always": true})",
      R"({"fails": {"status": 401}, "always": true})");
  const auto run = [&] {
    TracedWorld traced(seed);
    traced.world.shelf.add("m", "{\"turns\": [" + answer + "]}");
    traced.call(std::string(all_tools()[tool].name), {{"prompt", "p"}});
    judge_tree(traced.kept, "");
    return dump_json(trace::otlp_traces(traced.kept.spans, {}));
  };
  const std::string first = run();
  RC_ASSERT(!testing::Test::HasFailure());
  RC_ASSERT(first == run());
}

}  // namespace
}  // namespace plumbline::agents::supervisor
