// SessionServer is the session-aware MCP server: workers register and listen, callers reach them by
// MCP or by the older endpoints, all with the code of their session.
//
//   POST   /api/sessions                       a session: 201 {"code", "ttl", "expiresAt"}
//   GET    /api/sessions/:code                 what it is
//   DELETE /api/sessions/:code                 ends it
//   GET    /api/sessions/:code/tools           its tools; PUT replaces them, POST adds, DELETE goes
//   DELETE /api/sessions/:code/tools/:name     back to those that every session begins with
//   any    /api/sessions/:code/mcp, /mcp, /api/mcp   MCP, by Streamable HTTP
//   GET    /api/stream                         the worker's events
//   POST   /api/response, /api/progress, /api/log   what the worker says of a call
//   GET    /api/metadata                       deprecated, as the next two: the tools
//   POST   /api/request                        202: a call is queued
//   GET    /api/response                       what came of it
//   GET    /, /metrics, /healthz, /readyz

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/doors/record_store.h"
#include "core/base/doors/wall_clock.h"
#include "core/base/random_bytes.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"
#include "core/service/http_service.h"
#include "core/service/sessions/session_book.h"
#include "core/service/sessions/session_requests.h"

namespace plumbline::service {

struct SessionServerOptions {
  HttpServiceOptions http;
  SessionBookOptions book;
  WorkerDeskOptions desk;
  EventFeedOptions feed;
  transport::HttpSessionOptions mcp_session{.keep_alive = std::chrono::seconds(15)};
  Codes codes = Codes::kSpecification;
  Duration drain_max = std::chrono::seconds(30);  // That calls get to end when we stop.
};

class SessionServer {
 public:
  // All must outlive the server.
  SessionServer(Loop& loop, const WallClock& clock, RecordStore& records, RandomBytes random,
                SessionServerOptions options);
  SessionServer(const SessionServer&) = delete;
  SessionServer& operator=(const SessionServer&) = delete;
  ~SessionServer();

  // load reads the sessions that are kept; then the server is ready. Errors as of SessionBook.
  Task<Status> load();

  // handler answers requests. guard tells at which URL ("http://127.0.0.1:8080/mcp") it is reached,
  // before the first of them.
  // access says who may call it.
  net::HttpHandler& handler() { return http_; }
  net::HttpAccess access() const { return http_.access(); }
  void guard(const std::string& url) { http_.guard(url); }

  // drain takes no more calls and sessions, waits for the calls that run, drain_max at most, and
  // ends the streams. Sessions are kept.
  Task<void> drain();

  const SessionBook& book() const { return book_; }

 private:
  void add(std::string method, std::string pattern, void (SessionServer::*handle)(Exchange));
  void add_guarded(std::string method, std::string pattern, void (SessionServer::*handle)(Exchange),
                   bool deprecated);
  void add_routes();
  void add_metrics();

  // In session_server.cc: sessions, their tools, and MCP.
  void open_session(Exchange exchange);
  void show_session(Exchange exchange);
  void end_session(Exchange exchange);
  void show_tools(Exchange exchange);
  void put_tools(Exchange exchange);
  void add_tools(Exchange exchange);
  void reset_tools(Exchange exchange);
  void remove_tool(Exchange exchange);
  void speak_mcp(Exchange exchange);
  void refuse_mcp(Exchange exchange, const std::string& code);
  void change_tools(Exchange exchange, const Session& session, std::optional<ToolSet> tools);
  bool refused_while_draining(Exchange& exchange) const;
  static Task<void> opened(SessionServer& self, Exchange exchange, Opener opener);
  static Task<void> ended(SessionServer& self, Exchange exchange, std::string code);
  static Task<void> changed(SessionServer& self, Exchange exchange, std::string code,
                            std::optional<ToolSet> tools, Held charge);

  // In worker_api.cc: what the worker uses.
  void listen(Exchange exchange);
  void take_response(Exchange exchange);
  void take_progress(Exchange exchange);
  void take_log(Exchange exchange);
  void show_page(Exchange exchange);

  // In older_api.cc: what callers used before MCP.
  void show_metadata(Exchange exchange);
  void take_request(Exchange exchange);
  void show_response(Exchange exchange);

  Loop& loop_;
  const WallClock& clock_;
  Duration drain_max_;
  SessionParts parts_;
  HttpService http_;
  SessionBook book_;
  SessionFinder finder_;
  McpDoor global_;  // For who names no session.
  bool draining_ = false;
  Event settled_;   // No call waits any more, while we drain.
  TaskGroup work_;  // Last: its tasks are dropped first.
};

}  // namespace plumbline::service
