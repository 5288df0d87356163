// The endpoints of the worker, and its page.

#include <utility>

#include "core/base/text.h"
#include "core/mcp/protocol/log_level.h"
#include "core/rpc/message.h"
#include "core/service/page_files.h"
#include "core/service/sessions/session_server.h"
#include "core/service/sessions/tool_result.h"

namespace plumbline::service {

namespace {

constexpr std::size_t kProgressTextBytesMax = 1'024;

void answer_heard(Exchange& exchange, WorkerDesk::Heard heard, const std::string& id) {
  switch (heard) {
    case WorkerDesk::Heard::kTaken:
      return exchange.reply.respond(
          json_reply(200, {{"requestId", id}, {"status", "accepted"}, {"success", true}}));
    case WorkerDesk::Heard::kUnknown:
      return exchange.reply.respond(
          error_reply(404, rpc::kInvalidParams, "there is no such request", {{"requestId", id}}));
    case WorkerDesk::Heard::kTwice:
      return exchange.reply.respond(error_reply(
          409, rpc::kInvalidParams, "the request was answered before", {{"requestId", id}}));
    case WorkerDesk::Heard::kLate:
      return exchange.reply.respond(error_reply(
          410, rpc::kInvalidParams, "nobody waits for this answer any more", {{"requestId", id}}));
  }
}

// Named is who says what in the body of a worker's POST.
struct Named {
  std::string code;
  std::string id;
};

Named read_named(const Exchange& exchange, ObjectReader& reader) {
  Named named;
  named.code = reader.string("sessionCode").value_or(code_of(exchange.request));
  named.id = reader.required_string("requestId");
  return named;
}

}  // namespace

void SessionServer::show_page(Exchange exchange) {
  exchange.reply.respond(page_reply("worker.html"));
}

void SessionServer::listen(Exchange exchange) {
  if (refused_while_draining(exchange)) return;
  if (exchange.request.method != "GET") {  // HEAD listens to nothing, and must not take over.
    return exchange.reply.respond(error_reply(405, rpc::kInvalidRequest, "expected GET"));
  }
  if (!transport::accepts(exchange.request, "text/event-stream")) {
    return exchange.reply.respond(
        error_reply(406, rpc::kInvalidRequest, "Accept lacks text/event-stream"));
  }
  Session* const session = finder_.find(exchange, code_of(exchange.request));
  if (session == nullptr) return;
  std::optional<std::string> last;
  if (const auto header = exchange.request.headers.get("Last-Event-ID")) last = *header;
  session->listen(std::move(exchange.reply),
                  last ? std::optional<std::string_view>(*last) : std::nullopt);
}

void SessionServer::take_response(Exchange exchange) {
  std::optional<Json> body = read_object(exchange);
  if (!body) return;
  std::optional<Problem> problem;
  ObjectReader reader(*body, "", "the response", problem);
  const Named named = read_named(exchange, reader);
  const Json* const result = reader.take("result");
  const Json* const error = reader.take("error");
  if ((result == nullptr) == (error == nullptr)) {
    add_problem(problem, "", "expected either result or error");
  }
  if (answered_problem(exchange, problem)) return;
  Session* const session = finder_.find(exchange, named.code);
  if (session == nullptr) return;
  WorkerOutcome outcome = result != nullptr ? worker_outcome(*result) : worker_failure(*error);
  std::optional<Held> charge = charge_for(exchange, result != nullptr ? *result : *error);
  if (!charge) return;
  outcome.charge = *std::move(charge);
  answer_heard(exchange, session->answer(named.id, std::move(outcome)), named.id);
}

void SessionServer::take_progress(Exchange exchange) {
  const std::optional<Json> body = read_object(exchange);
  if (!body) return;
  std::optional<Problem> problem;
  ObjectReader reader(*body, "", "the report", problem);
  const Named named = read_named(exchange, reader);
  WorkerDesk::Progressed report;
  report.id = named.id;
  const Json* const progress = reader.take("progress");
  const Json* const total = reader.take("total");
  if (progress == nullptr || !progress->is_number()) {
    add_problem(problem, "/progress", "progress is no number, expected one");
  } else {
    report.progress = progress->get<double>();
  }
  if (total != nullptr && !total->is_number()) {
    add_problem(problem, "/total", "total is no number, expected one or none");
  } else if (total != nullptr) {
    report.total = total->get<double>();
  }
  report.message = reader.text("message").value_or("").substr(0, kProgressTextBytesMax);
  if (answered_problem(exchange, problem)) return;
  Session* const session = finder_.find(exchange, named.code);
  if (session == nullptr) return;
  answer_heard(exchange, session->progress(std::move(report)), named.id);
}

void SessionServer::take_log(Exchange exchange) {
  const std::optional<Json> body = read_object(exchange);
  if (!body) return;
  std::optional<Problem> problem;
  ObjectReader reader(*body, "", "the line", problem);
  const Named named = read_named(exchange, reader);
  const std::string level = reader.string("level").value_or("info");
  const Json* const message = reader.take("message");
  if (!mcp::severity_of(level)) {
    add_problem(problem, "/level",
                "\"" + clipped(level, 64) + "\" is no level, expected one of RFC 5424");
  }
  if (message == nullptr) add_problem(problem, "/message", "there is no message, expected one");
  if (answered_problem(exchange, problem)) return;
  Session* const session = finder_.find(exchange, named.code);
  if (session == nullptr) return;
  answer_heard(exchange, session->log({named.id, level, *message}), named.id);
}

}  // namespace plumbline::service
