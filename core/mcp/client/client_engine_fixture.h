// The fixture of the client engine's tests: an engine, and the record of what it wanted.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/mcp/client/client_engine.h"
#include "core/mcp/protocol/test_values.h"

namespace plumbline::mcp {

inline constexpr Instant kDeadline = at(30);

// Messages are compared as text.
class ClientEngineTest : public testing::Test {
 protected:
  void make(ClientOptions options = {}) {
    engine_ = std::make_unique<ClientEngine>(std::move(options));
  }

  // Opens the conversation in the given revision.
  void open(std::string_view revision = "2025-11-25",
            const std::string& capabilities =
                R"({"tools":{},"resources":{"subscribe":true},"prompts":{},"logging":{}})") {
    if (!engine_) make();
    engine_->open(at(0), kDeadline);
    take();
    hear(R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":")" + std::string(revision) +
         R"(","capabilities":)" + capabilities + R"(,"serverInfo":{"name":"s","version":"1"}}})");
    ASSERT_TRUE(engine_->is_open());
    take();
  }

  void hear(const std::string& text, Instant now = at(1)) { engine_->receive(json(text), now); }

  std::int64_t call(std::string method, Json params = nullptr, Instant deadline = kDeadline) {
    return engine_->call(std::move(method), std::move(params), at(1), deadline).value();
  }

  Failure refused(std::string method) {
    return engine_->call(std::move(method), nullptr, at(1), kDeadline).error();
  }

  // take moves what the engine wants into the record, and clears the record first.
  void take() {
    sent_.clear();
    ended_.clear();
    notified_.clear();
    violations_.clear();
    asked_.clear();
    closed_.clear();
    for (ClientEngine::Action& action : engine_->take_actions()) record(action);
  }

  void record(ClientEngine::Action& action) {
    using E = ClientEngine;
    if (auto* const send = std::get_if<E::Send>(&action)) sent_.push_back(dump_json(send->message));
    if (auto* const end = std::get_if<E::Ended>(&action)) ended_.push_back(std::move(*end));
    if (auto* const told = std::get_if<E::Notified>(&action)) notified_.push_back(told->method);
    if (auto* const bad = std::get_if<E::Violation>(&action)) violations_.push_back(bad->what);
    if (auto* const ask = std::get_if<E::Asked>(&action)) asked_.push_back(std::move(*ask));
    if (auto* const close = std::get_if<E::Close>(&action)) closed_ = close->why;
  }

  // The outcome of the only request that ended: its result as text, or the kind of failure.
  std::string outcome() {
    if (ended_.size() != 1) return std::to_string(ended_.size()) + " requests ended";
    const Reply<Json>& reply = ended_[0].reply;
    if (reply.ok()) return dump_json(reply.value());
    return std::string(name_of(reply.error().kind)) + ": " + reply.error().message;
  }

  std::unique_ptr<ClientEngine> engine_;
  std::vector<std::string> sent_;
  std::vector<ClientEngine::Ended> ended_;
  std::vector<std::string> notified_;
  std::vector<std::string> violations_;
  std::vector<ClientEngine::Asked> asked_;
  std::string closed_;
};

}  // namespace plumbline::mcp
