// Requests of people in a hurry, and what lies near the field of a tool without being in it.

#include <string_view>
#include <utility>
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
  };
}

std::vector<connector::Capability> more_hasty_tools() {
  return {
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
      connector::tool("quill", "flag_letter", "Flag a letter.",
                      R"({"letterId": {"type": "string"}})", "letterId"),
      connector::tool("quill", "search_patrons", "Search the patrons.",
                      R"({"query": {"type": "string"}})", "query"),
      connector::tool("box", "box_run", "Run a box with an image.",
                      R"({"image": {"type": "string"}, "name": {"type": "string"}})", "image"),
      connector::tool("box", "box_exec", "Execute a command in a box.",
                      R"({"command": {"type": "array", "items": {"type": "string"},
                            "description": "The first item is the command to be run."},
                          "name": {"type": "string"}})",
                      "command name"),
      connector::tool("box", "imitate", "Imitates features of a box.",
                      R"({"boxId": {"type": "string"},
                          "network": {"type": "string", "enum": ["slow link", "none"]}})",
                      "boxId"),
      connector::tool("box", "hunt_suffixes", "Find suffixes. Example: .io, or the last 20.",
                      R"({"keywords": {"type": "string"}})"),
      connector::tool("box", "days_in_month", "Get the number of days in a month.",
                      R"({"date": {"type": "string"}})"),
      connector::tool("box", "run_sketch", "Run a sketch.",
                      R"({"code": {"type": "string"}, "filename": {"type": "string"}})"),
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
    {"flags on letter 9", "none"},
    {"who is on my desk d-1", "none"},
    {"run \"ls -l\" in box b1", "review box/box_exec"},
    {"imitate a slow network on box b1", "none"},
    {"suffixes with .io", "none"},
    {"how many days until 2027-01-01", "none"},
    {"how many days are in the month of 2027-02-01", "box/days_in_month {\"date\":\"2027-02-01\"}"},
    {"gimme NVDA's yield", "quill/get_quote {\"ticker\":\"NVDA\"}"},
};

TEST_F(FitTest, WordsOfPeopleInAHurry) {
  std::vector<connector::Capability> tools = hasty_tools();
  for (connector::Capability& tool : more_hasty_tools()) tools.push_back(std::move(tool));
  offer(tools);
  EXPECT_EQ(sums_of(kHastyRows), "28 right, 0 missed, 0 answered with something else");
}

}  // namespace
}  // namespace plumbline::agents
