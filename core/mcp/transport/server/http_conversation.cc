#include "core/mcp/transport/server/http_conversation.h"

#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/mcp/transport/server/http_answers.h"
#include "core/wire/sse.h"

namespace plumbline::transport {

namespace {

// status_of returns the HTTP status that goes with an answer.
//
// Spec 2026-07-28, basic/transports/streamable-http, Protocol Version Header, Server Validation;
// basic/index, _meta (MUST).
int status_of(const Json& answer) {
  const Json* const error = find(answer, "error");
  if (error == nullptr) return 200;
  switch (int_or(*error, "code", 0)) {
    case rpc::kMethodNotFound:
      return 404;
    case rpc::kParseError:
    case rpc::kInvalidRequest:
    case rpc::kInvalidParams:
    case -32020:  // Header mismatch.
    case -32021:  // Missing client capability.
    case -32022:  // Unsupported protocol version.
      return 400;
    default:
      return 200;
  }
}

}  // namespace

HttpConversation::HttpConversation(Loop& loop, Json request, Held charge, net::HttpReply reply,
                                   Duration keep_alive)
    : loop_(loop),
      charge_(std::move(charge)),
      request_(std::move(request)),
      id_(*find(request_, "id")),
      stream_(loop, std::move(reply), keep_alive),
      turn_([this] { turn(); }) {
  stream_.reply().on_gone([this] { gone(); });
}

void HttpConversation::start(MessageReceiver& receiver) {
  check(receiver_ == nullptr, "a channel is started once");
  receiver_ = &receiver;
  if (begun_) loop_.arm(turn_, loop_.now());
}

void HttpConversation::begin() {
  begun_ = true;
  if (receiver_ != nullptr) receiver_->on_message(std::move(request_));
}

void HttpConversation::send(Json message) {
  if (over_) return;
  const Json* const id = find(message, "id");
  const bool answers = id != nullptr && *id == id_ && !message.contains("method");
  if (answers && !stream_.begun()) {
    stream_.reply().respond(json_answer(status_of(message), message));
  } else {
    if (!stream_.begun()) stream_.begin();
    std::string bytes;
    wire::append_sse(bytes, wire::SseEvent{"", dump_json(message), std::nullopt, std::nullopt});
    stream_.write(bytes);
    if (answers) stream_.end();
  }
  if (answers) close_send();
}

void HttpConversation::close_send() {
  if (std::exchange(over_, true)) return;
  if (stream_.begun()) {
    stream_.end();
  } else if (stream_.open()) {
    stream_.reply().respond(refusal(500, rpc::kInternalError, "the request is not answered", id_));
  }
  loop_.arm(turn_, loop_.now());
}

void HttpConversation::close() {
  receiver_ = nullptr;
  over_ = true;
  turn_.cancel();
  stream_.reply() = net::HttpReply();
}

void HttpConversation::turn() {
  if (receiver_ == nullptr) return;
  if (!over_) return begin();
  std::exchange(receiver_, nullptr)->on_closed(nullptr);
}

void HttpConversation::gone() {
  over_ = true;
  turn_.cancel();
  if (receiver_ == nullptr) return;
  const Error error{ErrorCode::kDisconnected, "the client closed the answer to its request"};
  std::exchange(receiver_, nullptr)->on_closed(&error);
}

}  // namespace plumbline::transport
