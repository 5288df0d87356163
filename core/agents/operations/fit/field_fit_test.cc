// What people ask servers of the field for, in plain words.

#include <string_view>
#include <vector>

#include "core/agents/operations/fit/fit_fixture.h"

namespace plumbline::agents {
namespace {

// A browser, a cluster and files as servers of the field offer them.
std::vector<connector::Capability> field() {
  return {
      connector::tool("web", "browser_navigate", "Navigate to a URL",
                      R"({"url": {"type": "string"}})", "url"),
      connector::tool("web", "browser_navigate_back", "Go back to the previous page"),
      connector::tool("web", "browser_tabs", "List, create, close, or select a browser tab.",
                      R"({"action": {"type": "string", "enum": ["list", "new", "close"]}})",
                      "action"),
      connector::tool("web", "browser_wait_for", "Wait for a text, or for some time.",
                      R"({"time": {"type": "number"}, "text": {"type": "string"}})"),
      connector::tool("web", "browser_resize", "Resize the browser window",
                      R"({"width": {"type": "number"}, "height": {"type": "number"}})",
                      "width height"),
      connector::tool("web", "browser_press_key", "Press a key on the keyboard",
                      R"({"key": {"type": "string"}})", "key"),
      connector::tool("web", "browser_handle_dialog", "Handle a dialog",
                      R"({"accept": {"type": "boolean"}})", "accept"),
      connector::tool("web", "browser_take_screenshot", "Take a screenshot of the page.",
                      R"({"fullPage": {"type": "boolean"},
                          "type": {"type": "string", "enum": ["png", "jpeg"]}})"),
      connector::tool("web", "browser_snapshot", "Capture a snapshot of the page."),
      connector::tool("zip", "gzip-file-as-resource", "Compresses a file.",
                      R"({"name": {"type": "string", "default": "readme.gz"}})"),
      connector::tool("disk", "read_text_file", "Read the contents of a file as text.",
                      R"({"path": {"type": "string"}, "head": {"type": "number"},
                          "tail": {"type": "number"}})",
                      "path"),
      connector::tool("disk", "read_multiple_files", "Read the contents of multiple files at once.",
                      R"({"paths": {"type": "array", "items": {"type": "string"}}})", "paths"),
      connector::tool("disk", "search_files", "Search for files that match a pattern.",
                      R"({"path": {"type": "string"}, "pattern": {"type": "string"}})",
                      "path pattern"),
      connector::tool("disk", "get_file_info",
                      "Get the metadata of a file: its size, when it was created and modified.",
                      kPathField, "path"),
      connector::tool("pods", "pods_log", "Get the logs of a pod.",
                      R"({"name": {"type": "string"}, "tail": {"type": "integer"}})", "name"),
      connector::tool("chat", "get_history", "Get the messages of a channel.",
                      R"({"channel_id": {"type": "string"}, "limit": {"type": "number"}})",
                      "channel_id"),
      connector::tool("maps", "maps_directions", "Get directions between two points",
                      R"({"origin": {"type": "string"}, "destination": {"type": "string"}})",
                      "origin destination"),
      connector::tool("crawl", "scrape", "Scrape one page.", R"({"url": {"type": "string"}})"),
      connector::tool("crawl", "stop", "Stop a session.", R"({"scrapeId": {"type": "string"}})",
                      "scrapeId"),
      connector::tool("math", "get_sum", "Returns the sum of two numbers.",
                      R"({"a": {"type": "number"}, "b": {"type": "number"}})", "a b"),
      connector::tool("graph", "delete_entities", "Delete entities of the graph.",
                      R"({"names": {"type": "array", "items": {"type": "string"}}})", "names"),
  };
}

constexpr FitRow kFieldRows[] = {
    {"Navigate to https://example.com/login", "review web/browser_navigate"},
    {"Go to http://localhost:3000", "review web/browser_navigate"},
    {"Open the page https://example.com/docs", "review web/browser_navigate"},
    {"Go back to the previous page", "review web/browser_navigate_back"},
    {"List the tabs", "web/browser_tabs {\"action\":\"list\"}"},
    {"Wait 5 seconds", "web/browser_wait_for {\"time\":5}"},
    {"Resize the window to 800 by 600", "review web/browser_resize"},
    {"Press the Enter key", "review web/browser_press_key"},
    {"Accept the dialog", "review web/browser_handle_dialog"},
    {"Dismiss the dialog", "review web/browser_handle_dialog"},
    {"Take a full page screenshot as jpeg", "review web/browser_take_screenshot"},
    {"Take a snapshot of the page", "review web/browser_snapshot"},
    {"Decompress the file data.gz", "none"},
    {"Delete all the files", "none"},
    {"Show the first 20 lines of a/log.txt",
     "disk/read_text_file {\"head\":20,\"path\":\"a/log.txt\"}"},
    {"What are the last 5 lines of a/log.txt?",
     "disk/read_text_file {\"path\":\"a/log.txt\",\"tail\":5}"},
    {"Read a.txt and b.txt", "disk/read_multiple_files {\"paths\":[\"a.txt\",\"b.txt\"]}"},
    {"Find all files that match *.log in srv/data",
     "disk/search_files {\"path\":\"srv/data\",\"pattern\":\"*.log\"}"},
    {"How big is a/movie.mp4?", "disk/get_file_info {\"path\":\"a/movie.mp4\"}"},
    {"When was a/notes.md last modified?", "disk/get_file_info {\"path\":\"a/notes.md\"}"},
    {"Show the last 50 lines of the log of pod \"api-1\"",
     "pods/pods_log {\"name\":\"api-1\",\"tail\":50}"},
    {"Get the last 10 messages of channel C1",
     "chat/get_history {\"channel_id\":\"C1\",\"limit\":10}"},
    {"Get directions from Berlin to Hamburg",
     "maps/maps_directions {\"destination\":\"Hamburg\",\"origin\":\"Berlin\"}"},
    {"What is 17 plus 25?", "math/get_sum {\"a\":17,\"b\":25}"},
    {"Add 3.5 and 4", "math/get_sum {\"a\":3.5,\"b\":4}"},
    {"What is 17 minus 25?", "none"},
    {"Remove the entities \"x1\" and \"x2\"", "review graph/delete_entities"},
};

TEST_F(FitTest, WhatServersOfTheFieldOfferIsFoundByPlainWords) {
  offer(field());
  EXPECT_EQ(sums_of(kFieldRows), "27 right, 0 missed, 0 answered with something else");
}

// Servers of boards, calendars and mail, whose tools are called after two things.
std::vector<connector::Capability> boards() {
  return {
      connector::tool("office", "delete_project_status", "Delete a status of a project.",
                      R"({"project_status_id": {"type": "string"}})", "project_status_id"),
      connector::tool("office", "delete_label", "Delete a label from a board.",
                      R"({"labelId": {"type": "string"}})", "labelId"),
      connector::tool("office", "list_boards_in_workspace", "List all boards in a workspace.",
                      R"({"workspaceId": {"type": "string"}})"),
      connector::tool("office", "get_board_members", "Get all members of a board.",
                      R"({"boardId": {"type": "string"}})", "boardId"),
      connector::tool("office", "get_tasks_for_project", "Get all tasks of a project.",
                      R"({"project_id": {"type": "string"}})", "project_id"),
      connector::tool("office", "get_project_task_counts", "Get the number of tasks in a project.",
                      R"({"project_id": {"type": "string"}})", "project_id"),
      connector::tool("office", "list_events", "List events of a calendar.",
                      R"({"calendarId": {"type": "string"}})", "calendarId"),
      connector::tool("office", "get_event", "Get details of an event.",
                      R"({"calendarId": {"type": "string",
                            "description": "ID of the calendar: 'primary' is the main one"},
                          "eventId": {"type": "string"}})",
                      "calendarId eventId"),
      connector::tool("office", "read_mail", "Read the content of a mail.",
                      R"({"messageId": {"type": "string"}})", "messageId"),
      connector::tool("office", "search_mails", "Search for mails.",
                      R"({"query": {"type": "string", "description": "Such as 'from:a@b.c'"}})",
                      "query"),
      connector::tool("office", "update_label", "Update a label.",
                      R"({"labelId": {"type": "string"}, "name": {"type": "string"}})", "labelId"),
      connector::tool("office", "create_issue", "Create an issue.",
                      R"({"title": {"type": "string"}, "teamId": {"type": "string"}})",
                      "title teamId"),
  };
}

// "none" wherever only a tool for another thing has the word of it.
constexpr FitRow kBoards[] = {
    {"Delete project p1", "none"},
    {"Delete the board b1", "none"},
    {"Update the label lb4", "none"},
    {"Rename the label lb4 to \"Urgent\"", "review office/update_label"},
    {"Who is on board b1?", R"(office/get_board_members {"boardId":"b1"})"},
    {"How many tasks are in project p1?", R"(office/get_project_task_counts {"project_id":"p1"})"},
    {"Look up event ev42 in the calendar primary",
     R"(office/get_event {"calendarId":"primary","eventId":"ev42"})"},
    {"Look up event ev42 in the calendar", "asks office/get_event"},
    {"Read mail 18f2ab", R"(office/read_mail {"messageId":"18f2ab"})"},
    {"Search the mails from ann@example.com",
     R"(office/search_mails {"query":"from:ann@example.com"})"},
};

TEST_F(FitTest, AToolOfAnotherThingIsNotTakenForTheThing) {
  offer(boards());
  EXPECT_EQ(sums_of(kBoards), "10 right, 0 missed, 0 answered with something else");
}

}  // namespace
}  // namespace plumbline::agents
