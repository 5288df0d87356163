// What StreamableHttpClient does with the answers that it gets.

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/rare.h"
#include "core/transport/streamable_http_client.h"

namespace plumbline::transport {

namespace {

constexpr std::size_t kGarbageBytesShown = 256;

std::string status_text(int status) {
  return "HTTP " + std::to_string(status) + " " + std::string(wire::reason_of(status));
}

// is_error_for returns whether `body` is a JSON-RPC error that may answer `id`.
bool is_error_for(const Json& body, const rpc::RpcId& id) {
  const Json* const error = find(body, "error");
  if (error == nullptr || !find_int(*error, "code")) return false;
  const Json* const its_id = find(body, "id");
  return its_id == nullptr || its_id->is_null() || rpc::read_id(*its_id) == id;
}

}  // namespace

void StreamableHttpClient::on_answer_head(HttpAnswer& answer) {
  if (&answer == farewell_.get()) return;
  const Call& call = call_of(answer);
  const bool initializes = !call.waiting.empty() && call.waiting.front().method == "initialize";
  if (!initializes || answer.status() >= 300) return;
  session_id_ = std::string(answer.headers().get(kSessionHeader).value_or(""));
}

void StreamableHttpClient::on_answer_event(HttpAnswer& answer, wire::SseEvent event) {
  if (&answer == farewell_.get()) return;
  Call& call = call_of(answer);
  if (event.id) call.last_event_id = *event.id;
  if (event.retry_ms) call.retry = std::chrono::milliseconds(std::max(1, *event.retry_ms));
  if (event.id || !event.data.empty()) call.tries = 0;
  if (event.data.empty() || (!event.event.empty() && event.event != "message")) return;
  if (!deliver_text(call, event.data)) return;
  const bool resumable = call.listening && !call.last_event_id.empty();
  if (resumable && rare(Rare::kHttpReconnect)) return resume_later(call);
  if (!call.waiting.empty() || call.listening) return;
  // The answer is out: the server ought to end the stream.
  call.later = std::make_unique<Alarm>([this, &call] { forget(call); });
  client_.loop().arm(*call.later, after(client_.loop().now(), limits::kStopGrace));
}

void StreamableHttpClient::on_answer_over(HttpAnswer& answer, const Error* error, bool connected) {
  if (&answer == farewell_.get()) return end_turn();
  Call& call = call_of(answer);
  if (error != nullptr && !connected) return finish_with(*error);
  const bool refused = error == nullptr && !answer.streamed();
  if (refused && answer.status() == 404 && call.in_session) {
    return finish_with(Error{ErrorCode::kDisconnected, "the server has ended the session"});
  }
  if (refused && !take_body(call)) return;
  over(call, error);
}

// take_body deals with an answer that is no stream.
bool StreamableHttpClient::take_body(Call& call) {
  if (call.listening) {
    // 409: the server has not noticed yet that the stream before is broken.
    if (call.answer->status() == 409) {
      resume_later(call);
    } else {
      forget(call);
    }
    return false;
  }
  if (call.waiting.empty()) return true;
  const int status = call.answer->status();
  if (call.resumed) {
    return lose(call, ErrorCode::kDisconnected,
                "its stream is not resumed: " + status_text(status));
  }
  if (status < 200 || status >= 300) return take_refusal(call);
  if (!call.answer->holds_json()) {
    return lose(call, ErrorCode::kUnsupported,
                status_text(status) + " with content of type \"" +
                    std::string(call.answer->headers().get("Content-Type").value_or("")) + "\"");
  }
  const std::string body = call.answer->body();
  return deliver_text(call, body);
}

bool StreamableHttpClient::take_refusal(Call& call) {
  const int status = call.answer->status();
  Result<Json> body = parse_json(call.answer->body());
  if (call.waiting.front().method == "initialize") last_refusal_ = status;
  if (call.waiting.size() == 1 && body.ok() && is_error_for(body.value(), call.waiting[0].id)) {
    Json answer = std::move(body).value();
    answer["id"] = rpc::to_json(call.waiting[0].id);
    return deliver(call, std::move(answer));
  }
  return lose(call, status < 500 ? ErrorCode::kUnsupported : ErrorCode::kDisconnected,
              status_text(status));
}

bool StreamableHttpClient::deliver_text(Call& call, std::string_view text) {
  Result<Json> message = parse_json(text);
  if (message.ok()) return deliver(call, std::move(message).value());
  const Lifeline::Guard guard(lifeline_);
  receiver_->on_garbage(text.substr(0, kGarbageBytesShown), message.error());
  return guard.alive() && !call.dead;
}

bool StreamableHttpClient::deliver(Call& call, Json message) {
  note_answers(message);
  const Lifeline::Guard guard(lifeline_);
  receiver_->on_message(std::move(message));
  return guard.alive() && !call.dead;
}

bool StreamableHttpClient::lose(Call& call, ErrorCode code, const std::string& why) {
  const Lifeline::Guard guard(lifeline_);
  const std::vector<Waiting> lost = std::exchange(call.waiting, {});
  for (const Waiting& request : lost) {
    receiver_->on_lost(request.id, Error{code, why});
    if (!guard.alive() || call.dead) return false;
  }
  return true;
}

// over ends one exchange of the call, and the call with it unless there is more to hear.
void StreamableHttpClient::over(Call& call, const Error* error) {
  const std::string why = error == nullptr ? "the answer ended without a response" : error->message;
  call.answer.reset();
  if (call.later != nullptr) call.later->cancel();
  if (std::exchange(call.then_listen, false)) listen();
  if (call.listening) return resume_later(call);
  const bool resumable = !call.stateless && !call.last_event_id.empty();
  if (!call.waiting.empty() && resumable) return resume_later(call);
  if (!lose(call, ErrorCode::kDisconnected, why)) return;
  forget(call);
}

void StreamableHttpClient::finish_with(Error error) {
  MessageReceiver* const receiver = std::exchange(receiver_, nullptr);
  closing_ = true;
  session_id_.clear();
  forget_all();
  if (receiver != nullptr) receiver->on_closed(&error);
}

}  // namespace plumbline::transport
