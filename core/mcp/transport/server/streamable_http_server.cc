#include "core/mcp/transport/server/streamable_http_server.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/mcp/protocol/revision.h"
#include "core/mcp/transport/server/http_conversation.h"

namespace plumbline::transport {

namespace {

constexpr std::int64_t kHeaderMismatch = -32020;

// Shape is what a posted value is, as far as its transport cares.
enum class Shape { kRequest, kOther, kInvalid };

Shape shape_of(const Json& message) {
  if (!message.is_object()) return Shape::kInvalid;
  const Json* const id = find(message, "id");
  const Json* const method = find(message, "method");
  if (method == nullptr) {
    return message.contains("result") || message.contains("error") ? Shape::kOther
                                                                   : Shape::kInvalid;
  }
  if (!method->is_string()) return Shape::kInvalid;
  if (id == nullptr) return Shape::kOther;
  return rpc::read_id(*id) ? Shape::kRequest : Shape::kInvalid;
}

bool has(const std::vector<std::string>& versions, std::string_view version) {
  return std::ranges::find(versions, version) != versions.end();
}

Json id_of(const Json& message) {
  const Json* const id = find(message, "id");
  return id != nullptr && rpc::read_id(*id) ? *id : Json();
}

wire::HttpResponse invalid(const Json& message, std::string_view what) {
  return refusal(400, rpc::kInvalidRequest, what, id_of(message));
}

}  // namespace

StreamableHttpServer::StreamableHttpServer(Loop& loop, StreamableHttpServerOptions options,
                                           OnChannel on_channel)
    : loop_(loop), options_(std::move(options)), on_channel_(std::move(on_channel)) {
  check(options_.stateful_versions.empty() || options_.new_session_id != nullptr,
        "sessions need ids");
}

StreamableHttpServer::~StreamableHttpServer() {
  for (const auto& [id, session] : sessions_) session->orphan();
}

void StreamableHttpServer::session_over(HttpSession& session) { sessions_.erase(session.id()); }

void StreamableHttpServer::on_request(wire::HttpRequest request, net::HttpReply reply) {
  if (request.method == "POST") return on_post(std::move(request), std::move(reply));
  const bool session_method = request.method == "GET" || request.method == "DELETE";
  if (options_.stateful_versions.empty() || !session_method) {
    return reply.respond(
        not_allowed(options_.stateful_versions.empty() ? "POST" : "GET, POST, DELETE"));
  }
  if (request.method == "GET" && !accepts(request, "text/event-stream")) {
    return reply.respond(refusal(406, rpc::kInvalidRequest, "Accept lacks text/event-stream"));
  }
  HttpSession* const session = find_session(request, reply);
  if (session == nullptr) return;
  if (request.method == "GET") {
    return session->listen(request.headers.get("Last-Event-ID"), std::move(reply));
  }
  reply.respond(wire::HttpResponse{200, {}, ""});
  session->end();
}

void StreamableHttpServer::on_post(wire::HttpRequest request, net::HttpReply reply) {
  if (!accepts(request, "application/json") || !accepts(request, "text/event-stream")) {
    return reply.respond(
        refusal(406, rpc::kInvalidRequest, "Accept lacks application/json or text/event-stream"));
  }
  Result<Posted, wire::HttpResponse> posted = read_posted_json(request, reply.share());
  if (!posted.ok()) return reply.respond(posted.error());
  if (is_stateless(request, posted.value().message)) {
    return on_stateless(request, std::move(posted).value(), std::move(reply));
  }
  on_stateful(request, std::move(posted).value(), std::move(reply));
}

bool StreamableHttpServer::is_stateless(const wire::HttpRequest& request,
                                        const Json& message) const {
  if (options_.stateless_versions.empty()) return false;
  if (options_.stateful_versions.empty()) return true;
  const auto header = request.headers.get(kVersionHeader);
  if (header && has(options_.stateless_versions, *header)) return true;
  return version_in_meta(message).has_value();
}

std::optional<std::string> StreamableHttpServer::header_mismatch(const wire::HttpRequest& request,
                                                                 const Json& message) const {
  const auto header = request.headers.get(kVersionHeader);
  const std::optional<std::string> version = version_in_meta(message);
  if (!header) return std::string(kVersionHeader) + " is missing";
  if (version && *header != *version) {
    return std::string(kVersionHeader) + " is not the version in _meta";
  }
  const std::vector<ParamHeader>* params = nullptr;
  if (options_.mirrored_params && string_or(message, "method", "") == "tools/call") {
    params = options_.mirrored_params(mirrored_name(message).value_or(""));
  }
  return find_mirror_mismatch(request.headers, message,
                              params == nullptr ? std::vector<ParamHeader>() : *params);
}

void StreamableHttpServer::on_stateless(const wire::HttpRequest& request, Posted posted,
                                        net::HttpReply reply) {
  Json& message = posted.message;
  const Shape shape = shape_of(message);
  if (shape == Shape::kInvalid || !message.contains("method")) {
    return reply.respond(invalid(message, "the body is no request and no notification"));
  }
  // No notification of a client means anything here: closing an answer cancels.
  if (shape == Shape::kOther) return reply.respond(wire::HttpResponse{202, {}, ""});
  // initialize is of another era; whoever answers it can say which revisions there are.
  if (string_or(message, "method", "") != "initialize") {
    if (const std::optional<std::string> what = header_mismatch(request, message)) {
      return reply.respond(
          refusal(400, kHeaderMismatch, "header mismatch: " + *what, id_of(message)));
    }
    if (!version_in_meta(message)) {
      return reply.respond(refusal(400, rpc::kInvalidParams,
                                   "params._meta lacks io.modelcontextprotocol/protocolVersion",
                                   id_of(message)));
    }
  }
  std::string principal = reply.principal();
  auto channel =
      std::make_unique<HttpConversation>(loop_, std::move(message), std::move(posted.charge),
                                         std::move(reply), options_.session.keep_alive);
  HttpConversation& conversation = *channel;
  const Lifeline::Guard guard(conversation.lifeline());
  on_channel_(std::move(channel), std::move(principal));
  if (guard.alive()) conversation.begin();
}

void StreamableHttpServer::on_stateful(const wire::HttpRequest& request, Posted posted,
                                       net::HttpReply reply) {
  Json& message = posted.message;
  const auto version = request.headers.get(kVersionHeader);
  if (version && !has(options_.stateful_versions, *version)) {
    return reply.respond(invalid(message, "this MCP-Protocol-Version is not supported"));
  }
  const bool initializes = string_or(message, "method", "") == "initialize";
  if (!initializes || request.headers.get(kSessionHeader)) {
    HttpSession* const session = find_session(request, reply);
    if (session == nullptr) return;
    const std::optional<mcp::Revision> revision = mcp::parse_revision(session->version());
    const bool batch =
        message.is_array() && !message.empty() && revision && mcp::has_batching(*revision);
    const bool valid =
        batch ? std::ranges::none_of(
                    message, [](const Json& member) { return shape_of(member) == Shape::kInvalid; })
              : shape_of(message) != Shape::kInvalid;
    if (!valid) return reply.respond(invalid(message, "the body is no JSON-RPC message"));
    return session->post(std::move(message), std::move(posted.charge), std::move(reply));
  }
  if (shape_of(message) != Shape::kRequest) {
    return reply.respond(invalid(message, "initialize is a request"));
  }
  open_session(std::move(posted), std::move(reply));
}

void StreamableHttpServer::open_session(Posted initialize, net::HttpReply reply) {
  const Json id_asked = id_of(initialize.message);
  if (sessions_.size() >= options_.sessions_max) {
    return reply.respond(
        refusal(503, rpc::kInternalError, "there are too many sessions", id_asked));
  }
  HttpSession::Seat seat{reply.principal(), reply.share(), {}};
  std::optional<Held> charge = seat.share.take(Resource::kThreads);
  if (!charge) return reply.respond(refuse_share(seat.share, Resource::kThreads, 1, id_asked));
  seat.charge = *std::move(charge);
  const std::string id = options_.new_session_id();
  HttpSessionOwner& owner = *this;
  auto channel = std::make_unique<HttpSession>(loop_, owner, id, std::move(seat), options_.session);
  HttpSession& session = *channel;
  check(sessions_.emplace(id, &session).second, "a session id was given out twice");
  const Lifeline::Guard guard(session.lifeline());
  on_channel_(std::move(channel), reply.principal());
  if (!guard.alive()) return;
  session.post(std::move(initialize.message), std::move(initialize.charge), std::move(reply));
}

HttpSession* StreamableHttpServer::find_session(const wire::HttpRequest& request,
                                                net::HttpReply& reply) {
  const auto id = request.headers.get(kSessionHeader);
  if (!id) {
    reply.respond(refusal(400, rpc::kInvalidRequest, "Mcp-Session-Id is missing"));
    return nullptr;
  }
  const auto found = sessions_.find(*id);
  if (found != sessions_.end() && found->second->principal() == reply.principal()) {
    return found->second;
  }
  reply.respond(refusal(404, rpc::kInvalidRequest, "there is no such session"));
  return nullptr;
}

}  // namespace plumbline::transport
