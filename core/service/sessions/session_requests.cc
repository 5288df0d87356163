#include "core/service/sessions/session_requests.h"

#include <utility>

#include "core/base/text.h"
#include "core/json/value_bytes.h"
#include "core/net/http_answer.h"
#include "core/rpc/message.h"
#include "core/service/sessions/tool_result.h"
#include "core/wire/caller.h"

namespace plumbline::service {

namespace {

constexpr const char* kRetryAfter = "60";  // Seconds, for who guesses.

Json one_error(const std::string& path, const std::string& message) {
  Json errors = Json::array();
  errors.push_back({{"path", path}, {"message", message}});
  return {{"errors", std::move(errors)}};
}

}  // namespace

std::string guest_of(const Exchange& exchange) {
  return wire::guest_of(exchange.reply.principal(), exchange.caller);
}

void refuse_share(Exchange& exchange, Resource resource, std::uint64_t amount) {
  const Share::Refusal refused = exchange.reply.share().refusal(resource, amount);
  wire::HttpResponse answer = error_reply(refused.status, rpc::kInvalidRequest, refused.what);
  answer.headers.set("Retry-After", kRetryAfter);
  exchange.reply.respond(answer);
}

std::optional<Held> charge_for(Exchange& exchange, const Json& values) {
  const std::size_t bytes = value_bytes(values);
  std::optional<Held> charge = exchange.reply.share().take(Resource::kValueBytes, bytes);
  if (!charge) refuse_share(exchange, Resource::kValueBytes, bytes);
  return charge;
}

std::optional<Json> read_object(Exchange& exchange) {
  const wire::HttpRequest& request = exchange.request;
  if (!net::is_media_type(request.headers.get("Content-Type").value_or(""), "application/json")) {
    exchange.reply.respond(
        error_reply(415, rpc::kInvalidRequest, "Content-Type must be application/json"));
    return std::nullopt;
  }
  // Taken while it is read; what is kept of it is charged for by who keeps it.
  const std::size_t bytes = value_bytes_of_text(request.body);
  if (!exchange.reply.share().take(Resource::kValueBytes, bytes)) {
    refuse_share(exchange, Resource::kValueBytes, bytes);
    return std::nullopt;
  }
  Result<Json> body = parse_json(request.body);
  if (!body.ok()) {
    exchange.reply.respond(
        error_reply(400, rpc::kParseError, "Parse error", one_error("", body.error().message)));
    return std::nullopt;
  }
  if (!body.value().is_object()) {
    exchange.reply.respond(error_reply(400, rpc::kInvalidRequest, "the body is no JSON object"));
    return std::nullopt;
  }
  return std::move(body).value();
}

bool answered_problem(Exchange& exchange, const std::optional<Problem>& problem) {
  if (!problem) return false;
  exchange.reply.respond(error_reply(400, rpc::kInvalidParams, problem->message,
                                     one_error(problem->pointer, problem->message)));
  return true;
}

void answer_failure(Exchange& exchange, int status, const mcp::Failure& failure) {
  exchange.reply.respond(error_reply(status, failure.code, failure.message, failure.data));
}

std::string code_of(const wire::HttpRequest& request) {
  if (const auto header = request.headers.get(kCodeHeader)) return std::string(*header);
  return query_value(request.target, "sessionCode").value_or("");
}

Session* SessionFinder::find(Exchange& exchange, const std::string& code) {
  if (!is_code(code)) {
    mcp::Failure failure = invalid_session(clipped(code, 64));
    failure.message += code.empty() ? ": no sessionCode" : ": a code is 8 characters A-Z2-7";
    answer_failure(exchange, 400, failure);
    return nullptr;
  }
  const Instant now = loop_.now();
  const std::string guest = guest_of(exchange);
  Session* const session = book_.find(code);
  if (session != nullptr && session->opener() == guest) return session;
  if (!guesses_.allows(guest, code, now)) {
    wire::HttpResponse refused =
        error_reply(429, rpc::kInvalidRequest, "too many codes of no session were tried");
    refused.headers.set("Retry-After", kRetryAfter);
    exchange.reply.respond(refused);
    return nullptr;
  }
  if (session != nullptr) {
    guesses_.right(guest, code, now);
    session->adopt(guest, exchange.reply.share());
    return session;
  }
  guesses_.wrong(guest, now);
  answer_failure(exchange, 404, invalid_session(code));
  return nullptr;
}

}  // namespace plumbline::service
