// Forms in which servers of the field describe what they take, and requests that need them read.

#include <string_view>
#include <vector>

#include "core/agents/operations/fit/fit_fixture.h"

namespace plumbline::agents {
namespace {

std::vector<connector::Capability> forms() {
  return {
      connector::tool("flags", "get-flag", "Fetches one flag of a project.",
                      R"({"request": {"type": "object", "required": ["projectKey", "flagKey"],
                          "properties": {"projectKey": {"type": "string"},
                                         "flagKey": {"type": "string"}}}})",
                      "request"),
      connector::tool("crm", "crm-list-objects",
                      "Purpose:\n  1. Retrieves a list of objects of a type.\n  2. And more.",
                      R"({"objectType": {"type": "string", "description":
                          "The type to list. Valid values include: companies, contacts, deals."}})",
                      "objectType"),
      connector::tool("map", "find_places",
                      "Search for brands, cities and streets. Do not use for "
                      "kinds of places such as 'coffee shops', because another tool is better.",
                      R"({"q": {"type": "string"}})", "q"),
      connector::tool("map", "distance", "Calculates the distance between two points.",
                      R"({"from": {"type": "object"}, "to": {"type": "object"}})", "from"),
      connector::tool("err", "search_issues",
                      "Search for issues.\nDo not use for details of a specific issue.",
                      R"({"query": {"type": "string", "default": "is:open"}})"),
      connector::tool("err", "search_catalog",
                      "Search the catalog of operations.\nAlso those of issues and teams.",
                      R"({"query": {"type": "string"}})", "query"),
      connector::tool("git", "remote", "Manages the remotes of a repository: list, add.",
                      R"({"mode": {"type": "string", "enum": ["list", "delete"],
                                   "default": "list"}, "path": {"type": "string"}})"),
      connector::tool("med", "search_articles", "Search articles, with filters.\nBy MeSH terms.",
                      R"({"query": {"type": "string"}, "meshTerms": {"type": "array"}})", "query"),
      connector::tool("med", "lookup_mesh", "Search the MeSH vocabulary for terms.",
                      R"({"query": {"type": "string"}})", "query"),
      connector::tool("log", "list_entries", "Lists the entries of the log.", "{}"),
      connector::tool("log", "list_events", "Lists the events of the log.",
                      R"({"sort": {"type": "string", "enum": ["date", "size"]}})"),
      connector::tool("db", "get_columns", "Gets the columns of a table.",
                      R"({"table": {"type": "string"}})", "table"),
  };
}

constexpr FitRow kFormRows[] = {
    {"Get the flag flagKey=dark of projectKey=web",
     "flags/get-flag {\"request\":{\"flagKey\":\"dark\",\"projectKey\":\"web\"}}"},
    {"List the contacts", "crm/crm-list-objects {\"objectType\":\"contacts\"}"},
    {"List the contacts and the deals", "none"},
    {"Search for streets", "map/find_places {\"q\":\"streets\"}"},
    {"Search for coffee shops", "none"},
    {"Calculate the distance from={\"x\": 1, \"y\": 2} to={\"x\":3,\"y\":4}",
     "map/distance {\"from\":{\"x\":1,\"y\":2},\"to\":{\"x\":3,\"y\":4}}"},
    {"Search the issues for \"timeout in cart\"",
     "err/search_issues {\"query\":\"timeout in cart\"}"},
    {"Look up the MeSH term \"Fever\"", "med/lookup_mesh {\"query\":\"Fever\"}"},
    {"Search the teams for \"core\"", "none"},
    {"Delete the remotes of the repository", "review git/remote"},
    {"List the entries of the log", "log/list_entries {}"},
    {"List the entries of the log sorted by date", "none"},
    {"List the events of the log sorted by date", "log/list_events {\"sort\":\"date\"}"},
    {"Show the columns of the table orders", "db/get_columns {\"table\":\"orders\"}"},
    {"Show the columns of the table", "asks db/get_columns"},
};

TEST_F(FitTest, FormsOfTheField) {
  offer(forms());
  EXPECT_EQ(sums_of(kFormRows), "15 right, 0 missed, 0 answered with something else");
}

}  // namespace
}  // namespace plumbline::agents
