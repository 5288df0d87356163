#include "cli/commands/graph.h"

#include <chrono>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/choice.h"
#include "cli/options/store_uri.h"
#include "cli/threads.h"
#include "core/agents/all/agents.h"
#include "core/agents/command_line/run/command_runner.h"
#include "core/agents/supervisor/threads/thread_book.h"
#include "core/base/errors/errors.h"
#include "core/graph/drawing.h"
#include "core/os/files/temporary_folder.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kSvgBytesMax = std::size_t{16} << 20U;
constexpr Duration kDotTimeMax = std::chrono::seconds(30);

using LatestStep = Result<std::optional<store::KeptStep>>;

// latest_step returns the latest step of the thread `id`, or of the last run in the one of the
// supervisor's tools that is called so; nothing where there is none.
Task<LatestStep> latest_step(Threads& threads, std::string id) {
  graph::Range newest;
  newest.count = 1;
  std::string run = id;
  for (const bool own : {true, false}) {
    if (!own) {
      Result<std::string> found =
          co_await agents::supervisor::run_of(threads.records(), std::move(id));
      if (!found.ok()) co_return found.error();
      run = std::move(found).value();
    }
    std::string copy = run;
    Result<std::vector<store::KeptStep>> steps =
        co_await threads.store().steps(std::move(copy), newest);
    if (!steps.ok()) co_return steps.error();
    if (!steps.value().empty()) co_return std::optional(std::move(steps.value().front()));
  }
  co_return std::optional<store::KeptStep>();
}

// draw_thread draws the latest step of a thread over `drawing`. Returns the exit status.
int draw_thread(const GraphOptions& options, graph::Drawing& drawing, Host& host) {
  std::variant<std::unique_ptr<Threads>, int> opened = Threads::open_kept(options.store, host);
  if (const int* const status = std::get_if<int>(&opened)) return *status;
  Threads& threads = *std::get<0>(opened);
  const std::optional<LatestStep> step = wait_for(host, latest_step(threads, options.thread));
  if (!step) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (!step->ok()) return host.complain(step->error(), kExitUnreachable);
  if (!step->value()) {
    return host.complain(the_error("graph.no-step", options.thread, threads.shown()), kExitUsage);
  }
  const auto& at = step->value()->checkpoint.at;
  std::vector<std::string> here;
  for (const auto& branch : at.branches) {
    here.push_back(branch.node);
    for (const graph::Question& question : branch.questions) here.push_back(question.key);
  }
  graph::draw_run(drawing, at.route, here);
  return kExitOk;
}

// print_svg has Graphviz lay it out.
int print_svg(const graph::Drawing& drawing, Host& host) {
  Result<os::TemporaryFolder> folder = os::TemporaryFolder::make();
  if (!folder.ok()) return host.complain(folder.error(), kExitUnreachable);
  const std::string file = folder.value().path() + "/graph.dot";
  const Status written = host.world().files().write_file(file, graph::draw_dot(drawing));
  if (!written.ok()) return host.complain(written.error(), kExitUnreachable);
  using agents::command_line::CommandResult;
  using agents::command_line::CommandStatus;
  agents::command_line::CommandRunner dot(host.world().loop(), host.world().spawner(),
                                          {.output_bytes_max = kSvgBytesMax});
  const std::optional<CommandResult> drawn =
      wait_for(host, dot.run(net::Command({"dot", "-Tsvg", file}), "dot -Tsvg", kDotTimeMax));
  if (!drawn) return kExitInterrupted;
  if (drawn->status != CommandStatus::kSuccess) {
    return host.complain(the_error("graph.no-graphviz", drawn->error + drawn->err), kExitUsage);
  }
  host.out(drawn->out);
  return kExitOk;
}

}  // namespace

void GraphOptions::declare(CLI::App& app) {
  app.add_option("NAME", name, "The agent (default operations-assistant)");
  app.add_option("--format", format, "Print mermaid, dot, or svg (needs Graphviz)")
      ->transform(one_of({"mermaid", "dot", "svg"}));
  app.add_option("--thread", thread, "Highlight the steps of this thread")->type_name("ID");
  add_store(app, store);
}

int run_graph(const GraphOptions& options, Host& host) {
  const agents::Agent* const agent = agents::find_agent(options.name);
  if (agent == nullptr) {
    return host.complain(the_error("agent.unknown", options.name, agents::agent_names()),
                         kExitUsage);
  }
  graph::Drawing drawing = agent->drawing();
  if (!options.thread.empty()) {
    if (const int failed = draw_thread(options, drawing, host); failed != kExitOk) return failed;
  }
  if (options.format == "svg") return print_svg(drawing, host);
  host.out(options.format == "dot" ? graph::draw_dot(drawing) : graph::draw_mermaid(drawing));
  return kExitOk;
}

}  // namespace plumbline::cli
