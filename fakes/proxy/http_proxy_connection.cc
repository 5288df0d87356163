#include "fakes/proxy/http_proxy_connection.h"

#include <algorithm>
#include <utility>

#include "core/base/wait.h"
#include "core/mcp/protocol/mcp_headers.h"
#include "core/net/http_answer.h"
#include "fakes/peers/placeholders.h"
#include "fakes/world/sim_pipe.h"

namespace plumbline::fakes {

namespace {

constexpr int kSwitchingProtocols = 101;
constexpr int kBadGateway = 502;

wire::HttpResponse bad_gateway() {
  return wire::HttpResponse{kBadGateway,
                            {{"Content-Type", "text/html"}},
                            "<html><head><title>502 Bad Gateway</title></head></html>\n"};
}

}  // namespace

HttpProxyExchange::HttpProxyExchange(HttpProxyDesk& desk, HttpProxyConnection& connection,
                                     wire::HttpRequest request, HttpAction action, Json id,
                                     std::vector<std::size_t> meant)
    : desk_(desk),
      connection_(connection),
      request_(std::move(request)),
      action_(std::move(action)),
      id_(std::move(id)),
      meant_(std::move(meant)),
      begin_([this] { begin(); }),
      idle_([this] {
        changed(HttpChange::kIdle);
        cut();
      }) {
  if (action_.delay > Duration::zero()) {
    changed(HttpChange::kDelay);
    desk_.loop().arm(begin_, after(desk_.loop().now(), action_.delay));
  } else {
    begin();
  }
}

// tell_rules tells of the rules whose action makes `changes` true, each once.
template <typename Changes>
void HttpProxyExchange::tell_rules(Changes changes) {
  for (const std::size_t rule : meant_) {
    if (changes(desk_.rule(rule).action)) tell_rule(rule);
  }
}

void HttpProxyExchange::tell_rule(std::size_t rule) {
  if (told_.insert(rule).second) desk_.hooks().on_rule(rule);
}

// edit_all makes the edits of every rule, in their order.
void HttpProxyExchange::edit_all(wire::HttpHeaders& headers,
                                 std::vector<HeaderEdit> HttpAction::*edits) {
  tell_rules([&](const HttpAction& action) { return edit_headers(headers, action.*edits); });
}

void HttpProxyExchange::changed(HttpChange change) {
  tell_rules([change](const HttpAction& action) { return asks_for(action, change); });
}

// note_edits tells of the rules whose edits have changed the answer by now.
void HttpProxyExchange::note_edits() {
  const auto done = bend_->changed();
  if (done.none() || told_.size() == meant_.size()) return;
  tell_rules([&done](const HttpAction& action) {
    for (int kind = 0; kind < StreamEdits::kKinds; ++kind) {
      const auto edit = static_cast<StreamEdits::Kind>(kind);
      if (done[static_cast<std::size_t>(kind)] && asks_for(action.edits, edit)) return true;
    }
    return false;
  });
}

void HttpProxyExchange::begin() {
  if (action_.down) {
    changed(HttpChange::kDown);
    return connection_.go_down(*action_.down);
  }
  if (action_.forget_sessions && desk_.hooks().forget_sessions()) changed(HttpChange::kForget);
  if (action_.drop != HttpAction::Drop::kNone) changed(HttpChange::kDrop);
  switch (action_.drop) {
    case HttpAction::Drop::kHang:
      return;
    case HttpAction::Drop::kClose:
      return connection_.drop();
    case HttpAction::Drop::kReset:
      return connection_.reset();
    case HttpAction::Drop::kNone:
      break;
  }
  if (action_.raw || action_.answer) return answer();
  pass_on();
}

void HttpProxyExchange::answer() {
  changed(HttpChange::kAnswer);
  if (action_.raw) {
    connection_.write(fill_id(*action_.raw, id_));
    return connection_.end();
  }
  wire::HttpResponse response = *action_.answer;
  response.body = fill_id(std::move(response.body), id_);
  if (action_.encode) {
    changed(HttpChange::kEncode);
    const std::unique_ptr<Encoder> encoder = make_encoder(*action_.encode);
    response.headers.set("Content-Encoding", std::string(name_of(*action_.encode)));
    response.body = encoder->push(response.body) + encoder->finish();
  }
  std::string bytes;
  wire::append_response(bytes, response);
  connection_.write(std::move(bytes));
  connection_.next(request_.keep_alive);
}

void HttpProxyExchange::pass_on() {
  wire::HttpRequest request = request_;
  request.headers.erase("Host");
  edit_all(request.headers, &HttpAction::request_headers);
  net::HttpExchangeReader& reader = *this;
  upstream_ = desk_.pass_on(std::move(request), reader);
}

void HttpProxyExchange::note_session(int status, const wire::HttpHeaders& headers) {
  const auto session = headers.get(transport::kSessionHeader);
  if (status < 300 && session && !request_.headers.get(transport::kSessionHeader)) {
    desk_.saw_session(std::string(*session));
  }
}

void HttpProxyExchange::on_head(int status, const wire::HttpHeaders& headers) {
  note_session(status, headers);
  response_.status = status;
  response_.headers = headers;
  const bool tunnel = status == kSwitchingProtocols;
  if (!tunnel) response_.headers.erase("Connection");
  const std::string type(headers.get("Content-Type").value_or(""));
  streaming_ = !tunnel && net::is_media_type(type, "text/event-stream");
  if (action_.encode && !tunnel) {
    changed(HttpChange::kEncode);
    encoder_ = make_encoder(*action_.encode);
    response_.headers.set("Content-Encoding", std::string(name_of(*action_.encode)));
  }
  edit_all(response_.headers, &HttpAction::response_headers);
  const StreamBend::Unit unit = tunnel       ? StreamBend::Unit::kFrames
                                : streaming_ ? StreamBend::Unit::kEvents
                                             : StreamBend::Unit::kText;
  bend_.emplace(action_.edits, unit);
  rearm_idle();
  if (!tunnel && !streaming_) return;
  std::string head;
  if (tunnel) {
    wire::append_response(head, response_);
  } else {
    wire::append_stream_head(head, status, response_.headers);
  }
  connection_.write(std::move(head));
  if (!tunnel) return;
  tunnel_ = upstream_->take_pipe();
  net::PipeReader& reader = *this;
  tunnel_->start(reader);
}

void HttpProxyExchange::on_body(std::string_view bytes) { relay(bytes); }

void HttpProxyExchange::relay(std::string_view bytes) {
  if (finished_) return;
  rearm_idle();
  write_body(bend_->push(bytes));
  note_edits();
  if (bend_->is_cut()) cut();
}

void HttpProxyExchange::write_body(std::string_view bytes) {
  if (bytes.empty()) return;
  if (tunnel_ != nullptr) return connection_.write(std::string(bytes));
  if (encoder_ != nullptr) return write_encoded(encoder_->push(bytes));
  write_encoded(bytes);
}

void HttpProxyExchange::write_encoded(std::string_view bytes) {
  if (!streaming_) {
    response_.body += bytes;
    return;
  }
  const std::size_t piece = action_.chunk_bytes == 0 ? bytes.size() : action_.chunk_bytes;
  if (piece < bytes.size()) changed(HttpChange::kChunks);
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    std::string chunk;
    wire::append_chunk(chunk, bytes.substr(at, piece));
    connection_.write(std::move(chunk));
  }
}

void HttpProxyExchange::on_end() {
  if (finished_) return;
  write_body(bend_->finish());
  note_edits();
  if (bend_->is_cut()) return cut();
  if (encoder_ != nullptr) write_encoded(encoder_->finish());
  finished_ = true;
  idle_.cancel();
  if (streaming_) {
    std::string last;
    wire::append_last_chunk(last);
    connection_.write(std::move(last));
  } else {
    write_whole();
  }
  connection_.next(request_.keep_alive);
}

void HttpProxyExchange::write_whole() {
  std::string bytes;
  wire::append_response(bytes, response_);
  connection_.write(std::move(bytes));
}

void HttpProxyExchange::on_failed(const Error& /*error*/, bool /*connected*/) {
  if (finished_) return;
  finished_ = true;
  idle_.cancel();
  if (streaming_) return connection_.drop();
  response_ = bad_gateway();
  write_whole();
  connection_.next(request_.keep_alive);
}

void HttpProxyExchange::on_bytes(std::string_view bytes) { relay(bytes); }

void HttpProxyExchange::on_end(const Error* error) {
  if (std::exchange(finished_, true)) return;
  if (error != nullptr) return connection_.reset();
  connection_.end();
}

// cut ends the answer where it stands. The server learns of it as of a client that has left.
void HttpProxyExchange::cut() {
  if (std::exchange(finished_, true)) return;
  idle_.cancel();
  if (action_.cut == HttpAction::Cut::kReset) return connection_.reset();
  const bool whole_text = !streaming_ && tunnel_ == nullptr && !response_.body.empty();
  if (action_.cut == HttpAction::Cut::kEnd) {
    if (whole_text) write_whole();
    if (streaming_) {
      std::string last;
      wire::append_last_chunk(last);
      connection_.write(std::move(last));
      return connection_.next(request_.keep_alive);
    }
    return connection_.end();
  }
  if (whole_text) {
    std::string head;
    wire::append_stream_head(head, response_.status, response_.headers);
    wire::append_chunk(head, response_.body);
    connection_.write(std::move(head));
  }
  connection_.drop();
}

void HttpProxyExchange::rearm_idle() {
  if (action_.idle) desk_.loop().arm(idle_, after(desk_.loop().now(), *action_.idle));
}

HttpProxyConnection::HttpProxyConnection(HttpProxyDesk& desk, Owner& owner,
                                         std::unique_ptr<net::Pipe> pipe)
    : desk_(desk),
      owner_(owner),
      pipe_(std::move(pipe)),
      idle_since_(desk.loop().now()),
      turn_([this] { serve(); }) {}

void HttpProxyConnection::write(std::string bytes) {
  if (!gone_ && !ended_) pipe_->write(std::move(bytes));
}

void HttpProxyConnection::next(bool keep_alive) {
  if (!keep_alive) return end();
  over_ = true;
  desk_.loop().arm(turn_, desk_.loop().now());
}

void HttpProxyConnection::end() {
  if (!gone_ && !std::exchange(ended_, true)) pipe_->close_write();
  over_ = true;
  desk_.loop().arm(turn_, desk_.loop().now());
}

void HttpProxyConnection::drop() {
  if (std::exchange(gone_, true)) return;
  pipe_->close();
  owner_.sweep_soon();
}

void HttpProxyConnection::reset() {
  if (std::exchange(gone_, true)) return;
  if (auto* const breakable = dynamic_cast<SimPipe*>(pipe_.get())) breakable->reset();
  pipe_->close();
  owner_.sweep_soon();
}

void HttpProxyConnection::on_bytes(std::string_view bytes) {
  if (gone_ || ended_) return;
  if (exchange_ != nullptr && exchange_->tunnel() != nullptr) {
    return exchange_->tunnel()->write(std::string(bytes));
  }
  reader_.feed(bytes);
  if (exchange_ == nullptr) serve();
}

void HttpProxyConnection::on_end(const Error* /*error*/) { drop(); }

void HttpProxyConnection::serve() {
  if (std::exchange(over_, false)) {
    exchange_.reset();
    idle_since_ = desk_.loop().now();
  }
  if (gone_ || ended_ || exchange_ != nullptr) return;
  std::optional<wire::HttpRequest> request = reader_.next();
  if (!request) {
    if (reader_.problem()) end();
    return;
  }
  if (const auto stranger = net::refuse_stranger(*request, desk_.access())) {
    std::string bytes;
    wire::append_response(bytes, {stranger->status, {}, stranger->why + "\n"});
    write(std::move(bytes));
    return end();
  }
  Json id;
  const Duration idle = desk_.loop().now() - idle_since_;
  std::vector<std::size_t> meant;
  HttpAction action = desk_.decide(*request, idle, id, meant);
  exchange_ = std::make_unique<HttpProxyExchange>(
      desk_, *this, *std::move(request), std::move(action), std::move(id), std::move(meant));
}

}  // namespace plumbline::fakes
