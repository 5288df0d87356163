// What StreamableHttpClient does with the answers that it gets.

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/rare.h"
#include "core/mcp/transport/http_refusal.h"
#include "core/mcp/transport/streamable_http_client.h"

namespace plumbline::transport {

namespace {

std::string status_text(const net::HttpAnswer& answer) {
  return describe_answer(answer.status(), answer.headers(), answer.body());
}

// is_stray_error returns whether `body` is a JSON-RPC error that names no request: some servers
// say "server-error" where they have not read the id.
bool is_stray_error(const Json& body) {
  const Json* const error = find(body, "error");
  if (error == nullptr || !find_int(*error, "code")) return false;
  const Json* const id = find(body, "id");
  return id == nullptr || id->is_null() || *id == "server-error";
}

// is_error_for returns whether `body` is a JSON-RPC error that may answer `id`.
bool is_error_for(const Json& body, const rpc::RpcId& id) {
  if (is_stray_error(body)) return true;
  const Json* const error = find(body, "error");
  return error != nullptr && find_int(*error, "code") && rpc::read_id(*find(body, "id")) == id;
}

// says_session_is_lost looks at an answer within a session. 404 is the way to say so; some servers
// say it with 400, or with 200 and an error that names no request.
//
// Spec 2025-11-25, basic/transports, Session Management (MUST 404).
bool says_session_is_lost(const net::HttpAnswer& answer) {
  const int status = answer.status();
  if (status == 404) return true;
  if (status != 400 && (status != 200 || !answer.holds_json())) return false;
  const Result<Json> body = parse_json(answer.body());
  if (!body.ok()) return status == 400 && speaks_of_lost_session(answer.body());
  if (!is_stray_error(body.value())) return false;
  return speaks_of_lost_session(string_or(*find(body.value(), "error"), "message", ""));
}

}  // namespace

void StreamableHttpClient::on_answer_head(net::HttpAnswer& answer) {
  if (&answer == farewell_.get()) return;
  Call& call = call_of(answer);
  if (answer.streamed()) call.heard = true;
  const bool initializes = !call.waiting.empty() && call.waiting.front().method == "initialize";
  if (!initializes || answer.status() >= 300) return;
  session_id_ = std::string(answer.headers().get(kSessionHeader).value_or(""));
  session_served_ = false;
  if (may_repeat(session_id_)) return;
  finish_with(
      Error{ErrorCode::kUnsupported, "the server opens a session whose id no header can hold, of " +
                                         std::to_string(session_id_.size()) + " bytes"});
}

void StreamableHttpClient::on_answer_event(net::HttpAnswer& answer, wire::SseEvent event) {
  if (&answer == farewell_.get()) return;
  Call& call = call_of(answer);
  if (event.id) call.last_event_id = may_repeat(*event.id) ? *event.id : "";
  if (event.retry_ms) call.retry = std::chrono::milliseconds(std::max(1, *event.retry_ms));
  if (event.id || !event.data.empty()) call.retries.succeeded();
  if (event.data.empty() || (!event.event.empty() && event.event != "message")) return;
  if (!deliver_text(call, event.data)) return;
  const bool resumable = call.listening && !call.last_event_id.empty();
  if (resumable && rare(Rare::kHttpReconnect)) return resume_later(call);
  if (!call.waiting.empty() || call.listening) return;
  // The answer is out: the server ought to end the stream.
  call.later = std::make_unique<Alarm>([this, &call] { forget(call); });
  client_.loop().arm(*call.later, after(client_.loop().now(), limits::kStopGrace));
}

void StreamableHttpClient::on_answer_over(net::HttpAnswer& answer, const Error* error,
                                          bool connected) {
  if (&answer == farewell_.get()) return end_turn();
  Call& call = call_of(answer);
  if (error != nullptr && !connected) return finish_with(*error);
  const bool refused = error == nullptr && !answer.streamed();
  // The GET stream is optional: whatever refuses it, the requests go on. One that was open once is
  // known to the server, unless the session is not.
  const bool asks_session = call.in_session && (!call.listening || call.heard);
  if (refused && asks_session && says_session_is_lost(answer)) {
    return finish_with(Error{ErrorCode::kDisconnected,
                             session_served_ ? "the server has ended the session"
                                             : "the server does not know the session that it has "
                                               "just opened, as behind a load balancer over "
                                               "replicas that share no sessions"});
  }
  if (refused && call.in_session && answer.status() < 300) session_served_ = true;
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
                "its stream is not resumed: " + status_text(*call.answer));
  }
  if (status < 200 || status >= 300) return take_refusal(call);
  if (call.answer->is_encoded()) {
    return lose(call, ErrorCode::kUnsupported, status_text(*call.answer));
  }
  if (!call.answer->holds_json()) {
    return lose(call, ErrorCode::kUnsupported,
                status_text(*call.answer) + " with content of type \"" +
                    std::string(call.answer->headers().get("Content-Type").value_or("")) + "\"");
  }
  return take_json(call);
}

// take_json takes the one message of an answer. An error in it that names no request is about the
// only one that was asked.
bool StreamableHttpClient::take_json(Call& call) {
  const std::string text = call.answer->body();
  Result<Json> body = parse_json(text);
  if (!body.ok() || call.waiting.size() != 1 || !is_stray_error(body.value())) {
    return deliver_text(call, text);
  }
  Json answer = std::move(body).value();
  answer["id"] = rpc::to_json(call.waiting[0].id);
  return deliver(call, std::move(answer));
}

bool StreamableHttpClient::take_refusal(Call& call) {
  const int status = call.answer->status();
  const wire::HttpHeaders headers = call.answer->headers();
  Result<Json> body = parse_json(call.answer->body());
  if (call.waiting.front().method == "initialize") last_refusal_ = status;
  const bool alone = call.waiting.size() == 1;
  if (alone && body.ok() && is_error_for(body.value(), call.waiting[0].id)) {
    Json answer = std::move(body).value();
    answer["id"] = rpc::to_json(call.waiting[0].id);
    if (error_of(status, headers, "")) add_status(answer["error"], status, headers);
    return deliver(call, std::move(answer));
  }
  std::optional<Json> error = error_of(status, headers, call.answer->body());
  if (alone && error) {
    Json answer = {{"jsonrpc", "2.0"}, {"id", rpc::to_json(call.waiting[0].id)}};
    answer["error"] = *std::move(error);
    return deliver(call, std::move(answer));
  }
  return lose(call, status < 500 ? ErrorCode::kUnsupported : ErrorCode::kDisconnected,
              status_text(*call.answer));
}

bool StreamableHttpClient::deliver_text(Call& call, std::string_view text) {
  Result<Json> message = parse_json(text);
  if (message.ok()) return deliver(call, std::move(message).value());
  const Lifeline::Guard guard(lifeline_);
  receiver_->on_garbage(text, message.error());
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
