// The fixture of the server engine's tests in the stateless revision: requests that stand alone.

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/mcp/protocol/meta_keys.h"
#include "core/mcp/protocol/test_values.h"
#include "core/mcp/server/server_engine.h"

namespace plumbline::mcp {

class StatelessServerTest : public testing::Test {
 protected:
  static ServerOptions full() {
    ServerOptions options;
    options.name = "s";
    options.version = "1";
    options.tools = {json(R"({"name":"ask","inputSchema":{"type":"object","required":["text"]}})")};
    options.resources = {json(R"({"uri":"file:///a","name":"a"})")};
    options.prompts = {json(R"({"name":"greet"})")};
    options.subscribe = true;
    options.completions = true;
    options.logging = true;
    options.secret = "0123456789abcdef";
    return options;
  }

  void make(ServerOptions options) {
    options_ = std::move(options);
    engine_ = std::make_unique<ServerEngine>(options_, principal_);
  }

  static Json meta(const std::string& capabilities = "{}") {
    Json meta = Json::object();
    meta[std::string(kMetaVersion)] = "2026-07-28";
    meta[std::string(kMetaCapabilities)] = json(capabilities);
    return meta;
  }

  // ask sends one request with `params`, to which _meta is added unless it is there, and returns
  // the first message sent; null when there is none yet.
  Json ask(const std::string& method, const std::string& params = "{}",
           const std::string& capabilities = "{}", Instant now = at(1)) {
    Json request = Json::object();
    request["jsonrpc"] = "2.0";
    request["id"] = ++id_;
    request["method"] = method;
    request["params"] = json(params);
    if (request["params"].is_object() && !request["params"].contains("_meta")) {
      request["params"]["_meta"] = meta(capabilities);
    } else if (request["params"].is_object()) {
      request["params"]["_meta"].update(meta(capabilities));
    }
    return hear(std::move(request), now);
  }

  Json hear(Json message, Instant now = at(1)) {
    engine_->receive(std::move(message), now);
    take();
    return sent_.empty() ? Json() : sent_[0];
  }

  std::int64_t code_of(const std::string& method, const std::string& params = "{}") {
    const Json answer = ask(method, params);
    const Json* const code = at_pointer(answer, "/error/code");
    return code ? code->get<std::int64_t>() : 0;
  }

  Json finish(const std::string& result) {
    engine_->finish(calls_.at(0).key, json(result), at(1));
    take();
    return sent_.at(0);
  }

  // take moves what the engine wants into the record. Calls stay until others come.
  void take() {
    sent_.clear();
    about_.clear();
    for (ServerEngine::Action& action : engine_->take_actions()) {
      using E = ServerEngine;
      if (auto* a = std::get_if<E::Send>(&action)) {
        sent_.push_back(a->message);
        about_.push_back(a->about ? rpc::describe(*a->about) : "");
      }
      if (auto* a = std::get_if<E::Call>(&action)) calls_ = {std::move(*a)};
      if (auto* a = std::get_if<E::Cancelled>(&action)) cancelled_.push_back(a->key);
    }
  }

  std::string principal_;
  ServerOptions options_;
  std::unique_ptr<ServerEngine> engine_;
  int id_ = 100;
  std::vector<Json> sent_;
  Lines about_;
  std::vector<ServerEngine::Call> calls_;
  std::vector<ServerEngine::Key> cancelled_;
};

}  // namespace plumbline::mcp
