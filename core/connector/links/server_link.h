// ServerLink is one live connection to a server: its session, whether anything is still heard of
// it, and the stream on which it tells of changes.

#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "core/base/flight.h"
#include "core/base/loop.h"
#include "core/connector/links/pacing.h"
#include "core/connector/mcp_client.h"
#include "core/events/trace_event.h"
#include "core/mcp/client/client_session.h"
#include "core/mcp/transport/connection.h"

namespace plumbline::connector {

class ServerLink {
 public:
  // Use is held by a request: a link is destroyed only when no request is under way over it.
  class Use {
   public:
    explicit Use(ServerLink& link) : link_(&link) { ++link.uses_; }
    Use(const Use& other) : Use(*other.link_) {}
    Use& operator=(Use other) {
      std::swap(link_, other.link_);
      return *this;
    }
    ~Use() { --link_->uses_; }

    ServerLink* operator->() const { return link_; }
    bool is(const ServerLink* link) const { return link_ == link; }

   private:
    ServerLink* link_;
  };

  // `loop` and `events` (which may be null) must outlive the link.
  ServerLink(Loop& loop, std::string server, std::unique_ptr<transport::Connection> connection,
             mcp::ClientOptions client, EventSink* events);

  const std::string& server() const { return session_->name(); }
  mcp::ClientSession& session() { return *session_; }
  bool open() const { return session_->open(); }
  bool in_use() const { return uses_ > 0; }
  transport::Place place() const { return connection_->place(); }
  std::string diagnosis() const { return connection_->diagnosis(); }
  Task<void> ended(Instant deadline) { return connection_->ended(deadline); }

  // The lists that the server announces and does not know.
  std::set<std::string> absent;

  // call sends one request and waits for what comes of it. A tool that is to be called as a task
  // is, where the server has tasks.
  //
  // Spec 2025-11-25, basic/utilities/tasks, Tool-Level Negotiation (MUST; MUST NOT where
  // tasks.requests.tools.call is not declared).
  Task<mcp::Reply<Json>> call(McpRequest request, Instant deadline);
  Task<mcp::Reply<mcp::ClientSession::List>> list(std::string method, Instant deadline);

  // answers asks the server for a sign of life: a ping, or what it is where the revision has none.
  // Returns whether anything at all was heard of it `within` so long.
  Task<bool> answers(Duration within);

  // is_deaf returns whether the server is to be taken for dead: nothing at all was heard in several
  // requests in a row, each of which waited until its deadline, nor in answer to a ping now (where
  // the revision has none: to server/discover). Takes a few seconds at most.
  Task<bool> is_deaf();

  // silence returns since when nothing has been heard, in a link that is_deaf().
  Duration silence() const { return loop_.now() - silent_since_; }

  // listen_for_changes asks the server to tell when its lists change, where it can and does not do
  // so yet. It waits for nothing: a kept list is forgotten as soon as the server has told. A stream
  // that ends is opened again by a later call, paced.
  //
  // Spec 2026-07-28, basic/patterns/subscriptions.
  void listen_for_changes();

  // close ends the session and the connection in order, in bounded time. Whoever closes a link that
  // closes already waits for the same end, which comes also when nobody waits.
  Task<void> close(std::string why);

 private:
  Task<void> end();
  Task<void> listen(Json filter);
  void stream_ended();
  void note(const mcp::Failure* failure, std::int64_t heard_before, Instant started);

  Loop& loop_;
  int uses_ = 0;
  std::unique_ptr<transport::Connection> connection_;
  std::unique_ptr<mcp::ClientSession> session_;  // Refers to the connection: goes first.
  int silent_ = 0;                               // Requests in a row in which nothing was heard.
  Instant silent_since_{};                       // The beginning of the first of them.
  Instant silent_until_{};                       // The end of the last.
  bool closing_ = false;
  bool may_listen_ = true;
  bool subscribed_ = false;
  Pace stream_;
  Flight ending_;
  Task<void> end_;
  Task<void> listening_;  // Last: dropped first.
};

}  // namespace plumbline::connector
