// What tests of the chat agent stand on: a scripted model, a directory in memory, and a client that
// records what is asked of it.

#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/agents/chat/chat_turn.h"
#include "core/agents/chat/directory_tools.h"
#include "core/connector/connector_fixture.h"
#include "core/model/conversation.h"
#include "fakes/model/scripted_model.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::agents::chat {

inline fakes::ModelScript script_of(std::string_view text) {
  Result<fakes::ModelScript, Problem> script = fakes::parse_model_script(connector::json(text));
  check(script.ok(), script.ok() ? "" : script.error().message.c_str());
  return std::move(script).value();
}

// Shelf is a ServerDirectory in memory, with two servers.
class Shelf final : public ServerDirectory {
 public:
  Task<Result<std::vector<Json>>> search(ServerQuery query) override {
    asked = query;
    co_return listed;
  }
  Task<Result<std::optional<Json>>> find(std::string server_id) override {
    const auto there = std::ranges::find_if(
        entries, [&](const Json& one) { return string_or(one, "id", "") == server_id; });
    if (there == entries.end()) co_return std::optional<Json>();
    co_return std::optional<Json>(*there);
  }
  Task<Result<ServerLink>> add(Json server, Json config) override {
    added = server;
    const std::string server_id = string_or(server, "id", "");
    const auto there = std::ranges::find(kept, server_id, &ServerLink::server_id);
    if (there != kept.end()) {
      there->enabled = true;
      co_return *there;
    }
    kept.push_back({"link-" + server_id,
                    server_id,
                    true,
                    std::move(config),
                    {{"id", server_id}, {"name", "Files"}}});
    co_return kept.back();
  }
  Task<Result<std::vector<ServerLink>>> links() override { co_return kept; }
  Task<Status> remove(std::string link_id, bool hard) override {
    const auto there = std::ranges::find(kept, link_id, &ServerLink::id);
    if (there == kept.end()) co_return Error{ErrorCode::kInvalidInput, "there is no such link"};
    if (hard) {
      kept.erase(there);
    } else {
      there->enabled = false;
    }
    co_return Done{};
  }

  std::vector<Json> listed = {
      {{"id", "files"}, {"name", "Files"}, {"description", "Reads"}, {"url", "http://f"}},
      {{"id", "mail"}, {"name", "Mail"}, {"description", "Sends"}}};
  std::vector<Json> entries = listed;  // What is found by its id.
  Json added;                          // The last.
  ServerQuery asked;
  std::vector<ServerLink> kept;
};

// Heard keeps what a turn passes on while it works.
class Heard final : public graph::GraphObserver {
 public:
  void node_started(std::string_view, std::int64_t, int) override {}
  void node_ended(std::string_view, std::int64_t, graph::StepResult, const Error*) override {}
  void edge_taken(std::string_view, std::string_view) override {}
  void interrupted(std::string_view, const Json&) override {}
  bool streams(graph::Stream stream) const override {
    return stream == graph::Stream::kMessages || stream == graph::Stream::kCustom;
  }
  void streamed(const graph::StreamPart& part) override { parts.push_back(part.what); }

  std::vector<Json> parts;
};

class ChatTest : public testing::Test {
 protected:
  ChatTest() {
    mcp_.discovery.manifest =
        connector::manifest_of({connector::tool("files", "read_file", "Read a file",
                                                R"({"path": {"type": "string"}})", "path"),
                                connector::tool("mail", "send_email", "Send an email",
                                                R"({"to": {"type": "string"}})", "to")});
  }

  void script(std::string_view text) {
    script_ = script_of(text);
    model_.emplace(loop_, script_);
    model_->on_prompt([this](const model::Prompt& prompt) {
      EXPECT_EQ(model::fault_of(prompt.messages), std::nullopt);
      prompts_.push_back(prompt);
    });
  }

  ChatServices services() {
    ChatServices out{*model_, mcp_, policy_};
    out.directory = directory_;
    return out;
  }

  void run(Task<void> task) { ASSERT_TRUE(loop_.run_task(task).ok()); }

  // say begins a turn.
  void say(std::string text) {
    services_.emplace(services());
    turn_.emplace(*services_, loop_, &heard_, nullptr);
    model::Message said{.role = model::Role::kUser, .text = std::move(text)};
    run(turn_->start(chat_turn_state(history_, std::move(said))));
  }
  void decide(std::string_view answer) { run(turn_->resume(connector::json(answer))); }

  std::string response() { return string_or(turn_->state().final_output, "response", ""); }
  std::string status() { return string_or(turn_->state().final_output, "status", ""); }

  // tool_answers are what the model was told of its calls, in order.
  std::vector<std::string> tool_answers() {
    std::vector<std::string> out;
    for (const model::Message& message : turn_->state().messages) {
      if (message.role == model::Role::kTool) out.push_back(message.text);
    }
    return out;
  }

  fakes::SimLoop loop_;
  fakes::ModelScript script_;
  std::optional<fakes::ScriptedModel> model_;
  std::vector<model::Prompt> prompts_;
  connector::FakeMcp mcp_{loop_};
  Policy policy_;
  ServerDirectory* directory_ = nullptr;
  Heard heard_;
  std::vector<model::Message> history_;
  std::optional<ChatServices> services_;
  std::optional<ChatTurn> turn_;
};

}  // namespace plumbline::agents::chat
