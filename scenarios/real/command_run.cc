#include "scenarios/real/command_run.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <iterator>
#include <utility>

#include "conformance/wire/wire_log.h"
#include "core/base/wait.h"
#include "scenarios/format/warnings.h"
#include "scenarios/judge/outside.h"
#include "scenarios/real/real_servers.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

namespace {

using LogKind = ServerLogEntry::Kind;

constexpr Duration kPausesMax = std::chrono::seconds(20);  // Longer ones are left to simulation.
constexpr Duration kAnswersWithin = std::chrono::seconds(40);
constexpr Duration kLeavesWithin = std::chrono::seconds(3);
constexpr std::size_t kEvidenceMax = 16;
constexpr const char* kHowToJudge =
    "To judge it, run the file without --client; to leave it out, take it out of the file or add "
    "--rules-only";

mcp::Transport usual_transport(const Scenario& scenario) {
  switch (scenario.world.transport) {
    case Transport::kHttp:
    case Transport::kAuto:
      return mcp::Transport::kStreamableHttp;
    case Transport::kSse:
      return mcp::Transport::kSse;
    case Transport::kWebSocket:
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
  const UserSpec& user = scenario.users.front();
  const Duration pauses = user.begins + user.pause * (user.times - 1);
  if (pauses > kPausesMax) {
    return "it waits " + std::to_string(milliseconds_of(pauses) / 1000) +
           " s between requests, which is left to the simulation";
  }
  if (!at_once && user.times > 1) {
    return "it asks " + std::to_string(user.times) +
           " times on the same connections, and the command takes no {requests}";
  }
  const Duration takes = run_scenario(scenario, {}).answered_after - pauses;
  if (takes > kAnswersWithin * user.times) {
    return "it takes " + std::to_string(milliseconds_of(takes) / 1000) +
           " s, which is left to the simulation";
  }
  return "";
}

// evidence_of returns what was said at the end of the log.
std::vector<Evidence> evidence_of(const std::vector<ServerLogEntry>& log) {
  std::vector<Evidence> shown;
  for (const ServerLogEntry& entry : log) {
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

void add_words(CheckResult& row, const std::string& words) {
  row.message += (row.message.empty() ? "" : "; ") + words;
}

Evidence note_of(const std::string& told) {
  return {0, "--", conformance::excerpt({{"stderr", told}})};
}

}  // namespace

CommandRun::CommandRun(const Scenario& scenario, const AgentCommand& agent, const RealDoors& doors)
    : scenario_(scenario),
      agent_(agent),
      over_(agent.over.value_or(usual_transport(scenario))),
      at_once_(has_placeholder(agent.words, "{requests}")),
      doors_(doors) {}

Task<CheckResult> CommandRun::run() {
  const Instant start = doors_.loop.now();
  CheckResult row;
  row.verdict = Verdict::kSkip;
  row.message = reason_to_skip(scenario_, over_, at_once_);
  if (row.message.empty()) co_await judge(row);
  row.id = scenario_.id;
  row.area = scenario_.folder;
  row.title = scenario_.title;
  row.transport = mcp::name_of(over_);
  row.duration_ms = static_cast<double>((doors_.loop.now() - start).count() / 1'000) / 1'000.0;
  co_return row;
}

Task<void> CommandRun::judge(CheckResult& row) {
  const Result<std::unique_ptr<OwnFolder>> folder = doors_.make_folder();
  if (!folder.ok()) {
    row.verdict = Verdict::kInconclusive;
    row.message = folder.error().message;
    co_return;
  }
  requests_ = asked_requests(scenario_);
  seen_.asked = static_cast<std::int64_t>(requests_.size());
  OfferedServers servers(scenario_, over_, folder.value()->path(), doors_);
  co_await ask(servers, folder.value()->path());
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

Task<void> CommandRun::ask(OfferedServers& servers, std::string folder) {
  Placeholders values = {{"{config}", folder + "/config.json"},
                         {"{requests}", folder + "/requests.json"}};
  (void)doors_.files.write_file(values["{config}"], pretty_json(servers.config()));
  (void)doors_.files.write_file(values["{requests}"], pretty_json(requests_file(requests_)));
  for (const auto& [name, url] : servers.urls()) values["{url:" + name + "}"] = url;
  values["{request}"] = requests_.front().input;
  values["{call}"] = dump_json(call_json(requests_.front().call));
  Result<std::unique_ptr<OfferedModel>> model = OfferedModel::offer(scenario_, doors_);
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

Task<void> CommandRun::run_once(net::Command command, std::string input) {
  Result<std::unique_ptr<AgentProgram>> started =
      AgentProgram::start(doors_.loop, doors_.spawner, command);
  if (!started.ok()) {
    failed_to_start_ = started.error().message;
    co_return;
  }
  program_ = std::move(started).value();
  Duration patience = agent_.patience;
  if (at_once_) {
    for (const AskedRequest& request : requests_) patience += request.pause;
  }
  const Instant deadline = after(doors_.loop.now(), patience);
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

Task<std::vector<std::string>> CommandRun::left_running(OfferedServers& servers) {
  std::vector<std::string> left = servers.running();
  const Instant deadline = after(doors_.loop.now(), kLeavesWithin);
  while (!left.empty() && seen_.late.empty() && doors_.loop.now() < deadline) {
    const Instant again = after(doors_.loop.now(), std::chrono::milliseconds(50));
    co_await Sleep(doors_.loop, again);
    left = servers.running();
  }
  co_return left;
}

void CommandRun::tell(CheckResult& row) {
  if (!failed_to_start_.empty()) {
    row.verdict = Verdict::kInconclusive;
    row.message = "the command could not be started: " + failed_to_start_;
    return;
  }
  note_what_is_due();
  row.verdict = Verdict::kPass;
  row.message.clear();
  for (const AgentFinding& finding : judge_any_agent(scenario_, seen_)) {
    if (!finding.should) row.verdict = Verdict::kFail;
    if (finding.should && row.verdict == Verdict::kPass) row.verdict = Verdict::kWarn;
    add_words(row, finding.check + ": " + finding.message);
  }
  if (agent_.rules_only) {
    row.outcome = outcome(expected_of(scenario_));
  } else {
    hold_to_file(row);
  }
  if (row.verdict != Verdict::kFail && spoke_to_nobody(scenario_, seen_)) {
    row.verdict = Verdict::kInconclusive;
    add_words(row, "the command spoke to no server of the file, so nothing is known of it");
  }
  add_doubts(scenario_.warnings, false, row);
  if (!agent_.rules_only) add_unjudged(scenario_, row);
  if (row.verdict == Verdict::kPass) return;
  row.evidence = evidence_of(seen_.log);
  if (!told_.empty()) row.evidence.push_back(note_of(told_));
  row.reproduce = "plumbline run " + scenario_.file + " --client" +
                  (agent_.rules_only ? " --rules-only" : "") +
                  (agent_.over ? " --transport " + std::string(mcp::name_of(over_)) : "") + " -- " +
                  agent_.shown;
}

void CommandRun::hold_to_file(CheckResult& row) {
  const OutsideFindings found = judge_from_outside(scenario_, seen_);
  for (const RunFailure& failure : found.broken) {
    row.verdict = Verdict::kFail;
    add_words(row, failure.check + ": " + conformance::excerpt(failure.message).get<std::string>());
  }
  std::vector<std::string> open;
  for (const NotJudged& one : found.open) open.push_back(one.what);
  row.outcome = outcome(open);
  if (open.empty()) return;
  if (row.verdict != Verdict::kFail) row.verdict = Verdict::kInconclusive;
  add_words(row, not_judged_text(found.open) + ". " + kHowToJudge);
}

void CommandRun::note_what_is_due() {
  if (scenario_.expect.status != "ok") return;
  for (const AskedRequest& request : requests_) {
    const bool answered = request.call.once && !request.call.answer.empty();
    if (answered) seen_.due.push_back(request.call.answer);
  }
  const bool direct =
      std::ranges::all_of(requests_, [](const AskedRequest& request) { return request.call.once; });
  if (!direct) return;
  std::ranges::move(due_parts(scenario_), std::back_inserter(seen_.due));
}

Json CommandRun::outcome(const std::vector<std::string>& not_judged) const {
  Json told(Json::value_t::object);
  told["printed"] = conformance::excerpt(seen_.printed);
  told["not_judged"] = not_judged;
  return told;
}

}  // namespace plumbline::scenarios
