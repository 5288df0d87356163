#include "core/mcp/transport/websocket_channel.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

#include "core/base/check.h"
#include "core/base/limits.h"
#include "core/base/rare.h"
#include "core/json/value_bytes.h"

namespace plumbline::transport {

namespace {

constexpr int kNormalClosure = 1000;
constexpr int kNoStatus = 1005;
constexpr int kGoingAway = 1001;
constexpr int kTooBig = 1009;
constexpr int kTryAgainLater = 1013;
// So much may always wait to be taken by a peer.
constexpr std::size_t kFreeQueueBytes = 4U << 10U;

bool is_friendly(int code) {
  return code == kNormalClosure || code == kGoingAway || code == kNoStatus;
}

// status_of returns the HTTP status that a close code is the word for.
//
// Source: IANA, WebSocket Close Code Number Registry.
std::optional<int> status_of(int code) {
  constexpr std::array<std::pair<int, int>, 3> kStatuses = {
      {{1013, 503}, {3000, 401}, {3003, 403}}};
  for (const auto& [close, status] : kStatuses) {
    if (close == code) return status;
  }
  return std::nullopt;
}

std::string closed_with(const wire::WebSocketReader::Close& closing) {
  return "the peer closed with code " + std::to_string(closing.code) + " " + closing.reason;
}

}  // namespace

WebSocketChannel::WebSocketChannel(Loop& loop, std::unique_ptr<net::Pipe> pipe,
                                   wire::WebSocketRole role, RandomBytes random, Share share)
    : loop_(loop),
      pipe_(std::move(pipe)),
      role_(role),
      random_(std::move(random)),
      share_(std::move(share)),
      text_(share_.take(Resource::kTextBytes, 0).value_or(Held())),
      frames_(role),
      patience_([this] { finish(); }) {
  check(role_ == wire::WebSocketRole::kServer || random_ != nullptr, "a client masks its frames");
}

void WebSocketChannel::start(MessageReceiver& receiver) {
  check(receiver_ == nullptr && !ending_, "a channel is started once");
  receiver_ = &receiver;
  pipe_->start(*this);
}

void WebSocketChannel::send(Json message) {
  if (close_said_ || receiver_ == nullptr) return;
  if (role_ == wire::WebSocketRole::kClient) append_request_ids(message, waiting_);
  // What was taken back is never answered.
  if (waiting_.size() > limits::kRequestsInFlightMax) waiting_.erase(waiting_.begin());
  using wire::WebSocketOpcode;
  charges_.answered(message);
  std::string text = dump_json(message);
  WebSocketOpcode opcode = WebSocketOpcode::kText;
  if (rare(Rare::kWebSocketFragments)) {
    write(opcode, text.substr(0, text.size() / 2), false);
    text.erase(0, text.size() / 2);
    opcode = WebSocketOpcode::kContinuation;
  }
  write(opcode, text);
  if (pipe_->held_bytes() > kFreeQueueBytes) pipe_->await_drained();
  count();
}

void WebSocketChannel::on_drained() { count(); }

bool WebSocketChannel::count() {
  if (ending_) return false;
  const std::size_t queued = pipe_->held_bytes();
  const std::size_t bytes = frames_.held_bytes() + (queued > kFreeQueueBytes ? queued : 0);
  if (text_.grow_to(bytes)) return true;
  refuse(Resource::kTextBytes, bytes - text_.amount());
  return false;
}

void WebSocketChannel::refuse(Resource resource, std::uint64_t amount) {
  const Share::Refusal refused = share_.refusal(resource, amount);
  const bool never = refused.status == 413;
  end_because(never ? kTooBig : kTryAgainLater, refused.what,
              Error{ErrorCode::kLimitReached, refused.what});
}

void WebSocketChannel::close_send() {
  if (receiver_ == nullptr || close_said_) return;
  say_close(kNormalClosure, "");
  loop_.arm(patience_, after(loop_.now(), limits::kStopGrace));
}

void WebSocketChannel::close() {
  receiver_ = nullptr;
  patience_.cancel();
  pipe_->close();
}

void WebSocketChannel::on_bytes(std::string_view bytes) {
  if (ending_ || receiver_ == nullptr) return;
  const Lifeline::Guard guard(lifeline_);
  frames_.feed(bytes);
  while (std::optional<wire::WebSocketReader::Event> event = frames_.next()) {
    take(std::move(*event));
    if (!guard.alive() || ending_ || receiver_ == nullptr) return;
  }
  count();
}

void WebSocketChannel::take_message(const wire::WebSocketReader::Message& message) {
  const std::size_t bytes = message.text ? value_bytes_of_text(message.bytes) : 0;
  std::optional<Held> charge = share_.take(Resource::kValueBytes, bytes);
  if (!charge) return refuse(Resource::kValueBytes, bytes);
  Result<Json> json = message.text ? parse_json(message.bytes)
                                   : Error{ErrorCode::kInvalidInput, "a binary WebSocket message"};
  if (!json.ok()) return receiver_->on_garbage(message.bytes, json.error());
  charges_.keep(json.value(), *std::move(charge));
  forget_answered(json.value());
  receiver_->on_message(std::move(json).value());
}

void WebSocketChannel::take(wire::WebSocketReader::Event event) {
  using Reader = wire::WebSocketReader;
  if (const auto* const message = std::get_if<Reader::Message>(&event)) {
    return take_message(*message);
  }
  if (const auto* const ping = std::get_if<Reader::Ping>(&event)) {
    if (!close_said_) write(wire::WebSocketOpcode::kPong, ping->bytes);
  } else if (const auto* const closing = std::get_if<Reader::Close>(&event)) {
    std::optional<Error> why;
    if (!close_said_ && !is_friendly(closing->code)) {
      why = Error{ErrorCode::kDisconnected, closed_with(*closing)};
    }
    if (!refuse_waiting(*closing)) return;
    end_because(closing->code, "", std::move(why));
  } else if (const auto* const broken = std::get_if<Reader::Broken>(&event)) {
    const std::string what = "the peer breaks the WebSocket: " + broken->what;
    end_because(broken->code, broken->what, Error{ErrorCode::kDisconnected, what});
  }
}

void WebSocketChannel::forget_answered(const Json& message) {
  if (message.is_array()) {
    for (const Json& member : message) forget_answered(member);
  }
  const Json* const id = find(message, "id");
  if (id == nullptr || find(message, "method") != nullptr) return;
  const std::optional<rpc::RpcId> read = rpc::read_id(*id);
  const auto found = read ? std::ranges::find(waiting_, *read) : waiting_.end();
  if (found != waiting_.end()) waiting_.erase(found);
}

// refuse_waiting: a close code that says what an HTTP status would is the answer to what waits.
bool WebSocketChannel::refuse_waiting(const wire::WebSocketReader::Close& closing) {
  const std::optional<int> status = status_of(closing.code);
  if (!status || close_said_) return true;
  Json error = {{"code", *status}, {"message", closed_with(closing)}};
  error["data"]["httpStatus"] = *status;
  const Lifeline::Guard guard(lifeline_);
  for (const rpc::RpcId& id : std::exchange(waiting_, {})) {
    receiver_->on_message({{"jsonrpc", "2.0"}, {"id", rpc::to_json(id)}, {"error", error}});
    if (!guard.alive() || receiver_ == nullptr) return false;
  }
  return true;
}

void WebSocketChannel::on_end(const Error* error) {
  if (error != nullptr && !ending_) why_ = *error;
  if (error == nullptr && !close_said_) {
    why_ = Error{ErrorCode::kDisconnected, "the connection ended without a close frame"};
  }
  finish();
}

void WebSocketChannel::end_because(int code, std::string_view reason, std::optional<Error> why) {
  say_close(code, reason);
  pipe_->close_write();
  ending_ = true;
  why_ = std::move(why);
  loop_.arm(patience_, after(loop_.now(), limits::kStopGrace));
}

void WebSocketChannel::write(wire::WebSocketOpcode opcode, std::string_view payload, bool final) {
  std::string frame;
  frame.reserve(payload.size() + 14);
  wire::append_ws_frame(frame, opcode, payload, mask(), final);
  pipe_->write(std::move(frame));
}

void WebSocketChannel::say_close(int code, std::string_view reason) {
  if (std::exchange(close_said_, true)) return;
  std::string frame;
  wire::append_ws_close(frame, code, reason, mask());
  pipe_->write(std::move(frame));
}

std::optional<wire::WebSocketMask> WebSocketChannel::mask() {
  if (role_ == wire::WebSocketRole::kServer) return std::nullopt;
  wire::WebSocketMask bytes{};
  const std::string random = random_(bytes.size());
  check(random.size() == bytes.size(), "RandomBytes gave another number of bytes");
  std::ranges::copy(random, bytes.begin());
  return bytes;
}

void WebSocketChannel::finish() {
  MessageReceiver* const receiver = receiver_;
  const std::optional<Error> why = std::move(why_);
  ending_ = true;
  close();
  const Lifeline::Guard guard(lifeline_);
  if (receiver != nullptr) receiver->on_closed(why ? &*why : nullptr);
  if (guard.alive()) ended_.set();  // May destroy this.
}

}  // namespace plumbline::transport
