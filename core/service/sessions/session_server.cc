#include "core/service/sessions/session_server.h"

#include <utility>

#include "core/base/wait.h"
#include "core/json/value_bytes.h"
#include "core/rpc/message.h"
#include "core/service/sessions/codap_tools.h"
#include "core/service/sessions/tool_executor.h"
#include "core/service/sessions/tool_result.h"

namespace plumbline::service {

namespace {

constexpr int kDrainRetrySeconds = 5;  // Told to who is refused while we stop.

SessionParts make_parts(Loop& loop, RandomBytes random, const SessionServerOptions& options) {
  DoorOptions door;
  door.server = codap_server();
  door.session = options.mcp_session;
  door.codes = options.codes;
  const Codes codes = options.codes;
  return {loop,
          std::move(random),
          codap_tools(),
          std::move(door),
          options.desk,
          options.feed,
          [codes](Session& session, mcp::ServerCall call) {
            return execute_tool(session, codes, std::move(call));
          }};
}

// execute_nowhere answers calls of who has named no session.
mcp::ServerHandler execute_nowhere() {
  return mcp::at_once([](const Json& /*params*/) { return mcp::Reply<Json>(invalid_session("")); });
}

Json describe(const Session& session, Duration ttl) {
  return {{"code", session.code()},
          {"ttl", std::chrono::floor<std::chrono::seconds>(ttl).count()},
          {"expiresAt", rfc3339(session.record().expires)}};
}

wire::HttpResponse not_kept(const Error& error) {
  const bool conflict = error.code == ErrorCode::kConflict;
  if (conflict) return error_reply(409, rpc::kInvalidRequest, error.message);
  wire::HttpResponse response =
      error_reply(503, rpc::kInternalError, "Internal error", {{"error", error.message}});
  response.headers.set("Retry-After", "30");
  return response;
}

}  // namespace

SessionServer::SessionServer(Loop& loop, const WallClock& clock, RecordStore& records,
                             RandomBytes random, SessionServerOptions options)
    : loop_(loop),
      clock_(clock),
      drain_max_(options.drain_max),
      parts_(make_parts(loop, std::move(random), options)),
      http_(loop, clock, std::move(options.http)),
      book_(parts_, records, clock, options.book),
      finder_(loop, book_),
      global_(
          loop, parts_.random, parts_.door, [this]() -> const ToolSet& { return parts_.global; },
          execute_nowhere()) {
  parts_.call_ended = [this] {
    if (draining_ && book_.waiting() == 0) settled_.set();
  };
  add_routes();
  add_metrics();
}

SessionServer::~SessionServer() { parts_.call_ended = nullptr; }

void SessionServer::add(std::string method, std::string pattern,
                        void (SessionServer::*handle)(Exchange)) {
  http_.add({std::move(method), std::move(pattern),
             [this, handle](Exchange exchange) { (this->*handle)(std::move(exchange)); }});
}

void SessionServer::add_guarded(std::string method, std::string pattern,
                                void (SessionServer::*handle)(Exchange), bool deprecated) {
  http_.add({std::move(method), std::move(pattern),
             [this, handle](Exchange exchange) { (this->*handle)(std::move(exchange)); }, true,
             deprecated});
}

void SessionServer::add_routes() {
  add("GET", "/", &SessionServer::show_page);
  add("POST", "/api/sessions", &SessionServer::open_session);
  add("GET", "/api/sessions/:code", &SessionServer::show_session);
  add("DELETE", "/api/sessions/:code", &SessionServer::end_session);
  add("GET", "/api/sessions/:code/tools", &SessionServer::show_tools);
  add("PUT", "/api/sessions/:code/tools", &SessionServer::put_tools);
  add("POST", "/api/sessions/:code/tools", &SessionServer::add_tools);
  add("DELETE", "/api/sessions/:code/tools", &SessionServer::reset_tools);
  add("DELETE", "/api/sessions/:code/tools/:name", &SessionServer::remove_tool);
  for (const char* path : {"/mcp", "/api/mcp", "/api/sessions/:code/mcp"}) {
    add_guarded("", path, &SessionServer::speak_mcp, false);
  }
  add("GET", "/api/stream", &SessionServer::listen);
  add("POST", "/api/response", &SessionServer::take_response);
  add("POST", "/api/progress", &SessionServer::take_progress);
  add("POST", "/api/log", &SessionServer::take_log);
  add_guarded("GET", "/api/metadata", &SessionServer::show_metadata, true);
  add_guarded("POST", "/api/request", &SessionServer::take_request, true);
  add_guarded("GET", "/api/response", &SessionServer::show_response, true);
}

void SessionServer::add_metrics() {
  metrics::Metrics& metrics = http_.metrics();
  metrics::Gauge& sessions =
      metrics.gauge({"plumbline.sessions.active", "Sessions that are not over", "{session}"});
  metrics::Gauge& workers =
      metrics.gauge({"plumbline.sessions.workers", "Workers that listen", "{worker}"});
  metrics::Gauge& waiting =
      metrics.gauge({"plumbline.sessions.calls", "Calls that wait for a worker", "{call}"});
  metrics::Gauge& clients = metrics.gauge(
      {"plumbline.sessions.mcp_clients", "Conversations of MCP that are open", "{client}"});
  const metrics::About ignored = {"plumbline.sessions.ignored",
                                  "Answers of workers that nobody waits for, of live sessions",
                                  "{answer}"};
  metrics::Gauge& late = metrics.gauge(ignored, {{"why", "late"}});
  metrics::Gauge& twice = metrics.gauge(ignored, {{"why", "twice"}});
  metrics::Gauge& unknown = metrics.gauge(ignored, {{"why", "unknown"}});
  metrics.before_writing([&, this] {
    for (metrics::Gauge* const gauge :
         {&sessions, &workers, &waiting, &clients, &late, &twice, &unknown}) {
      gauge->set(0);
    }
    sessions.set(static_cast<double>(book_.sessions().size()));
    clients.add(static_cast<double>(global_.load().sessions));
    for (const auto& [code, session] : book_.sessions()) {
      workers.add(session->has_worker() ? 1 : 0);
      waiting.add(static_cast<double>(session->waiting()));
      clients.add(static_cast<double>(session->load().sessions));
      late.add(static_cast<double>(session->ignored().late));
      twice.add(static_cast<double>(session->ignored().twice));
      unknown.add(static_cast<double>(session->ignored().unknown));
    }
  });
}

Task<Status> SessionServer::load() {
  Status loaded = co_await book_.load();
  http_.set_ready(loaded.ok());
  co_return std::move(loaded);
}

Task<void> SessionServer::drain() {
  draining_ = true;
  http_.set_ready(false);
  parts_.call_ended();
  co_await settled_.wait(loop_, after(loop_.now(), drain_max_));
  // The caller who waited is told in this turn: its answer leaves with the next.
  co_await Sleep(loop_, loop_.now());
  book_.leave();
  global_.close();
}

bool SessionServer::refused_while_draining(Exchange& exchange) const {
  if (!draining_) return false;
  wire::HttpResponse refused = error_reply(503, rpc::kInternalError, "the server is about to stop");
  refused.headers.set("Retry-After", std::to_string(kDrainRetrySeconds));
  exchange.reply.respond(refused);
  return true;
}

void SessionServer::open_session(Exchange exchange) {
  if (refused_while_draining(exchange)) return;
  Opener opener{guest_of(exchange), exchange.reply.share(), {}};
  const SessionBook::Room room = book_.room_for(*opener.guest);
  if (room != SessionBook::Room::kFree) {
    const bool own = room == SessionBook::Room::kGuestFull;
    wire::HttpResponse refused =
        error_reply(own ? 429 : 503, rpc::kInvalidRequest,
                    own ? "this caller has opened " + std::to_string(book_.options().each_max) +
                              " sessions: end some of them, or come again when some are over"
                        : "there are too many sessions");
    refused.headers.set("Retry-After", "30");
    return exchange.reply.respond(refused);
  }
  std::optional<Held> seat = opener.share.take(Resource::kThreads);
  if (!seat) return refuse_share(exchange, Resource::kThreads, 1);
  opener.seat = *std::move(seat);
  work_.spawn(opened(*this, std::move(exchange), std::move(opener)));
}

Task<void> SessionServer::opened(SessionServer& self, Exchange exchange, Opener opener) {
  const Result<Session*> session = co_await self.book_.open(std::move(opener));
  if (!session.ok()) co_return exchange.reply.respond(not_kept(session.error()));
  wire::HttpResponse made = json_reply(201, describe(*session.value(), self.book_.options().ttl));
  made.headers.set("Location", "/api/sessions/" + session.value()->code());
  exchange.reply.respond(made);
}

void SessionServer::show_session(Exchange exchange) {
  const Session* const session = finder_.find(exchange, exchange.params.find("code")->second);
  if (session == nullptr) return;
  Json shown = describe(*session, book_.options().ttl);
  shown["worker"] = session->has_worker();
  shown["waiting"] = session->waiting();
  shown["ignored"] = {{"late", session->ignored().late},
                      {"twice", session->ignored().twice},
                      {"unknown", session->ignored().unknown}};
  exchange.reply.respond(json_reply(200, shown));
}

void SessionServer::end_session(Exchange exchange) {
  const Session* const session = finder_.find(exchange, exchange.params.find("code")->second);
  if (session == nullptr) return;
  work_.spawn(ended(*this, std::move(exchange), session->code()));
}

Task<void> SessionServer::ended(SessionServer& self, Exchange exchange, std::string code) {
  const Status removed = co_await self.book_.remove(std::move(code));
  if (!removed.ok()) co_return exchange.reply.respond(not_kept(removed.error()));
  exchange.reply.respond(wire::HttpResponse{204, {}, ""});
}

void SessionServer::show_tools(Exchange exchange) {
  const Session* const session = finder_.find(exchange, exchange.params.find("code")->second);
  if (session == nullptr) return;
  exchange.reply.respond(json_reply(200, {{"tools", session->tools().descriptions()}}));
}

void SessionServer::put_tools(Exchange exchange) {
  const Session* const session = finder_.find(exchange, exchange.params.find("code")->second);
  if (session == nullptr) return;
  const std::optional<Json> body = read_object(exchange);
  if (!body) return;
  const Json* const tools = find(*body, "tools");
  Result<ToolSet> read = ToolSet::read(tools == nullptr ? Json() : *tools);
  if (!read.ok()) {
    answered_problem(exchange, Problem{"/tools", read.error().message});
    return;
  }
  change_tools(std::move(exchange), *session, std::move(read).value());
}

void SessionServer::add_tools(Exchange exchange) {
  const Session* const session = finder_.find(exchange, exchange.params.find("code")->second);
  if (session == nullptr) return;
  const std::optional<Json> body = read_object(exchange);
  if (!body) return;
  const Json* const tools = find(*body, "tools");
  Result<ToolSet> all = session->tools().with(tools == nullptr ? Json() : *tools);
  if (!all.ok()) {
    answered_problem(exchange, Problem{"/tools", all.error().message});
    return;
  }
  change_tools(std::move(exchange), *session, std::move(all).value());
}

void SessionServer::reset_tools(Exchange exchange) {
  const Session* const session = finder_.find(exchange, exchange.params.find("code")->second);
  if (session != nullptr) change_tools(std::move(exchange), *session, std::nullopt);
}

void SessionServer::remove_tool(Exchange exchange) {
  const Session* const session = finder_.find(exchange, exchange.params.find("code")->second);
  if (session == nullptr) return;
  const std::string& name = exchange.params.find("name")->second;
  if (session->tools().find(name) == nullptr) {
    return answer_failure(exchange, 404, tool_not_found(name));
  }
  ToolSet rest = session->tools().without(name);
  change_tools(std::move(exchange), *session, std::move(rest));
}

void SessionServer::change_tools(Exchange exchange, const Session& session,
                                 std::optional<ToolSet> tools) {
  if (refused_while_draining(exchange)) return;
  // The text in the store, the values, and the compiled schemas, which are about as large.
  std::size_t bytes = 0;
  if (tools) {
    for (const Tool& tool : tools->tools()) bytes += 3 * value_bytes(tool.description);
  }
  std::optional<Held> charge = exchange.reply.share().take(Resource::kValueBytes, bytes);
  if (!charge) return refuse_share(exchange, Resource::kValueBytes, bytes);
  work_.spawn(
      changed(*this, std::move(exchange), session.code(), std::move(tools), *std::move(charge)));
}

Task<void> SessionServer::changed(SessionServer& self, Exchange exchange, std::string code,
                                  std::optional<ToolSet> tools, Held charge) {
  std::string whose = code;
  const Status kept =
      co_await self.book_.change(std::move(whose), std::move(tools), std::move(charge));
  if (!kept.ok()) co_return exchange.reply.respond(not_kept(kept.error()));
  const Session* const session = self.book_.find(code);
  if (session == nullptr) co_return answer_failure(exchange, 404, invalid_session(code));
  exchange.reply.respond(json_reply(200, {{"tools", session->tools().descriptions()}}));
}

void SessionServer::speak_mcp(Exchange exchange) {
  if (refused_while_draining(exchange)) return;
  const auto named = exchange.params.find("code");
  const std::string code =
      named == exchange.params.end() ? code_of(exchange.request) : named->second;
  if (code.empty() && named == exchange.params.end()) {
    return global_.handler().on_request(std::move(exchange.request), std::move(exchange.reply));
  }
  if (parts_.door.codes == Codes::kDocument && book_.find(code) == nullptr) {
    return refuse_mcp(std::move(exchange), code);
  }
  Session* const session = finder_.find(exchange, code);
  if (session == nullptr) return;
  session->door().handler().on_request(std::move(exchange.request), std::move(exchange.reply));
}

// refuse_mcp answers a message to no session as seed 004 does: as an answer to the request.
void SessionServer::refuse_mcp(Exchange exchange, const std::string& code) {
  const Result<Json> message = parse_json(exchange.request.body);
  const Json* const id = message.ok() ? find(message.value(), "id") : nullptr;
  if (id == nullptr || !rpc::read_id(*id)) {
    finder_.find(exchange, code);
    return;
  }
  const mcp::Failure failure = invalid_session(code);
  exchange.reply.respond(json_reply(
      200,
      {{"jsonrpc", "2.0"},
       {"id", *id},
       {"error", {{"code", failure.code}, {"message", failure.message}, {"data", failure.data}}}}));
}

}  // namespace plumbline::service
