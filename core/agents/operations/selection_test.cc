// Whether the right capability comes first, among tools as real servers have them.

#include "core/agents/operations/selection.h"

#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/assistant_fixture.h"

namespace plumbline::agents {
namespace {

constexpr std::string_view kPath = R"({"path": {"type": "string"}})";

// The fourteen tools of the reference filesystem server, described in our words.
std::vector<connector::Capability> filesystem() {
  const std::string_view head = R"({"path": {"type": "string"}, "head": {"type": "number"},
                                    "tail": {"type": "number"}})";
  return {
      connector::tool("filesystem", "read_file",
                      "Read a file as text. DEPRECATED: use read_text_file.", head, "path"),
      connector::tool("filesystem", "read_text_file", "Read the contents of a file as text.", head,
                      "path"),
      connector::tool("filesystem", "read_media_file", "Read an image or audio file as base64.",
                      kPath, "path"),
      connector::tool("filesystem", "read_multiple_files", "Read several files at once.",
                      R"({"paths": {"type": "array", "items": {"type": "string"}}})", "paths"),
      connector::tool("filesystem", "write_file", "Create a new file or overwrite an existing one.",
                      R"({"path": {"type": "string"}, "content": {"type": "string"}})",
                      "path content"),
      connector::tool("filesystem", "edit_file", "Make line-based edits to a text file.",
                      R"({"path": {"type": "string"}, "edits": {"type": "array"},
               "dryRun": {"type": "boolean", "default": false}})",
                      "path edits"),
      connector::tool("filesystem", "create_directory", "Create a new directory.", kPath, "path"),
      connector::tool("filesystem", "list_directory",
                      "Get a listing of all files and directories in a path.", kPath, "path"),
      connector::tool("filesystem", "list_directory_with_sizes",
                      "Get a listing of all files and directories in a path, with sizes.",
                      R"({"path": {"type": "string"},
               "sortBy": {"type": "string", "enum": ["name", "size"], "default": "name"}})",
                      "path"),
      connector::tool("filesystem", "directory_tree",
                      "Get a recursive tree of files and directories.", kPath, "path"),
      connector::tool("filesystem", "move_file", "Move or rename files and directories.",
                      R"({"source": {"type": "string"}, "destination": {"type": "string"}})",
                      "source destination"),
      connector::tool("filesystem", "search_files", "Search for files that match a pattern.",
                      R"({"path": {"type": "string"}, "pattern": {"type": "string"}})",
                      "path pattern"),
      connector::tool("filesystem", "get_file_info", "Retrieve metadata about a file or directory.",
                      kPath, "path"),
      connector::tool("filesystem", "list_allowed_directories",
                      "Returns the directories that may be used."),
  };
}

std::vector<connector::Capability> office() {
  return {
      connector::tool("tickets", "search_tickets", "Search support tickets by status and priority.",
                      R"({"status": {"type": "string"}, "priority": {"type": "string"}})"),
      connector::tool("tickets", "create_ticket", "Create a support ticket.",
                      R"({"title": {"type": "string"}})", "title"),
      connector::tool("tickets", "read_ticket", "Read one ticket.", R"({"id": {"type": "string"}})",
                      "id"),
      connector::tool("email", "send_email", "Send an email.",
                      R"({"to": {"type": "string"}, "subject": {"type": "string"}})", "to subject"),
      connector::tool("email", "list_emails", "List the emails of the inbox."),
      connector::tool("calendar", "create_event", "Create a calendar event.",
                      R"({"title": {"type": "string"}})", "title"),
      connector::tool("calendar", "list_events", "List the events and meetings of the calendar."),
      connector::tool("pdf", "extract_text", "Extract the text of a PDF document.", kPath, "path"),
      connector::tool("home", "set_light", "Turn a light on or off.",
                      R"({"room": {"type": "string"}})"),
      connector::tool("greeter", "greet", "Greet a person by name.",
                      R"({"name": {"type": "string"}})", "name"),
  };
}

struct Ranking {
  connector::Manifest manifest;
  std::vector<Candidate> candidates;

  std::string best() const {
    return candidates.empty() ? "none" : connector::at(manifest, candidates.front().ref).name;
  }
};

Ranking ranked(std::string_view request, const std::vector<connector::Capability>& capabilities,
               std::string_view policy = R"({"plumbline_policy": 1})") {
  Ranking out;
  out.manifest = connector::manifest_of(capabilities);
  out.candidates = rank(out.manifest, request, classify_intent(request), {},
                        Policy::parse(connector::json(policy)).value());
  return out;
}

using Rows = std::vector<std::pair<std::string_view, std::string_view>>;

TEST(SelectionTest, TheRightToolOfTheFilesystemServerComesFirst) {
  constexpr std::string_view configured =
      R"({"plumbline_policy": 1, "defaults": {"filesystem": {"path": "."}}})";
  for (const auto& [request, expected] :
       Rows{{"List the files in the managed project folder.", "list_directory"},
            {"list files", "list_directory"},
            {"List the directory with sizes", "list_directory_with_sizes"},
            {"Which directories are allowed?", "list_allowed_directories"},
            {"Read notes.md", "read_text_file"},
            {"Read the file docs/plan.txt", "read_text_file"},
            {"Show the tree of the project folder", "directory_tree"},
            {"Search files for deadlines", "search_files"},
            {"Write 'hello' to notes.txt", "write_file"},
            {"Create the directory archive/2026", "create_directory"},
            {"Move a.txt to b.txt", "move_file"},
            {"Use get_file_info on notes.md", "get_file_info"}}) {
    EXPECT_EQ(ranked(request, filesystem(), configured).best(), expected) << request;
  }
}

TEST(SelectionTest, TheRightToolOfAnOfficeComesFirst) {
  for (const auto& [request, expected] :
       Rows{{"Summarize the open high-priority support tickets.", "search_tickets"},
            {"Create a ticket titled \"printer\"", "create_ticket"},
            {"Open a ticket about the printer", "create_ticket"},
            {"Show ticket T-42", "read_ticket"},
            {"Email the report to finance", "send_email"},
            {"Show my latest emails", "list_emails"},
            {"What meetings are on my calendar?", "list_events"},
            {"Extract the text of report.pdf", "extract_text"},
            {"Turn on the light", "set_light"},
            {"Greet Ada", "greet"}}) {
    EXPECT_EQ(ranked(request, office()).best(), expected) << request;
  }
}

TEST(SelectionTest, WhatDoesNotFitIsLeftOut) {
  for (const std::string_view request :
       {"What is the weather in Paris?", "Write a function that reverses a string", "Play a song",
        "Read the address book entry"}) {
    EXPECT_EQ(ranked(request, filesystem()).best(), "none") << request;
  }
  EXPECT_EQ(ranked("Read the address file list", {connector::tool("m", "add", "Add two numbers.")})
                .best(),
            "none");
}

TEST(SelectionTest, AReaderIsNeverChosenForAnActionNorTheOtherWayRound) {
  const std::vector<connector::Capability> both = {
      connector::tool("a", "read_ticket", "Read a ticket."),
      connector::tool("a", "delete_ticket", "Delete a ticket.")};
  EXPECT_EQ(ranked("Delete the ticket", both).best(), "delete_ticket");
  EXPECT_EQ(ranked("Read the ticket", both).best(), "read_ticket");
  EXPECT_EQ(ranked("Read the ticket", {both[1]}).best(), "none");
}

TEST(SelectionTest, EqualScoresKeepTheOrderOfTheManifest) {
  const Ranking ranking = ranked("List the files", {connector::tool("b", "list_files", ""),
                                                    connector::tool("a", "list_files", "")});
  ASSERT_EQ(ranking.candidates.size(), 2U);
  EXPECT_EQ(ranking.candidates[0].score, ranking.candidates[1].score);
  EXPECT_EQ(connector::at(ranking.manifest, ranking.candidates[0].ref).server, "b");
}

TEST(SelectionTest, ListsThatCannotBeNarrowedAreFoundOut) {
  using Words = std::vector<std::string>;
  const std::string_view request = "Show the open high-priority tickets";
  EXPECT_EQ(unfilterable_words(request, connector::tool("t", "list_tickets", "")),
            (Words{"open", "high"}));
  EXPECT_EQ(unfilterable_words(request, connector::tool("t", "get_tickets", "",
                                                        R"({"state": {"type": "string"}})")),
            Words{"high"});
  EXPECT_EQ(unfilterable_words(request, connector::tool("t", "search_tickets", "",
                                                        R"({"query": {"type": "string"}})")),
            Words());
  EXPECT_EQ(unfilterable_words(request, connector::tool("t", "list_open_high_tickets", "")),
            Words());
  EXPECT_EQ(unfilterable_words(request, connector::tool("t", "get_ticket", "")), Words());
  EXPECT_EQ(unfilterable_words("Show the tickets", connector::tool("t", "list_tickets", "")),
            Words());
}

}  // namespace
}  // namespace plumbline::agents
