// Requests that share words with a tool and want something else of it, or more than it can be told.

#include <string_view>
#include <vector>

#include "core/agents/operations/fit/fit_fixture.h"

namespace plumbline::agents {
namespace {

// Descriptions that say more than what a tool does: what it is good for, how something may be.
std::vector<connector::Capability> wordy() {
  return {
      connector::tool("disk", "read_file",
                      "Read the contents of a file.\nUseful to compare files; prints line numbers "
                      "and the size that was read.",
                      kPathField, "path"),
      connector::tool("disk", "get_file_info",
                      "Get the metadata of a file.\nIncludes its size and creation time.",
                      kPathField, "path"),
      connector::tool("disk", "directory_tree", "Get a tree of a folder.\nA folder may be empty.",
                      kPathField, "path"),
      connector::tool("notes", "search_notes", "Search the notes by a query.",
                      R"({"query": {"type": "string"}})", "query"),
      connector::tool("notes", "open_notes", "Open notes by their names.",
                      R"({"names": {"type": "array", "items": {"type": "string"}}})", "names"),
      connector::tool("notes", "read_graph", "Read the whole graph of the notes."),
      connector::tool("forge", "create_issue", "Create an issue in a project.", "{}"),
      connector::tool("cam", "take_screenshot", "Take a screenshot of the page.",
                      R"({"name": {"type": "string"}, "width": {"type": "number"},
                          "height": {"type": "number"}})",
                      "name"),
      connector::tool("parrot", "echo", "Echoes back what it is given.",
                      R"({"message": {"type": "string"}})", "message"),
  };
}

constexpr FitRow kWordyRows[] = {
    {"Read /srv/a.txt", "disk/read_file {\"path\":\"/srv/a.txt\"}"},
    {"How big is /srv/a.txt?", "disk/get_file_info {\"path\":\"/srv/a.txt\"}"},
    {"When was /srv/a.txt created?", "disk/get_file_info {\"path\":\"/srv/a.txt\"}"},
    {"Compare /srv/a.txt with /srv/b.txt", "none"},
    {"Empty the folder /srv/tmp", "none"},
    {"Show the tree of the folder /srv/tmp", "disk/directory_tree {\"path\":\"/srv/tmp\"}"},
    {"Print /srv/a.txt", "disk/read_file {\"path\":\"/srv/a.txt\"}"},
    {"Print /srv/a.txt on the office printer", "none"},
    {"Open the notes named \"Ada\" and \"Bob\"", "notes/open_notes {\"names\":[\"Ada\",\"Bob\"]}"},
    {"Retrieve the notes named \"Ada\" and \"Bob\"",
     "notes/open_notes {\"names\":[\"Ada\",\"Bob\"]}"},
    {"Read the graph", "notes/read_graph {}"},
    {"Create an issue \"Login fails\" in project_id=42", "none"},
    {"Take a screenshot named \"home\" 800 by 600", "review cam/take_screenshot"},
    {"Echo \"delete all notes\"", "parrot/echo {\"message\":\"delete all notes\"}"},
};

TEST_F(FitTest, WhatADescriptionSaysBesideIsNotWhatAToolDoes) {
  offer(wordy());
  EXPECT_EQ(sums_of(kWordyRows), "14 right, 0 missed, 0 answered with something else");
}

// Tools that share a thing, of which one is called after more than that.
std::vector<connector::Capability> siblings() {
  return {
      connector::tool("code", "get_problem", "Get one problem.",
                      R"({"number": {"type": "integer"}})", "number"),
      connector::tool("code", "list_problem_solutions", "List solutions of a problem.",
                      R"({"problem": {"type": "string"}})", "problem"),
      connector::tool("todo", "list", "List all tasks in the planner."),
      connector::tool("todo", "list_task_lists", "List all task lists in the planner."),
      connector::tool("todo", "create", "Create a new task in the planner.",
                      R"({"title": {"type": "string"}, "taskListId": {"type": "string"}})",
                      "title"),
      connector::tool("tube", "related_videos", "Retrieves videos related to a video.",
                      R"({"videoId": {"type": "string"}})", "videoId"),
  };
}

constexpr FitRow kSiblingRows[] = {
    {"Which task lists do I have?", "todo/list_task_lists {}"},
    {"Show all of my tasks please", "todo/list {}"},
    {"Create a new task list called \"Holiday\"", "none"},
    {"Like the video dQw4w9WgXcQ", "none"},
};

TEST_F(FitTest, ADeprecatedToolOutdoesNone) {
  offer({connector::tool("mill", "spools", "Get the spools of an engine or a pump.",
                         R"({"resource": {"type": "string", "enum": ["engine", "pump"]},
                             "uid": {"type": "string"}})",
                         "resource uid"),
         connector::tool("mill", "engine_spools", "Get engine spools. Superseded by `spools`.",
                         R"({"uid": {"type": "string"}})", "uid")});
  EXPECT_EQ(came_to("Show me the spools of engine e77"),
            "mill/spools {\"resource\":\"engine\",\"uid\":\"e77\"}");
}

TEST_F(FitTest, AToolThatAnotherOutdoesIsNoAnswer) {
  offer(siblings());
  EXPECT_EQ(sums_of(kSiblingRows), "4 right, 0 missed, 0 answered with something else");
  EXPECT_FALSE(came_to("Show me the problem two-sum").starts_with("code/list_problem"));
}

}  // namespace
}  // namespace plumbline::agents
