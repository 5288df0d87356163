// RawClient talks to a server in plain messages, in either era, for tests of what a server offers.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/mcp/transport/message_channel.h"
#include "core/schema/sample_value.h"

namespace plumbline::reference {

class RawClient final : public transport::MessageReceiver {
 public:
  static constexpr const char* kStateful = "2025-11-25";
  static constexpr const char* kStateless = "2026-07-28";

  // RunUntil lets the world go on until what it is given returns true; false when that never is.
  using RunUntil = std::function<bool(std::function<bool()> done)>;

  // Opens the conversation with `version`, which is one of the two.
  RawClient(std::unique_ptr<transport::MessageChannel> channel, RunUntil run_until,
            std::string version)
      : channel_(std::move(channel)),
        run_until_(std::move(run_until)),
        version_(std::move(version)) {
    channel_->start(*this);
    if (version_ == kStateless) return;
    Json params(Json::value_t::object);
    params["protocolVersion"] = version_;
    params["capabilities"] = capabilities;
    params["clientInfo"]["name"] = params["clientInfo"]["version"] = "raw";
    exchange("initialize", params);
    Json ready(Json::value_t::object);
    ready["jsonrpc"] = "2.0";
    ready["method"] = "notifications/initialized";
    channel_->send(ready);
  }
  ~RawClient() { channel_->close(); }

  // exchange sends one request and returns the whole response.
  Json exchange(const std::string& method, Json params) {
    Json request(Json::value_t::object);
    const std::int64_t id = ++last_id_;
    request["jsonrpc"] = "2.0";
    request["id"] = id;
    request["method"] = method;
    if (version_ == kStateless) {
      Json& meta = params["_meta"];
      meta["io.modelcontextprotocol/protocolVersion"] = version_;
      meta["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    }
    request["params"] = std::move(params);
    channel_->send(std::move(request));
    check(run_until_([this, id] { return find_answer(id) != nullptr; }), "no answer");
    return *find_answer(id);
  }

  // call goes on until nothing more is asked, and returns the result; null for an error.
  Json call(const std::string& method, const Json& params) {
    Json next = params;
    for (int round = 0; round < 5; ++round) {
      const Json answer = exchange(method, next);
      const Json* const result = find(answer, "result");
      if (result == nullptr) return nullptr;
      if (string_or(*result, "resultType", "") != "input_required") return *result;
      next = retry_of(params, *result);
    }
    return nullptr;
  }
  Json call_tool(const std::string& name, Json arguments = Json::object()) {
    Json params(Json::value_t::object);
    params["name"] = name;
    params["arguments"] = std::move(arguments);
    return call("tools/call", params);
  }

  // retry_of returns what to call with after `result` has asked for input.
  static Json retry_of(Json params, const Json& result) {
    Json& answers = params["inputResponses"] = Json::object();
    const Json* const asked = find(result, "inputRequests");
    const Json nothing = Json::object();
    for (const auto& [name, request] : (asked ? *asked : nothing).items()) {
      answers[name] = answer_to(request);
    }
    if (const Json* const state = find(result, "requestState")) params["requestState"] = *state;
    return params;
  }

  // heard counts the notifications of one method.
  std::size_t heard(const std::string& method) const {
    std::size_t count = 0;
    for (const Json& message : received) count += string_or(message, "method", "") == method;
    return count;
  }

  // implements transport::MessageReceiver ---
  void on_message(Json message) override {
    const Json* const id = find(message, "id");
    if (id != nullptr && find(message, "method")) {
      Json answer(Json::value_t::object);
      answer["jsonrpc"] = "2.0";
      answer["id"] = *id;
      answer["result"] = answer_to(message);
      channel_->send(std::move(answer));
    }
    received.push_back(std::move(message));
  }
  void on_garbage(std::string_view, const Error&) override { check(false, "garbage"); }
  void on_closed(const Error*) override {}

  Json capabilities = {
      {"sampling", Json::object()}, {"elicitation", Json::object()}, {"roots", Json::object()}};
  std::vector<Json> received;

 private:
  static Json answer_to(const Json& request) {
    const std::string method = string_or(request, "method", "");
    Json answer(Json::value_t::object);
    if (method == "roots/list") answer["roots"] = Json::array();
    if (method == "sampling/createMessage") {
      answer["role"] = "assistant";
      answer["model"] = "none";
      answer["content"]["type"] = "text";
      answer["content"]["text"] = "sampled";
    }
    if (method == "elicitation/create") {
      answer["action"] = "accept";
      const Json* const params = find(request, "params");
      answer["content"] = schema::accepted_defaults(*find(*params, "requestedSchema"));
    }
    return answer;
  }

  const Json* find_answer(std::int64_t id) const {
    for (const Json& message : received) {
      if (!find(message, "method") && int_or(message, "id", 0) == id) return &message;
    }
    return nullptr;
  }

  std::unique_ptr<transport::MessageChannel> channel_;
  RunUntil run_until_;
  std::string version_;
  std::int64_t last_id_ = 0;
};

}  // namespace plumbline::reference
