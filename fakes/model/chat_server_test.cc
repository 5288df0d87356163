// A scripted model as clients over HTTP meet it. What others make of it:
// tests/interop/chat_clients.mjs.

#include "fakes/model/chat_server.h"

#include <chrono>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/net/http_client.h"
#include "core/net/http_server.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"

namespace plumbline::fakes {
namespace {

class ChatServerTest : public ::testing::Test {
 protected:
  void serve(std::string_view script) {
    Result<ModelScript, Problem> read = parse_model_script(parse_json(script).value());
    ASSERT_TRUE(read.ok()) << read.error().message;
    script_ = std::move(read).value();
    model_ = std::make_unique<ScriptedModel>(loop_, script_);
    chat_ = std::make_unique<ChatServer>(loop_, *model_);
    server_ = std::make_unique<net::HttpServer>(loop_, *chat_, net::HttpAccess::anybody());
    auto listener = network_.listen({"model.example", 80}, std::nullopt,
                                    [this](auto pipe) { server_->accept(std::move(pipe)); });
    ASSERT_TRUE(listener.ok());
    listener_ = std::move(listener).value();
  }

  Result<wire::HttpResponse> send(const std::string& method, const std::string& target,
                                  std::string body = "") {
    wire::HttpRequest request;
    request.method = method;
    request.body = std::move(body);
    wire::Url url = wire::parse_url("http://model.example" + target).value();
    const Instant deadline = after(loop_.now(), std::chrono::seconds(60));
    Task<Result<wire::HttpResponse>> task =
        net::fetch(client_, std::move(url), std::move(request), deadline, 1U << 20U);
    EXPECT_TRUE(loop_.run_task(task).ok());
    return task.result();
  }

  // ask says "hello", with these members beside it.
  Result<wire::HttpResponse> ask(const std::string& members = "") {
    return send(
        "POST", "/v1/chat/completions",
        R"({"model": "gpt-9", "messages": [{"role": "user", "content": "hello"}])" + members + "}");
  }

  SimLoop loop_;
  SimNetwork network_{loop_, {}, Rng(1)};
  ModelScript script_;
  std::unique_ptr<ScriptedModel> model_;
  std::unique_ptr<ChatServer> chat_;
  std::unique_ptr<net::HttpServer> server_;
  std::unique_ptr<net::Listener> listener_;
  net::HttpClient client_{loop_, network_};
};

constexpr const char* kStream = R"(, "stream": true, "stream_options": {"include_usage": true})";

TEST_F(ChatServerTest, AnswersWholeUnderTheNameThatWasAskedFor) {
  serve(R"({"turns": [{"text": "Hi.", "calls": [{"name": "look", "arguments": {"at": 1}}]}]})");
  const Json answer = parse_json(ask().value().body).value();
  EXPECT_EQ(answer["model"], "gpt-9");
  const Json& choice = answer["choices"][0];
  EXPECT_EQ(choice["finish_reason"], "tool_calls");
  EXPECT_EQ(choice["message"]["content"], "Hi.");
  EXPECT_EQ(choice["message"]["tool_calls"][0]["function"]["arguments"], R"({"at":1})");
  EXPECT_GT(answer["usage"]["total_tokens"], 0);
}

TEST_F(ChatServerTest, StreamsTheSameInPieces) {
  serve(
      R"({"turns": [{"text": "One two.", "calls": [{"name": "look", "arguments": {"at": 1}}]}]})");
  const std::string body = ask(kStream).value().body;
  std::string text;
  std::string arguments;
  std::string finish;
  bool usage = false;
  std::size_t at = 0;
  while ((at = body.find("data: {", at)) != body.npos) {
    const std::size_t end = body.find('\n', at);
    const Json chunk = parse_json(body.substr(at + 6, end - at - 6)).value();
    at = end;
    usage = usage || chunk.contains("usage");
    for (const Json& choice : chunk["choices"]) {
      text += string_or(choice["delta"], "content", "");
      if (choice["delta"].contains("tool_calls")) {
        arguments += choice["delta"]["tool_calls"][0]["function"]["arguments"].get<std::string>();
      }
      if (choice["finish_reason"].is_string()) finish = choice["finish_reason"];
    }
  }
  EXPECT_EQ(text, "One two.");
  EXPECT_EQ(arguments, R"({"at":1})");
  EXPECT_EQ(finish, "tool_calls");
  EXPECT_TRUE(usage);
  EXPECT_TRUE(body.ends_with("data: [DONE]\n\n"));
}

TEST_F(ChatServerTest, AFailureHasItsStatusAndSaysWhenToComeAgain) {
  serve(R"({"turns": [
      {"fails": {"status": 429, "message": "slow down", "retry_after_ms": 1500}},
      {"fails": {"status": 503, "code": "overloaded"}}]})");
  const wire::HttpResponse refused = ask(kStream).value();
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.headers.get("Retry-After"), "2");
  EXPECT_EQ(refused.headers.get("Retry-After-Ms"), "1500");
  EXPECT_EQ(parse_json(refused.body).value()["error"]["message"], "slow down");
  const wire::HttpResponse busy = ask().value();
  EXPECT_EQ(busy.status, 503);
  EXPECT_EQ(parse_json(busy.body).value()["error"]["code"], "overloaded");
}

TEST_F(ChatServerTest, AnAnswerThatIsCutBreaksOff) {
  serve(R"({"turns": [{"text": "one two three", "cut_after": 2, "always": true}]})");
  EXPECT_FALSE(ask().ok());
  EXPECT_FALSE(ask(kStream).ok());
  EXPECT_LT(loop_.now(), Instant(std::chrono::seconds(1))) << "nobody waits for the rest";
}

TEST_F(ChatServerTest, GarbageIsNoJson) {
  serve(R"({"turns": [{"text": "one", "garbage": true, "always": true}]})");
  EXPECT_FALSE(parse_json(ask().value().body).ok());
  EXPECT_EQ(ask(kStream).value().body.find("[DONE]"), std::string::npos);
}

TEST_F(ChatServerTest, AConversationThatNoProviderTakesIsRefused) {
  serve(R"({"turns": [{"text": "x"}]})");
  const auto refusal = [this](const std::string& messages) {
    const wire::HttpResponse answer =
        send("POST", "/v1/chat/completions", R"({"model": "m", "messages": )" + messages + "}")
            .value();
    EXPECT_EQ(answer.status, 400);
    return string_or(parse_json(answer.body).value()["error"], "message", "");
  };
  EXPECT_EQ(refusal("[]"), "messages: expected an array of at least one");
  EXPECT_EQ(refusal(R"([{"role": "judge", "content": ""}])"),
            "messages[0].role: expected system, developer, user, assistant or tool");
  EXPECT_EQ(refusal(R"([{"role": "user", "content": [{"type": "input_audio"}]}])"),
            "messages[0].content[0].input_audio: expected an object");
  EXPECT_NE(refusal(R"([{"role": "user", "content": "x"},
                        {"role": "assistant", "tool_calls": [{"id": "a", "type": "function",
                         "function": {"name": "look", "arguments": "{}"}}]},
                        {"role": "user", "content": "and?"}])")
                .find("not valid"),
            std::string::npos)
      << "the call is not answered";
  EXPECT_EQ(send("POST", "/v1/chat/completions", "[").value().status, 400);
  EXPECT_EQ(send("GET", "/v1/chat/completions").value().status, 405);
  EXPECT_EQ(send("GET", "/v2").value().status, 404);
  EXPECT_EQ(parse_json(send("GET", "/v1/models").value().body).value()["data"][0]["id"],
            "scripted");
}

}  // namespace
}  // namespace plumbline::fakes
