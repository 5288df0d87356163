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

TEST(FormsTest, ShortFormsAndIdiomsAreSpelledOut) {
  EXPECT_EQ(spelled_out("Merge PR 42, please"), "Merge pull request 42, please");
  EXPECT_EQ(spelled_out("Say \"PR done\" twice"), "Say \"PR done\" twice");
  EXPECT_EQ(spelled_out("What does TIL mean here?"), "Explain \"TIL\" here?");
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
  const connector::Capability fetch = connector::tool(
      "s", "ssh_download", "Downloads a file.",
      R"({"localPath": {"type": "string"}, "remotePath": {"type": "string"}})", "localPath");
  EXPECT_EQ(given("download /var/log/a.log to /tmp/a.log", fetch),
            R"({"localPath":"/tmp/a.log","remotePath":"/var/log/a.log"})");
}

}  // namespace
}  // namespace plumbline::agents
