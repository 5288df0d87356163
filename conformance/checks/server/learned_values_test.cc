#include "conformance/checks/server/learned_values.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::conformance {
namespace {

Json shown_json(const char* text) { return parse_json(text).value(); }

// answered is an exercise in which a tool gave `result`.
Exercise answered(const char* result) {
  Call call;
  call.method = "tools/call";
  call.reply.how = Reply::How::kAnswered;
  call.reply.message = kept(Json({{"id", 1}, {"result", shown_json(result)}}));
  Exercise exercise;
  exercise.calls.push_back(call);
  return exercise;
}

LearnedValues learned(const Survey& survey, const char* result = "{}") {
  LearnedValues values;
  values.learn(survey, answered(result));
  return values;
}

TEST(LearnedValuesTest, WhatAToolListsIsKnownByItsIds) {
  const LearnedValues values = learned(
      {}, R"({"structuredContent": {"stations": [{"id": "NO-1", "open": true}, {"id": "SE-2"}]}})");
  for (const char* const name : {"id", "station", "stationId", "station_id"}) {
    EXPECT_EQ(values.of(name), (std::vector<Json>{"NO-1", "SE-2"})) << name;
  }
  EXPECT_TRUE(values.of("open").empty());
}

TEST(LearnedValuesTest, TextThatIsJsonIsReadAsWell) {
  const LearnedValues values =
      learned({}, R"({"content": [{"type": "text", "text": "[{\"ticket\": \"D-7\"}]"}]})");
  EXPECT_EQ(values.of("ticket"), (std::vector<Json>{"D-7"}));
}

TEST(LearnedValuesTest, IdsAreFoundInPlainText) {
  Exercise exercise =
      answered(R"({"content": [{"type": "text", "text": "- l-1 b-102 Ines\nl-2 b-104 Tomas"}]})");
  exercise.calls.front().params = {{"name", "list_loans"}};
  LearnedValues values;
  values.learn({}, exercise);
  EXPECT_EQ(values.of("loanId"), (std::vector<Json>{"l-1", "l-2"})) << "they begin lines";
  EXPECT_EQ(values.of("bookId"), (std::vector<Json>{"l-1", "b-102", "l-2", "b-104"}))
      << "of anything";
  EXPECT_TRUE(values.of("member").empty());
}

TEST(LearnedValuesTest, WhatIsCalledAReferenceMayBeAnyId) {
  Exercise exercise = answered(R"({"content": [{"type": "text", "text": "Try APL-1 first"}]})");
  LearnedValues values;
  values.learn({}, exercise);
  for (const char* const name : {"sku", "order_ref", "code", "invoiceNumber"}) {
    EXPECT_EQ(values.of(name), (std::vector<Json>{"APL-1"})) << name;
  }
  EXPECT_TRUE(values.of("colour").empty());
}

TEST(LearnedValuesTest, ASearchThatNothingIsKnownForLooksForLetters) {
  EXPECT_EQ(learned({}, R"({"content": []})").of("query"), (std::vector<Json>{"e", "a"}));
}

TEST(LearnedValuesTest, ASearchLooksForATitleOrAWordOfIt) {
  const LearnedValues values =
      learned({}, R"({"structuredContent": {"books": [{"title": "The Wild Places"}]}})");
  EXPECT_EQ(values.of("query"), (std::vector<Json>{"The Wild Places", "Places", "e", "a"}));
}

TEST(LearnedValuesTest, ASearchLooksForWordsThatComeOften) {
  const LearnedValues values = learned(
      {}, R"({"content": [{"type": "text", "text": "2026 disk full\n2026 disk back\n2026 up"}]})");
  EXPECT_EQ(values.of("search_query"), (std::vector<Json>{"2026", "disk", "e", "a"}));
}

TEST(LearnedValuesTest, ASearchLooksForAWordOfAnyText) {
  const LearnedValues values =
      learned({}, R"({"structuredContent": {"photos": [{"caption": "A seagull, at dusk"}]}})");
  EXPECT_EQ(values.of("text"), (std::vector<Json>{"seagull", "e", "a"}));
}

TEST(LearnedValuesTest, CompletionsTellWhatThereIs) {
  Exercise exercise = answered(R"({"completion": {"values": ["b-101", "b-102"]}})");
  Call& call = exercise.calls.front();
  call.method = "completion/complete";
  call.params = shown_json(R"({"ref": {"type": "ref/resource", "uri": "w://books/{id}"},
                               "argument": {"name": "id", "value": ""}})");
  LearnedValues values;
  values.learn({}, exercise);
  EXPECT_EQ(values.of("bookId"), (std::vector<Json>{"b-101", "b-102"}));
  EXPECT_EQ(values.uris_of("w://books/{id}").front(), "w://books/b-101");
  const Json prompt = shown_json(R"({"name": "p"})");
  const Json first = shown_json(R"({"book": "plumbline", "bookUri": "test://x"})");
  EXPECT_EQ(values.prompt_arguments(prompt, first),
            shown_json(R"({"book": "b-101", "bookUri": "test://x"})"));
}

TEST(LearnedValuesTest, OfAFailureNothingIsLearned) {
  EXPECT_TRUE(
      learned({}, R"({"structuredContent": {"id": "x"}, "isError": true})").of("id").empty());
}

TEST(LearnedValuesTest, UrisTellWhatThereIs) {
  Survey survey;
  survey.resources.items = {shown_json(R"({"uri": "w://stations/NO%201", "name": "Oslo"})")};
  survey.templates.items = {shown_json(R"({"uriTemplate": "w://stations/{code}"})")};
  const LearnedValues values = learned(survey);
  EXPECT_EQ(values.of("station"), (std::vector<Json>{"NO 1"}));
  EXPECT_EQ(values.of("code"), (std::vector<Json>{"NO 1"}));
  EXPECT_EQ(values.of("query"), (std::vector<Json>{"Oslo", "e", "a"}))
      << "a search looks for a name";
  EXPECT_EQ(values.of("uri"), (std::vector<Json>{"w://stations/NO%201"}));
}

TEST(LearnedValuesTest, AnOnlyPartIsWhatItsSchemeSays) {
  Survey survey;
  survey.resources.items = {shown_json(R"({"uri": "alarm://buoy-3"})")};
  EXPECT_EQ(learned(survey).of("alarmId"), (std::vector<Json>{"buoy-3"}));
}

TEST(LearnedValuesTest, AServerThatTellsVeryMuchIsNotReadToItsEnd) {
  Json rows = Json::array();
  for (int i = 0; i < 100'000; ++i) rows.push_back({{"id", std::to_string(i)}});
  Call call;
  call.method = "tools/call";
  call.reply.how = Reply::How::kAnswered;
  call.reply.message = kept(Json({{"id", 1}, {"result", {{"structuredContent", {{"r", rows}}}}}}));
  Exercise exercise;
  exercise.calls.push_back(call);
  LearnedValues values;
  values.learn({}, exercise);
  EXPECT_EQ(values.of("id").size(), LearnedValues::kValuesMax);
}

TEST(LearnedValuesTest, ATemplateStandsForWhatIsKnownOfItsVariables) {
  LearnedValues values;
  Survey survey;
  survey.resources.items = {shown_json(R"({"uri": "w://stations/a b"})")};
  survey.templates.items = {shown_json(R"({"uriTemplate": "w://stations/{code}"})")};
  values.learn(survey, Exercise());
  const std::vector<std::string> uris = {"w://readings/a%20b/today"};
  EXPECT_EQ(values.uris_of("w://readings/{code}/today"), uris);
  EXPECT_TRUE(values.uris_of("w://readings/{month}").empty());
  EXPECT_TRUE(values.uris_of("w://readings/{code").empty());
  EXPECT_TRUE(values.uris_of("w://readings").empty());
}

}  // namespace
}  // namespace plumbline::conformance
