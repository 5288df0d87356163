#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/fuzz/fuzz_case.h"
#include "conformance/fuzz/fuzz_oracles.h"
#include "conformance/fuzz/session_maker.h"
#include "conformance/fuzz/twist.h"

namespace plumbline::conformance {
namespace {

Survey small_survey() {
  Survey survey;
  survey.revision = "2025-11-25";
  survey.capabilities = {{"tools", Json::object()}};
  survey.tools.items = {
      {{"name", "look"},
       {"annotations", {{"readOnlyHint", true}}},
       {"inputSchema",
        {{"type", "object"}, {"properties", {{"a", {{"type", "number"}}}}}, {"required", {"a"}}}}},
      {{"name", "erase"}, {"inputSchema", {{"type", "object"}}}}};
  return survey;
}

std::vector<FuzzCase> sessions(std::uint64_t seed, const ProbeOptions& options = {}) {
  Budget budget{Amounts()};
  const SessionMaker maker(small_survey(), options, true, budget);
  std::vector<FuzzCase> made;
  for (std::uint64_t number = 0; number < 300; ++number) {
    made.push_back(maker.make(seed, number, made));
  }
  return made;
}

std::string text_of(const std::vector<FuzzCase>& made) {
  std::string text;
  for (const FuzzCase& session : made) text += dump_json(file_of(session, ""));
  return text;
}

TEST(SessionMakerTest, TheSameSeedMakesTheSameSessions) {
  EXPECT_EQ(text_of(sessions(7)), text_of(sessions(7)));
  EXPECT_NE(text_of(sessions(7)), text_of(sessions(8)));
}

TEST(SessionMakerTest, AToolThatMayWriteStandsInNoSessionUnlessItIsAllowed) {
  EXPECT_EQ(text_of(sessions(7)).find("erase"), std::string::npos);
  ProbeOptions allowed;
  allowed.allow_writes = true;
  EXPECT_NE(text_of(sessions(7, allowed)).find("erase"), std::string::npos);
}

TEST(SessionMakerTest, EveryStepIsOneLineAndARightRequestHasAnIdOfItsOwn) {
  std::map<std::string, int> ids;
  for (const FuzzCase& session : sessions(3)) {
    for (const FuzzStep& step : session.steps) {
      EXPECT_EQ(step.text.find('\n'), std::string::npos);
      if (step.id.is_null()) continue;
      EXPECT_EQ(++ids[dump_json(step.id)], 1) << step.text;
    }
  }
  EXPECT_GT(ids.size(), 100U);
}

TEST(TwistTest, EveryWayToPutSomethingWrongIsTaken) {
  Rng rng(1);
  std::map<std::string_view, int> taken;
  const Json message = {
      {"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/list"}, {"params", {{"cursor", "x"}}}};
  for (int i = 0; i < 3'000; ++i) ++taken[twist(message, rng).twist];
  EXPECT_EQ(taken.size(), 21U);
}

TEST(FuzzCaseTest, AFileIsReadAsItWasWrittenWhateverBytesItHolds) {
  FuzzCase session;
  session.steps = {{"{}", "ping", "", 7, false, true, true},
                   {std::string("\xff\0a", 3), "", "bytes", nullptr, true, false, false}};
  const Result<FuzzCase> read = read_case(file_of(session, "it ends"));
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.value().steps.size(), 2U);
  EXPECT_EQ(read.value().steps[1].text, session.steps[1].text);
  EXPECT_EQ(dump_json(file_of(read.value(), "it ends")), dump_json(file_of(session, "it ends")));
  EXPECT_FALSE(read_case(Json{{"plumbline_fuzz", 2}}).ok());
  EXPECT_FALSE(read_case(Json{{"plumbline_fuzz", 1}, {"steps", {{{"say", "x"}}}}}).ok());
}

// findings_of judges a conversation: each line with who says it.
std::vector<FuzzFinding> findings_of(const std::vector<std::pair<Sender, std::string_view>>& said) {
  const Redactor redactor;
  WireLog log(redactor, Instant());
  log.new_connection();
  for (const auto& [sender, text] : said) {
    LogEntry entry;
    entry.connection = 1;
    entry.sender = sender;
    entry.message = kept(parse_json(text).value());
    log.add(std::move(entry));
  }
  const FuzzCase session;
  Played played;
  const std::string revision = "2025-11-25";
  return judge_session({session, played, nullptr, log, 0, revision, false}, true);
}

TEST(FuzzOraclesTest, AnAnswerIsHeldToWhatItAnswersWhereThatCanBeTold) {
  using enum Sender;
  EXPECT_EQ(findings_of({{kHarness, R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"},
                         {kSubject, R"({"jsonrpc":"2.0","id":1,"result":{"resources":[]}})"}})
                .size(),
            1U);
  // Two requests with one id, asked at once: either answer may be to either.
  EXPECT_TRUE(findings_of({{kHarness, R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})"},
                           {kHarness, R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"},
                           {kSubject, R"({"jsonrpc":"2.0","id":1,"result":{"resources":[]}})"},
                           {kSubject, R"({"jsonrpc":"2.0","id":1,"result":{"tools":[]}})"}})
                  .empty());
}

}  // namespace
}  // namespace plumbline::conformance
