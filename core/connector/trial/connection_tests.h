// ConnectionTests puts one agent to six tests: handshake, authentication, capability discovery,
// error recovery, rate limiting, concurrent connections. They say whether one can work with the
// agent, as it is configured; `check server` says whether it keeps to the specification.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/connector/limits/rate_limiter.h"
#include "core/connector/trial/agent_door.h"
#include "core/connector/trial/evidence_log.h"
#include "core/connector/trial/trial_session.h"
#include "core/events/check_result.h"

namespace plumbline::connector {

struct TrialOptions {
  std::string agent;
  std::vector<std::string> methods;  // That it is to be asked: see AgentSettings of the program.
  Duration connect_timeout = limits::kConnectTimeout;
  Duration request_timeout = limits::kRequestTimeout;
  int connections = 10;  // At one time.

  RateLimitConfig rate;
};

class ConnectionTests {
 public:
  // `loop` and `door` must outlive them.
  ConnectionTests(Loop& loop, AgentDoor& door, TrialOptions options);

  // run runs all six, one after the other, in bounded time, and returns a row each, in that order.
  // Without a handshake the others are inconclusive.
  Task<std::vector<CheckResult>> run();

 private:
  using Opening = mcp::Reply<std::unique_ptr<TrialSession>>;

  // Each returns its verdict in `row`, which passes as it is.
  Task<void> handshake(CheckResult& row, EvidenceLog& log);
  Task<void> authentication(CheckResult& row, EvidenceLog& log);
  Task<void> capability_discovery(CheckResult& row, EvidenceLog& log);
  Task<void> error_recovery(CheckResult& row, EvidenceLog& log);
  Task<void> rate_limiting(CheckResult& row, EvidenceLog& log);
  Task<void> concurrent_connections(CheckResult& row, EvidenceLog& log);

  Task<void> answer_wrong_requests(TrialSession& session, CheckResult& row);
  Task<void> wait_out(TrialSession& session, mcp::Failure refusal, CheckResult& row);
  struct Together;
  Task<void> open_one(Together& all);
  Task<Opening> open(Credentials as, EvidenceLog& log);
  Instant patience() const { return after(loop_.now(), options_.request_timeout); }

  Loop& loop_;
  AgentDoor& door_;
  TrialOptions options_;
  bool shut_out_ = false;  // The handshake was refused for want of credentials.
};

// ConnectionTest is what one of the six is called: "connect.handshake" and so on.
struct ConnectionTest {
  std::string_view id;
  std::string_view title;
};

// connection_tests returns all six, in the order of the rows.
std::span<const ConnectionTest> connection_tests();

}  // namespace plumbline::connector
