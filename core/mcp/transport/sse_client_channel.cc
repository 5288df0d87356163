#include "core/mcp/transport/sse_client_channel.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/mcp/transport/channel_kit.h"
#include "core/mcp/transport/http_refusal.h"

namespace plumbline::transport {

SseClientChannel::SseClientChannel(net::HttpClient& client, wire::Url stream,
                                   wire::HttpHeaders headers)
    : client_(client),
      url_(std::move(stream)),
      headers_(std::move(headers)),
      patience_([this] {
        const Error error{ErrorCode::kDeadlineExceeded, "no endpoint event came"};
        finish(&error);
      }),
      sweep_turn_([this] { sweep(); }),
      end_turn_([this] { finish(overrun_ ? &*overrun_ : nullptr); }) {}

void SseClientChannel::start(MessageReceiver& receiver) {
  check(receiver_ == nullptr && !closed_, "a channel is started once");
  receiver_ = &receiver;
  wire::HttpRequest request = request_of("GET");
  request.headers.set("Accept", "text/event-stream");
  net::HttpAnswerReader& reader = *this;
  stream_ = std::make_unique<net::HttpAnswer>(client_, url_, std::move(request), reader, kNever);
  client_.loop().arm(patience_, after(client_.loop().now(), limits::kConnectTimeout));
}

wire::HttpRequest SseClientChannel::request_of(std::string method) const {
  wire::HttpRequest request;
  request.method = std::move(method);
  request.headers = headers_;
  return request;
}

void SseClientChannel::send(Json message) {
  if (closed_) return;
  if (refused_ != nullptr) return refused_->send(std::move(message));
  if (!endpoint_ || gate_closed_) return hold(std::move(message));
  post(message);
}

void SseClientChannel::hold(Json message) {
  if (overrun_ || held_.add(std::move(message))) return;
  overrun_ = net::too_many_waiting();
  client_.loop().arm(end_turn_, client_.loop().now());
}

void SseClientChannel::post(const Json& message) {
  posts_.push_back(std::make_unique<Post>());
  Post& made = *posts_.back();
  append_request_ids(message, made.waiting);
  const std::string method = string_or(message, "method", "");
  made.opens_gate = method == "initialize" || method == "notifications/initialized";
  if (made.opens_gate) gate_closed_ = true;
  wire::HttpRequest request = request_of("POST");
  request.headers.set("Content-Type", "application/json");
  append_json(request.body, message);
  net::HttpAnswerReader& reader = *this;
  made.answer =
      std::make_unique<net::HttpAnswer>(client_, *endpoint_, std::move(request), reader,
                                        after(client_.loop().now(), limits::kRequestTimeout));
}

void SseClientChannel::send_held() {
  gate_closed_ = false;
  for (Json& message : held_.take()) send(std::move(message));
}

void SseClientChannel::take_endpoint(const std::string& text) {
  if (endpoint_) return;  // The first one counts.
  Result<wire::Url> endpoint = wire::resolve_url(url_, text);
  if (!endpoint.ok() || endpoint.value().origin() != url_.origin()) {
    const Error error{ErrorCode::kUnsupported,
                      "the server announces an endpoint that is not its own: " + text};
    return finish(&error);
  }
  endpoint_ = std::move(endpoint).value();
  patience_.cancel();
  send_held();
}

void SseClientChannel::on_answer_event(net::HttpAnswer& answer, wire::SseEvent event) {
  if (&answer != stream_.get()) return;
  if (event.event == "endpoint") return take_endpoint(event.data);
  if (event.data.empty() || (!event.event.empty() && event.event != "message")) return;
  Result<Json> message = parse_json(event.data);
  if (message.ok()) return receiver_->on_message(std::move(message).value());
  receiver_->on_garbage(event.data, message.error());
}

void SseClientChannel::on_answer_over(net::HttpAnswer& answer, const Error* error, bool connected) {
  if (&answer == stream_.get()) {
    return error != nullptr ? finish(error) : stream_over();
  }
  const auto found =
      std::ranges::find_if(posts_, [&](const auto& post) { return post->answer.get() == &answer; });
  if (found != posts_.end()) post_over(**found, error, connected);
}

// stream_over: the stream is the connection, so that what refuses it refuses every request.
void SseClientChannel::stream_over() {
  wire::HttpResponse answer{stream_->status(), stream_->headers(), stream_->body()};
  if (stream_->streamed() || answer.status < 300) {
    const Error ended{stream_->streamed() ? ErrorCode::kDisconnected : ErrorCode::kUnsupported,
                      stream_->streamed()
                          ? "the server ended the stream"
                          : describe_answer(answer.status, answer.headers, answer.body)};
    return finish(&ended);
  }
  patience_.cancel();
  stream_.reset();
  refused_ = std::make_unique<RefusedChannel>(client_.loop(), std::move(answer));
  refused_->start(*receiver_);
  for (Json& message : held_.take()) refused_->send(std::move(message));
}

void SseClientChannel::post_over(Post& post, const Error* error, bool connected) {
  if (error != nullptr && !connected) return finish(error);
  const std::optional<Error> broken = error == nullptr ? std::nullopt : std::optional(*error);
  const wire::HttpResponse answer{post.answer->status(), post.answer->headers(),
                                  post.answer->body()};
  const bool taken = !broken && answer.status >= 200 && answer.status < 300;
  if (taken) served_ = true;
  if (!broken && answer.status == 404 && served_) {
    const Error gone{ErrorCode::kDisconnected, "the server has ended the session"};
    return finish(&gone);
  }
  const std::string where = " from " + endpoint_->origin() + endpoint_->target;
  post.answer.reset();
  post.dead = true;
  if (post.opens_gate) send_held();
  client_.loop().arm(sweep_turn_, client_.loop().now());
  if (taken) return;
  const std::vector<rpc::RpcId> waiting = std::move(post.waiting);
  const Lifeline::Guard guard(lifeline_);
  for (const rpc::RpcId& id : waiting) {
    if (broken) {
      receiver_->on_lost(id, Error{ErrorCode::kDisconnected, broken->message});
    } else {
      tell_refusal(*receiver_, id, answer, where);
    }
    if (!guard.alive() || receiver_ == nullptr) return;
  }
}

void SseClientChannel::sweep() {
  std::erase_if(posts_, [](const auto& post) { return post->dead; });
}

// close_send: there is no way to say that no more comes but to go.
void SseClientChannel::close_send() {
  if (closed_) return;
  closed_ = true;
  patience_.cancel();
  client_.loop().arm(end_turn_, client_.loop().now());
}

void SseClientChannel::close() {
  closed_ = true;
  receiver_ = nullptr;
  patience_.cancel();
  end_turn_.cancel();
  if (refused_ != nullptr) refused_->close();
  stream_.reset();
  posts_.clear();
}

void SseClientChannel::finish(const Error* error) {
  MessageReceiver* const receiver = receiver_;
  const std::optional<Error> why = error == nullptr ? std::nullopt : std::optional<Error>(*error);
  close();
  if (receiver != nullptr) receiver->on_closed(why ? &*why : nullptr);
}

}  // namespace plumbline::transport
