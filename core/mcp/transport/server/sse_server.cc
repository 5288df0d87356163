#include "core/mcp/transport/server/sse_server.h"

#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/lifeline.h"
#include "core/mcp/transport/channel_kit.h"
#include "core/net/http_event_stream.h"
#include "core/wire/sse.h"

namespace plumbline::transport {

// SseSession is the channel of one stream.
class SseSession final : public MessageChannel {
 public:
  SseSession(SseServer& server, std::string id, Held seat, net::HttpReply reply)
      : seat_(std::move(seat)),
        server_(&server),
        loop_(server.loop_),
        id_(std::move(id)),
        principal_(reply.principal()),
        stream_(server.loop_, std::move(reply), server.options_.keep_alive),
        turn_([this] { turn(); }) {
    stream_.reply().on_gone([this] { gone(); });
    stream_.begin();
    say("endpoint", server.options_.post_path + "?sessionId=" + id_);
  }
  ~SseSession() override { close(); }

  const std::string& principal() const { return principal_; }
  Lifeline& lifeline() { return lifeline_; }
  void orphan() { server_ = nullptr; }

  // take brings a message that was posted. It may destroy the session.
  void take(Posted posted) {
    charges_.keep(posted.message, std::move(posted.charge));
    Json& message = posted.message;
    if (receiver_ != nullptr && inbox_.empty()) return receiver_->on_message(std::move(message));
    if (inbox_.size() < limits::kRequestsInFlightMax) inbox_.push_back(std::move(message));
  }

  // implements MessageChannel ---
  void start(MessageReceiver& receiver) override {
    check(receiver_ == nullptr, "a channel is started once");
    receiver_ = &receiver;
    if (!inbox_.empty() || !stream_.open()) loop_.arm(turn_, loop_.now());
  }
  void send(Json message) override {
    charges_.answered(message);
    say("message", dump_json(message));
  }
  void leave_unanswered(const rpc::RpcId& about) override { charges_.forget(about); }
  void close_send() override {
    leave();
    loop_.arm(turn_, loop_.now());
  }
  void close() override {
    receiver_ = nullptr;
    turn_.cancel();
    leave();
  }

 private:
  void say(std::string event, std::string data) {
    if (!stream_.open()) return;
    std::string bytes;
    wire::append_sse(bytes,
                     wire::SseEvent{std::move(event), std::move(data), std::nullopt, std::nullopt});
    stream_.write(bytes);
  }

  // leave ends the stream and makes the session unknown.
  void leave() {
    if (stream_.open()) stream_.end();
    if (server_ != nullptr) std::exchange(server_, nullptr)->sessions_.erase(id_);
  }

  void gone() {
    leave();
    turn();
  }

  void turn() {
    const Lifeline::Guard guard(lifeline_);
    std::vector<Json> inbox = std::exchange(inbox_, {});
    for (Json& message : inbox) {
      if (receiver_ != nullptr) receiver_->on_message(std::move(message));
      if (!guard.alive()) return;
    }
    if (stream_.open() || receiver_ == nullptr) return;
    std::exchange(receiver_, nullptr)->on_closed(nullptr);
  }

  Held seat_;
  AskedCharges charges_;
  SseServer* server_;  // Null once the session is over, and when the server is gone.
  Loop& loop_;
  std::string id_;
  std::string principal_;
  net::HttpEventStream stream_;
  MessageReceiver* receiver_ = nullptr;  // Null before start() and once nothing may be called.
  std::vector<Json> inbox_;              // Came before start().
  Alarm turn_;
  Lifeline lifeline_;
};

SseServer::SseServer(Loop& loop, SseServerOptions options, OnChannel on_channel)
    : loop_(loop), options_(std::move(options)), on_channel_(std::move(on_channel)) {
  check(options_.new_session_id != nullptr, "sessions need ids");
}

SseServer::~SseServer() {
  for (const auto& [id, session] : sessions_) session->orphan();
}

void SseServer::on_request(wire::HttpRequest request, net::HttpReply reply) {
  if (request.method == "POST") return on_post(request, std::move(reply));
  if (request.method != "GET") return reply.respond(not_allowed("GET, POST"));
  if (!accepts(request, "text/event-stream")) {
    return reply.respond(refusal(406, rpc::kInvalidRequest, "Accept lacks text/event-stream"));
  }
  open_session(std::move(reply));
}

void SseServer::open_session(net::HttpReply reply) {
  if (sessions_.size() >= options_.sessions_max) {
    return reply.respond(refusal(503, rpc::kInternalError, "there are too many sessions"));
  }
  const std::string id = options_.new_session_id();
  std::string principal = reply.principal();
  std::optional<Held> seat = reply.share().take(Resource::kThreads);
  if (!seat) return reply.respond(refuse_share(reply.share(), Resource::kThreads, 1));
  auto channel = std::make_unique<SseSession>(*this, id, *std::move(seat), std::move(reply));
  check(sessions_.emplace(id, channel.get()).second, "a session id was given out twice");
  on_channel_(std::move(channel), std::move(principal));
}

void SseServer::on_post(const wire::HttpRequest& request, net::HttpReply reply) {
  const std::string_view target = request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  if (path != options_.post_path) return reply.respond(not_allowed("GET"));
  constexpr std::string_view kKey = "sessionId=";
  const std::size_t at = target.find(kKey, path.size());
  std::string_view id = at == std::string_view::npos ? "" : target.substr(at + kKey.size());
  id = id.substr(0, id.find('&'));
  const auto found = sessions_.find(id);
  if (found == sessions_.end() || found->second->principal() != reply.principal()) {
    return reply.respond(refusal(404, rpc::kInvalidRequest, "there is no such session"));
  }
  Result<Posted, wire::HttpResponse> posted = read_posted_json(request, reply.share());
  if (!posted.ok()) return reply.respond(posted.error());
  SseSession& session = *found->second;
  reply.respond(wire::HttpResponse{202, {}, ""});
  session.take(std::move(posted).value());
}

}  // namespace plumbline::transport
