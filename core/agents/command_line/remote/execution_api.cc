#include "core/agents/command_line/remote/execution_api.h"

#include <chrono>
#include <optional>
#include <utility>

#include "core/json/object_reader.h"
#include "core/json/parse.h"

namespace plumbline::agents::command_line {

namespace {

constexpr std::int64_t kApiSecondsMax = 86'400;

wire::HttpResponse api_reply(int status, const Json& body) {
  return {status,
          {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
          dump_json(body)};
}

wire::HttpResponse api_error(int status, std::string why) {
  return api_reply(status, {{"error", std::move(why)}});
}

struct ApiRequest {
  CommandRequest request;
  std::optional<Duration> timeout;
};

Result<ApiRequest> read_request(const std::string& body) {
  const auto json = parse_json(body);
  if (!json.ok()) {
    return Error{ErrorCode::kInvalidInput, "the body is no JSON: " + json.error().message};
  }
  std::optional<Problem> problem;
  ObjectReader fields(json.value(), "", "a request", problem);
  ApiRequest out;
  out.request.line = fields.required_string("command");
  out.request.folder = fields.text("working_directory").value_or("");
  if (const auto seconds = fields.integer("timeout", 1, kApiSecondsMax)) {
    out.timeout = std::chrono::seconds(*seconds);
  }
  fields.finish();
  if (!problem) return out;
  return Error{ErrorCode::kInvalidInput,
               (problem->pointer.empty() ? "" : problem->pointer + ": ") + problem->message};
}

}  // namespace

void ExecutionApi::on_request(wire::HttpRequest request, net::HttpReply reply) {
  std::erase_if(works_, [](const auto& each) { return each.second.task.done(); });
  if (request.method != "POST") {
    wire::HttpResponse refused = api_error(405, "expected POST");
    refused.headers.set("Allow", "POST");
    return reply.respond(refused);
  }
  Result<ApiRequest> read = read_request(request.body);
  if (!read.ok()) return reply.respond(api_error(400, read.error().message));
  if (works_.size() >= waiting_max_) {
    return reply.respond(api_error(503, "too many commands are at work, try again later"));
  }
  const std::int64_t id = ++last_id_;
  std::string who = reply.principal().empty() ? "HTTP API" : reply.principal() + ", HTTP API";
  Work& work = works_[id];
  work.reply = std::move(reply);
  work.reply.on_gone([this, id] { works_.erase(id); });
  work.task = run(id, std::move(read.value().request), std::move(who), read.value().timeout);
  work.task.start();
}

Task<void> ExecutionApi::run(std::int64_t id, CommandRequest request, std::string who,
                             std::optional<Duration> timeout) {
  const CommandResult result = co_await desk_.run(std::move(request), "", std::move(who), timeout);
  works_.at(id).reply.respond(api_reply(200, to_json(result)));
}

}  // namespace plumbline::agents::command_line
