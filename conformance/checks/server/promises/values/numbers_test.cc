// What is held against a tool's numbers and forms, and what is not: right answers first.

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "conformance/checks/server/promises/values/forms.h"
#include "conformance/checks/server/promises/values/numbers.h"
#include "conformance/checks/server/promises/values/said_defaults.h"

namespace plumbline::conformance {
namespace {

Json read_json(std::string_view text) {
  Result<Json> value = parse_json(text);
  return value.ok() ? std::move(value).value() : Json();
}

// told_of returns all that is held against an answer of a tool that is described so.
std::string told_of(std::string_view description, std::string_view answer,
                    std::string_view arguments = "{}") {
  Json tool = {{"name", "tool"}, {"description", std::string(description)}};
  const Json given = read_json(arguments);
  for (const auto& [name, value] : given.items()) {
    tool["inputSchema"]["properties"][name] = Json::object();
  }
  const Look look{&tool, said_of_answers(tool), given, read_json(answer)};
  EXPECT_FALSE(look.answer.is_null()) << answer;
  std::string all;
  for (const auto apart :
       {bounds_apart, sums_apart, spans_apart, products_apart, ranks_apart, form_problem}) {
    all += apart(look);
  }
  return all;
}

TEST(NumbersOfAnswers, SumsAreHeldToTheirItemsAlone) {
  const char* const sum = "Returns a bill. \"totalCents\" is the sum of all lines.";
  EXPECT_NE(told_of(sum, R"({"lines": [{"cents": 5}, {"cents": 7}], "totalCents": 7})"), "");
  EXPECT_EQ(told_of(sum, R"({"lines": [{"cents": 5}, {"cents": 7}], "totalCents": 12})"), "");
  // Something else is in it, or not all.
  for (
      const char* const right :
      {R"({"lines": [{"cents": 5}, {"cents": 7}], "totalCents": 15, "taxCents": 3})",
       R"({"lines": [{"cents": 5, "quantity": 2}, {"cents": 7, "quantity": 1}], "totalCents": 17})",
       R"({"lines": [{"cents": 5, "billed": true}, {"cents": 7, "billed": false}],
            "totalCents": 5})",
       R"({"lines": [{"cents": 5, "kind": "charge"}, {"cents": 7, "kind": "refund"}],
            "totalCents": -2})",
       R"({"lines": [{"cents": 5}, {"cents": 7}], "totalCents": 40, "nextCursor": "b"})",
       R"({"lines": [{"cents": 5, "feeCents": 1}, {"cents": 7, "feeCents": 1}],
            "totalCents": 14})",
       R"({"lines": [{"cents": 5}], "extras": [{"cents": 7}], "totalCents": 12})"}) {
    EXPECT_EQ(told_of(sum, right), "") << right;
  }
  EXPECT_EQ(told_of("Returns an order and its total.",
                    R"({"lines": [{"cents": 5}, {"cents": 7}], "totalCents": 15})"),
            "");
  EXPECT_EQ(told_of("The top 2. \"totalCents\" is the sum of all.",
                    R"({"lines": [{"cents": 5}, {"cents": 7}], "totalCents": 99})"),
            "");
  EXPECT_EQ(told_of(sum, R"({"lines": [{"cents": 5}, {"cents": 7}], "totalCents": 99})",
                    R"({"limit": 2})"),
            "");
  // Rounded each.
  EXPECT_EQ(told_of("\"totalKm\" is the sum of all.",
                    R"({"trips": [{"km": 1.3}, {"km": 1.3}, {"km": 1.3}], "totalKm": 4.0})"),
            "");
}

TEST(NumbersOfAnswers, CountsMayBeOfMoreThanIsListed) {
  const char* const count = "Lists boats, and how many there are.";
  EXPECT_NE(told_of(count, R"({"boats": ["a", "b", "c"], "count": 2})"), "");
  EXPECT_EQ(told_of(count, R"({"boats": ["a", "b", "c"], "count": 30})"), "");
  EXPECT_EQ(told_of(count, R"({"boats": ["a", "b"], "buoys": ["x"], "count": 1})"), "");
  EXPECT_EQ(told_of(count, R"({"boats": ["a", "b"], "count": 1})", R"({"count": 1})"), "");
  EXPECT_EQ(told_of("Lists boats.", R"({"boats": ["a", "b"], "count": 1})"), "");
}

TEST(NumbersOfAnswers, NightsAndDaysLieBetweenTheirDates) {
  const char* const stay = "Quotes a stay by the night.";
  EXPECT_NE(told_of(stay, R"({"from": "2026-06-01", "to": "2026-06-04", "nights": 4})"), "");
  EXPECT_EQ(told_of(stay, R"({"from": "2026-06-01", "to": "2026-06-04", "nights": 3})"), "");
  EXPECT_NE(
      told_of(stay, R"({"nights": 2})", R"({"check_in": "2026-06-01", "check_out": "2026-06-02"})"),
      "");
  const char* const days = "\"days\" is the number of days from the start to the end.";
  EXPECT_EQ(told_of(days, R"({"start": "2026-06-01", "end": "2026-06-04", "days": 4})"), "");
  EXPECT_EQ(told_of(days, R"({"start": "2026-06-01", "end": "2026-06-09", "days": 6})"), "");
  EXPECT_NE(told_of(days, R"({"start": "2026-06-01", "end": "2026-06-04", "days": 5})"), "");
  EXPECT_EQ(told_of("An invoice, to be paid within some days.",
                    R"({"start": "2026-06-01", "end": "2026-06-04", "days": 14})"),
            "");
}

TEST(NumbersOfAnswers, ProductsAreThoseOfTheDescription) {
  const char* const price = "priceCents is dailyCents times nights.";
  EXPECT_NE(told_of(price, R"({"dailyCents": 1900, "nights": 4, "priceCents": 9500})"), "");
  EXPECT_EQ(told_of(price, R"({"dailyCents": 1900, "nights": 4, "priceCents": 7600})"), "");
  EXPECT_EQ(told_of("priceEuros is dailyCents times nights.",
                    R"({"dailyCents": 1900, "nights": 4, "priceEuros": 76})"),
            "");
  EXPECT_EQ(told_of("priceCents is dailyCents times nights. From a week on there is a discount.",
                    R"({"dailyCents": 1900, "nights": 8, "priceCents": 14000})"),
            "");
  EXPECT_EQ(told_of("priceCents is dailyCents times nights plus cleaning.",
                    R"({"dailyCents": 1900, "nights": 4, "priceCents": 9600})"),
            "");
}

TEST(NumbersOfAnswers, EqualsShareARankWhereThatIsSaid) {
  const char* const table = R"({"table": [{"rank": 1, "points": 9}, {"rank": 2, "points": 9}]})";
  EXPECT_NE(told_of("Teams with equal points share a rank.", table), "");
  EXPECT_EQ(told_of("Ranks the teams by points.", table), "");
  EXPECT_EQ(told_of("Equal points: the tie is broken by goals, and no rank is shared.", table), "");
}

TEST(FormsOfAnswers, AreThoseOfTheDescription) {
  const char* const clock = "Returns a film; times as HH:MM.";
  EXPECT_NE(told_of(clock, R"({"time": "9:5"})"), "");
  EXPECT_EQ(told_of(clock, R"({"time": "9:05", "shape": "16:9"})"), "");
  EXPECT_EQ(told_of("Times as HH:MM or H:M.", R"({"time": "9:5"})"), "");
  const char* const day = "\"day\" is the calendar day of \"startedAt\" in UTC.";
  EXPECT_NE(told_of(day, R"({"day": "2026-02-02", "startedAt": "2026-02-03T07:30:00Z"})"), "");
  EXPECT_EQ(told_of(day, R"({"day": "2026-02-02", "startedAt": "2026-02-03T00:30:00+01:00"})"), "");
  EXPECT_EQ(told_of("\"day\" is the local day of \"startedAt\".",
                    R"({"day": "2026-02-02", "startedAt": "2026-02-03T07:30:00Z"})"),
            "");
  EXPECT_NE(told_of("The mean, rounded to two decimals.", R"({"mean": 2.333})"), "");
  EXPECT_EQ(told_of("The mean, rounded to two decimals.", R"({"mean": 2.33, "spread": 0.123})"),
            "");
  EXPECT_EQ(told_of("The rate, and the price rounded to two decimals.",
                    R"({"rate": 1.0837, "price": 2.33})"),
            "");
  EXPECT_NE(told_of("\"plate\" is in upper case.", R"({"plate": "ab-1"})"), "");
  EXPECT_EQ(told_of("\"plate\" is in upper case.", R"({"plate": "ab-1"})", R"({"plate": "ab-1"})"),
            "");
}

TEST(FormsOfAnswers, OfLettersAreNotThoseOfSearches) {
  for (const char* const said :
       {"Finds books by author. Upper and lower case make no difference, neither in the title nor "
        "in the author",
        "The author is compared in lower case", "The author, upper case first"}) {
    EXPECT_EQ(told_of(said, R"({"author": "J. R. R. Tolkien"})"), "") << said;
  }
}

Json default_told(std::string_view description, std::string_view property,
                  std::string_view own = "") {
  Json tool = {{"name", "tool"}, {"description", std::string(description)}};
  Json said = read_json(property);
  if (!own.empty()) said["description"] = std::string(own);
  tool["inputSchema"]["properties"]["priority"] = said;
  tool["inputSchema"]["properties"]["column"] = {{"type", "string"}};
  return default_in_words(tool, "priority", said);
}

TEST(DefaultsInWords, AreReadWhereTheyArePlain) {
  const char* const choices = R"({"type": "string", "enum": ["low", "normal"]})";
  EXPECT_EQ(default_told("The priority is \"normal\" unless another one is given.", choices),
            Json("normal"));
  EXPECT_EQ(default_told("", choices, "Priority, normal if omitted"), Json("normal"));
  EXPECT_EQ(default_told("", R"({"type": "integer"})", "How many (default 20, at most 50)"),
            Json(20));
  EXPECT_EQ(default_told("", R"({"type": "integer"})", "Defaults to 10."), Json(10));
  // Of something else, not always, or nothing that can be read.
  EXPECT_EQ(default_told("The column is \"normal\" unless another one is given.", choices), Json());
  EXPECT_EQ(default_told("", R"({"type": "integer"})", "Defaults to 10 for users"), Json());
  EXPECT_EQ(default_told("", R"({"type": "string"})", "Defaults to the current month"), Json());
  EXPECT_EQ(default_told("", choices, "Defaults to \"high\""), Json());
  EXPECT_EQ(default_told("", choices, "Defaults to low; default: normal"), Json());
}

}  // namespace
}  // namespace plumbline::conformance
