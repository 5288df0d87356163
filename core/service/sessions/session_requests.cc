#include "core/service/sessions/session_requests.h"

#include <utility>

#include "core/base/text.h"
#include "core/net/http_answer.h"
#include "core/rpc/message.h"
#include "core/service/sessions/tool_result.h"

namespace plumbline::service {

namespace {

constexpr const char* kRetryAfter = "60";  // Seconds, for who guesses.

Json one_error(const std::string& path, const std::string& message) {
  Json errors = Json::array();
  errors.push_back({{"path", path}, {"message", message}});
  return {{"errors", std::move(errors)}};
}

}  // namespace

std::optional<Json> read_object(Exchange& exchange) {
  const wire::HttpRequest& request = exchange.request;
  if (!net::is_media_type(request.headers.get("Content-Type").value_or(""), "application/json")) {
    exchange.reply.respond(
        error_reply(415, rpc::kInvalidRequest, "Content-Type must be application/json"));
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
  if (!guesses_.allows(exchange.caller, code, now)) {
    wire::HttpResponse refused =
        error_reply(429, rpc::kInvalidRequest, "too many codes of no session were tried");
    refused.headers.set("Retry-After", kRetryAfter);
    exchange.reply.respond(refused);
    return nullptr;
  }
  Session* const session = book_.find(code);
  if (session != nullptr) {
    guesses_.right(exchange.caller, code, now);
    return session;
  }
  guesses_.wrong(exchange.caller, now);
  answer_failure(exchange, 404, invalid_session(code));
  return nullptr;
}

}  // namespace plumbline::service
