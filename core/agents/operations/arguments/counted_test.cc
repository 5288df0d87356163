#include "core/agents/operations/request/counted.h"

#include <string>
#include <string_view>

#include "core/agents/operations/arguments/arguments.h"
#include "core/agents/operations/assistant_fixture.h"

namespace plumbline::agents {
namespace {

std::string arguments_given(std::string_view request, std::string_view properties,
                            std::string_view required = "") {
  const connector::Capability tool =
      connector::tool("s", "get_it", "", properties, std::string(required));
  return dump_json(extract_arguments(request, tool, Json::object()).arguments);
}

TEST(CountedTest, TwoDatesAreABeginningAndAnEnd) {
  constexpr std::string_view kStay =
      R"({"checkIn": {"type": "string", "description": "A date: YYYY-MM-DD."},
          "checkOut": {"type": "string", "description": "A date: YYYY-MM-DD."}})";
  constexpr std::string_view kBoth = R"({"checkIn":"2026-03-01","checkOut":"2026-03-04"})";
  EXPECT_EQ(arguments_given("Rooms from 2026-03-01 to 2026-03-04", kStay), kBoth);
  EXPECT_EQ(arguments_given("Rooms from 2026-03-04 to 2026-03-01", kStay), "{}")
      << "the end comes first";
  EXPECT_EQ(arguments_given("Rooms 2026-03-01, 2026-03-02 and 2026-03-04", kStay), "{}");
  constexpr std::string_view kJourney =
      R"({"departure_date": {"type": "string"}, "return_date": {"type": "string"}})";
  EXPECT_EQ(arguments_given("Trains leaving 2026-03-01 and back 2026-03-04", kJourney),
            R"({"departure_date":"2026-03-01","return_date":"2026-03-04"})");
  EXPECT_EQ(arguments_given("Trains from 2026-03-01", kJourney),
            R"({"departure_date":"2026-03-01"})");
  EXPECT_EQ(arguments_given("From a.txt to 2026-03-04", R"({"from": {"type": "string"}})"), "{}")
      << "it holds no date";
}

TEST(CountedTest, DatesAsPeopleWriteThem) {
  constexpr std::string_view kSpan =
      R"({"start_date": {"type": "string"}, "end_date": {"type": "string"}})";
  constexpr std::string_view kBoth = R"({"end_date":"2026-04-12","start_date":"2026-03-05"})";
  EXPECT_EQ(arguments_given("Walks between March 5, 2026 and April 12, 2026", kSpan), kBoth);
  EXPECT_EQ(arguments_given("Walks from 5 March 2026 until 12th April 2026", kSpan), kBoth);
  EXPECT_EQ(arguments_given("Walks since 5 March 2026", kSpan), R"({"start_date":"2026-03-05"})");
  constexpr std::string_view kDay = R"({"date": {"type": "string"}})";
  EXPECT_EQ(arguments_given("Skip March 5, 2026", kDay), R"({"date":"2026-03-05"})");
  EXPECT_EQ(arguments_given("Skip March 45, 2026", kDay), "{}");
  EXPECT_EQ(arguments_given("Skip 5 people in March", kDay), "{}");
}

TEST(CountedTest, ABoundWithMoneyIsAPrice) {
  constexpr std::string_view kPrices =
      R"({"minPrice": {"type": "number"}, "maxPrice": {"type": "number"},
          "limit": {"type": "number"}, "currency": {"type": "string", "default": "USD"}})";
  EXPECT_EQ(arguments_given("Desks for at most 120 EUR", kPrices),
            R"({"currency":"EUR","maxPrice":120})");
  EXPECT_EQ(arguments_given("Desks under $120", kPrices), R"({"currency":"USD","maxPrice":120})");
  EXPECT_EQ(arguments_given("Desks for no more than 120 euros", kPrices),
            R"({"currency":"EUR","maxPrice":120})");
  EXPECT_EQ(arguments_given("Desks for more than 80 pounds", kPrices),
            R"({"currency":"GBP","minPrice":80})");
  EXPECT_EQ(arguments_given("At most 120 desks", kPrices), R"({"currency":"USD","limit":120})");
}

TEST(CountedTest, ANumberBelongsToWhatItCounts) {
  constexpr std::string_view kTrip =
      R"({"guests": {"type": "integer"},
          "nights": {"type": "integer"},
          "maxUses": {"type": "integer", "description": "Highest number of times to use it"}})";
  EXPECT_EQ(arguments_given("A cabin for 3 people, 5 nights", kTrip), R"({"guests":3,"nights":5})");
  EXPECT_EQ(arguments_given("A cabin for 2 adults", kTrip), R"({"guests":2})");
  EXPECT_EQ(arguments_given("A key that opens 4 times", kTrip), R"({"maxUses":4})");
  EXPECT_EQ(arguments_given("A 12 character code", R"({"length": {"type": "integer"}})"),
            R"({"length":12})");
  EXPECT_EQ(
      arguments_given("The 7 most recent reports",
                      R"({"limit": {"type": "integer", "description": "Number of reports"}})"),
      R"({"limit":7})");
  EXPECT_EQ(arguments_given("Page 3 reports",
                            R"({"page": {"type": "string"},
                      "limit": {"type": "integer", "description": "Number of reports"}})"),
            "{}");
  EXPECT_EQ(arguments_given(
                "Remark on shelf number 9",
                R"({"at": {"type": "integer", "description": "Shelf number (of the list)."}})"),
            R"({"at":9})");
}

TEST(CountedTest, WhatADescriptionTellsOf) {
  constexpr std::string_view kFactor =
      R"({"by": {"type": "number", "description": "Factor (2 = twice, 0.25 = quarter)."}})";
  EXPECT_EQ(arguments_given("Make it twice as big", kFactor), R"({"by":2})");
  EXPECT_EQ(arguments_given("A quarter of it", kFactor), R"({"by":0.25})");
  EXPECT_EQ(arguments_given("Twice or a quarter of it", kFactor), "{}");
  EXPECT_EQ(arguments_given("The harvest of June", R"({"month": {"type": "integer"}})"),
            R"({"month":6})");
  EXPECT_EQ(arguments_given("It may rain", R"({"month": {"type": "integer"}})"), "{}");
  constexpr std::string_view kSource =
      R"({"source": {"type": "string", "description": "One source (e.g., \"bbc\", \"dpa\")."}})";
  EXPECT_EQ(arguments_given("Ask dpa about trains", kSource), R"({"source":"dpa"})");
  EXPECT_EQ(arguments_given("Ask dpa and bbc about trains", kSource), "{}");
  EXPECT_EQ(
      arguments_given("Find the play Hamlet",
                      R"({"term": {"type": "string", "description": "Search term (play name)."}})",
                      "term"),
      R"({"term":"Hamlet"})");
}

TEST(CountedTest, ListsAreTakenWhole) {
  constexpr std::string_view kIds =
      R"({"bookIds": {"type": "array", "items": {"type": "integer"}}})";
  EXPECT_EQ(arguments_given("Renew the books 4, 5 and 19", kIds, "bookIds"),
            R"({"bookIds":[4,5,19]})");
  constexpr std::string_view kParts =
      R"({"parts": {"type": "array", "items": {"type": "string"}}})";
  EXPECT_EQ(arguments_given("Put nuts, oak planks and glue on the bench", kParts, "parts"),
            R"({"parts":["nuts","oak planks","glue"]})");
  EXPECT_EQ(arguments_given("Put the nuts and the glue on the bench", kParts, "parts"),
            R"({"parts":["nuts","glue"]})");
  constexpr std::string_view kCodes =
      R"({"codes": {"type": "array", "items": {"type": "string"},
                    "description": "Codes (e.g. 'LON:ABC')."}})";
  EXPECT_EQ(arguments_given("Look at PAR:XY and ROM:QRS", kCodes, "codes"),
            R"({"codes":["PAR:XY","ROM:QRS"]})");
}

TEST(CountedTest, ChoicesAreSaidInManyWays) {
  EXPECT_EQ(arguments_given("Cabins in the hills", R"({"kind": {"type": "string",
                                              "enum": ["cabin", "tent"]}})"),
            R"({"kind":"cabin"})");
  constexpr std::string_view kSort =
      R"({"sortOrder": {"type": "string", "enum": ["asc", "desc"],
                        "description": "By creation date"}})";
  EXPECT_EQ(arguments_given("The oldest letters", kSort), R"({"sortOrder":"asc"})");
  EXPECT_EQ(arguments_given("The newest letters", kSort), R"({"sortOrder":"desc"})");
  EXPECT_EQ(arguments_given("The oldest letters",
                            R"({"sortOrder": {"type": "string", "description": "Size",
                                            "enum": ["asc", "desc"]}})"),
            "{}");
  EXPECT_EQ(arguments_given("Archive letter 5", R"({"archived": {"type": "boolean"}})"),
            R"({"archived":true})");
  EXPECT_EQ(arguments_given("Unarchive letter 5", R"({"archived": {"type": "boolean"}})"),
            R"({"archived":false})");
}

TEST(CountedTest, WhatIsCountedIsNoIdentifier) {
  constexpr std::string_view kId = R"({"id": {"type": "string"}, "kind": {"type": "string"}})";
  EXPECT_EQ(arguments_given("Give me a rope with 30 knots", kId, "id kind"), "{}");
  EXPECT_EQ(arguments_given("Give me rope 30", kId, "id kind"), R"({"id":"30"})");
  constexpr std::string_view kIn = R"({"checkIn": {"type": "string"}})";
  EXPECT_EQ(arguments_given("Desks in lisbon between walls", kIn), "{}");
}

TEST(CountedTest, PlacesAndForms) {
  constexpr std::string_view kTown =
      R"({"destination": {"type": "string", "description": "City (e.g. 'Bergen, Norway')."}})";
  EXPECT_EQ(arguments_given("Rooms in Tartu, Estonia, with a desk", kTown, "destination"),
            R"({"destination":"Tartu, Estonia"})");
  constexpr std::string_view kMember = R"({"memberId": {"type": "string", "format": "uuid"}})";
  EXPECT_EQ(arguments_given("Ask ada@example.com", kMember, "memberId"), "{}");
  constexpr std::string_view kNote = R"({"name": {"type": "string"}, "text": {"type": "string"}})";
  EXPECT_EQ(
      arguments_given("Make a text Card named \"door\" saying \"knock twice\"", kNote, "name text"),
      R"({"name":"door","text":"knock twice"})");
}

}  // namespace
}  // namespace plumbline::agents
