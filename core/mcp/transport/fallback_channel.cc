#include "core/mcp/transport/fallback_channel.h"

#include <utility>

namespace plumbline::transport {

namespace {

StreamableHttpClientOptions options_with(wire::HttpHeaders headers) {
  StreamableHttpClientOptions options;
  options.headers = std::move(headers);
  return options;
}

bool may_be_older(int status) { return status == 400 || status == 404 || status == 405; }

}  // namespace

FallbackChannel::FallbackChannel(net::HttpClient& client, const wire::Url& url,
                                 wire::HttpHeaders headers)
    : client_(client),
      url_(url),
      headers_(std::move(headers)),
      streamable_(client, url, options_with(headers_)) {}

MessageChannel& FallbackChannel::current() {
  if (sse_ != nullptr) return *sse_;
  return streamable_;
}

void FallbackChannel::start(MessageReceiver& receiver) {
  receiver_ = &receiver;
  MessageReceiver& self = *this;
  streamable_.start(self);
}

void FallbackChannel::send(Json message) {
  if (sse_ == nullptr && string_or(message, "method", "") == "initialize") initialize_ = message;
  current().send(std::move(message));
}

void FallbackChannel::close_send() { current().close_send(); }

void FallbackChannel::close() { current().close(); }

void FallbackChannel::on_message(Json message) { receiver_->on_message(std::move(message)); }

void FallbackChannel::on_garbage(std::string_view bytes, const Error& error) {
  receiver_->on_garbage(bytes, error);
}

bool FallbackChannel::is_initialize(const rpc::RpcId& id) const {
  const Json* const sent = find(initialize_, "id");
  return sent != nullptr && rpc::read_id(*sent) == id;
}

void FallbackChannel::on_lost(const rpc::RpcId& id, const Error& error) {
  const bool refused = sse_ == nullptr && is_initialize(id);
  if (!refused || !may_be_older(streamable_.last_refusal())) return receiver_->on_lost(id, error);
  streamable_.close();
  sse_ = std::make_unique<SseClientChannel>(client_, url_, headers_);
  MessageReceiver& self = *this;
  sse_->start(self);
  sse_->send(std::move(initialize_));
}

void FallbackChannel::on_closed(const Error* error) { receiver_->on_closed(error); }

}  // namespace plumbline::transport
