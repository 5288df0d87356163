// TrialSession is one connection to an agent under test, from its opening on.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/connector/capability.h"
#include "core/connector/trial/agent_door.h"
#include "core/events/trace_event.h"
#include "core/mcp/client/client_session.h"

namespace plumbline::connector {

// is_about_credentials returns whether a connection was refused for who we are, or what we may do.
bool is_about_credentials(const mcp::Failure& failure);

class TrialSession {
 public:
  // open connects and initializes within `timeout`. Every reference must outlive the session;
  // `events` may be null.
  static Task<mcp::Reply<std::unique_ptr<TrialSession>>> open(Loop& loop, AgentDoor& door,
                                                              Credentials as, Duration timeout,
                                                              EventSink* events);

  TrialSession(Loop& loop, std::unique_ptr<transport::Connection> connection, EventSink* events);

  mcp::ClientSession& session() { return *session_; }
  const mcp::ServerInfo& server() const { return session_->server(); }

  // knock sends a request that every agent answers, knocks_with(): ping, or server/discover where
  // there is none.
  std::string_view knocks_with() const;
  Task<mcp::Reply<Json>> knock(Instant deadline);

  // list reads all that the agent declares; what is wrong with a list or an entry is a line of
  // `problems`.
  Task<std::vector<Capability>> list(Instant deadline, std::vector<std::string>& problems);

  // close ends it in order, in bounded time; dropping it breaks the connection off.
  Task<void> close();

 private:
  std::unique_ptr<transport::Connection> connection_;
  std::unique_ptr<mcp::ClientSession> session_;  // Refers to the connection: goes first.
};

}  // namespace plumbline::connector
