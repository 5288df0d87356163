#include "core/net/http_server_connection.h"

#include <utility>

#include "core/base/check.h"

namespace plumbline::net {

namespace {

bool says_close(const wire::HttpHeaders& headers) {
  return headers.get("Connection").value_or("") == "close";
}

}  // namespace

HttpServerConnection::HttpServerConnection(Loop& loop, Owner& owner, std::unique_ptr<Pipe> pipe,
                                           std::size_t slot)
    : loop_(loop),
      owner_(owner),
      pipe_(std::make_unique<PipeSwitch>(loop, std::move(pipe))),
      slot_(slot),
      reader_(owner.options().limits),
      idle_since_(loop.now()),
      next_turn_([this] { serve(); }),
      patience_([this] { give_up_waiting(); }) {}

HttpServerConnection::~HttpServerConnection() {
  release();
  owner_.on_held(counted_bytes_, 0);
}

void HttpServerConnection::start() {
  loop_.arm(patience_, after(idle_since_, owner_.options().idle_max));
  pipe_->start(*this);
}

void HttpServerConnection::respond(const wire::HttpResponse& response) {
  std::string bytes;
  bytes.reserve(256 + response.body.size());
  keep_alive_ = keep_alive_ && !says_close(response.headers) && !owner_.draining();
  if (!head_only_ && keep_alive_) {
    wire::append_response(bytes, response);
  } else {
    wire::HttpResponse changed = response;
    if (head_only_) changed.body.clear();
    if (!keep_alive_) changed.headers.set("Connection", "close");
    wire::append_response(bytes, changed);
  }
  pipe_->write(std::move(bytes));
  answered();
}

void HttpServerConnection::open_stream(int status, const wire::HttpHeaders& headers) {
  std::string bytes;
  keep_alive_ = keep_alive_ && !says_close(headers) && !owner_.draining();
  if (keep_alive_) {
    wire::append_stream_head(bytes, status, headers);
  } else {
    wire::HttpHeaders changed = headers;
    changed.set("Connection", "close");
    wire::append_stream_head(bytes, status, changed);
  }
  pipe_->write(std::move(bytes));
}

void HttpServerConnection::write(std::string_view bytes) {
  if (head_only_ || bytes.empty()) return;
  std::string chunk;
  chunk.reserve(bytes.size() + 16);
  wire::append_chunk(chunk, bytes);
  pipe_->write(std::move(chunk));
}

void HttpServerConnection::end() {
  if (!head_only_) {
    std::string bytes;
    wire::append_last_chunk(bytes);
    pipe_->write(std::move(bytes));
  }
  answered();
}

std::unique_ptr<Pipe> HttpServerConnection::upgrade(const wire::HttpHeaders& headers) {
  wire::HttpResponse response;
  response.status = 101;
  response.headers = headers;
  std::string bytes;
  wire::append_response(bytes, response);
  pipe_->write(std::move(bytes));
  release();
  pipe_->hand_over(reader_->drain());
  request_bytes_ = 0;
  count();
  std::unique_ptr<Pipe> pipe = std::move(pipe_);
  closing_ = true;
  // serve() may be on the stack; the turn that finds no pipe destroys this.
  loop_.arm(patience_, loop_.now());
  return pipe;
}

void HttpServerConnection::break_stream() {
  release();
  closing_ = true;
  pipe_->close();
  loop_.arm(patience_, loop_.now());
}

void HttpServerConnection::on_bytes(std::string_view bytes) {
  if (closing_) return;  // Read and dropped, so that the peer comes to read our answer.
  if (awaits_reply()) {
    waiting_bytes_ += bytes.size();
    const wire::HttpLimits& limits = owner_.options().limits;
    if (waiting_bytes_ > limits.header_bytes_max + limits.body_bytes_max) return break_off();
  }
  reader_->feed(bytes);
  count();
  if (awaits_reply() && owner_.is_full()) return break_off();
  const Lifeline::Guard guard(lifeline_);
  serve();
  if (guard.alive()) owner_.make_room();
}

void HttpServerConnection::count() {
  const std::size_t bytes = request_bytes_ + reader_->held_bytes();
  owner_.on_held(counted_bytes_, bytes);
  counted_bytes_ = bytes;
}

void HttpServerConnection::on_end(const Error* /*error*/) { break_off(); }

void HttpServerConnection::serve() {
  if (serving_) return;
  const Lifeline::Guard guard(lifeline_);
  serving_ = true;
  while (!awaits_reply() && !closing_) {
    std::optional<wire::HttpRequest> request = reader_->next();
    if (!request) break;
    keep_alive_ = request->keep_alive;
    head_only_ = request->method == "HEAD";
    waiting_bytes_ = 0;
    request_bytes_ = request->body.size();
    count();
    hand_over(std::move(*request));
    if (!guard.alive()) return;
  }
  serving_ = false;
  if (awaits_reply() || closing_) return;
  if (reader_->problem()) return refuse(*reader_->problem());
  if (reader_->wants_continue()) {
    std::string bytes;
    wire::append_response(bytes, wire::HttpResponse{100, {}, ""});
    pipe_->write(std::move(bytes));
  }
}

void HttpServerConnection::hand_over(wire::HttpRequest request) {
  HttpReply reply(*this);
  const std::optional<Stranger> stranger = refuse_stranger(request, owner_.access());
  if (!stranger) return owner_.handler().on_request(std::move(request), std::move(reply));
  owner_.handler().on_stranger(request, reply);
  reply.respond(refusal_of(stranger->status, stranger->why));
}

wire::HttpResponse HttpServerConnection::refusal_of(int status, const std::string& what) const {
  if (owner_.options().refusal) return owner_.options().refusal(status, what);
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, what + "\n"};
}

void HttpServerConnection::answered() {
  release();
  request_bytes_ = 0;
  count();
  if (!keep_alive_) return close_in_order();
  idle_since_ = loop_.now();
  if (!serving_) loop_.arm(next_turn_, idle_since_);
}

void HttpServerConnection::drain() {
  if (!awaits_reply() && !closing_ && reader_->idle()) close_in_order();
}

void HttpServerConnection::refuse(const wire::HttpRequestReader::Problem& problem) {
  wire::HttpResponse refused = refusal_of(problem.status, problem.what);
  refused.headers.set("Connection", "close");
  std::string bytes;
  wire::append_response(bytes, refused);
  pipe_->write(std::move(bytes));
  reader_.emplace(owner_.options().limits);  // Gives its bytes back.
  count();
  close_in_order();
}

void HttpServerConnection::close_in_order() {
  closing_ = true;
  pipe_->close_write();
  loop_.arm(patience_, after(loop_.now(), limits::kStopGrace));
}

void HttpServerConnection::give_up_waiting() {
  const Instant idle_until = after(idle_since_, owner_.options().idle_max);
  if (closing_ || (!awaits_reply() && loop_.now() >= idle_until)) {
    return owner_.forget(*this);
  }
  const Instant now = loop_.now();
  loop_.arm(patience_, awaits_reply() ? after(now, owner_.options().idle_max) : idle_until);
}

void HttpServerConnection::break_off() {
  const std::function<void()> gone = release();
  owner_.forget(*this);
  if (gone) gone();
}

}  // namespace plumbline::net
