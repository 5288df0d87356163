// Requests to an office of scripted servers, and what each may come to: the call that serves it, a
// question, or nothing. An answer to something else is the one thing that must never happen.

#include "core/agents/operations/fit/fit.h"

#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/fit/evidence.h"
#include "core/agents/operations/fit/fit_fixture.h"
#include "core/agents/operations/operations_nodes.h"

namespace plumbline::agents {
namespace {

constexpr std::string_view kHere = R"({"path": {"type": "string", "default": "."}})";

std::vector<connector::Capability> files() {
  return {
      connector::tool("files", "list_directory", "List the files of a directory.", kHere, "path"),
      connector::tool("files", "read_text_file", "Read the contents of a file as text.", kPathField,
                      "path"),
      connector::tool("files", "write_file", "Create a new file, or overwrite one.",
                      R"({"path": {"type": "string"}, "content": {"type": "string"}})",
                      "path content"),
      connector::tool("files", "search_files", "Search for files that match a pattern.",
                      R"({"path": {"type": "string", "default": "."},
                          "pattern": {"type": "string"}})",
                      "path pattern"),
      connector::tool("files", "move_file", "Move or rename files.",
                      R"({"source": {"type": "string"}, "destination": {"type": "string"}})",
                      "source destination"),
      connector::resource("docs", "notes.md", "file:///srv/notes.md", "text/markdown",
                          "A file of the project folder, see file:///srv."),
      connector::resource("docs", "file:///srv/readme.txt", "file:///srv/readme.txt", "text/plain"),
      connector::resource("docs", "Onboarding guide", "docs://onboarding", "text/markdown",
                          "How new people begin."),
  };
}

std::vector<connector::Capability> desk() {
  return {
      connector::tool("tickets", "search_tickets", "Search support tickets.",
                      R"({"status": {"type": "string", "enum": ["open", "closed"]},
                          "priority": {"type": "string", "enum": ["low", "high"]}})"),
      connector::tool("tickets", "read_ticket", "Read one ticket.", R"({"id": {"type": "string"}})",
                      "id"),
      connector::tool("tickets", "create_ticket", "Create a ticket.",
                      R"({"title": {"type": "string"}})", "title"),
      connector::tool("tickets", "close_ticket", "Close a ticket.", R"({"id": {"type": "string"}})",
                      "id"),
      connector::tool("weather", "get_weather", "Get the current weather of a city.",
                      R"({"city": {"type": "string"}})", "city"),
      connector::tool("calendar", "list_events", "List the events and meetings of the calendar."),
      connector::tool("calendar", "create_event", "Create an event or a meeting.",
                      R"({"title": {"type": "string"}})", "title"),
      connector::tool("email", "send_email", "Send an email.",
                      R"({"to": {"type": "string"}, "subject": {"type": "string"}})", "to subject"),
      connector::tool("email", "list_emails", "List the emails of the inbox."),
  };
}

std::vector<connector::Capability> others() {
  return {
      connector::tool("math", "get_sum", "Returns the sum of two numbers.",
                      R"({"a": {"type": "number"}, "b": {"type": "number"}})", "a b"),
      connector::tool("people", "get_employee", "Look up an employee by name.",
                      R"({"name": {"type": "string"}})", "name"),
      connector::tool("greeter", "greet", "Greet a person by name.",
                      R"({"name": {"type": "string"}})", "name"),
      connector::tool("wiki", "search_wiki", "Search the wiki of the company.",
                      R"({"query": {"type": "string"}})", "query"),
      connector::tool("env", "print_env", "Print the environment variables."),
      connector::tool("memory", "create_entities", "Create new entities in the graph.",
                      R"({"name": {"type": "string"}})", "name"),
      connector::tool("memory", "delete_entities", "Delete entities of the graph.",
                      R"({"name": {"type": "string"}})", "name"),
      connector::tool("memory", "read_graph", "Read the whole graph."),
      connector::tool("everything", "get_links", "Returns links.\nThis tool shows what MCP has."),
      connector::tool("home", "turn_off_light", "Turn off the light of a room.",
                      R"({"room": {"type": "string"}})", "room"),
      connector::tool("disk", "get_drive_info", "Show how full a drive is.",
                      R"({"drive": {"type": "string", "default": "C"}})"),
  };
}

constexpr FitRow kRows[] = {
    // Files, and what only shares a word with them.
    {"List the files in the managed project folder.", "files/list_directory {\"path\":\".\"}"},
    {"list files", "files/list_directory {\"path\":\".\"}"},
    {"Please show me the files", "files/list_directory {\"path\":\".\"}"},
    {"What files are in the docs directory?", "files/list_directory {\"path\":\"docs\"}"},
    {"List the files of src/lib", "files/list_directory {\"path\":\"src/lib\"}"},
    {"Count the files", "files/list_directory {\"path\":\".\"}"},
    {"How many files are in the project folder?", "files/list_directory {\"path\":\".\"}"},
    {"Read plan.txt", "files/read_text_file {\"path\":\"plan.txt\"}"},
    {"Show the contents of docs/a.md", "files/read_text_file {\"path\":\"docs/a.md\"}"},
    {"Search files for \"budget\"", "files/search_files {\"path\":\".\",\"pattern\":\"budget\"}"},
    {"Write 'hello' to notes.txt", "review files/write_file"},
    {"Move a.txt to b.txt", "review files/move_file"},
    {"Read the file", "asks files/read_text_file"},
    {"Who owns the files?", "none"},
    {"Compare the files", "none"},
    {"Convert the files to PDF", "none"},
    {"Show the size of plan.txt", "none"},
    {"How old is plan.txt?", "none"},
    {"Show the log files", "asks files/search_files"},
    {"Validate plan.txt", "none"},
    {"List the files and compare them", "none"},
    {"How do I list the files?", "none"},
    {"What is a file?", "none"},
    {"Show the permissions of the files", "none"},
    {"Which files were changed yesterday?", "none"},
    {"Show the files of the database", "none"},
    // Resources.
    {"Read notes.md", "resource notes.md"},
    {"Show the resource notes.md", "resource notes.md"},
    {"Read file:///srv/readme.txt", "resource file:///srv/readme.txt"},
    {"Read the onboarding guide", "resource Onboarding guide"},
    {"Read the resource about onboarding", "resource Onboarding guide"},
    {"Count the words of notes.md", "none"},
    {"Read the resource about payroll", "none"},
    {"Show the markdown", "none"},
    {"What is in the readme about taxes?", "none"},
    // The desk.
    {"Summarize the open high-priority support tickets.",
     "tickets/search_tickets {\"priority\":\"high\",\"status\":\"open\"}"},
    {"how many tickets are open?", "tickets/search_tickets {\"status\":\"open\"}"},
    {"Show ticket T-42", "tickets/read_ticket {\"id\":\"T-42\"}"},
    {"What is the status of ticket T-42?", "tickets/read_ticket {\"id\":\"T-42\"}"},
    {"Show me the tickets of Bob", "none"},
    {"List the last 10 tickets", "none"},
    {"Show the ticket", "asks tickets/read_ticket"},
    {"List the tickets of the customer", "none"},
    {"Create a ticket titled \"printer\"", "review tickets/create_ticket"},
    {"Close ticket T-42", "review tickets/close_ticket"},
    {"Reopen ticket T-42", "none"},
    {"Delete ticket T-42", "none"},
    {"Assign ticket T-42 to Bob", "none"},
    {"Who created ticket T-42?", "tickets/read_ticket {\"id\":\"T-42\"}"},
    {"What is the weather in New York?", "weather/get_weather {\"city\":\"New York\"}"},
    {"Show the weather alerts for Boston", "none"},
    {"What is the pollen count in Boston?", "none"},
    {"What is on my calendar?", "calendar/list_events {}"},
    {"What meetings are on my calendar?", "calendar/list_events {}"},
    {"When does the calendar sync?", "none"},
    {"Email the report to finance", "review email/send_email"},
    {"Email the file report.pdf to anna@example.com", "review email/send_email"},
    {"List the emails", "email/list_emails {}"},
    {"Show the attachments of the emails", "none"},
    // The others.
    {"What is the sum of 2 and 3?", "math/get_sum {\"a\":2,\"b\":3}"},
    {"What is the sum of 2, 3 and 4?", "asks math/get_sum"},
    {"What is the product of 2 and 3?", "none"},
    {"What is 2+2?", "none"},
    {"Look up the employee Jane Doe", "people/get_employee {\"name\":\"Jane Doe\"}"},
    {"What are the salaries of Bob?", "none"},
    {"What are the salaries of the employees?", "none"},
    {"Greet Ada", "greeter/greet {\"name\":\"Ada\"}"},
    {"Search the wiki for holiday rules", "wiki/search_wiki {\"query\":\"holiday rules\"}"},
    {"Search for holiday rules", "none"},
    {"Print env", "review env/print_env"},
    {"Format drive C", "none"},
    {"How full is drive C?", "disk/get_drive_info {\"drive\":\"C\"}"},
    {"Create an entity named \"Ada\"", "review memory/create_entities"},
    {"Delete the entity \"Ada\"", "review memory/delete_entities"},
    {"Read the graph", "memory/read_graph {}"},
    {"Turn off the light in the Kitchen", "review home/turn_off_light"},
    {"Trigger a long running operation", "none"},
    {"Which tools are there?", "none"},
    {"Tell me a joke", "none"},
    {"What is the capital of France?", "none"},
    {"Translate this to French", "none"},
    {"Hello, how are you today?", "direct"},
    {"What can you do?", "direct"},
};

// These were written before the code had met any of them.
constexpr FitRow kOtherRows[] = {
    {"Show all files in the project folder", "files/list_directory {\"path\":\".\"}"},
    {"Could you list the files, please?", "files/list_directory {\"path\":\".\"}"},
    {"What files are there?", "files/list_directory {\"path\":\".\"}"},
    {"List the files in the reports folder", "files/list_directory {\"path\":\"reports\"}"},
    {"Open plan.txt", "files/read_text_file {\"path\":\"plan.txt\"}"},
    {"Print the file docs/a.md", "files/read_text_file {\"path\":\"docs/a.md\"}"},
    {"How large is plan.txt?", "none"},
    {"Translate plan.txt into French", "none"},
    {"Compress the file plan.txt", "none"},
    {"How many words are in the files?", "none"},
    {"Count the lines of plan.txt", "none"},
    {"Which files were changed by Bob?", "none"},
    {"Show me the notes", "resource notes.md"},
    {"Read notes.md", "resource notes.md"},
    {"Read the resource docs://onboarding", "resource Onboarding guide"},
    {"Show the onboarding guide", "resource Onboarding guide"},
    {"Read the file budget.md", "files/read_text_file {\"path\":\"budget.md\"}"},
    {"What does the guide say about holidays?", "none"},
    {"Find the file with the pattern \"*.log\"",
     "files/search_files {\"path\":\".\",\"pattern\":\"*.log\"}"},
    {"List the closed tickets", "tickets/search_tickets {\"status\":\"closed\"}"},
    {"Which tickets have high priority?", "tickets/search_tickets {\"priority\":\"high\"}"},
    {"Show the tickets of Bob", "none"},
    {"List the tickets from March", "none"},
    {"Read ticket T-17", "tickets/read_ticket {\"id\":\"T-17\"}"},
    {"What is the status of ticket T-9?", "tickets/read_ticket {\"id\":\"T-9\"}"},
    {"Show the ticket", "asks tickets/read_ticket"},
    {"Export the tickets as CSV", "none"},
    {"Open a ticket titled \"Broken lamp\"", "review tickets/create_ticket"},
    {"Close ticket T-17", "review tickets/close_ticket"},
    {"Reopen ticket T-17", "none"},
    {"What is the weather in Oslo?", "weather/get_weather {\"city\":\"Oslo\"}"},
    {"Weather in Rome please", "weather/get_weather {\"city\":\"Rome\"}"},
    {"Is it going to rain in Oslo tomorrow?", "none"},
    {"Show the weather alerts for Oslo", "none"},
    {"Give me the traffic in Oslo", "none"},
    {"What's on my calendar today?", "calendar/list_events {}"},
    {"Which meetings do I have?", "calendar/list_events {}"},
    {"Add a meeting titled \"Lunch\"", "review calendar/create_event"},
    {"Show my unread emails", "none"},
    {"List the emails", "email/list_emails {}"},
    {"Email the plan to Ann", "review email/send_email"},
    {"What is the sum of 4 and 5?", "math/get_sum {\"a\":4,\"b\":5}"},
    {"What is the product of 4 and 5?", "none"},
    {"Sum up 4, 5", "math/get_sum {\"a\":4,\"b\":5}"},
    {"What is the difference between 4 and 5?", "none"},
    {"Who is Ada Lovelace?", "none"},
    {"Look up the employee Ada Lovelace", "people/get_employee {\"name\":\"Ada Lovelace\"}"},
    {"What is the salary of Ada?", "none"},
    {"Fire the employee Ada Lovelace", "none"},
    {"Greet Grace", "greeter/greet {\"name\":\"Grace\"}"},
    {"Say goodbye to Grace", "none"},
    {"Search the wiki for travel expenses", "wiki/search_wiki {\"query\":\"travel expenses\"}"},
    {"Search for travel expenses", "none"},
    {"What is a firewall?", "none"},
    {"How do I close a ticket?", "none"},
    {"How does the calendar work?", "none"},
    {"Create an entity named Ada", "review memory/create_entities"},
    {"Delete the entity Ada", "review memory/delete_entities"},
    {"Turn off the light in the Kitchen", "review home/turn_off_light"},
    {"Dim the light in the Kitchen", "none"},
    {"Shut down the server", "none"},
    {"Print the environment variables", "review env/print_env"},
    {"Draw a picture of the sea", "none"},
    {"Tell me a story", "none"},
    {"Play some music", "none"},
    {"What time is it in Tokyo?", "none"},
    {"Good evening!", "direct"},
    {"Thanks a lot, great work", "none"},
    {"Who are you?", "direct"},
    {"Buy 10 shares of ACME", "none"},
    {"Read the image of the file plan.txt", "none"},
    {"List the users", "none"},
    {"Show the log files of the database", "none"},
    {"Show the page about files", "none"},
    {"List the servers", "none"},
    {"Find text/plain documents", "none"},
    {"Show the file", "asks files/read_text_file"},
    {"What is the mime type of plan.txt?", "none"},
};

class OfficeFitTest : public FitTest {
 protected:
  void SetUp() override {
    std::vector<connector::Capability> all = files();
    for (const auto& more : {desk(), others()}) all.insert(all.end(), more.begin(), more.end());
    offer(all);
  }
};

TEST_F(OfficeFitTest, WhatFitsIsCalledAndNothingElseIs) {
  EXPECT_EQ(sums_of(kRows), "83 right, 0 missed, 0 answered with something else");
  EXPECT_EQ(sums_of(kOtherRows), "78 right, 0 missed, 0 answered with something else");
}

// Goal: whoever is told that nothing fits learns what there is.
TEST_F(OfficeFitTest, WhereNothingFitsItIsSaidWhatThereIs) {
  const AssistantOutcome outcome = ask_for("What are the salaries of Bob?");
  EXPECT_EQ(status(outcome), "answered_without_mcp");
  EXPECT_EQ(end_of(outcome.state), Outcome::End::kNothingFits);
  EXPECT_EQ(mcp_.discoveries, 1);
  EXPECT_TRUE(response(outcome).starts_with(
      "Nothing was done: nothing that the servers offer fits this request. What there is: "
      "files/list_directory, files/read_text_file, "))
      << response(outcome);
  EXPECT_TRUE(response(outcome).ends_with(" more.")) << response(outcome);
}

TEST_F(OfficeFitTest, WhereAServerCouldNotBeUsedItMayHaveHadWhatFits) {
  mcp_.discovery.problems.push_back({"hr", mcp::FailureClass::kProtocol, "tools is no array"});
  EXPECT_EQ(end_of(ask_for("What are the salaries of Bob?").state), Outcome::End::kUnreachable);
  EXPECT_EQ(end_of(ask_for("List the files").state), Outcome::End::kDone);
}

TEST(EvidenceTest, PlacesAndMediaTypesSayNothing) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(evidence_words("The notes of file:///srv/text, as (text/markdown) or image/png."),
            (Words{"note"}));
  EXPECT_EQ(evidence_words("file:///srv/notes.md"), Words());
}

}  // namespace
}  // namespace plumbline::agents
