#include "conformance/catalogue/sdks.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "conformance/catalogue/outcomes.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/judge/fingerprint.h"

namespace plumbline::conformance {
namespace {

const Sdk& sdk_called(std::string_view name) {
  return *std::ranges::find(sdks(), name, &Sdk::name);
}

// said returns a log in which the subject says `messages`.
WireLog said(const Redactor& redactor, const std::vector<std::string>& messages) {
  WireLog log(redactor, Instant{});
  for (const std::string& text : messages) {
    LogEntry entry;
    entry.message = kept(parse_json(text).value());
    const bool note = find(*entry.message, "status") != nullptr;
    const bool ours = find(*entry.message, "method") != nullptr;
    entry.sender = note ? Sender::kNobody : ours ? Sender::kHarness : Sender::kSubject;
    entry.garbage = find(*entry.message, "garbage") != nullptr;
    log.add(std::move(entry));
  }
  return log;
}

std::string recognised(const std::vector<std::string>& messages) {
  const Redactor redactor;
  Fingerprint fingerprint;
  fingerprint.read(said(redactor, messages));
  return fingerprint.sdk() == nullptr ? "" : std::string(fingerprint.sdk()->name);
}

const char* const kCall = R"({"id":1,"method":"tools/call"})";
const char* const kZodDump =
    R"({"id":1,"error":{"code":-32603,"message":"[\n {\n \"expected\": \"object\",\n \"code\": )"
    R"(\"invalid_type\",\n \"path\": [\n \"params\"\n ]\n }\n]"}})";
const char* const kUnknownTool =
    R"({"id":2,"error":{"code":-32601,"message":"MCP error -32601: Unknown tool: x"}})";
const char* const kAdapter =
    R"({"id":1,"result":{"protocolVersion":"2025-06-18","adapter":{},"serverInfo":{"name":"x"}}})";

TEST(FingerprintTest, KnowsAnSdkByWhatItSays) {
  EXPECT_EQ(recognised({kCall, kZodDump}), "TypeScript SDK 1");
  EXPECT_EQ(recognised({kAdapter}), "tmcp");
  EXPECT_EQ(recognised({R"({"status":200,"headers":{"Mcp-Session-Id":"mcp-session-6f-1"}})"}),
            "mcp-go");
  EXPECT_EQ(recognised({R"({"garbage":"JSON RPC not handled: \"x\" unsupported"})"}), "Go SDK");
}

const char* const kCompletes =
    R"({"id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"completions":{},)"
    R"("logging":{}}}})";

TEST(FingerprintTest, TakesWhatStandsOnAnotherForItself) {
  EXPECT_EQ(recognised({kCompletes, kCall, kZodDump, kUnknownTool}), "fastmcp");
}

TEST(FingerprintTest, TakesNoServerForAnSdkForWhatAnybodyMaySay) {
  EXPECT_EQ(recognised({kCall, kZodDump, kUnknownTool}), "TypeScript SDK 1")
      << "many a server throws this error itself";
  EXPECT_EQ(recognised({kUnknownTool}), "");
}

// Who puts errors of their own in the place of all that the SDK says leave it its way to write
// them.
TEST(FingerprintTest, AHintCountsWhereThereIsNoSign) {
  const char* const own = R"({"id":1,"error":{"code":-32602,"message":"MCP error -32602: No!"}})";
  const char* const plain = R"({"id":1,"error":{"code":-32601,"message":"Method not found"}})";
  EXPECT_EQ(recognised({own, plain}), "TypeScript SDK 1");
  EXPECT_EQ(recognised({own}), "") << "others write so too";
  EXPECT_EQ(recognised({own, plain, kAdapter}), "tmcp") << "a sign says more";
}

TEST(FingerprintTest, NeverGuesses) {
  EXPECT_EQ(recognised({}), "");
  EXPECT_EQ(recognised({R"({"id":1,"error":{"code":-32601,"message":"Method not found"}})",
                        R"({"id":1,"result":{"protocolVersion":"2025-11-25"}})"}),
            "")
      << "many say that";
  EXPECT_EQ(recognised({kCall, kZodDump, kAdapter}), "") << "the signs of two";
  EXPECT_EQ(recognised({R"({"id":1,"method":"logging/setLevel"})", kZodDump}), "")
      << "not that of TypeScript SDK 1 alone";
  const Redactor redactor;
  WireLog log(redactor, Instant{});
  LogEntry ours;
  ours.sender = Sender::kHarness;
  ours.message = kept(parse_json(kAdapter).value());
  log.add(std::move(ours));
  Fingerprint fingerprint;
  fingerprint.read(log);
  EXPECT_EQ(fingerprint.sdk(), nullptr) << "what we say ourselves is no sign";
}

TEST(SdksTest, AHabitIsAnIdATransportAVerdictAndAReason) {
  CheckResult row;
  row.id = "jsonrpc.batch-receive";
  row.verdict = Verdict::kFail;
  row.transport = "stdio";
  row.reason = outcome::kNoResponse;
  const Sdk& sdk = sdk_called("TypeScript SDK 1");
  EXPECT_NE(habit_in(sdk.habits, row), nullptr);
  row.message = "other words of ours for the same";
  EXPECT_NE(habit_in(sdk.habits, row), nullptr) << "no words decide";
  row.reason = outcome::kEnded;
  EXPECT_EQ(habit_in(sdk.habits, row), nullptr) << "it does something else";
  row = {};
  row.id = "jsonrpc.parse-error-code";
  row.transport = "stdio";
  row.verdict = Verdict::kWarn;
  row.reason = outcome::kNoResponse;
  EXPECT_NE(habit_in(sdk.habits, row), nullptr);
  row.verdict = Verdict::kFail;
  EXPECT_EQ(habit_in(sdk.habits, row), nullptr) << "worse than every server on it";
  row.verdict = Verdict::kWarn;
  row.transport = "http";
  EXPECT_EQ(habit_in(sdk.habits, row), nullptr) << "not seen over this transport";
}

// A fault of one's own beside what the SDK does, or in its place: however alike they look.
TEST(SdksTest, NoFaultBesideAHabitIsTakenForIt) {
  std::size_t planted = 0;
  for (const Sdk& sdk : sdks()) {
    for (const SdkHabit& habit : sdk.habits) {
      if (habit.verdict != "fail") continue;
      CheckResult row;
      row.id = habit.id;
      row.verdict = Verdict::kFail;
      row.transport = habit.over.substr(0, habit.over.find(','));
      row.reason = habit.reason;
      EXPECT_NE(habit_in(sdk.habits, row), nullptr) << sdk.name << " " << habit.id;
      for (const std::string& reason : {std::string(habit.reason) + ", planted/method",
                                        "planted/method, " + std::string(habit.reason),
                                        std::string("planted/method"), std::string()}) {
        row.reason = reason;
        EXPECT_EQ(habit_in(sdk.habits, row), nullptr) << sdk.name << " " << habit.id << reason;
        ++planted;
      }
      row.reason = habit.reason;
      row.transport = "ws";
      EXPECT_EQ(habit_in(sdk.habits, row), nullptr) << sdk.name << " " << habit.id;
      row.transport = habit.over.substr(0, habit.over.find(','));
      row.id += "-like";
      EXPECT_EQ(habit_in(sdk.habits, row), nullptr) << sdk.name << " " << habit.id;
      planted += 2;
    }
  }
  EXPECT_GT(planted, 100U);
}

TEST(SdksTest, AReasonIsOneThatACheckCanGive) {
  for (const std::string_view text :
       {"result", "failed-result", "error", "error-32602", "error+5", "status-500", "tools/list"}) {
    EXPECT_TRUE(outcome::is_outcome(text)) << text;
  }
  for (const std::string_view text :
       {"", "*", "error*", "error-", "errors", "status-", "status-4xx", "got a result",
        "got no * to an array", "no response", "/"}) {
    EXPECT_FALSE(outcome::is_outcome(text)) << text;
  }
}

TEST(SdksTest, TheTableIsWhole) {
  std::set<std::string_view> traits;
  for (const Sdk& sdk : sdks()) {
    EXPECT_NE(sdk.seen, "") << sdk.name;
    EXPECT_FALSE(sdk.signs.empty()) << sdk.name;
    EXPECT_FALSE(sdk.habits.empty()) << sdk.name;
    const auto is_it = [&sdk](const Sdk& other) { return other.name == sdk.on; };
    EXPECT_TRUE(sdk.on.empty() || std::ranges::any_of(sdks(), is_it)) << sdk.on;
    for (const SdkSign& sign : sdk.signs) {
      EXPECT_TRUE(traits.insert(sign.trait).second) << sign.trait << " is no sign of one alone";
      EXPECT_NE(sign.words, "") << sign.trait;
    }
    for (const SdkHabit& habit : sdk.habits) {
      const bool known = std::ranges::any_of(
          requirements(), [&](const Requirement& rule) { return rule.id == habit.id; });
      EXPECT_TRUE(known) << habit.id;
      EXPECT_NE(habit.over, "") << habit.id;
      EXPECT_TRUE(habit.verdict == "fail" || habit.verdict == "warn") << habit.id;
      EXPECT_TRUE(outcome::is_outcome(habit.reason)) << habit.id << " " << habit.reason;
    }
    for (const SdkHabit& setting : sdk.settings) {
      EXPECT_EQ(setting.verdict, "") << setting.id << " is switched on, however it is broken";
      EXPECT_EQ(setting.reason, "") << setting.id;
      EXPECT_NE(setting.words, "") << setting.id;
    }
  }
}

}  // namespace
}  // namespace plumbline::conformance
