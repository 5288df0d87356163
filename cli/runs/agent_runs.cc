#include "cli/runs/agent_runs.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <iterator>
#include <memory>
#include <utility>

#include "cli/options/version.h"
#include "cli/publish.h"
#include "cli/runs/agent_program.h"
#include "cli/runs/asked_calls.h"
#include "cli/runs/offered_servers.h"
#include "cli/runs/real_servers.h"
#include "conformance/wire/wire_log.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"
#include "core/os/files/temporary_folder.h"
#include "core/os/interrupt.h"
#include "core/os/wall_clock.h"
#include "scenarios/format/warnings.h"
#include "scenarios/judge/any_agent.h"
#include "scenarios/judge/outside.h"
#include "scenarios/world/runner.h"

namespace plumbline::cli {

namespace {

using scenarios::Scenario;
using LogKind = scenarios::ServerLogEntry::Kind;

constexpr Duration kAgentTimeMax = std::chrono::seconds(60);  // Of one run of the command.
constexpr Duration kPausesMax = std::chrono::seconds(20);     // Longer ones are left to simulation.
constexpr Duration kAnswerTimeMax = std::chrono::seconds(40);
constexpr Duration kLeavesWithin = std::chrono::seconds(3);
constexpr std::size_t kEvidenceMax = 16;
constexpr const char* kHowToJudge =
    "To judge it, run the file without --client; to leave it out, take it out of the file or add "
    "--rules-only";

mcp::Transport usual_transport(const Scenario& scenario) {
  switch (scenario.world.transport) {
    case scenarios::Transport::kHttp:
    case scenarios::Transport::kAuto:
      return mcp::Transport::kStreamableHttp;
    case scenarios::Transport::kSse:
      return mcp::Transport::kSse;
    case scenarios::Transport::kWebSocket:
      return mcp::Transport::kWebSocket;
    default:
      return mcp::Transport::kStdio;
  }
}

// has_number_for_id returns whether JSON text has an id that is a number.
bool has_number_for_id(const std::string& text) {
  const std::size_t id = text.find("\"id\":");
  return id != std::string::npos && id + 5 < text.size() &&
         std::isdigit(static_cast<unsigned char>(text[id + 5])) != 0;
}

// names_our_ids returns whether some server says a message of its own making, or bytes, that name
// the id of a request: the one that our orchestrator would give it.
bool names_our_ids(const Json& script) {
  if (script.is_string()) return has_number_for_id(script.get_ref<const std::string&>());
  const Json* const raw = find(script, "raw");
  if (raw != nullptr && has_number_for_id(dump_json(*raw))) return true;
  return script.is_structured() && std::ranges::any_of(script, names_our_ids);
}

// reason_to_skip returns why a command cannot be put into `scenario`, empty when it can.
std::string reason_to_skip(const Scenario& scenario, mcp::Transport over, bool at_once) {
  std::string reason = needs_simulation(scenario);
  if (!reason.empty()) return reason;
  if (over == mcp::Transport::kWebSocket) return "a WebSocket is no transport of most agents";
  if (scenario.names_users()) return "several users ask at one time";
  reason = cannot_carry(scenario, over);
  if (!reason.empty()) return reason;
  const Json* const servers = find(scenario.document, "servers");
  if (servers != nullptr && names_our_ids(*servers)) {
    return "its server answers with the ids that our orchestrator gives";
  }
  const scenarios::UserSpec& user = scenario.users.front();
  const Duration pauses = user.begins + user.pause * (user.times - 1);
  if (pauses > kPausesMax) {
    return "it waits " + std::to_string(milliseconds_of(pauses) / 1000) +
           " s between requests, which is left to the simulation";
  }
  if (!at_once && user.times > 1) {
    return "it asks " + std::to_string(user.times) +
           " times on the same connections, and the command takes no {requests}";
  }
  const Duration takes = scenarios::run_scenario(scenario, {}).answered_after - pauses;
  if (takes > kAnswerTimeMax * user.times) {
    return "it takes " + std::to_string(milliseconds_of(takes) / 1000) +
           " s, which is left to the simulation";
  }
  return "";
}

// evidence_of returns what was said at the end of the log.
std::vector<Evidence> evidence_of(const std::vector<scenarios::ServerLogEntry>& log) {
  std::vector<Evidence> shown;
  for (const scenarios::ServerLogEntry& entry : log) {
    const bool heard = entry.kind == LogKind::kHeard || entry.kind == LogKind::kGarbage;
    const bool said = entry.kind == LogKind::kSaid || entry.kind == LogKind::kSaidRaw;
    Json message = entry.detail;
    if (!heard && !said) message = {{"server", entry.server}, {"what", entry.detail}};
    if (entry.kind == LogKind::kRule || entry.kind == LogKind::kLeft) continue;
    shown.push_back({milliseconds_of(entry.at - log.front().at),
                     heard  ? "<-"
                     : said ? "->"
                            : "--",
                     conformance::excerpt(message)});
  }
  if (shown.size() > kEvidenceMax) shown.erase(shown.begin(), shown.end() - kEvidenceMax);
  return shown;
}

// AgentRun is one scenario from the beginning to the end.
class AgentRun {
 public:
  AgentRun(const Scenario& scenario, const AgentCommand& agent, Duration patience, RealWorld& world)
      : scenario_(scenario),
        agent_(agent),
        over_(agent.over.value_or(usual_transport(scenario))),
        at_once_(has_placeholder(agent.words, "{requests}")),
        patience_(patience),
        world_(world) {}

  Task<CheckResult> run() {
    const Instant start = world_.loop().now();
    CheckResult row;
    row.verdict = Verdict::kSkip;
    row.message = reason_to_skip(scenario_, over_, at_once_);
    if (row.message.empty()) co_await judge(row);
    row.id = scenario_.id;
    row.area = scenario_.folder;
    row.title = scenario_.title;
    row.transport = mcp::name_of(over_);
    row.duration_ms = static_cast<double>((world_.loop().now() - start).count() / 1'000) / 1'000.0;
    co_return row;
  }

 private:
  Task<void> judge(CheckResult& row) {
    Result<os::TemporaryFolder> folder = os::TemporaryFolder::make();
    if (!folder.ok()) {
      row.verdict = Verdict::kInconclusive;
      row.message = folder.error().message;
      co_return;
    }
    requests_ = asked_requests(scenario_);
    seen_.asked = static_cast<std::int64_t>(requests_.size());
    OfferedServers servers(scenario_, over_, folder.value().path(), world_);
    co_await ask(servers, folder.value().path());
    const std::vector<std::string> left = co_await left_running(servers);
    seen_.left_running = left;
    program_.reset();
    co_await servers.close();
    seen_.log = servers.log();
    seen_.exchanges = servers.exchanges();
    seen_.keys = servers.keys();
    seen_.over_sockets = over_ != mcp::Transport::kStdio;
    tell(row);
  }

  // ask runs the command, which is told of all requests, or of the only one.
  Task<void> ask(OfferedServers& servers, std::string folder) {
    Placeholders values = {{"{config}", folder + "/config.json"},
                           {"{requests}", folder + "/requests.json"}};
    (void)world_.files().write_file(values["{config}"], pretty_json(servers.config()));
    (void)world_.files().write_file(values["{requests}"], pretty_json(requests_file(requests_)));
    for (const auto& [name, url] : servers.urls()) values["{url:" + name + "}"] = url;
    values["{request}"] = requests_.front().input;
    values["{call}"] = dump_json(call_json(requests_.front().call));
    Result<std::unique_ptr<OfferedModel>> model = OfferedModel::offer(scenario_, world_);
    if (model.ok()) values["{model}"] = model.value()->url();
    net::Command command = filled_command(agent_.words, agent_.env, values);
    if (!model.ok() && has_placeholder(command.argv, "{model}")) {
      failed_to_start_ = model.error().message;
      co_return;
    }
    const bool told = at_once_ || has_placeholder(agent_.words, "{request}");
    std::string input = told ? "" : requests_.front().input + "\n";
    co_await run_once(std::move(command), std::move(input));
  }

  Task<void> run_once(net::Command command, std::string input) {
    Result<std::unique_ptr<AgentProgram>> started =
        AgentProgram::start(world_.loop(), world_.spawner(), command);
    if (!started.ok()) {
      failed_to_start_ = started.error().message;
      co_return;
    }
    program_ = std::move(started).value();
    Duration patience = patience_;
    if (at_once_) {
      for (const AskedRequest& request : requests_) patience += request.pause;
    }
    const Instant deadline = after(world_.loop().now(), patience);
    const ProgramEnd end = co_await program_->finish(std::move(input), deadline);
    seen_.printed += end.printed;
    told_ = end.told;
    if (!end.status) {
      seen_.late = "did not end within " + std::to_string(milliseconds_of(patience) / 1000) + " s";
    } else if (end.status->signal != 0) {
      seen_.killed = describe(*end.status);
    } else {
      seen_.exit_status = end.status->code;
    }
  }

  // left_running returns the servers that still run a moment after the command has ended.
  Task<std::vector<std::string>> left_running(OfferedServers& servers) {
    std::vector<std::string> left = servers.running();
    const Instant deadline = after(world_.loop().now(), kLeavesWithin);
    while (!left.empty() && seen_.late.empty() && world_.loop().now() < deadline) {
      const Instant again = after(world_.loop().now(), std::chrono::milliseconds(50));
      co_await Sleep(world_.loop(), again);
      left = servers.running();
    }
    co_return left;
  }

  void tell(CheckResult& row) {
    if (!failed_to_start_.empty()) {
      row.verdict = Verdict::kInconclusive;
      row.message = "the command could not be started: " + failed_to_start_;
      return;
    }
    note_what_is_due();
    row.verdict = Verdict::kPass;
    row.message.clear();
    for (const scenarios::AgentFinding& finding : judge_any_agent(scenario_, seen_)) {
      if (!finding.should) row.verdict = Verdict::kFail;
      if (finding.should && row.verdict == Verdict::kPass) row.verdict = Verdict::kWarn;
      add_words(row, finding.check + ": " + finding.message);
    }
    if (agent_.rules_only) {
      row.outcome = outcome(scenarios::expected_of(scenario_));
    } else {
      hold_to_file(row);
    }
    if (row.verdict != Verdict::kFail && spoke_to_nobody(scenario_, seen_)) {
      row.verdict = Verdict::kInconclusive;
      add_words(row, "the command spoke to no server of the file, so nothing is known of it");
    }
    scenarios::add_doubts(scenario_.warnings, false, row);
    if (!agent_.rules_only) scenarios::add_unjudged(scenario_, row);
    if (row.verdict == Verdict::kPass) return;
    row.evidence = evidence_of(seen_.log);
    if (!told_.empty()) row.evidence.push_back(note(told_));
    row.reproduce = "plumbline run " + scenario_.file + " --client" +
                    (agent_.rules_only ? " --rules-only" : "") +
                    (agent_.over ? " --transport " + std::string(mcp::name_of(over_)) : "") +
                    " -- " + agent_.shown;
  }

  // hold_to_file judges what the file expects. What does not show leaves the run inconclusive.
  void hold_to_file(CheckResult& row) {
    const scenarios::OutsideFindings found = judge_from_outside(scenario_, seen_);
    for (const scenarios::RunFailure& failure : found.broken) {
      row.verdict = Verdict::kFail;
      add_words(row,
                failure.check + ": " + conformance::excerpt(failure.message).get<std::string>());
    }
    std::vector<std::string> open;
    for (const scenarios::NotJudged& one : found.open) open.push_back(one.what);
    row.outcome = outcome(open);
    if (open.empty()) return;
    if (row.verdict != Verdict::kFail) row.verdict = Verdict::kInconclusive;
    add_words(row, not_judged_text(found.open) + ". " + kHowToJudge);
  }

  static void add_words(CheckResult& row, const std::string& words) {
    row.message += (row.message.empty() ? "" : "; ") + words;
  }

  // note_what_is_due finds what servers say that answers a request by itself.
  void note_what_is_due() {
    if (scenario_.expect.status != "ok") return;
    for (const AskedRequest& request : requests_) {
      const bool answered = request.call.once && !request.call.answer.empty();
      if (answered) seen_.due.push_back(request.call.answer);
    }
    const bool direct = std::ranges::all_of(
        requests_, [](const AskedRequest& request) { return request.call.once; });
    if (!direct) return;
    std::ranges::move(scenarios::due_parts(scenario_), std::back_inserter(seen_.due));
  }

  static Evidence note(const std::string& told) {
    return {0, "--", conformance::excerpt({{"stderr", told}})};
  }

  Json outcome(const std::vector<std::string>& not_judged) const {
    Json told(Json::value_t::object);
    told["printed"] = conformance::excerpt(seen_.printed);
    told["not_judged"] = not_judged;
    return told;
  }

  const Scenario& scenario_;
  const AgentCommand& agent_;
  mcp::Transport over_;
  bool at_once_;
  Duration patience_;
  RealWorld& world_;
  std::vector<AskedRequest> requests_;
  scenarios::AnyAgentRun seen_;
  std::string told_;             // The end of the last standard error.
  std::string failed_to_start_;  // Why; empty: it was started.
  std::unique_ptr<AgentProgram> program_;
};

// AgentRuns is all scenarios, several at one time.
class AgentRuns {
 public:
  AgentRuns(const std::vector<Scenario>& scenarios, const AgentCommand& agent, const Common& common,
            Host& host)
      : scenarios_(scenarios),
        agent_(agent),
        common_(common),
        host_(host),
        rows_(scenarios.size()) {
    if (common.timeout != Duration{}) patience_ = common.timeout;
  }

  // run returns false when the user interrupted it.
  bool run() {
    os::RealLoop& loop = host_.world().loop();
    bool interrupted = false;
    const os::Interrupt interrupt(loop, [&interrupted](int) { interrupted = true; });
    Task<void> work = work_all();
    work.start();
    loop.run_until([&] { return work.done() || interrupted; });
    return !interrupted;
  }

  std::vector<CheckResult> results() {
    std::vector<CheckResult> done;
    for (std::optional<CheckResult>& row : rows_) {
      if (row) done.push_back(std::move(*row));
    }
    return done;
  }

 private:
  Task<void> work_all() {
    TaskGroup workers;
    for (int i = 0; i < agent_.jobs; ++i) workers.spawn(work());
    co_await workers.join(host_.world().loop());
  }

  Task<void> work() {
    while (next_ < scenarios_.size()) {
      const std::size_t mine = next_++;
      AgentRun run(scenarios_[mine], agent_, patience_, host_.world());
      CheckResult row = co_await run.run();
      if (common_.verbose) {
        host_.tell_line(row.id + ": " + std::string(name_of(row.verdict)) + " " + row.message);
      }
      rows_[mine] = std::move(row);
    }
  }

  const std::vector<Scenario>& scenarios_;
  const AgentCommand& agent_;
  const Common& common_;
  Host& host_;
  Duration patience_ = kAgentTimeMax;
  std::size_t next_ = 0;
  std::vector<std::optional<CheckResult>> rows_;
};

}  // namespace

int run_agent(const std::vector<Scenario>& scenarios, const AgentCommand& agent,
              const Common& common, Host& host) {
  const Loop& clock = host.world().loop();
  const Instant start = clock.now();
  host.hide_environment();
  Report report;
  report.version = kVersion;
  report.command = "run";
  report.target = Json{{"scenarios", scenarios.size()}, {"client", agent.shown}};
  report.started = os::wall_clock_rfc3339();
  AgentRuns runs(scenarios, agent, common, host);
  const bool whole = runs.run();
  report.results = runs.results();
  report.duration_ms = static_cast<double>((clock.now() - start).count() / 1'000) / 1'000.0;
  const int status = publish(host, common, report);
  return whole ? status : kExitInterrupted;
}

}  // namespace plumbline::cli
