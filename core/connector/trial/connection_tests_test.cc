// The six tests and agents that pass them, and one for each way to fail.

#include "core/connector/trial/connection_tests.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/wait.h"
#include "core/connector/connector_fixture.h"
#include "core/mcp/transport/refused_channel.h"

namespace plumbline::connector {
namespace {

// Conduct is how an agent behaves. As it is here it is a good one.
struct Conduct {
  std::string wants;     // Credentials: "own" only, "any", "" nobody's; or "shown", any that are.
  bool refuses = false;  // Every connection.
  bool refuses_early = false;       // Whom it does not let in, before the first message.
  bool hangs_up_on_nobody = false;  // On who shows nothing, without a word of credentials.
  bool mute = false;                // After the opening.
  bool knows_all = false;           // Answers what it does not know with a result.
  bool dies_of_errors = false;
  bool calls_anything = false;
  Duration opens_in{};            // Each connection so much later than the one before.
  int connections_ever = 1'000;   // More than these are refused.
  int connections_at_once = 100;  // Likewise.
  int requests_until_limit = 1'000'000;
  std::optional<int> limit_lasts;  // So many refusals; nothing: for good.
  bool says_how_long = true;
  std::string tools = R"([{"name": "t", "inputSchema": {"type": "object"}}])";
};

struct TrialWorld {
  explicit TrialWorld(Loop& on) : loop(on) {}
  Loop& loop;
  Conduct conduct;
  int ever = 0;
  int opening = 0;
  int open = 0;
  int most_open = 0;
  int knocks = 0;
  int refusals = 0;
  std::vector<Instant> knocked;
};

class TrialChannel final : public transport::MessageChannel {
 public:
  TrialChannel(TrialWorld& world, bool admitted)
      : world_(world), admitted_(admitted), wake_([this] { deliver(); }) {}

  ~TrialChannel() override {
    if (gone_ != nullptr) *gone_ = true;
  }

  // implements MessageChannel ---
  void start(transport::MessageReceiver& receiver) override { receiver_ = &receiver; }
  void send(Json message) override {
    const Json* const id = find(message, "id");
    if (id == nullptr) return;
    const std::string method = string_or(message, "method", "");
    Json reply = json(R"({"jsonrpc": "2.0"})");
    reply["id"] = *id;
    if (!answer(method, message, reply)) return;
    outbox_.push_back(std::move(reply));
    if (!wake_.armed()) world_.loop.arm(wake_, world_.loop.now());
  }
  void close_send() override {}
  void close() override { receiver_ = nullptr; }

 private:
  static void fail(Json& reply, int code, const char* why) {
    reply["error"]["code"] = code;
    reply["error"]["message"] = why;
  }

  // answer fills in the reply, and returns whether there is one.
  bool answer(const std::string& method, const Json& message, Json& reply) {
    const Conduct& conduct = world_.conduct;
    if (!admitted_) {
      fail(reply, -32000, "401 Unauthorized");
      reply["error"]["data"]["httpStatus"] = 401;
    } else if (method == "initialize") {
      reply["result"] = json(R"({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                                 "serverInfo": {"name": "scripted", "version": "1"}})");
    } else if (conduct.mute && method != "server/discover") {
      return false;
    } else if (method == "tools/list") {
      reply["result"]["tools"] = json(conduct.tools);
    } else if (method == "ping") {
      knock(reply);
    } else if (method == "tools/call" && conduct.calls_anything) {
      reply["result"] = text_result("done");
    } else if (method == "tools/call") {
      reply["result"] = error_result("no tool " + string_or(message["params"], "name", ""));
    } else if (conduct.knows_all && method != "server/discover") {
      reply["result"] = Json::object();
    } else {
      fail(reply, -32601, "unknown method");
      dead_ = conduct.dies_of_errors && method != "server/discover";
    }
    return true;
  }

  void knock(Json& reply) {
    const Conduct& conduct = world_.conduct;
    world_.knocked.push_back(world_.loop.now());
    const bool limited = ++world_.knocks > conduct.requests_until_limit &&
                         (!conduct.limit_lasts || world_.refusals < *conduct.limit_lasts);
    if (!limited) {
      reply["result"] = Json::object();
      return;
    }
    ++world_.refusals;
    fail(reply, 429, "too many requests");
    if (conduct.says_how_long) reply["error"]["data"]["retryAfter"] = 2;
  }

  void deliver() {
    std::vector<Json> messages = std::exchange(outbox_, {});
    bool gone = false;
    gone_ = &gone;
    for (Json& message : messages) {
      if (receiver_ == nullptr) break;
      receiver_->on_message(std::move(message));
      if (gone) return;
    }
    gone_ = nullptr;
    if (dead_ && receiver_ != nullptr) {
      const Error why{ErrorCode::kDisconnected, "it went away"};
      std::exchange(receiver_, nullptr)->on_closed(&why);
    }
  }

  TrialWorld& world_;
  bool admitted_;
  bool dead_ = false;
  bool* gone_ = nullptr;  // Set while delivering: where to tell that this object is gone.
  transport::MessageReceiver* receiver_ = nullptr;
  std::vector<Json> outbox_;
  Alarm wake_;
};

class TrialConnection final : public transport::Connection {
 public:
  TrialConnection(TrialWorld& world, bool admitted) : world_(world), channel_(world, admitted) {
    world_.most_open = std::max(world_.most_open, ++world_.open);
  }
  ~TrialConnection() override { --world_.open; }

  // implements Connection ---
  transport::Place place() const override { return {}; }
  transport::MessageChannel& channel() override { return channel_; }
  std::string diagnosis() const override { return ""; }
  Task<void> close() override { co_return; }

 private:
  TrialWorld& world_;
  TrialChannel channel_;
};

class TrialDoor final : public AgentDoor {
 public:
  TrialDoor(TrialWorld& world, bool configured) : world_(world), configured_(configured) {}

  // implements AgentDoor ---
  bool has_credentials() const override { return configured_; }
  bool may_authenticate() const override { return true; }
  Task<Result<std::unique_ptr<transport::Connection>>> connect(Credentials as) override {
    const Conduct& conduct = world_.conduct;
    if (conduct.refuses || ++world_.ever > conduct.connections_ever ||
        world_.open >= conduct.connections_at_once) {
      co_return Error{ErrorCode::kDisconnected, "connection refused"};
    }
    const Instant open = after(world_.loop.now(), conduct.opens_in * ++world_.opening);
    if (open > world_.loop.now()) co_await Sleep(world_.loop, open);
    --world_.opening;
    const bool own = as == Credentials::kOwn && configured_;
    const bool shown = own || as == Credentials::kWrong;
    const bool admitted = conduct.wants.empty() || (conduct.wants == "own" && own) ||
                          (conduct.wants == "shown" && shown);
    if (as == Credentials::kNone && conduct.hangs_up_on_nobody) {
      co_return Error{ErrorCode::kDisconnected, "connection reset"};
    }
    if (!admitted && conduct.refuses_early) {
      std::unique_ptr<transport::Connection> refused =
          std::make_unique<transport::RefusedConnection>(
              world_.loop, wire::HttpResponse{401, {}, ""}, transport::Place());
      co_return refused;
    }
    std::unique_ptr<transport::Connection> connection =
        std::make_unique<TrialConnection>(world_, admitted);
    co_return connection;
  }

 private:
  TrialWorld& world_;
  bool configured_;
};

class ConnectionTestsTest : public testing::Test {
 protected:
  ConnectionTestsTest() { options_.agent = "a"; }

  // run returns the rows by the last part of their ids.
  std::map<std::string, CheckResult> run(Conduct conduct, bool configured = false) {
    world_.conduct = std::move(conduct);
    TrialDoor door(world_, configured);
    ConnectionTests tests(loop_, door, options_);
    Task<std::vector<CheckResult>> work = tests.run();
    work.start();
    loop_.run();
    check(work.done(), "the tests hang");
    std::map<std::string, CheckResult> rows;
    for (const CheckResult& row : work.result()) {
      EXPECT_EQ(row.server, "a");
      rows[row.id.substr(row.id.find('.') + 1)] = row;
    }
    EXPECT_EQ(rows.size(), 6U);
    EXPECT_EQ(world_.open, 0) << "a connection is left behind";
    return rows;
  }

  // only_failure returns the message of the row `name`, and expects all others to pass.
  std::string only_failure(const std::string& name, Conduct conduct, bool configured = false,
                           Verdict verdict = Verdict::kFail) {
    std::string message;
    for (const auto& [id, row] : run(std::move(conduct), configured)) {
      const bool fine = row.verdict == Verdict::kPass || row.verdict == Verdict::kSkip;
      EXPECT_EQ(fine, id != name) << id << " " << name_of(row.verdict) << ": " << row.message;
      if (id == name) {
        EXPECT_EQ(row.verdict, verdict);
        message = row.message;
      }
    }
    return message;
  }

  TinyLoop loop_;
  TrialWorld world_{loop_};
  TrialOptions options_;
};

TEST_F(ConnectionTestsTest, AGoodAgentPasses) {
  for (const auto& [id, row] : run(Conduct())) {
    const Verdict expected = id == "authentication" ? Verdict::kSkip : Verdict::kPass;
    EXPECT_EQ(row.verdict, expected) << id << ": " << row.message;
  }
  Conduct slow;
  slow.opens_in = std::chrono::milliseconds(40);
  world_.most_open = 0;
  EXPECT_EQ(run(slow).at("concurrent-connections").verdict, Verdict::kPass);
  EXPECT_EQ(world_.most_open, options_.connections);
  Conduct strict;
  strict.wants = "own";
  EXPECT_EQ(run(strict, true).at("authentication").verdict, Verdict::kPass);
}

TEST_F(ConnectionTestsTest, RequestsAreNeverFasterThanConfigured) {
  options_.rate.burst_capacity = 3;
  options_.rate.requests_per_second = 5;
  run(Conduct());
  // One of the handshake and two of the recovery; then a burst of 3, and what a second lets
  // through.
  ASSERT_GT(world_.knocked.size(), 11U);
  const auto burst = world_.knocked.begin() + 3;
  EXPECT_EQ(burst[2], burst[0]);
  for (int i = 3; i < 8; ++i) {
    EXPECT_EQ(burst[i] - burst[0], std::chrono::milliseconds((i - 2) * 200)) << i;
  }
}

TEST_F(ConnectionTestsTest, WithoutAHandshakeTheOthersTellNothing) {
  Conduct conduct;
  conduct.refuses = true;
  for (const auto& [id, row] : run(conduct)) {
    EXPECT_EQ(row.verdict, id == "handshake" ? Verdict::kFail : Verdict::kInconclusive) << id;
    if (id == "handshake") {
      EXPECT_NE(row.message.find("connection refused"), std::string::npos) << row.message;
    }
  }
  Conduct mute;
  mute.mute = true;
  EXPECT_NE(run(mute).at("handshake").message.find("a first request fails"), std::string::npos);
}

TEST_F(ConnectionTestsTest, WhoItLetsIn) {
  Conduct own;
  own.wants = "own";
  const auto rows = run(own, false);
  EXPECT_NE(rows.at("authentication").message.find("none are configured"), std::string::npos);

  Conduct nobodys;
  nobodys.wants = "nobody's";
  EXPECT_NE(run(nobodys, true).at("authentication").message.find("credentials are refused"),
            std::string::npos);

  // Over a WebSocket it is the connection that is refused.
  Conduct early;
  early.wants = "own";
  early.refuses_early = true;
  EXPECT_EQ(run(early, true).at("authentication").verdict, Verdict::kPass);

  Conduct any;
  EXPECT_NE(only_failure("authentication", any, true, Verdict::kWarn).find("who shows nothing"),
            std::string::npos);
  Conduct shown;
  shown.wants = "shown";
  EXPECT_NE(only_failure("authentication", shown, true).find("lets in who shows wrong"),
            std::string::npos);
}

// No conversation was opened, so nothing passes.
TEST_F(ConnectionTestsTest, WhoShutsUsOutPassesNoTest) {
  for (const bool configured : {false, true}) {
    for (const bool early : {false, true}) {
      Conduct shut;
      shut.wants = configured ? "nobody's" : "own";
      shut.refuses_early = early;
      for (const auto& [id, row] : run(shut, configured)) {
        const bool told = id == "handshake" || id == "authentication";
        EXPECT_EQ(row.verdict, told ? Verdict::kFail : Verdict::kInconclusive) << id;
        EXPECT_FALSE(row.message.empty()) << id;
      }
    }
  }
}

TEST_F(ConnectionTestsTest, AReasonBesideCredentialsIsNoRefusalOfThem) {
  Conduct rude;
  rude.wants = "own";
  rude.hangs_up_on_nobody = true;
  EXPECT_NE(only_failure("authentication", rude, true, Verdict::kWarn).find("does not ask for"),
            std::string::npos);
}

TEST_F(ConnectionTestsTest, ARateThatIsNotReachedIsSaid) {
  options_.rate.burst_capacity = 150;
  options_.rate.requests_per_second = 10;
  const CheckResult row = run(Conduct()).at("rate-limiting");
  EXPECT_EQ(row.verdict, Verdict::kPass);
  EXPECT_EQ(row.message,
            "put to the test with 100 of the 160 requests that the configured rate allows in its "
            "first second");
}

TEST_F(ConnectionTestsTest, WhatItListsIsWhatItIsToBeAsked) {
  Conduct bad;
  bad.tools = R"([{"name": "t", "inputSchema": {"type": "string"}}, {"inputSchema": {}}])";
  const std::string told = only_failure("capability-discovery", bad);
  EXPECT_NE(told.find("expected \"object\""), std::string::npos) << told;
  EXPECT_NE(told.find("without a name"), std::string::npos) << told;
  options_.methods = {"tools/call", "prompts/get"};
  EXPECT_EQ(only_failure("capability-discovery", Conduct()),
            "it is to be asked prompts/get, and has no capability \"prompts\"");
  options_.methods.clear();
  Conduct empty;
  empty.tools = "[]";
  only_failure("capability-discovery", empty, false, Verdict::kWarn);
}

TEST_F(ConnectionTestsTest, HowItGoesOnAfterErrors) {
  Conduct all;
  all.knows_all = true;
  EXPECT_NE(only_failure("error-recovery", all).find("answers the unknown method"),
            std::string::npos);
  Conduct caller;
  caller.calls_anything = true;
  EXPECT_NE(only_failure("error-recovery", caller).find("calls a tool that there is not"),
            std::string::npos);
  Conduct dying;
  dying.dies_of_errors = true;
  EXPECT_NE(only_failure("error-recovery", dying), "");
  Conduct once;  // Handshake, authentication, discovery, and the first of this test.
  once.connections_ever = 4;
  world_.ever = 0;
  EXPECT_NE(run(once).at("error-recovery").message.find("after a connection broke"),
            std::string::npos);
}

TEST_F(ConnectionTestsTest, WhatItSaysOfTheConfiguredRate) {
  options_.rate.burst_capacity = 5;
  Conduct strict;
  strict.requests_until_limit = 8;
  strict.limit_lasts = 1;
  EXPECT_NE(only_failure("rate-limiting", strict, false, Verdict::kWarn).find("Retry-After"),
            std::string::npos);
  world_.knocks = world_.refusals = 0;
  strict.says_how_long = false;
  EXPECT_NE(only_failure("rate-limiting", strict, false, Verdict::kWarn).find("not for how long"),
            std::string::npos);
  world_.knocks = world_.refusals = 0;
  strict.limit_lasts.reset();
  EXPECT_NE(run(strict).at("rate-limiting").message.find("as well after the wait"),
            std::string::npos);
}

TEST_F(ConnectionTestsTest, HowManyConnectionsItServesAtOneTime) {
  Conduct few;
  few.connections_at_once = 7;
  const std::string told = only_failure("concurrent-connections", few);
  EXPECT_EQ(told.find("of 10 connections at one time 3 failed: "), 0U) << told;
}

}  // namespace
}  // namespace plumbline::connector
