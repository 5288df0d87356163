// Requests of people in a hurry, and what lies near the field of a tool without being in it.

#include <string_view>
#include <vector>

#include "core/agents/operations/fit/fit_fixture.h"

namespace plumbline::agents {
namespace {

std::vector<connector::Capability> hasty_tools() {
  return {
      connector::tool("kiln", "compareGlazes", "Compares glazes by their fire counts.",
                      R"({"glazeIds": {"type": "array", "items": {"type": "string"}}})",
                      "glazeIds"),
      connector::tool("kiln", "getGlazeDetails", "Get details of glazes, with their fire counts.",
                      R"({"glazeIds": {"type": "array", "items": {"type": "string"}}})",
                      "glazeIds"),
      connector::tool("kiln", "delete_remark", "Deletes a remark.",
                      R"({"remarkId": {"type": "string"}})", "remarkId"),
      connector::tool("kiln", "delete_mug", "Deletes a mug.", R"({"mugId": {"type": "string"}})",
                      "mugId"),
      connector::tool("kiln", "count_orders", "Count orders by filters.",
                      R"({"since": {"type": "string"}})"),
      connector::tool("kiln", "furnaces_top", "List the resource consumption (gas) of furnaces."),
      connector::tool("bench", "list_checks",
                      "Find the checks of a project. Useful to see its scope of coverage.",
                      R"({"path": {"type": "string"}})"),
      connector::tool("bench", "analyze_coverage", "Analyze the coverage of code by checks.",
                      R"({"target": {"type": "string",
                                     "description": "Source file path to analyze."}})",
                      "target"),
      connector::tool("desk", "shelves_books", "Manages the books of shelves.",
                      R"({"action": {"type": "string", "enum": ["read", "delete", "update"]},
                          "id": {"type": "string"}, "borrowed": {"type": "boolean"},
                          "search": {"type": "string"}})",
                      "action"),
      connector::tool("desk", "shelves_shelves", "Reads shelves.",
                      R"({"action": {"type": "string", "enum": ["read"]}})", "action"),
      connector::tool("desk", "get_card", "Get the card of a patron.",
                      R"({"patronId": {"type": "string", "default": "P1"}})"),
      connector::tool("desk", "broadcast_notice", "Broadcasts a notice to all patrons.",
                      R"({"text": {"type": "string"}})", "text"),
      connector::tool("quill", "count_emails", "Count emails that match filters.",
                      R"({"since": {"type": "string"}, "before": {"type": "string"}})"),
      connector::tool("quill", "bulk_delete", "Delete emails matching filters.",
                      R"({"since": {"type": "string"}, "before": {"type": "string"}})"),
      connector::tool("zedda", "zedda_explain", "Explains words of writers.",
                      R"({"term": {"type": "string"}})", "term"),
      connector::tool("quill", "tld_info", "Get information about a TLD.",
                      R"({"tld": {"type": "string",
                                     "description": "The TLD (e.g., 'com', 'io')."}})",
                      "tld"),
      connector::tool("quill", "press_key", "Press a key on a typewriter.",
                      R"({"key": {"type": "string"}, "typewriterId": {"type": "number"}})",
                      "key typewriterId"),
      connector::tool("quill", "get_quote", "Fetch the quote of a share: its price and yield.",
                      R"({"ticker": {"type": "string"}})", "ticker"),
      connector::tool("desk", "reminders_lists", "Manages reminder lists.",
                      R"({"action": {"type": "string", "enum": ["read", "create", "delete"]},
                          "name": {"type": "string"}})",
                      "action"),
  };
}

constexpr FitRow kHastyRows[] = {
    {"How many fire counts does glaze g_1 have?", "kiln/getGlazeDetails {\"glazeIds\":[\"g_1\"]}"},
    {"Compare glaze g_1 with the others", "none"},
    {"Delete the team team_9", "none"},
    {"bin mug m9", "review kiln/delete_mug"},
    {"Who orders the most?", "none"},
    {"How much gas are the furnaces eating?", "kiln/furnaces_top {}"},
    {"Analyze the coverage of /srv/a.cc", "bench/analyze_coverage {\"target\":\"/srv/a.cc\"}"},
    {"delete the list Groceries", "review desk/reminders_lists"},
    {"delete the shelf b12", "none"},
    {"delete book b12", "review desk/shelves_books"},
    {"look for books about \"rain\"",
     "desk/shelves_books {\"action\":\"read\",\"search\":\"rain\"}"},
    {"look up the card of P99ab", "desk/get_card {\"patronId\":\"P99ab\"}"},
    {"broadcast the notice \"We close early\" to everybody", "review desk/broadcast_notice"},
    {"new list called \"Garage\"", "review desk/reminders_lists"},
    {"emails from 2026-09-01 to 2026-09-15", "none"},
    {"my emails since 2026-09-01", "none"},
    {"explain \"vellum\"", "zedda/zedda_explain {\"term\":\"vellum\"}"},
    {"wtf does \"vellum\" mean?", "zedda/zedda_explain {\"term\":\"vellum\"}"},
    {"tell me about the .ai tld", "quill/tld_info {\"tld\":\"ai\"}"},
    {"Press Enter on typewriter 3", "review quill/press_key"},
    {"gimme NVDA's yield", "quill/get_quote {\"ticker\":\"NVDA\"}"},
};

TEST_F(FitTest, WordsOfPeopleInAHurry) {
  offer(hasty_tools());
  EXPECT_EQ(sums_of(kHastyRows), "21 right, 0 missed, 0 answered with something else");
}

}  // namespace
}  // namespace plumbline::agents
