// Models of providers over HTTP: our own scripted one, behind the interface that others know, and
// servers that go wrong in ways that no script has.

#include "core/model/providers/http_model.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "core/model/providers/answer_fixture.h"
#include "core/model/providers/chat_completions.h"
#include "core/net/http_server.h"
#include "fakes/model/chat_server.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"

namespace plumbline::model {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* kKey = "sk-secret-0123456789";

// Rude answers each request as the test says.
struct Rude final : net::HttpHandler {
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    asked = request;
    answer(std::move(reply));
  }
  wire::HttpRequest asked;
  std::function<void(net::HttpReply)> answer;
};

class HttpModelTest : public ::testing::Test {
 protected:
  void serve(net::HttpHandler& handler) {
    server_ = std::make_unique<net::HttpServer>(loop_, handler, net::HttpAccess::anybody());
    auto listener = network_.listen({"model.example", 80}, std::nullopt,
                                    [this](auto pipe) { server_->accept(std::move(pipe)); });
    ASSERT_TRUE(listener.ok());
    listener_ = std::move(listener).value();
  }

  // script has a scripted model answer.
  void script(std::string_view text) {
    auto read = fakes::parse_model_script(parse_json(text).value());
    ASSERT_TRUE(read.ok()) << read.error().message;
    script_ = std::move(read).value();
    scripted_ = std::make_unique<fakes::ScriptedModel>(loop_, script_);
    chat_ = std::make_unique<fakes::ChatServer>(loop_, *scripted_);
    serve(*chat_);
  }

  // ask has the model answer this prompt, and shows what came.
  std::string ask(const Prompt& prompt, Duration patience = seconds(10)) {
    Task<Completed> task = model_.complete(prompt, &heard_, after(loop_.now(), patience));
    EXPECT_TRUE(loop_.run_task(task).ok());
    completed_ = task.result();
    return shown(completed_);
  }
  std::string ask(std::string text = "hello") {
    return ask(Prompt{.messages = {{.text = std::move(text)}}});
  }
  const Failure& failure() const { return std::get<Failure>(completed_); }

  fakes::SimLoop loop_;
  fakes::SimNetwork network_{loop_, {}, Rng(1)};
  fakes::ModelScript script_;
  std::unique_ptr<fakes::ScriptedModel> scripted_;
  std::unique_ptr<fakes::ChatServer> chat_;
  Rude rude_;
  std::unique_ptr<net::HttpServer> server_;
  std::unique_ptr<net::Listener> listener_;
  net::HttpClient client_{loop_, network_};
  ChatCompletions dialect_;
  HttpModel model_{
      client_, dialect_, "gpt-9",
      Account{.base = wire::parse_url("http://model.example/v1/").value(), .key = kKey}};
  DeltaLog heard_;
  Completed completed_;
};

TEST_F(HttpModelTest, HearsTextAndCallsWhileTheyCome) {
  script(R"({"turns": [{"text": "One two.", "usage": {"input_tokens": 7, "output_tokens": 3},
              "calls": [{"name": "look", "arguments": {"at": 1}}, {"name": "go"}]}]})");
  EXPECT_EQ(ask(), R"(tool calls, 7+3: One two. | call_1: look({"at":1}) | call_2: go({}))");
  EXPECT_EQ(heard_.pieces, (std::vector<std::string>{"One ", "two."}));
  EXPECT_EQ(heard_.calls,
            (std::vector<std::string>{R"(call_1: look({"at":1}))", "call_2: go({})"}));
}

TEST_F(HttpModelTest, TheScriptedModelReadsWhatWeWrite) {
  script(R"({"turns": [{"text": "{{last}}"}]})");
  Prompt seen;
  scripted_->on_prompt([&seen](const Prompt& prompt) { seen = prompt; });
  Message calls{.role = Role::kAssistant, .text = "Let me look."};
  calls.tool_calls = {{"a", "look", "{\"at\": 1}"}};
  Prompt prompt{.messages = {{.role = Role::kSystem, .text = "Be brief."},
                             {.text = "See", .media = {{"image/png", "aW1n"}}},
                             calls,
                             {.role = Role::kTool, .text = "seen", .tool_call_id = "a"}},
                .tools = {{"look", "Looks.", parse_json(R"({"type": "object"})").value()}},
                .settings = {.temperature = 0.25, .output_tokens_max = 9}};
  prompt.settings.response_schema = parse_json(R"({"type": "string"})").value();
  EXPECT_NE(ask(prompt).find(": seen"), std::string::npos);
  ASSERT_EQ(seen.messages.size(), 4U);
  EXPECT_EQ(seen.messages[1].media.at(0).data_base64, "aW1n");
  EXPECT_EQ(seen.messages[2].text, "Let me look.");
  EXPECT_EQ(seen.messages[2].tool_calls.at(0).arguments, "{\"at\": 1}");
  EXPECT_EQ(seen.messages[3].tool_call_id, "a");
  EXPECT_EQ(seen.tools[0].input_schema, prompt.tools[0].input_schema);
  EXPECT_EQ(seen.settings.temperature, 0.25);
  EXPECT_EQ(seen.settings.output_tokens_max, 9);
  EXPECT_EQ(seen.settings.response_schema, prompt.settings.response_schema);
}

TEST_F(HttpModelTest, EveryFailureOfTheScriptIsOneOfItsKind) {
  script(R"({"turns": [
    {"when": "busy", "fails": {"status": 429, "message": "slow down", "retry_after_ms": 1500}},
    {"when": "broken", "fails": {"status": 500}},
    {"when": "key", "fails": {"status": 401, "message": "wrong key sk-secret-0123456789"}},
    {"when": "long", "fails": {"status": 400, "code": "context_length_exceeded"}},
    {"when": "cut", "text": "One two three.", "cut_after": 2},
    {"when": "garbage", "text": "One", "garbage": true},
    {"when": "refuse", "text": "No.", "finish": "refusal"},
    {"when": "length", "text": "On and", "finish": "length"}]})");
  EXPECT_EQ(ask("busy"), "rate limit: HTTP 429 Too Many Requests: slow down");
  EXPECT_EQ(failure().retry_after, milliseconds(1'500));
  EXPECT_EQ(failure().status, 429);
  EXPECT_EQ(ask("broken").substr(0, 43), "unavailable: HTTP 500 Internal Server Error");
  EXPECT_EQ(ask("key"), "authentication: HTTP 401 Unauthorized: wrong key [redacted]");
  EXPECT_EQ(ask("long").substr(0, 9), "too long:");
  EXPECT_EQ(failure().code, "context_length_exceeded");
  EXPECT_EQ(ask("cut").substr(0, 32), "unavailable: the answer was cut:");
  EXPECT_EQ(heard_.text, "One two ") << "what came before is heard";
  EXPECT_EQ(ask("garbage").substr(0, 45), "unreadable: a chunk of the answer is no JSON:");
  EXPECT_NE(ask("refuse").find("refusal, "), std::string::npos);
  EXPECT_NE(ask("length").find("length, "), std::string::npos);
}

TEST_F(HttpModelTest, ASlowAnswerIsWaitedForUntilTheDeadline) {
  script(R"({"turns": [{"text": "One two.", "piece_ms": 400, "always": true}]})");
  EXPECT_NE(ask(Prompt{.messages = {{.text = "x"}}}, milliseconds(900)).find("One two."),
            std::string::npos);
  heard_ = {};
  EXPECT_EQ(ask(Prompt{.messages = {{.text = "x"}}}, milliseconds(700)).substr(0, 12),
            "unavailable:");
  EXPECT_EQ(heard_.text, "One ");
  EXPECT_TRUE(loop_.run_until_idle().ok());
}

TEST_F(HttpModelTest, ATaskThatIsDroppedStopsTheAnswer) {
  script(R"({"turns": [{"text": "One two three.", "piece_ms": 400}]})");
  {
    Task<Completed> task = model_.complete({.messages = {{.text = "x"}}}, &heard_, kNever);
    task.start();
    EXPECT_TRUE(loop_.run_until([&] { return !heard_.text.empty(); }).ok());
  }
  EXPECT_TRUE(loop_.run_until_idle().ok());
  EXPECT_EQ(heard_.text, "One ");
  EXPECT_EQ(client_.connections(), 0U);
}

TEST_F(HttpModelTest, WhatNoProviderTakesIsNotSent) {
  serve(rude_);
  rude_.answer = [](net::HttpReply) { FAIL() << "it was sent"; };
  EXPECT_EQ(ask(Prompt{.messages = {{.role = Role::kTool, .text = "x", .tool_call_id = "a"}}}),
            "invalid: the conversation is not valid: an answer to no call: \"a\"");
  EXPECT_EQ(ask(Prompt{.messages = {{.text = "x", .media = {{"video/mp4", "eA=="}}}}}),
            "invalid: Chat Completions takes no video/mp4");
}

TEST_F(HttpModelTest, TheKeyGoesInItsHeaderAndTheQueryOfTheBaseStays) {
  serve(rude_);
  rude_.answer = [](net::HttpReply reply) { reply.respond({404, {}, ""}); };
  HttpModel other(
      client_, dialect_, "m",
      {.base = wire::parse_url("http://model.example/a?version=1").value(), .key = kKey});
  Task<Completed> task = other.complete({.messages = {{.text = "x"}}}, nullptr, kNever);
  EXPECT_TRUE(loop_.run_task(task).ok());
  EXPECT_EQ(rude_.asked.target, "/a/chat/completions?version=1");
  EXPECT_EQ(rude_.asked.headers.get("Authorization"), std::string("Bearer ") + kKey);
  HttpModel broken(client_, dialect_, "m", {.base = {}, .key = "two\nlines"});
  Task<Completed> refused = broken.complete({.messages = {{.text = "x"}}}, nullptr, kNever);
  EXPECT_TRUE(loop_.run_task(refused).ok());
  EXPECT_EQ(shown(refused.result()),
            "authentication: the key, the organization or the project holds what no header can");
}

TEST_F(HttpModelTest, AStreamThatIsOverNeedNotEnd) {
  serve(rude_);
  std::vector<net::HttpReply> held;
  rude_.answer = [&held](net::HttpReply reply) {
    reply.open_stream(200, {{"Content-Type", "text/event-stream"}});
    reply.write(stream_of({R"({"choices": [{"delta": {"content": "Hi"}}]})", "[DONE]"}));
    held.push_back(std::move(reply));
  };
  const Instant began = loop_.now();
  EXPECT_NE(ask().find("Hi"), std::string::npos);
  EXPECT_LT(loop_.now() - began, seconds(1));
}

TEST_F(HttpModelTest, NobodyThereAndNoHttpAreUnavailable) {
  EXPECT_EQ(ask().substr(0, 12), "unavailable:");
  serve(rude_);
  rude_.answer = [](net::HttpReply reply) {
    reply.respond({200, {{"Content-Type", "text/event-stream"}, {"Content-Encoding", "br"}}, "x"});
  };
  EXPECT_EQ(ask(), "unreadable: the answer has the content encoding br, which nobody asked for");
}

}  // namespace
}  // namespace plumbline::model
