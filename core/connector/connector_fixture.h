// What the tests of this folder and of the agents share: a loop, manifests made of a few words, and
// a client that records what is asked of it.

#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/timer_queue.h"
#include "core/base/wait.h"
#include "core/connector/mcp_client.h"
#include "core/json/json.h"

namespace plumbline::connector {

// TinyLoop fires what is due and jumps to the next.
class TinyLoop final : public Loop {
 public:
  Instant now() const override { return now_; }
  void arm(Timer& timer, Instant when) override { queue_.arm(timer, std::max(when, now_), 0); }
  bool idle() const { return queue_.empty(); }
  bool step() {
    if (queue_.empty()) return false;
    now_ = std::max(now_, queue_.next_due());
    queue_.fire_next();
    return true;
  }
  void run() {
    while (step()) {
    }
  }

 private:
  Instant now_{};
  TimerQueue queue_;
};

inline Json json(std::string_view text) {
  Result<Json> parsed = parse_json(text);
  check(parsed.ok(), parsed.ok() ? "" : parsed.error().message.c_str());
  return std::move(parsed).value();
}

// tool makes a tool whose input schema has these properties: a JSON object of schemas. Those in
// `required` (separated by spaces) are required.
inline Capability tool(std::string server, std::string name, std::string description,
                       std::string_view properties = "{}", std::string_view required = "") {
  Capability out;
  out.server = std::move(server);
  out.name = std::move(name);
  out.description = std::move(description);
  out.input_schema["type"] = "object";
  out.input_schema["properties"] = json(properties);
  out.input_schema["required"] = Json::array();
  while (!required.empty()) {
    const std::size_t space = std::min(required.find(' '), required.size());
    out.input_schema["required"].push_back(std::string(required.substr(0, space)));
    required.remove_prefix(std::min(space + 1, required.size()));
  }
  return out;
}

inline Capability resource(std::string server, std::string name, std::string uri,
                           std::string mime_type, std::string description = "") {
  Capability out = tool(std::move(server), std::move(name), std::move(description));
  out.type = CapabilityType::kResource;
  out.uri = std::move(uri);
  out.mime_type = std::move(mime_type);
  return out;
}

inline Manifest manifest_of(const std::vector<Capability>& capabilities) {
  Manifest manifest;
  for (const Capability& capability : capabilities) {
    auto server = std::ranges::find(manifest.servers, capability.server, &ServerManifest::server);
    if (server == manifest.servers.end()) {
      ServerManifest fresh;
      fresh.server = capability.server;
      server = manifest.servers.insert(manifest.servers.end(), std::move(fresh));
    }
    server->capabilities.push_back(capability);
  }
  return manifest;
}

inline Json text_result(std::string text) {
  Json item = Json::object();
  item["type"] = "text";
  item["text"] = std::move(text);
  Json result = Json::object();
  result["content"] = Json::array({item});
  return result;
}

inline Json error_result(std::string text) {
  Json result = text_result(std::move(text));
  result["isError"] = true;
  return result;
}

// FakeMcp answers with what the test put there, and records every request with its time.
class FakeMcp final : public McpClient {
 public:
  explicit FakeMcp(Loop& loop) : loop_(loop) {}

  Discovery discovery;
  Duration answers_after{};
  std::deque<mcp::Reply<Json>> replies;  // In order; then text_result("fine").
  std::vector<McpRequest> requests;
  std::vector<Instant> at;
  int discoveries = 0;

  // implements McpClient ---
  Task<Discovery> discover() override {
    ++discoveries;
    Discovery copy = discovery;
    co_return copy;
  }
  Task<mcp::Reply<Json>> invoke(McpRequest request) override {
    requests.push_back(std::move(request));
    at.push_back(loop_.now());
    const Instant answered = after(loop_.now(), answers_after);
    if (answers_after > Duration()) co_await Sleep(loop_, answered);
    mcp::Reply<Json> reply = text_result("fine");
    if (!replies.empty()) {
      reply = std::move(replies.front());
      replies.pop_front();
    }
    co_return reply;
  }
  const RetryStrategies* retries(const std::string& /*server*/) const override {
    return strategies ? &*strategies : nullptr;
  }

  std::optional<RetryStrategies> strategies;

 private:
  Loop& loop_;
};

}  // namespace plumbline::connector
