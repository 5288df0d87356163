// What a server says to server/discover may be a refusal of the revision, which is no fault, or an
// answer that cannot be read: that breaks the rules of every era, by their names.

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {
namespace {

// as_other_text says `message` as `change` writes it.
template <auto change>
void as_other_text(Interceptor& interceptor, Json message) {
  interceptor.say_text(change(message));
}

std::string without_its_id(const Json& message) {
  Json changed = message;
  if (changed.contains("id")) changed["id"] = "id " + dump_json(message["id"]);
  return dump_json(changed);
}
std::string over_two_lines(const Json& message) {
  std::string text = dump_json(message);
  return text.insert(text.find(',') + 1, "\n");
}
std::string in_latin_1(const Json& message) {
  const std::string text = dump_json(message);
  return text.substr(0, text.size() - 1) + ",\"x\":\"caf\xe9\"}";
}

struct Unreadable {
  std::string_view what;
  std::string_view id;  // Of the rule.
  Transport transport;
  void (*say)(Interceptor& interceptor, Json message);
};

constexpr Unreadable kUnreadable[] = {
    {"ids of its own", "jsonrpc.response-id-matches", Transport::kStdio,
     as_other_text<without_its_id>},
    {"ids of its own", "jsonrpc.response-id-matches", Transport::kHttp,
     as_other_text<without_its_id>},
    {"messages of two lines", "stdio.stdout-only-mcp", Transport::kStdio,
     as_other_text<over_two_lines>},
};

void PrintTo(const Unreadable& unreadable, std::ostream* out) { *out << unreadable.what; }

// judged_as_stateless judges a server that says everything so, as one of 2026-07-28.
Judgement judged_as_stateless(Transport transport, void (*say)(Interceptor&, Json)) {
  Deviation deviation{.id = "", .revision = "2026-07-28", .transport = transport, .what = ""};
  deviation.from_server = say;
  DeviantWorld world(transport, &deviation);
  JudgeOptions options;
  options.revision = "2026-07-28";
  return world.judge(std::move(options));
}

class UnreadableOpeningOf : public testing::TestWithParam<Unreadable> {};

TEST_P(UnreadableOpeningOf, FailsByTheRuleThatItBreaks) {
  const Judgement judgement = judged_as_stateless(GetParam().transport, GetParam().say);
  const auto row = std::ranges::find(judgement.results, GetParam().id, &CheckResult::id);
  std::string told = judgement.unreachable.message;
  for (const CheckResult& each : judgement.results) told += " " + each.id;
  ASSERT_TRUE(row != judgement.results.end()) << told;
  EXPECT_EQ(row->verdict, Verdict::kFail);
  EXPECT_EQ(judgement.unreachable.message, "") << "it is wrong, not of another era";
  for (const CheckResult& other : judgement.results) {
    EXPECT_EQ(other.verdict, Verdict::kFail) << other.id << ": nothing else was put to the test";
  }
}

INSTANTIATE_TEST_SUITE_P(AllWays, UnreadableOpeningOf, testing::ValuesIn(kUnreadable));

// Clients read it with a sign in place of what is no UTF-8: all the rest can be judged.
TEST(UnreadableOpening, WhatIsNotUtf8IsOneFailure) {
  const Judgement judgement = judged_as_stateless(Transport::kStdio, as_other_text<in_latin_1>);
  EXPECT_EQ(judgement.unreachable.message, "");
  std::string failed;
  int passed = 0;
  for (const CheckResult& each : judgement.results) {
    if (each.verdict == Verdict::kFail) failed += each.id + " ";
    passed += each.verdict == Verdict::kPass ? 1 : 0;
  }
  EXPECT_EQ(failed, "base.utf8-encoding ");
  EXPECT_GT(passed, 100);
}

TEST(RefusedOpening, BreaksNothing) {
  for (const Transport transport : {Transport::kStdio, Transport::kHttp}) {
    const Judgement judgement =
        judged_as_stateless(transport, [](Interceptor& interceptor, Json message) {
          if (!message.contains("id")) return interceptor.say(message);
          refuse(interceptor, id_of(message), -32601);
        });
    EXPECT_TRUE(judgement.results.empty()) << judgement.results.front().id;
    EXPECT_NE(judgement.unreachable.message.find("it does not answer to revision 2026-07-28"),
              std::string::npos)
        << judgement.unreachable.message;
  }
}

// What a server does with every initialize, and with server/discover, which it may not know.
struct Refusing {
  std::string_view what;
  std::string_view id;  // Of the rule; empty: nothing can be judged.
  void (*hear)(Interceptor& interceptor, Json message);
  const char* expected = "";  // Part of what is said.
};

void PrintTo(const Refusing& refusing, std::ostream* out) { *out << refusing.what; }

// is_opening answers a question for the newest revision as one that knows sessions alone, and
// returns whether the message is initialize.
bool is_opening(Interceptor& interceptor, const Json& message) {
  const bool modern = at_pointer(message, "/params/_meta") != nullptr;
  if (modern && message.contains("id")) refuse(interceptor, id_of(message), -32601);
  return modern || method_of(message) == "initialize";
}

// lists_all answers a ping and tools/list, whatever came before.
void lists_all(Interceptor& interceptor, const Json& message) {
  const std::string method = method_of(message);
  if (method == "ping") return answer(interceptor, id_of(message), Json::object());
  Json result(Json::value_t::object);
  result["tools"] = Json::array();
  if (method == "tools/list") return answer(interceptor, id_of(message), std::move(result));
  if (message.contains("id")) refuse(interceptor, id_of(message), -32601);
}

template <int code, bool lists>
void refuses_to_open(Interceptor& interceptor, Json message) {
  if (method_of(message) == "initialize") return refuse(interceptor, id_of(message), code);
  if (is_opening(interceptor, message)) return;
  if (lists) return lists_all(interceptor, message);
  if (message.contains("id")) refuse(interceptor, id_of(message), -32601);
}

void ends_when_opened(Interceptor& interceptor, Json message) {
  if (method_of(message) == "initialize") return interceptor.stop();
  if (!is_opening(interceptor, message)) lists_all(interceptor, message);
}

void says_nothing_when_opened(Interceptor& interceptor, Json message) {
  if (!is_opening(interceptor, message)) lists_all(interceptor, message);
}

void wants_a_key(Interceptor& interceptor, Json message) {
  if (method_of(message) != "initialize") {
    return is_opening(interceptor, message) ? void() : lists_all(interceptor, message);
  }
  Json refusal(Json::value_t::object);
  refusal["jsonrpc"] = "2.0";
  refusal["id"] = id_of(message);
  refusal["error"]["code"] = -32603;
  refusal["error"]["message"] = "The API key is missing";
  interceptor.say(refusal);
}

template <const char* version>
void opens_in(Interceptor& interceptor, Json message) {
  if (method_of(message) != "initialize") {
    return is_opening(interceptor, message) ? void() : lists_all(interceptor, message);
  }
  Json result(Json::value_t::object);
  result["protocolVersion"] = version;
  result["capabilities"] = Json::object();
  result["serverInfo"]["name"] = result["serverInfo"]["version"] = "1";
  answer(interceptor, id_of(message), std::move(result));
}

constexpr const char kPast[] = "2024-10-07";
constexpr const char kLater[] = "2031-01-01";
constexpr const char kStatelessVersion[] = "2026-07-28";
constexpr std::string_view kAnswers = "lifecycle.server-answers-initialize";

constexpr Refusing kRefusing[] = {
    {"knows no initialize, and lists its tools", kAnswers, refuses_to_open<-32601, true>,
     "initialize got error -32601 (Refused)"},
    {"fails over initialize", kAnswers, refuses_to_open<-32603, false>, "-32603"},
    {"ends at initialize", kAnswers, ends_when_opened, "without it"},
    {"answers all but initialize", kAnswers, says_nothing_when_opened, "got nothing within"},
    {"opens in a version of its own", "versioning.server-counter-offers", opens_in<kPast>,
     "\"2024-10-07\", which is no revision"},
    {"opens a session of a revision without", "versioning.server-counter-offers",
     opens_in<kStatelessVersion>, "that has sessions"},
    {"opens in a revision of later", "", opens_in<kLater>},
    {"is no server of MCP", "", refuses_to_open<-32601, false>},
    {"wants a key", "", wants_a_key},
};

class RefusedOpeningOf : public testing::TestWithParam<Refusing> {};

TEST_P(RefusedOpeningOf, IsNamedWhereItIsTheServersDoing) {
  Deviation deviation{.id = "", .revision = "auto", .transport = Transport::kStdio, .what = ""};
  deviation.from_client_message = GetParam().hear;
  DeviantWorld world(Transport::kStdio, &deviation);
  const Judgement judgement = world.judge(JudgeOptions());
  std::string told;
  for (const CheckResult& each : judgement.results) told += each.id + ": " + each.message + "\n";
  if (GetParam().id.empty()) {
    EXPECT_EQ(told, "");
    EXPECT_NE(judgement.unreachable.message, "");
    return;
  }
  ASSERT_EQ(judgement.results.size(), 1U) << told << judgement.unreachable.message;
  EXPECT_EQ(judgement.results.front().id, GetParam().id);
  EXPECT_EQ(judgement.results.front().verdict, Verdict::kFail);
  EXPECT_NE(told.find(GetParam().expected), std::string::npos) << told;
  EXPECT_EQ(judgement.unreachable.message, "");
}

INSTANTIATE_TEST_SUITE_P(AllWays, RefusedOpeningOf, testing::ValuesIn(kRefusing));

// wants_frames reads and writes as language servers do. `agrees`: it is a server of MCP.
template <bool agrees>
void wants_frames(Interceptor& interceptor, std::string text) {
  const Json message = read(text);
  if (!message.is_object()) {
    if (text.starts_with("Content-Length: ")) interceptor.count = 1;
    return;
  }
  if (std::exchange(interceptor.count, 0) == 0) return;  // On a line alone.
  Json answer(Json::value_t::object);
  answer["jsonrpc"] = "2.0";
  answer["id"] = id_of(message);
  answer["result"]["capabilities"] = Json::object();
  if (agrees) answer["result"]["protocolVersion"] = "2025-11-25";
  const std::string said = dump_json(answer);
  interceptor.say_text("Content-Length: " + std::to_string(said.size() + 1) + "\r");
  interceptor.say_text("\r");
  interceptor.say_text(said);
}

Judgement judged_with_frames(void (*hear)(Interceptor&, std::string)) {
  Deviation deviation{.id = "", .revision = "auto", .transport = Transport::kStdio, .what = ""};
  deviation.from_client = hear;
  DeviantWorld world(Transport::kStdio, &deviation);
  return world.judge(JudgeOptions());
}

TEST(RefusedOpening, WhoWantsFramesIsTold) {
  const Judgement judgement = judged_with_frames(wants_frames<true>);
  ASSERT_EQ(judgement.results.size(), 1U) << judgement.unreachable.message;
  EXPECT_EQ(judgement.results.front().id, "stdio.newline-delimited");
  EXPECT_EQ(judgement.results.front().verdict, Verdict::kFail);
  EXPECT_EQ(judgement.unreachable.message, "");
}

TEST(RefusedOpening, WhoIsALanguageServerIsNotBlamed) {
  const Judgement judgement = judged_with_frames(wants_frames<false>);
  EXPECT_TRUE(judgement.results.empty()) << judgement.results.front().message;
  EXPECT_NE(judgement.unreachable.message, "");
}

// Whose events never end leaves each reader waiting, from the first answer on.
TEST(UnreadableOpening, EventsThatDoNotEndAreTold) {
  Deviation deviation{.id = "", .revision = "auto", .transport = Transport::kHttp, .what = ""};
  deviation.unended = [](const wire::HttpRequest&, const wire::SseEvent&) { return true; };
  deviation.streams_never_end = true;
  DeviantWorld world(Transport::kHttp, &deviation);
  const Judgement judgement = world.judge(JudgeOptions());
  const auto row = std::ranges::find(judgement.results, "http.sse-format", &CheckResult::id);
  std::string told = judgement.unreachable.message;
  for (const CheckResult& each : judgement.results) told += " " + each.id;
  ASSERT_TRUE(row != judgement.results.end()) << told;
  EXPECT_EQ(row->verdict, Verdict::kFail);
  EXPECT_NE(row->message.find("stays open without an empty line"), std::string::npos)
      << row->message;
}

}  // namespace
}  // namespace plumbline::conformance
