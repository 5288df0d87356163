// Values in forms of their own, and actions chosen by what a verb means.

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "core/agents/operations/arguments/arguments.h"
#include "core/agents/operations/arguments/by_form.h"
#include "core/agents/operations/arguments/chosen_action.h"
#include "core/agents/operations/arguments/spelled_out.h"
#include "core/agents/operations/assistant_fixture.h"

namespace plumbline::agents {
namespace {

constexpr std::string_view kBoardActions = R"({"action": {"type": "string",
  "enum": ["list", "get", "create", "update", "delete"]}, "name": {"type": "string"},
  "newName": {"type": "string"}})";

std::string given(std::string_view request, const connector::Capability& tool) {
  return dump_json(extract_arguments(request, tool, Json::object()).arguments);
}

TEST(FormsTest, ShortFormsAreSpelledOut) {
  EXPECT_EQ(spelled_out("Merge PR 42, please"), "Merge pull request 42, please");
  EXPECT_EQ(spelled_out("Which PRs are open?"), "Which pull requests are open?");
}

TEST(FormsTest, TheFirstLineIsOneOfThem) {
  EXPECT_EQ(spelled_out("Show me the first line of a.txt"), "Show me the first 1 lines of a.txt");
  EXPECT_EQ(spelled_out("Print the last row, please"), "Print the last 1 rows, please");
  for (const char* const request :
       {"Say \"first line\" twice", "Add a line first. Line 3 is next", "Show the first 3 lines"}) {
    EXPECT_EQ(spelled_out(request), request);
  }
}

TEST(FormsTest, WhatIsQuotedOrNamedStaysAsItIs) {
  for (const char* const request :
       {"Say \"PR done\" twice", "Say \"PR\" twice", "Say 'PR' twice",
        "Send 'Fix PR template now' to #dev", "Delete the list called 'my PR list'",
        "Send `Fix PR` to #dev",
        "Send \xe2\x80\x9c"
        "Fix PR now\xe2\x80\x9d to #dev",
        "Delete the list called my PR list", "Create an issue titled Fix PR template",
        "Post to #dev: PR is done", "Rename the list Work to PR queue",
        "What does the mean temperature in Oslo look like?", "What does TIL mean here?"}) {
    EXPECT_EQ(spelled_out(request), request);
  }
  EXPECT_EQ(spelled_out("Open the list named PR. Merge PR 42"),
            "Open the list named PR. Merge pull request 42");
}

TEST(FormsTest, AnActionIsChosenByWhatTheVerbMeans) {
  const connector::Capability boards =
      connector::tool("s", "boards", "Manages boards.", kBoardActions, "action");
  EXPECT_EQ(given("Make a new board called Plans", boards),
            R"({"action":"create","name":"Plans"})");
  EXPECT_EQ(given("Which boards do we have?", boards), R"({"action":"list"})");
  EXPECT_EQ(given("Rename the board Work to Office", boards),
            R"({"action":"update","name":"Work","newName":"Office"})");
  EXPECT_EQ(given("Pause the boards", boards), "{}");
  EXPECT_EQ(given("Clear the boards", boards), "{}");
  EXPECT_EQ(given("Do delete the board named Work", boards),
            R"({"action":"delete","name":"Work"})");
}

TEST(FormsTest, ValuesGoWhereTheirFormsSay) {
  const connector::Capability requests = connector::tool(
      "s", "getPullRequests", "Get pull requests.",
      R"({"workspace": {"type": "string"}, "repo_slug": {"type": "string"}})", "workspace");
  EXPECT_EQ(given("List the pull requests in acme/webshop", requests),
            R"({"repo_slug":"webshop","workspace":"acme"})");
  const connector::Capability posts = connector::tool(
      "s", "browse", "Browse.",
      R"({"forum": {"type": "string", "description": "Forum name without r/ prefix"}})", "forum");
  EXPECT_EQ(given("Browse r/news", posts), R"({"forum":"news"})");
  const connector::Capability people = connector::tool(
      "s", "people", "People.",
      R"({"who": {"type": "string", "description": "Handle without @ prefix"}})", "who");
  EXPECT_EQ(given("People like @jane", people), R"({"who":"jane"})");
  const connector::Capability fetch = connector::tool(
      "s", "ssh_download", "Downloads a file.",
      R"({"localPath": {"type": "string"}, "remotePath": {"type": "string"}})", "localPath");
  EXPECT_EQ(given("download /var/log/a.log to /tmp/a.log", fetch),
            R"({"localPath":"/tmp/a.log","remotePath":"/var/log/a.log"})");
}

TEST(FormsTest, WhatMayBeOfTheValueIsNotLeftOut) {
  const connector::Capability folders = connector::tool(
      "s", "browse", "Browse.",
      R"({"folder": {"type": "string", "description": "Folder without / at the end"}})", "folder");
  EXPECT_EQ(given("Browse /etc/app", folders), R"({"folder":"/etc/app"})");
  const connector::Capability posts = connector::tool(
      "s", "browse", "Browse.",
      R"({"forum": {"type": "string", "description": "Forum name without r/ prefix"}})", "forum");
  EXPECT_NE(given("Browse \"r/news\"", posts), R"({"forum":"news"})");
}

TEST(FormsTest, ADescriptionThatCountsHasNoMark) {
  const connector::Capability prices = connector::tool(
      "s", "browse", "Browse.",
      R"({"price": {"type": "string", "description": "Price without 10 % tax"}})", "price");
  EXPECT_NE(given("Browse 1099", prices), R"({"price":"99"})");
}

TEST(FormsTest, AnAddressIsNotGivenToWhoSends) {
  const connector::Capability invoices = connector::tool(
      "s", "send_invoice", "Sends an invoice.",
      R"({"invoice_id": {"type": "string"}, "reply_email": {"type": "string"}})", "invoice_id");
  EXPECT_EQ(given("Send invoice inv42 to jane@acme.com", invoices), R"({"invoice_id":"inv42"})");
  const connector::Capability mail =
      connector::tool("s", "search_mail", "Searches the mail.",
                      R"({"query": {"type": "string"}, "from_email": {"type": "string"}})");
  EXPECT_EQ(given("Search the mail to jane@acme.com", mail).find("from_email"), std::string::npos);
  EXPECT_NE(
      given("Search the mail from jane@acme.com", mail).find(R"("from_email":"jane@acme.com")"),
      std::string::npos);
}

}  // namespace
}  // namespace plumbline::agents
