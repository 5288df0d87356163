// What two versions of a server differ in is found, and weighed by what it does to their clients.

#include "scenarios/compare/comparison.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "scenarios/compare/rows.h"
#include "scenarios/compare/schema_changes.h"

namespace plumbline::scenarios {
namespace {

Json parsed_json(std::string_view text) {
  Result<Json> parsed = parse_json(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? std::move(parsed).value() : Json();
}

// answered is a conversation of one request and its answer.
Conversation answered(const char* request, const char* answer) {
  Conversation conversation;
  conversation.exchanges.push_back({parsed_json(request), parsed_json(answer)});
  return conversation;
}

Conversation listed(const std::string& tools) {
  return answered(R"({"id":1,"method":"tools/list"})",
                  (R"({"id":1,"result":{"tools":)" + tools + "}}").c_str());
}

Conversation called(const std::string& result) {
  return answered(R"({"id":1,"method":"tools/call","params":{"name":"now"}})",
                  (R"({"id":1,)" + result + "}").c_str());
}

std::set<std::string> ids(const std::vector<Difference>& differences) {
  std::set<std::string> ids;
  for (const Difference& one : differences) {
    ids.insert(std::string(one.kind->id.substr(5)) + ":" + one.place);
  }
  return ids;
}

using Ids = std::set<std::string>;

struct SchemaCase {
  const char* then;
  const char* now;
  Ids found;
};

TEST(SchemaChangesTest, EachChangeOfAnInputIsWeighedByWhatMayBeSentNow) {
  const std::vector<SchemaCase> cases = {
      {R"({"type":"object"})", R"({"type":"object"})", {}},
      {R"({"properties":{"a":{}}})",
       R"({"properties":{"a":{}},"required":["a"]})",
       {"argument-required:t/a"}},
      {R"({"properties":{}})",
       R"({"properties":{"b":{}},"required":["b"]})",
       {"argument-required:t/b"}},
      {R"({"properties":{}})", R"({"properties":{"b":{}}})", {"argument-added:t/b"}},
      {R"({"properties":{"a":{}},"required":["a"]})",
       R"({"properties":{"a":{}}})",
       {"argument-widened:t/a"}},
      {R"({"properties":{"a":{}}})", R"({"additionalProperties":false})", {"argument-lost:t/a"}},
      {R"({"properties":{"a":{}}})", R"({})", {"argument-changed:t/a"}},
      {R"({"properties":{"a":{"type":["string","null"]}}})",
       R"({"properties":{"a":{"type":"string"}}})",
       {"argument-narrowed:t/a"}},
      {R"({"properties":{"a":{"type":"integer"}}})",
       R"({"properties":{"a":{"type":"number"}}})",
       {"argument-widened:t/a"}},
      {R"({"properties":{"a":{"enum":[1,2]}}})",
       R"({"properties":{"a":{"enum":[1]}}})",
       {"argument-narrowed:t/a"}},
      {R"({"properties":{"a":{"maximum":9}}})",
       R"({"properties":{"a":{"maximum":10}}})",
       {"argument-widened:t/a"}},
      {R"({"properties":{"a":{}}})",
       R"({"properties":{"a":{"minLength":1}}})",
       {"argument-narrowed:t/a"}},
      {R"({"properties":{"a":{}}})",
       R"({"properties":{"a":{"pattern":"x"}}})",
       {"argument-changed:t/a"}},
      {R"({"properties":{"a":{"description":"x"}}})", R"({"properties":{"a":{}}})", {}},
      {R"({"properties":{"a":{"items":{"type":"string"}}}})",
       R"({"properties":{"a":{"items":{"type":"number"}}}})",
       {"argument-narrowed:t/a/*"}},
  };
  for (const SchemaCase& one : cases) {
    std::vector<Difference> found;
    input_changes(parsed_json(one.then), parsed_json(one.now), "t", found);
    EXPECT_EQ(ids(found), one.found) << one.then << " " << one.now;
  }
}

TEST(SchemaChangesTest, AnOutputMayPromiseMoreAndNotLess) {
  std::vector<Difference> found;
  output_changes(parsed_json(R"({"properties":{"a":{"type":"string"},"b":{}},"required":["a"]})"),
                 parsed_json(R"({"properties":{"a":{"type":["string","null"]},"c":{}}})"), "t",
                 found);
  EXPECT_EQ(ids(found),
            (Ids{"output-lost:t/a", "output-changed:t/a", "output-lost:t/b", "output-added:t/c"}));
}

TEST(ComparisonTest, WhatIsTheSameHasNoDifference) {
  const Conversation one = called(R"("result":{"content":[{"type":"text","text":"12:00"}]})");
  EXPECT_TRUE(compare(one, one, Volatile()).empty());
  const std::vector<CheckResult> rows = difference_rows({}, one, one);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].id, "diff.same:tools/call/now");
  EXPECT_EQ(rows[0].verdict, Verdict::kPass);
}

TEST(ComparisonTest, ToolsThatComeAndGoAreToldOverAllPages) {
  Conversation then = listed(R"([{"name":"a"},{"name":"b","title":"B"}])");
  Conversation now = listed(R"([{"name":"b","title":"C"}])");
  now.exchanges[0].answer["result"]["nextCursor"] = "2";
  EXPECT_EQ(ids(compare(then, now, Volatile())), (Ids{"tool-changed:b/title"}))
      << "what was not listed to its end may still come";
  now.exchanges.push_back(listed(R"([{"name":"c"}])").exchanges[0]);
  EXPECT_EQ(ids(compare(then, now, Volatile())),
            (Ids{"tool-lost:a", "tool-changed:b/title", "tool-added:c"}));
}

TEST(ComparisonTest, AnswersAreComparedMemberByMember) {
  const Conversation then = called(R"("result":{"a":1,"b":{"c":"x"},"d":[1,2]})");
  const Conversation now = called(R"("result":{"a":"1","b":{},"d":[1,3],"e":0})");
  const std::vector<Difference> found = compare(then, now, Volatile());
  EXPECT_EQ(ids(found),
            (Ids{"result-type:tools/call/now/a", "result-lost:tools/call/now/b/c",
                 "result-changed:tools/call/now/d/*", "result-added:tools/call/now/e"}));
  for (const CheckResult& row : difference_rows(found, then, now)) {
    const bool breaks =
        row.id.starts_with("diff.result-type") || row.id.starts_with("diff.result-lost");
    EXPECT_EQ(row.verdict == Verdict::kFail, breaks) << row.id;
  }
}

TEST(ComparisonTest, TheClassOfAnErrorCounts) {
  const auto found = [](const char* then, const char* now) {
    return ids(compare(called(then), called(now), Volatile()));
  };
  const char* const kInvalid = R"("error":{"code":-32602,"message":"no"})";
  EXPECT_EQ(found(kInvalid, R"("error":{"code":-32602,"message":"other"})"),
            (Ids{"error-text:tools/call/now/error/message"}));
  EXPECT_EQ(found(kInvalid, R"("error":{"code":-32603,"message":"no"})"),
            (Ids{"error-changed:tools/call/now/error/code"}));
  EXPECT_EQ(found(R"("result":{})", kInvalid), (Ids{"error-came:tools/call/now"}));
  EXPECT_EQ(found(kInvalid, R"("result":{})"), (Ids{"error-gone:tools/call/now"}));
  EXPECT_EQ(found(R"("result":{})", R"("result":{"isError":true})"),
            (Ids{"error-came:tools/call/now"}));
}

TEST(ComparisonTest, WhatDiffersBetweenTwoRecordingsOfOneServerSaysNothing) {
  const auto at = [](const char* text) {
    return called(R"("result":{"content":[{"text":")" + std::string(text) + R"("}],"n":1})");
  };
  Volatile unsteady;
  unsteady.learn(at("12:00"), at("12:01"));
  EXPECT_EQ(unsteady.places(), (Ids{"tools/call/now /result/content/*/text"}));
  EXPECT_TRUE(compare(at("12:00"), at("12:05"), unsteady).empty());
  EXPECT_EQ(compare(at("12:00"), at("12:05"), Volatile()).size(), 1U);
}

TEST(ComparisonTest, ANamedPlaceAndAllBelowItSayNothing) {
  Volatile unsteady;
  unsteady.add("/result/*/b/");
  EXPECT_TRUE(unsteady.has("x", "/result/1/b/c"));
  EXPECT_FALSE(unsteady.has("x", "/result/1/c"));
  EXPECT_FALSE(unsteady.has("x", "/result/1"));
  unsteady.add("tools/call/now /result/t");
  EXPECT_TRUE(unsteady.has("tools/call/now", "/result/t"));
  EXPECT_FALSE(unsteady.has("tools/call/then", "/result/t"));
}

TEST(ComparisonTest, APlaceholderOfASecretStandsForAnyText) {
  const Conversation then = called(R"("result":{"key":"Bearer [secret 1]!"})");
  EXPECT_TRUE(compare(then, called(R"("result":{"key":"Bearer abc!"})"), Volatile()).empty());
  EXPECT_EQ(compare(then, called(R"("result":{"key":"abc"})"), Volatile()).size(), 1U);
}

}  // namespace
}  // namespace plumbline::scenarios
