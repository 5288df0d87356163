// Simulated worlds, and what happens in them.

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/guard/work.h"
#include "conformance/judge/server.h"
#include "core/agents/chat/chat_turn.h"
#include "core/base/check.h"
#include "core/mcp/transport/stdio_channel.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"
#include "fakes/world/sim_spawner.h"
#include "reference/reference_server.h"
#include "scenarios/format/format.h"
#include "scenarios/shrink/shrink_choices.h"
#include "scenarios/shrink/shrink_planted.h"
#include "scenarios/world/runner.h"

namespace plumbline::guard {

namespace {

constexpr const char* kFolderIsListed = R"({
  "plumbline": 1, "id": "s", "title": "A folder is listed.",
  "request": {"input": "List the files in the managed project folder."},
  "servers": {"files": {"tools": [{"name": "list_directory",
    "description": "List the files of a folder",
    "inputSchema": {"type": "object",
                    "properties": {"path": {"type": "string", "default": "."}}},
    "does": [{"reply": {"content": [{"type": "text", "text": "sample.txt\nnotes.md"}]}}]}]}},
  "expect": {"status": "ok", "effects": 0}})";

// Worlds runs a scenario, each time of the same seed.
template <scenarios::Transport kTransport>
class Worlds final : public Work {
 public:
  Worlds() : scenario_(load()) {}
  void once() override {
    scenarios::RunOptions options;
    options.seed = 7;
    options.transport = kTransport;
    check(scenarios::run_scenario(scenario_, options).verdict == Verdict::kPass, "a good world");
  }

 private:
  static scenarios::Scenario load() {
    Result<scenarios::Scenario> read = scenarios::load_scenario(kFolderIsListed, "s.json");
    check(read.ok(), "the scenario of the guard can be read");
    return std::move(read).value();
  }

  scenarios::Scenario scenario_;
};

// OneTool offers a tool, and answers at once.
class OneTool final : public connector::McpClient {
 public:
  OneTool() {
    connector::ServerManifest& server = found_.manifest.servers.emplace_back();
    server.server = "files";
    connector::Capability& tool = server.capabilities.emplace_back();
    tool.server = "files";
    tool.name = "read_file";
    tool.description = "Read a file of the project as text";
    tool.input_schema = {{"type", "object"}, {"properties", {{"path", {{"type", "string"}}}}}};
  }

  Task<connector::Discovery> discover() override { co_return found_; }
  Task<mcp::Reply<Json>> invoke(connector::McpRequest /*request*/) override {
    Json result = {{"content", {{{"type", "text"}, {"text", "The total is 42."}}}}};
    co_return result;
  }

 private:
  connector::Discovery found_;
};

// CallsThenAnswers is a model that calls the tool when the user has spoken, and answers when the
// tool has.
class CallsThenAnswers final : public model::Model {
 public:
  std::string_view name() const override { return "still"; }
  Task<model::Completed> complete(model::Prompt prompt, model::DeltaReader* /*reader*/,
                                  Instant /*deadline*/) override {
    model::Completion out;
    out.message.role = model::Role::kAssistant;
    if (prompt.messages.back().role == model::Role::kTool) {
      out.message.text = "It says: " + prompt.messages.back().text;
    } else {
      out.message.tool_calls.push_back({"c1", "read_file", R"({"path": "a.txt"})"});
    }
    co_return out;
  }
};

class ChatTurn final : public Work {
 public:
  void once() override {
    agents::chat::ChatTurn turn(services_, loop_, nullptr, nullptr);
    Task<void> working = turn.start(agents::chat::chat_turn_state(
        {}, {.role = model::Role::kUser, .text = "What does a.txt say?"}));
    check(loop_.run_task(working).ok() && turn.state().messages.size() == 5, "a whole turn");
  }

 private:
  fakes::SimLoop loop_;
  OneTool tool_;
  CallsThenAnswers model_;
  agents::Policy policy_;
  agents::chat::ChatServices services_{model_, tool_, policy_};
};

// ServerProgram is the reference server as a process.
class ServerProgram final : public fakes::Program {
 public:
  ServerProgram(Loop& loop, net::Pipe& stdio, fakes::Process& process)
      : reference_(loop, "a secret of sixteen bytes or more", nullptr, std::chrono::hours(24)) {
    reference_.server().on_idle([&process] { process.exit({}); });
    reference_.server().accept(std::make_unique<transport::StdioChannel>(stdio));
  }

 private:
  reference::ReferenceServer reference_;
};

class NoEvents final : public EventSink {
 public:
  void on_event(const TraceEvent& /*event*/) override {}
};

// OneRule starts the reference server and judges one rule on it, over simulated stdio.
class OneRule final : public Work {
 public:
  void once() override {
    fakes::SimLoop loop;
    NoEvents events;
    fakes::SimSpawner spawner(loop, Rng(1), events);
    spawner.add("server", {},
                [&loop](const net::Command& /*command*/, fakes::SimPipe& stdio,
                        fakes::Process& process) -> std::unique_ptr<fakes::Program> {
                  return std::make_unique<ServerProgram>(loop, stdio, process);
                });
    fakes::SimNetwork network(loop, {}, Rng(2));
    const Redactor redactor;
    conformance::WireLog log(redactor, loop.now());
    conformance::SubjectSpec spec;
    spec.command.argv = {"server"};
    conformance::Subject subject(
        loop, spawner, network, [](std::size_t count) { return std::string(count, 'r'); }, log,
        spec, std::chrono::seconds(10));
    conformance::JudgeOptions options;
    options.revision = "2025-11-25";
    options.selection.only = {"tools.name-unique"};
    conformance::ServerJudge judge(subject, conformance::all_server_checks(), std::move(options));
    Task<void> work = judge.judge();
    check(loop.run_task(work).ok(), "the judge ends");
    const conformance::Judgement judgement = judge.so_far();
    check(judgement.results.size() == 1 && judgement.results[0].verdict == Verdict::kPass,
          "the rule is kept");
  }
};

class Shrinking final : public Work {
 public:
  Shrinking() {
    for (std::uint64_t seed = 1; values_.empty(); ++seed) {
      fakes::Choices choices{Rng(seed)};
      if (!scenarios::planted::write_after_close_is_read(choices)) continue;
      for (const fakes::Choices::Choice& choice : choices.made()) values_.push_back(choice.value);
    }
  }
  void once() override {
    const scenarios::ShrunkChoices shrunk =
        scenarios::shrink_choices(values_, scenarios::planted::write_after_close_is_read);
    check(shrunk.complete && shrunk.values.size() < values_.size(), "it becomes smaller");
  }

 private:
  std::vector<std::uint64_t> values_;
};

}  // namespace

Pieces world_pieces() {
  return {
      {"world.values", 20, made<Worlds<scenarios::Transport::kValues>>},
      {"world.bytes", 20, made<Worlds<scenarios::Transport::kBytes>>},
      {"agent.turn", 50, made<ChatTurn>},
      {"check.rule", 3, made<OneRule>},
      {"failure.shrink", 1, made<Shrinking>},
  };
}

}  // namespace plumbline::guard
