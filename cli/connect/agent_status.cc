#include "cli/connect/agent_status.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/wait.h"
#include "core/connector/health/health_window.h"
#include "core/connector/retry/error_category.h"
#include "core/connector/trial/trial_session.h"
#include "core/mcp/protocol/failure.h"
#include "reports/text.h"

namespace plumbline::cli {

namespace {

using connector::ConnectionState;

constexpr Duration kSlow = std::chrono::seconds(5);  // A request that takes longer: degraded.

// Look moves the connection of one agent, and keeps what there is to show of it.
class Look {
 public:
  Look(Loop& loop, AgentStatus& status, std::function<void()> on_change)
      : loop_(loop), begin_(loop.now()), status_(status), on_change_(std::move(on_change)) {}

  void move(ConnectionState to, std::string reason = "") {
    life_.move(to, loop_.now(), std::move(reason));
    status_.state = to;
    status_.since = life_.since() - begin_;
    status_.last_error = life_.last_error();
    on_change_();
  }

  void fail(const mcp::Failure& why) {
    const bool early = life_.state() == ConnectionState::kConnecting;
    if (early && connector::is_about_credentials(why)) move(ConnectionState::kAuthenticating);
    status_.health = connector::name_of(connector::Health::kUnhealthy);
    move(ConnectionState::kError, describe(why));
  }

 private:
  Loop& loop_;
  Instant begin_;
  AgentStatus& status_;
  std::function<void()> on_change_;
  connector::ConnectionLife life_;
};

void count(const std::vector<connector::Capability>& found, AgentStatus& status) {
  for (const connector::Capability& one : found) {
    if (one.type == connector::CapabilityType::kTool) ++status.tools;
    if (one.type == connector::CapabilityType::kResource) ++status.resources;
    if (one.type == connector::CapabilityType::kPrompt) ++status.prompts;
  }
}

using StatusRow = std::array<std::string, 9>;

StatusRow row_of(const AgentStatus& status) {
  const bool ready = status.state == ConnectionState::kReady;
  const std::string offers = std::to_string(status.tools) + "/" + std::to_string(status.resources) +
                             "/" + std::to_string(status.prompts);
  return {reports::one_line(status.agent),
          std::string(connector::name_of(status.state)),
          std::to_string(milliseconds_of(status.since)) + " ms",
          status.health,
          ready ? std::to_string(milliseconds_of(status.response_time)) + " ms" : "-",
          ready ? offers : "-",
          status.looks == 0 ? "-"
                            : std::to_string(std::lround(status.error_rate())) + " % of " +
                                  std::to_string(status.looks),
          status.last_check.empty() ? "-" : status.last_check,
          reports::one_line(status.last_error)};
}

}  // namespace

Task<void> look_at(Loop& loop, connector::AgentDoor& door, connector::TrialOptions options,
                   std::optional<connector::RetryStrategies> retries, AgentStatus& status,
                   std::function<void()> on_change) {
  Look look(loop, status, std::move(on_change));
  const connector::RetryStrategies strategies = retries.value_or(connector::RetryStrategies());
  connector::CallRetries tries(strategies, nullptr, nullptr);
  look.move(ConnectionState::kConnecting);
  auto opened = co_await connector::TrialSession::open(loop, door, connector::Credentials::kOwn,
                                                       options.connect_timeout, nullptr);
  while (!opened.ok()) {
    look.fail(opened.error());
    if (!retries) co_return;
    connector::CallRetries::Failed failed;
    failed.category = connector::category_of_opening(mcp::classify(opened.error()));
    const std::optional<Duration> wait = tries.failed(failed);
    if (!wait) co_return;
    const Instant next = after(loop.now(), *wait);
    co_await Sleep(loop, next);
    look.move(ConnectionState::kConnecting);
    opened = co_await connector::TrialSession::open(loop, door, connector::Credentials::kOwn,
                                                    options.connect_timeout, nullptr);
  }
  connector::TrialSession& session = *opened.value();
  status.revision = std::string(mcp::name_of(session.server().revision));
  status.name = session.server().name;
  status.version = session.server().version;
  look.move(ConnectionState::kConnected);
  const Instant asked = loop.now();
  const Instant deadline = after(asked, options.request_timeout);
  const mcp::Reply<Json> answer = co_await session.knock(deadline);
  status.response_time = loop.now() - asked;
  if (!answer.ok()) {
    look.fail(answer.error());
    co_await session.close();
    co_return;
  }
  std::vector<std::string> problems;
  const std::vector<connector::Capability> found = co_await session.list(deadline, problems);
  count(found, status);
  const bool healthy = problems.empty() && status.response_time < kSlow;
  status.health =
      connector::name_of(healthy ? connector::Health::kHealthy : connector::Health::kDegraded);
  look.move(ConnectionState::kReady);
  if (!problems.empty()) status.last_error = problems.front();
  co_await session.close();
}

Json to_json(const AgentStatus& status) {
  Json out = Json::object();
  out["agent"] = status.agent;
  out["state"] = connector::name_of(status.state);
  out["since_ms"] = milliseconds_of(status.since);
  out["last_error"] = status.last_error.empty() ? Json() : Json(status.last_error);
  out["health"]["status"] = status.health;
  out["health"]["response_time_ms"] = static_cast<double>(status.response_time.count()) / 1e6;
  out["health"]["error_rate"] = status.error_rate();
  out["health"]["looks"] = status.looks;
  out["health"]["last_check"] = status.last_check.empty() ? Json() : Json(status.last_check);
  out["server"]["name"] = status.name;
  out["server"]["version"] = status.version;
  out["server"]["revision"] = status.revision;
  out["stats"]["tools"] = status.tools;
  out["stats"]["resources"] = status.resources;
  out["stats"]["prompts"] = status.prompts;
  return out;
}

std::string status_table(const std::vector<AgentStatus>& agents, std::size_t columns) {
  std::vector<StatusRow> rows = {{"AGENT", "STATE", "SINCE", "HEALTH", "ANSWERS IN",
                                  "TOOLS/RES./PROMPTS", "FAILED", "LAST CHECK", "LAST ERROR"}};
  for (const AgentStatus& agent : agents) rows.push_back(row_of(agent));
  std::string out;
  for (const StatusRow& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::size_t width = 1;
      for (const StatusRow& other : rows) width = std::max(width, reports::width_of(other[i]));
      line += reports::pad(row[i], width) + "  ";
    }
    while (line.ends_with(' ')) line.pop_back();
    out += reports::clip(line, columns) + "\n";
  }
  return out;
}

}  // namespace plumbline::cli
