#include "fakes/model/chat_server.h"

#include <optional>
#include <utility>
#include <variant>

#include "core/json/dump.h"
#include "core/model/failure.h"
#include "core/wire/sse.h"

namespace plumbline::fakes {

namespace {

using model::Completion;
using model::Failure;
using model::FailureKind;
using model::FinishReason;

constexpr const char* kGarbage = "{\"choices\": [{\"index\": 0, ";

const char* name_of(FinishReason finish) {
  switch (finish) {
    case FinishReason::kStop:
      return "stop";
    case FinishReason::kToolCalls:
      return "tool_calls";
    case FinishReason::kLength:
      return "length";
    case FinishReason::kRefusal:
      return "content_filter";
  }
  return "stop";
}

std::string_view code_of(const Failure& failure) {
  if (!failure.code.empty()) return failure.code;
  switch (failure.kind) {
    case FailureKind::kAuthentication:
      return "invalid_api_key";
    case FailureKind::kRateLimit:
      return "rate_limit_exceeded";
    case FailureKind::kTooLong:
      return "context_length_exceeded";
    case FailureKind::kInvalidRequest:
      return "invalid_request";
    case FailureKind::kUnavailable:
    case FailureKind::kUnreadable:
      break;
  }
  return "server_error";
}

wire::HttpResponse as_json(int status, const Json& body) {
  wire::HttpResponse response{status, {}, dump_json(body)};
  response.headers.set("Content-Type", "application/json");
  return response;
}

wire::HttpResponse error_answer(int status, std::string_view code, const std::string& message) {
  Json error = {{"message", message}, {"param", nullptr}, {"code", code}};
  error["type"] = status < 500 ? "invalid_request_error" : "server_error";
  return as_json(status, {{"error", std::move(error)}});
}

wire::HttpResponse failure_answer(const Failure& failure) {
  wire::HttpResponse answer =
      error_answer(model::status_of(failure), code_of(failure), failure.message);
  if (failure.retry_after) {
    const std::int64_t wait_ms = milliseconds_of(*failure.retry_after);
    answer.headers.set("Retry-After", std::to_string((wait_ms + 999) / 1000));
    answer.headers.set("Retry-After-Ms", std::to_string(wait_ms));
  }
  return answer;
}

Json call_of(const model::ToolCall& call, std::string_view arguments) {
  Json out = {{"id", call.id}, {"type", "function"}};
  out["function"] = {{"name", call.name}, {"arguments", arguments}};
  return out;
}

Json usage_of(const model::Usage& usage) {
  return {{"prompt_tokens", usage.input_tokens},
          {"completion_tokens", usage.output_tokens},
          {"total_tokens", usage.input_tokens + usage.output_tokens}};
}

// Head is what every part of one answer has. Its time is that of nobody's clock: the same script
// gives the same bytes.
Json head(const char* object, const std::string& id, const std::string& model) {
  return {{"id", id}, {"object", object}, {"created", 0}, {"model", model}};
}

Json whole(const Completion& completion, const std::string& id, const std::string& model) {
  Json message = {
      {"role", "assistant"}, {"content", completion.message.text}, {"refusal", nullptr}};
  if (!completion.message.tool_calls.empty()) {
    if (completion.message.text.empty()) message["content"] = nullptr;
    for (const model::ToolCall& call : completion.message.tool_calls) {
      message["tool_calls"].push_back(call_of(call, call.arguments));
    }
  }
  Json out = head("chat.completion", id, model);
  out["choices"].push_back(
      {{"index", 0}, {"message", message}, {"finish_reason", name_of(completion.finish)}});
  if (!completion.usage.estimated) out["usage"] = usage_of(completion.usage);
  return out;
}

// Stream writes an answer while it comes. Nothing is sent before its first piece, so that what
// fails at once has a status.
class Stream final : public model::DeltaReader {
 public:
  Stream(net::HttpReply& reply, bool events, Json chunk)
      : reply_(reply), events_(events), chunk_(std::move(chunk)) {}

  bool heard() const { return heard_; }

  void on_text(std::string_view piece) override {
    heard_ = true;
    if (events_) delta({{"content", piece}});
  }

  // The arguments come in two halves, as they come in pieces from everybody else.
  void on_tool_call(const model::ToolCall& call) override {
    heard_ = true;
    if (!events_) return;
    const std::string_view arguments = call.arguments;
    Json first = call_of(call, arguments.substr(0, arguments.size() / 2));
    first["index"] = calls_;
    delta({{"tool_calls", Json::array({first})}});
    Json second = {{"index", calls_++},
                   {"function", {{"arguments", arguments.substr(arguments.size() / 2)}}}};
    delta({{"tool_calls", Json::array({second})}});
  }

  void finish(const Completion& completion, bool wants_usage) {
    begin();
    choice(Json::object(), name_of(completion.finish));
    if (wants_usage && !completion.usage.estimated) {
      Json last = chunk_;
      last["choices"] = Json::array();
      last["usage"] = usage_of(completion.usage);
      say(dump_json(last));
    }
    say("[DONE]");
    reply_.end();
  }

  void garble() {
    begin();
    say(kGarbage);
    reply_.end();
  }

 private:
  void begin() {
    if (std::exchange(begun_, true)) return;
    wire::HttpHeaders headers;
    headers.set("Content-Type", "text/event-stream");
    headers.set("Cache-Control", "no-cache");
    reply_.open_stream(200, headers);
    choice({{"role", "assistant"}, {"content", ""}}, nullptr);
  }

  void delta(const Json& delta) {
    begin();
    choice(delta, nullptr);
  }

  void choice(const Json& delta, const Json& finish) {
    Json chunk = chunk_;
    chunk["choices"].push_back({{"index", 0}, {"delta", delta}, {"finish_reason", finish}});
    say(dump_json(chunk));
  }

  void say(const std::string& data) {
    std::string event;
    wire::append_sse(event, wire::SseEvent{"", data, std::nullopt, std::nullopt});
    reply_.write(event);
  }

  net::HttpReply& reply_;
  bool events_;
  Json chunk_;
  bool heard_ = false;
  bool begun_ = false;
  int calls_ = 0;
};

// break_off ends an answer in its middle: the reply is dropped inside of it.
void break_off(net::HttpReply reply, bool begun) {
  if (begun) return;
  wire::HttpHeaders headers;
  headers.set("Content-Type", "application/json");
  reply.open_stream(200, headers);
  reply.write(kGarbage);
}

}  // namespace

void ChatServer::on_request(wire::HttpRequest request, net::HttpReply reply) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  if (path == "/v1/models" && request.method == "GET") {
    const Json one = {
        {"id", model_.name()}, {"object", "model"}, {"created", 0}, {"owned_by", "plumbline"}};
    return reply.respond(as_json(200, {{"object", "list"}, {"data", Json::array({one})}}));
  }
  if (path != "/v1/chat/completions") {
    return reply.respond(
        error_answer(404, "not_found", "expected /v1/chat/completions or /v1/models"));
  }
  if (request.method != "POST") {
    wire::HttpResponse refused = error_answer(405, "method_not_allowed", "expected POST");
    refused.headers.set("Allow", "POST");
    return reply.respond(refused);
  }
  const Result<Json> body = parse_json(request.body);
  if (!body.ok()) return reply.respond(error_answer(400, "invalid_json", body.error().message));
  Result<ChatRequest, std::string> asked = read_chat_request(body.value());
  if (!asked.ok()) return reply.respond(error_answer(400, "invalid_request", asked.error()));
  work_.spawn(answer(std::move(asked).value(), std::move(reply)));
}

Task<void> ChatServer::answer(ChatRequest request, net::HttpReply reply) {
  const std::string id = "chatcmpl-" + std::to_string(++answers_);
  Stream stream(reply, request.stream, head("chat.completion.chunk", id, request.model));
  Task<model::Completed> completing = model_.complete(std::move(request.prompt), &stream, kNever);
  const model::Completed completed = co_await std::move(completing);
  if (const Completion* const completion = std::get_if<Completion>(&completed)) {
    if (request.stream) {
      stream.finish(*completion, request.wants_usage);
    } else {
      reply.respond(as_json(200, whole(*completion, id, request.model)));
    }
    co_return;
  }
  const Failure& failure = std::get<Failure>(completed);
  if (failure.kind == FailureKind::kUnreadable) {
    if (request.stream) {
      stream.garble();
    } else {
      wire::HttpResponse garbage{200, {}, kGarbage};
      garbage.headers.set("Content-Type", "application/json");
      reply.respond(garbage);
    }
  } else if (stream.heard()) {
    break_off(std::move(reply), request.stream);
  } else {
    reply.respond(failure_answer(failure));
  }
}

}  // namespace plumbline::fakes
