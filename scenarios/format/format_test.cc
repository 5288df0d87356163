#include "scenarios/format/format.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/agents/all/agents.h"
#include "fakes/world/sim_file_store.h"
#include "scenarios/format/library_files.h"

namespace plumbline::scenarios {

namespace {

constexpr std::string_view kSmall = R"(// The smallest one.
{
  "plumbline": 1, "id": "small", "title": "Nothing happens.",
  "request": {"input": "Hello"},
  "servers": {"files": {"tools": [{"name": "list"}]}},
  "expect": {"status": "ok"}
})";

// message_of returns why `text` is refused, "" when it is not.
std::string message_of(std::string_view text) {
  const Result<Scenario> loaded = load_scenario(text, "dir/small.json");
  return loaded.ok() ? "" : loaded.error().message;
}

// with returns the small scenario with `from` replaced by `to`.
std::string with(std::string_view from, std::string_view to) {
  std::string text(kSmall);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(FormatTest, ReadsTheSmallestScenario) {
  const Result<Scenario> loaded = load_scenario(kSmall, "dir/small.json");
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  const Scenario& scenario = loaded.value();
  EXPECT_EQ(scenario.id, "small");
  EXPECT_EQ(scenario.folder, "dir");
  ASSERT_EQ(scenario.agents.size(), 1U);
  EXPECT_EQ(scenario.agents.front().agent, &agents::default_agent());
  ASSERT_EQ(scenario.users.size(), 1U);
  const UserSpec& user = scenario.users.front();
  EXPECT_FALSE(scenario.names_users());
  EXPECT_EQ(user.input, "Hello");
  EXPECT_EQ(scenario.servers.size(), 1U);
  EXPECT_EQ(user.times, 1);
  EXPECT_FALSE(user.approve.all);
  EXPECT_EQ(scenario.world.transport, Transport::kAny);
  EXPECT_EQ(scenario.world.request_timeout, limits::kRequestTimeout);
}

TEST(FormatTest, ReadsEveryPart) {
  const Result<Scenario> loaded = load_scenario(R"({
    "plumbline": 1, "id": "s", "title": "T.", "tags": ["a"],
    "source": ["https://a.example/1", "https://a.example/2"],
    "agent": "operations-assistant",
    "request": {"input": "", "server_preferences": ["b"], "times": 2, "pause_ms": 3},
    "approve": ["send", "a/send"], "policy": {"deny": ["a/*"]}, "secrets": ["hunter22"],
    "servers": {"a": {}, "b": {"unavailable": true}},
    "world": {"latency_ms": [1.5, 2], "fragments": "one_byte", "order": "permuted",
              "connect_timeout_ms": 1, "request_timeout_ms": 2},
    "faults": [{"server": "a", "do": "stall", "at_ms": 1, "for_ms": 2},
               {"server": "a", "do": "reset", "after_bytes": 7}],
    "expect": {"status": "needs_review", "intent": "use_prompt",
      "route": ["preprocess_request", "classify_intent", "answer_without_mcp",
                "generate_final_response"],
      "route_contains": ["classify_intent"], "selected": null, "context": null,
      "effects": {"a/send": 2, "b/send": 1}, "arguments": {"x": 1}, "errors": 1,
      "errors_contain": ["e"], "fallback_contains": "f", "response_contains": "r",
      "response_lacks": ["l", "m"], "requests": {"tools/call": 3}, "starts": {"a": 1},
      "item_count": 4, "approvals_asked": 5, "virtual_ms_max": 0.5, "virtual_ms_min": 0}
  })",
                                                "s.json");
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  const Scenario& s = loaded.value();
  EXPECT_EQ(s.sources.size(), 2U);
  EXPECT_EQ(s.users.front().times, 2);
  EXPECT_EQ(s.users.front().pause, std::chrono::milliseconds(3));
  EXPECT_EQ(s.users.front().approve.names.size(), 2U);
  EXPECT_TRUE(s.servers[1].unavailable);
  EXPECT_EQ(s.world.latency_min, std::chrono::microseconds(1500));
  EXPECT_EQ(s.world.latency_max, std::chrono::milliseconds(2));
  EXPECT_EQ(s.world.transport, Transport::kBytes) << "bytes are cut, so there must be bytes";
  EXPECT_EQ(s.faults[0].lasts, std::chrono::milliseconds(2));
  EXPECT_EQ(s.faults[1].after_bytes, 7U);
  EXPECT_EQ(s.expect.effects, 3);
  EXPECT_EQ(s.expect.selected, "");
  EXPECT_EQ(s.expect.response_contains, std::vector<std::string>{"r"});
  EXPECT_EQ(s.expect.virtual_max, std::chrono::microseconds(500));
}

TEST(FormatTest, ReadsWhatStandsBeforeAServer) {
  const auto load = [](std::string transport) {
    return load_scenario(R"({"plumbline": 1, "id": "s", "title": "T.", "request": {"input": "x"},
      "servers": {"a": {"http": {"replicas": 2, "client_headers": {"Authorization": "Bearer b"},
        "rules": [
          {"http_method": "POST", "path": "/mcp", "method": "tools/call", "name": "t",
           "session": 1, "idle_ms": 5, "nth": [2, 3], "at_ms": [10, 20],
           "do": {"status": 404, "headers": {"X": "y"}, "body": {"id": "{{id}}"}}},
          {"nth": 4, "do": {"request_headers": {"Authorization": null}, "buffer": true,
            "sse": {"line_ends": "cr", "strip": ["id"], "retry_ms": 9, "comments": true},
            "insert": {"after_events": 1, "base64": "YWI="}, "chunk_bytes": 3,
            "cut": {"after_events": 2, "how": "end"}, "idle_cut_ms": 7}}]}}},
      "world": {"transport": ")" +
                             transport + R"("},
      "expect": {"status": "ok", "exchanges": {"a GET": 1}}})",
                         "s.json");
  };
  const Result<Scenario> loaded = load("ws");
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  const fakes::HttpFront& front = *loaded.value().servers[0].http;
  EXPECT_EQ(front.replicas, 2);
  EXPECT_EQ(front.client_headers.get("Authorization"), "Bearer b");
  ASSERT_EQ(front.rules.size(), 2U);
  EXPECT_EQ(front.rules[0].match.session, 1U);
  EXPECT_EQ(front.rules[0].match.last, 3);
  EXPECT_EQ(front.rules[0].match.until, std::chrono::milliseconds(20));
  EXPECT_EQ(front.rules[0].action.answer->headers.get("Content-Type"), "application/json");
  const fakes::HttpAction& action = front.rules[1].action;
  EXPECT_FALSE(action.request_headers[0].second);
  EXPECT_EQ(action.edits.insert, "ab");
  EXPECT_EQ(action.cut, fakes::HttpAction::Cut::kEnd);
  EXPECT_EQ(loaded.value().expect.exchanges.at("a GET").number, 1);
  EXPECT_FALSE(load("bytes").ok()) << "there is no network";
}

struct Refusal {
  std::string_view from;
  std::string_view to;
  std::string_view message;  // After "dir/small.json:".
};

TEST(FormatTest, SaysInOneLineWhatIsWrongAndWhere) {
  const Refusal refusals[] = {
      {"\"input\": \"Hello\"", "\"input\": \"{{text:9000000}}\", \"times\": 5",
       "4:44: \"times\" makes 36000232 bytes, and what a file repeats may come to 33554432 in all, "
       "expected less of it, or smaller ones"},
      {"{\"status\"", "{\"route\": [\"preprocess_request\", \"dream\"], \"status\"",
       "6:46: \"dream\" is no node of the graph, expected one of classify_intent, "
       "generate_final_response"},
      {"{\"status\"", "{\"route\": [\"preprocess_request\", \"integrate_result\"], \"status\"",
       "6:46: the graph has no edge from preprocess_request to integrate_result, expected one of "
       "classify_intent, generate_final_response"},
      {"{\"status\"", "{\"route\": [\"preprocess_request\"], \"status\"",
       "6:24: the route ends at preprocess_request, expected it to go on to classify_intent, "
       "generate_final_response"},
      {"\"title\": \"Nothing happens.\",", "\"title\": 7,",
       "3:34: \"title\" is a number, expected a string"},
      {"\"title\": \"Nothing happens.\",", "",
       "2:1: a scenario has no \"title\", expected one plain sentence"},
      {"\"small\"", "\"big\"",
       "3:19: \"id\" is \"big\", expected \"small\", as the file is called"},
      {"\"plumbline\": 1", "\"plumbline\": 2",
       "3:3: \"plumbline\" is 2, expected a whole number from 1 to 1"},
      {"\"input\": \"Hello\"", "\"input\": \"Hello\", \"other\": 1",
       "4:33: unknown key \"other\" in the request, expected one of \"tool\", "
       "\"input\", \"server_preferences\", \"times\", \"then\", \"pause_ms\""},
      {"\"ok\"", "\"fine\"",
       "6:14: \"status\" is \"fine\", expected one of \"ok\", \"answered_without_mcp\", "
       "\"needs_review\", \"failed\", \"any\""},
      {"{\"status\"", "{\"selected\": \"disk/list\", \"status\"",
       "6:14: there is no server \"disk\", expected one of \"files\""},
      {"\"expect\"", "\"policy\": {\"allow\": [1]}, \"expect\"",
       "6:24: an item of \"allow\" is a number, expected a string"},
      {"\"expect\"", "\"approve\": \"some\", \"expect\"",
       "6:3: \"approve\" is wrong, expected \"none\", \"all\" or an array of tool names"},
      {"\"expect\"", "\"world\": {\"latency_ms\": [2, 1]}, \"expect\"",
       "6:13: \"latency_ms\" is wrong, expected milliseconds or [least, most]"},
      {"\"expect\"",
       "\"world\": {\"transport\": \"values\", \"fragments\": \"random\"}, \"expect\"",
       "6:36: values are not cut, expected \"transport\": \"bytes\""},
      {"\"expect\"", "\"faults\": [{\"server\": \"files\", \"do\": \"reset\"}], \"expect\"",
       "6:14: a fault has no \"at_ms\", expected when it happens"},
      {"\"expect\"",
       "\"faults\": [{\"server\": \"x\", \"do\": \"reset\", \"at_ms\": 1}], \"expect\"",
       "6:15: there is no server \"x\", expected one of \"files\""},
      {"\"expect\"", "\"secrets\": [\"hunter2\", \"abc\"], \"expect\"",
       "6:26: a secret has 3 bytes, expected at least 4"},
      {"\"expect\"", "\"secrets\": [1], \"expect\"",
       "6:15: an item of \"secrets\" is a number, expected a string"},
      {"{\"status\"", "{\"effects\": -1, \"status\"",
       "6:14: \"effects\" is -1, expected a whole number from 0 to 2147483647"},
      {"{\"status\"", "{\"virtual_ms_max\": 1e12, \"status\"",
       "6:14: \"virtual_ms_max\" is wrong, expected milliseconds from 0 to one day, or \"30s\""},
      {"\"id\": \"small\"", "\"id\": \"small\", \"id\": \"small\"",
       "3:37: key \"id\" stands there twice, expected JSON with comments"},
  };
  for (const Refusal& refusal : refusals) {
    EXPECT_EQ(message_of(with(refusal.from, refusal.to)),
              "dir/small.json:" + std::string(refusal.message));
  }
}

TEST(FormatTest, AnAgentThatThereIsNotIsRefusedWithTheNamesOfThoseThatThereAre) {
  EXPECT_EQ(
      message_of(with("\"request\"", "\"agent\": \"echo\", \"request\"")),
      "dir/small.json:4:3: there is no agent \"echo\", expected one of: " + agents::agent_names());
}

TEST(FormatTest, ServerScriptsAreRefusedAtTheirPlace) {
  const std::string message = message_of(with("\"name\": \"list\"", "\"name\": 7"));
  EXPECT_TRUE(message.starts_with("dir/small.json:5:36: ")) << message;
  EXPECT_TRUE(message_of(with("{\"tools\"", "{\"unavailable\": 1, \"tools\""))
                  .starts_with("dir/small.json:5:25: \"unavailable\" is a number"));
}

TEST(FormatTest, AuthorizationIsRefusedAtItsPlace) {
  const auto refusal = [](std::string_view authorization, std::string_view sign_in) {
    std::string text = with("{\"tools\": [{\"name\": \"list\"}]}",
                            R"({"authorization": )" + std::string(authorization) + "}");
    const std::string more =
        R"("world": {"transport": "http"}, "sign_in": )" + std::string(sign_in) + ", \"expect\"";
    text.replace(text.find("\"expect\""), 8, more);
    return message_of(text);
  };
  EXPECT_EQ(refusal("{}", "{}"), "");
  EXPECT_NE(refusal(R"({"refresh": "often"})", "{}").find("\"refresh\""), std::string::npos);
  EXPECT_NE(refusal(R"({"lifetime_ms": 10})", "{}").find("expected a second or more"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"rules": [{"do": {"status": 9}}]})", "{}").find("\"status\""),
            std::string::npos);
  EXPECT_NE(refusal("{}", R"({"person": ["sleeps"]})").find("expected consents, denies"),
            std::string::npos);
  EXPECT_NE(refusal("{}", R"({"stored": {"mail": {}}})").find("with an \"authorization\""),
            std::string::npos);
  EXPECT_NE(refusal("{}", R"({"clock": [{"at_ms": 1}]})").find("\"by_ms\""), std::string::npos);
  EXPECT_NE(message_of(with("{\"tools\": [{\"name\": \"list\"}]}", R"({"authorization": {}})"))
                .find("\"authorization\" needs a network"),
            std::string::npos);
}

TEST(FormatTest, SyntaxErrorsNameTheirPlace) {
  EXPECT_TRUE(message_of("{\n  \"plumbline\" 1}").starts_with("dir/small.json:2:15: "));
  EXPECT_TRUE(message_of("").starts_with("dir/small.json:1:1: "));
  EXPECT_EQ(message_of("[]"), "dir/small.json:1:1: a scenario is an array, expected an object");
}

TEST(FormatTest, AFailedRunMayEndAnywhereOnItsWay) {
  EXPECT_EQ(message_of(with("{\"status\": \"ok\"",
                            "{\"route\": [\"preprocess_request\"], \"status\": \"failed\"")),
            "");
}

TEST(FormatTest, AFolderIsReadInOrderAndHoldsEachIdOnce) {
  fakes::SimFileStore store;
  store.files()["lib/notes.txt"].bytes = "No scenario.";
  EXPECT_EQ(load_scenarios(store, "lib").error().message,
            "lib: holds no scenario, expected files that end in .json");
  store.files()["lib/b/small.json"].bytes = kSmall;
  store.files()["lib/a.json"].bytes = with("\"small\"", "\"a\"");
  const Result<std::vector<Scenario>> both = load_scenarios(store, "lib");
  ASSERT_TRUE(both.ok()) << both.error().message;
  EXPECT_EQ(both.value()[0].id, "a");
  EXPECT_EQ(both.value()[1].folder, "b");

  store.files()["lib/c/small.json"].bytes = kSmall;
  EXPECT_EQ(load_scenarios(store, "lib").error().message,
            "lib/c/small.json:3:19: there are two scenarios \"small\", expected each id once");
}

// Whatever is cut out of a scenario, the answer is a scenario or one line with a place.
RC_GTEST_PROP(FormatPropTest, ADamagedFileIsRefusedInOneLine, ()) {
  std::string text(kSmall);
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  const auto length = *rc::gen::inRange<std::size_t>(1, 30);
  text.replace(at, length, *rc::gen::element<std::string>("", "{", "]", "null", "\"x\":1,", "7"));
  const std::string message = message_of(text);
  RC_ASSERT((message.empty() || message.starts_with("dir/small.json:")));
  RC_ASSERT(message.find('\n') == std::string::npos);
}

// A trouble names some of the agents: how many there are may be what is wrong.
TEST(FormatTest, AFleetOfNoNumberIsRefused) {
  const auto read = load_scenario(
      R"({"plumbline": 1, "id": "f", "title": "T.", "fleet": {"agents": [1], "lasts_ms": 10,
          "callers": {"a": {"workers": 1}}, "troubles": [{"what": "down", "agents": [0, 1]}]}})",
      "f.json");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("\"agents\" is "), std::string::npos) << read.error().message;
}

}  // namespace
}  // namespace plumbline::scenarios
