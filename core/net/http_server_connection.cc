#include "core/net/http_server_connection.h"

#include <utility>

#include "core/base/check.h"
#include "core/wire/caller.h"

namespace plumbline::net {

namespace {

// So much may always wait to be taken by a peer: a refusal has to leave, too.
constexpr std::size_t kFreeQueueBytes = 4U << 10U;

// While more waits, the next request of a connection is not served.
constexpr std::size_t kServeQueueBytes = 64U << 10U;

// With what the program itself takes, one caller comes to 128 MB at most, and all to 256 MB.
constexpr std::uint64_t kTextBytesMax = std::uint64_t{96} << 20U;
constexpr std::uint64_t kValueBytesMax = std::uint64_t{128} << 20U;

bool says_close(const wire::HttpHeaders& headers) {
  return headers.get("Connection").value_or("") == "close";
}

}  // namespace

Amounts most_of_all() {
  Amounts all;
  all.set(Resource::kConnections, limits::kHttpConnectionsMax);
  all.set(Resource::kTextBytes, kTextBytesMax);
  all.set(Resource::kValueBytes, kValueBytesMax);
  all.set(Resource::kThreads, limits::kHttpSessionsMax);
  all.set(Resource::kResults, 20'000);
  return all;
}

Amounts most_of_each() {
  Amounts each;
  each.set(Resource::kConnections, limits::kHttpConnectionsMax / 2);
  each.set(Resource::kTextBytes, kTextBytesMax / 3);
  each.set(Resource::kValueBytes, kValueBytesMax / 2);
  each.set(Resource::kThreads, limits::kHttpSessionsMax / 2);
  each.set(Resource::kResults, 4'000);
  return each;
}

HttpServerConnection::HttpServerConnection(Loop& loop, Owner& owner, std::unique_ptr<Pipe> pipe,
                                           Caller caller, std::size_t slot)
    : loop_(loop),
      owner_(owner),
      pipe_(std::make_unique<PipeSwitch>(loop, std::move(pipe))),
      caller_(std::move(caller)),
      held_(caller_.share.take(Resource::kTextBytes, 0).value_or(Held())),
      slot_(slot),
      reader_(owner.options().limits),
      idle_since_(loop.now()),
      next_turn_([this] { serve(); }),
      patience_([this] { give_up_waiting(); }) {}

HttpServerConnection::~HttpServerConnection() {
  release();
  owner_.turns().leave(guest_, *this);
}

void HttpServerConnection::start() {
  loop_.arm(patience_, after(idle_since_, owner_.options().idle_max));
  pipe_->start(*this);
}

void HttpServerConnection::respond(const wire::HttpResponse& response) {
  const std::size_t size = response.body.size();
  if (size > kFreeQueueBytes && !held_.grow_to(bytes_here() + size)) {
    const Share::Refusal refused = caller_.share.refusal(Resource::kTextBytes, size);
    return respond(refusal_of(refused.status, refused.what));
  }
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
  send(std::move(bytes));
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
  send(std::move(bytes));
}

void HttpServerConnection::write(std::string_view bytes) {
  if (head_only_ || bytes.empty()) return;
  std::string chunk;
  chunk.reserve(bytes.size() + 16);
  wire::append_chunk(chunk, bytes);
  send(std::move(chunk));
}

void HttpServerConnection::send(std::string bytes) {
  pipe_->write(std::move(bytes));
  if (pipe_->held_bytes() > kFreeQueueBytes) pipe_->await_drained();
  if (!count() && pipe_->held_bytes() > kFreeQueueBytes) end_soon();
}

void HttpServerConnection::end_soon() {
  closing_ = true;
  pipe_->close();
  loop_.arm(patience_, loop_.now());
}

void HttpServerConnection::end() {
  if (!head_only_) {
    std::string bytes;
    wire::append_last_chunk(bytes);
    send(std::move(bytes));
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
  pipe_->hold(std::move(caller_.connection));
  request_bytes_ = 0;
  held_ = Held();
  std::unique_ptr<Pipe> pipe = std::move(pipe_);
  closing_ = true;
  // serve() may be on the stack; the turn that finds no pipe destroys this.
  loop_.arm(patience_, loop_.now());
  return pipe;
}

void HttpServerConnection::break_stream() {
  release();
  end_soon();
}

void HttpServerConnection::on_bytes(std::string_view bytes) {
  if (closing_) return;  // Read and dropped, so that the peer comes to read our answer.
  if (awaits_reply()) {
    waiting_bytes_ += bytes.size();
    const wire::HttpLimits& limits = owner_.options().limits;
    if (waiting_bytes_ > limits.header_bytes_max + limits.body_bytes_max) return break_off();
  }
  reader_->feed(bytes);
  if (awaits_reply() && !count()) return break_off();
  const Lifeline::Guard guard(lifeline_);
  serve();
  if (guard.alive()) stay_within();
}

// stay_within refuses what is being read where there is no room for it: this, or what is larger.
void HttpServerConnection::stay_within() {
  while (!awaits_reply() && !closing_ && !count()) {
    const std::size_t missing = bytes_here() - static_cast<std::size_t>(held_.amount());
    const Share::Refusal refused = caller_.share.refusal(Resource::kTextBytes, missing);
    if (refused.status == 503 && owner_.make_room(*this)) continue;
    return refuse({refused.status, refused.what});
  }
}

std::size_t HttpServerConnection::bytes_here() const {
  const bool waits = pipe_ != nullptr && pipe_->held_bytes() > kFreeQueueBytes;
  return request_bytes_ + reader_->held_bytes() + (waits ? pipe_->held_bytes() : 0);
}

Share HttpServerConnection::share_of(const std::string& principal) const {
  return owner_.guests().of(principal.empty() ? guest_ : wire::guest_of(principal, ""));
}

std::string HttpServerConnection::guest_of(const wire::HttpRequest& request) const {
  return wire::guest_of(
      "", wire::caller_of(caller_.address, request.headers, owner_.options().proxies));
}

void HttpServerConnection::on_drained() {
  (void)count();  // It is less.
  serve();
}

void HttpServerConnection::on_turn() { serve(true); }

void HttpServerConnection::on_end(const Error* /*error*/) { break_off(); }

// may_serve reads the next request, where there is one, and returns whether it may be served.
bool HttpServerConnection::may_serve(bool has_turn) {
  if (awaits_reply() || closing_ || pipe_->queued_bytes() > kServeQueueBytes) return false;
  if (!next_) {
    next_ = reader_->next();
    if (!next_) return false;
    guest_ = guest_of(*next_);
    request_bytes_ = next_->body.size();
  }
  return has_turn || owner_.turns().take(guest_, *this);
}

void HttpServerConnection::serve(bool has_turn) {
  if (serving_) return;
  const Lifeline::Guard guard(lifeline_);
  serving_ = true;
  while (may_serve(std::exchange(has_turn, false))) {
    wire::HttpRequest request = *std::exchange(next_, std::nullopt);
    keep_alive_ = request.keep_alive;
    head_only_ = request.method == "HEAD";
    waiting_bytes_ = 0;
    hand_over(std::move(request));
    if (!guard.alive()) return;
  }
  serving_ = false;
  if (awaits_reply() || closing_ || next_) return;
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
  (void)count();  // It is less, or send() has told.
  if (closing_) return;
  if (!keep_alive_) return close_in_order();
  idle_since_ = loop_.now();
  if (!serving_) loop_.arm(next_turn_, idle_since_);
}

void HttpServerConnection::drain() {
  if (!awaits_reply() && !closing_ && !next_ && reader_->idle()) close_in_order();
}

void HttpServerConnection::refuse(const wire::HttpRequestReader::Problem& problem) {
  wire::HttpResponse refused = refusal_of(problem.status, problem.what);
  refused.headers.set("Connection", "close");
  std::string bytes;
  wire::append_response(bytes, refused);
  pipe_->write(std::move(bytes));
  reader_.emplace(owner_.options().limits);  // Gives its bytes back.
  next_.reset();
  request_bytes_ = 0;
  (void)count();
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
    return break_off();
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
