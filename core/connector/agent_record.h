// What AgentConnector keeps of one agent, and how it judges failures.

#pragma once

#include <cstdint>
#include <memory>

#include "core/connector/agent_connector.h"
#include "core/connector/retry/error_category.h"

namespace plumbline::connector {

struct AgentConnector::Agent {
  AgentConfig config;
  std::int64_t generation = 0;  // Another one each time that it is added.
  bool removed = false;
  bool older = false;  // It opens with initialize.
  AgentStats stats;
  std::string asker;  // On whose behalf it was wanted last: a probe goes there.
  std::unique_ptr<RequestPacer> pacer;
};

inline mcp::Failure removed_agent() {
  return {mcp::Failure::Kind::kDisconnected, "the server is not in the configuration any more"};
}

// is_about_who_asks returns whether an agent refused who we are, or what we may do.
inline bool is_about_who_asks(const mcp::Failure& failure) {
  return category_of(mcp::classify(failure)) == ErrorCategory::kAuthentication;
}

// is_illness returns whether a failure says that the agent is not well. One that refuses us, our
// request or our haste is.
inline bool is_illness(const mcp::Failure& failure) {
  const mcp::FailureClass kind = mcp::classify(failure);
  return kind == mcp::FailureClass::kNetwork || kind == mcp::FailureClass::kTimeout ||
         kind == mcp::FailureClass::kProtocol;
}

}  // namespace plumbline::connector
