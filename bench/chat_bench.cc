// What one turn of the chat agent costs: the user asks, the model calls a tool, reads its result
// and answers; a model and a client that answer at once, fourteen tools, no bytes. Then the same in
// a world of its own, with a server behind messages. bench/peers/langgraph/chat.mjs is the same
// turn.

#include <string>
#include <utility>

#include <benchmark/benchmark.h>

#include "core/agents/chat/chat_turn.h"
#include "core/base/check.h"
#include "fakes/model/scripted_model.h"
#include "fakes/world/sim_loop.h"
#include "scenarios/format/format.h"
#include "scenarios/world/runner.h"

namespace plumbline {
namespace {

constexpr int kToolCount = 14;

// StillMcp offers the tools, and answers at once.
class StillMcp final : public connector::McpClient {
 public:
  StillMcp() {
    connector::ServerManifest& server = found_.manifest.servers.emplace_back();
    server.server = "files";
    for (int i = 0; i < kToolCount; ++i) {
      connector::Capability tool;
      tool.server = "files";
      tool.name = "read_file_" + std::to_string(i);
      tool.description = "Read a file of the project as text";
      tool.input_schema = {{"type", "object"},
                           {"properties", {{"path", {{"type", "string"}}}}},
                           {"required", {"path"}}};
      server.capabilities.push_back(std::move(tool));
    }
  }

  Task<connector::Discovery> discover() override { co_return found_; }
  Task<mcp::Reply<Json>> invoke(connector::McpRequest /*request*/) override {
    Json result = {{"content", {{{"type", "text"}, {"text", "The total is 42."}}}}};
    co_return result;
  }

 private:
  connector::Discovery found_;
};

// StillModel calls a tool when the user has spoken, and answers when the tool has.
class StillModel final : public model::Model {
 public:
  std::string_view name() const override { return "still"; }
  Task<model::Completed> complete(model::Prompt prompt, model::DeltaReader* /*reader*/,
                                  Instant /*deadline*/) override {
    model::Completion out;
    out.message.role = model::Role::kAssistant;
    if (prompt.messages.back().role == model::Role::kTool) {
      out.message.text = "It says: " + prompt.messages.back().text;
    } else {
      out.message.tool_calls.push_back({"c1", "read_file_7", R"({"path": "a.txt"})"});
    }
    co_return out;
  }
};

void BM_ChatTurn(benchmark::State& state) {
  fakes::SimLoop loop;
  StillMcp mcp;
  StillModel model;
  const agents::Policy policy;
  agents::chat::ChatServices services{model, mcp, policy};
  for (auto unused : state) {
    agents::chat::ChatTurn turn(services, loop, nullptr, nullptr);
    Task<void> working = turn.start(agents::chat::chat_turn_state(
        {}, {.role = model::Role::kUser, .text = "What does a.txt say?"}));
    check(loop.run_task(working).ok() && turn.state().messages.size() == 5, "a whole turn");
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_ChatTurn);

void BM_ChatWorld(benchmark::State& state) {
  const Result<scenarios::Scenario> loaded = scenarios::load_scenario(R"({
    "plumbline": 1, "id": "chat", "title": "A turn.", "agent": "chat",
    "request": {"input": "What does a.txt say?"},
    "model": {"turns": [
      {"role": "user", "always": true,
       "calls": [{"name": "read_file", "arguments": {"path": "a.txt"}}]},
      {"role": "tool", "always": true, "text": "It says: {{last}}"}]},
    "servers": {"files": {"tools": [{
      "name": "read_file", "description": "Read a file", "inputSchema": {"type": "object"},
      "does": [{"reply": {"content": [{"type": "text", "text": "The total is 42."}]}}]}]}},
    "world": {"transport": "values"},
    "expect": {"status": "ok"}})",
                                                                      "chat.json");
  check(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
  std::uint64_t seed = 0;
  for (auto unused : state) {
    scenarios::RunOptions options;
    options.seed = ++seed;
    check(scenarios::run_scenario(loaded.value(), options).failures.empty(), "a good world");
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_ChatWorld);

}  // namespace
}  // namespace plumbline

BENCHMARK_MAIN();
