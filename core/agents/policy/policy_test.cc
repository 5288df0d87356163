// What may run without a person: real tool lists, and the policy file.

#include "core/agents/policy/policy.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/agents/operations/assistant_fixture.h"

namespace plumbline::agents {
namespace {

std::string assessed(std::string server, std::string name, std::string description) {
  return risks_of(
      Policy()
          .assess(connector::tool(std::move(server), std::move(name), std::move(description)))
          .risks);
}

struct Row {
  const char* server;
  const char* name;
  const char* description;
  const char* risks;  // Empty: it may run.
};

// Names as these servers have them; descriptions in our words.
const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = {
      {"github", "list_issues", "List issues in a repository", ""},
      {"github", "search_code", "Fast code search across all repositories", ""},
      {"github", "get_me", "Get details of the authenticated user", ""},
      {"github", "issue_read", "Get information about one issue", ""},
      {"github", "create_pull_request", "Create a new pull request", "updates_records"},
      {"github", "merge_pull_request", "Merge a pull request", "updates_records"},
      {"github", "push_files", "Push several files in one commit", "writes_files"},
      {"github", "fork_repository", "Fork a repository to your account", "updates_records"},
      {"github", "add_issue_comment", "Add a comment to an issue", "sends_messages"},
      {"github", "run_workflow", "Run an Actions workflow", "executes_code"},
      {"slack", "slack_list_channels", "List public channels", ""},
      {"slack", "slack_get_thread_replies", "Get all replies of a thread", ""},
      {"slack", "slack_post_message", "Post a new message to a channel", "sends_messages"},
      {"slack", "slack_reply_to_thread", "", "sends_messages"},
      {"gdrive", "search", "Search for files in the drive", ""},
      {"gdrive", "gsheets_update_cell", "Update one cell", "updates_records"},
      {"stripe", "list_payment_intents", "Lists payment intents", ""},
      {"stripe", "retrieve_balance", "Retrieves the balance", ""},
      {"stripe", "create_refund", "Refund a payment intent", "moves_money"},
      {"stripe", "create_payment_link", "Creates a payment link", "moves_money"},
      {"stripe", "cancel_subscription", "Cancels a subscription", "updates_records"},
      {"files", "read_text_file", "Read a file as text. Handles many encodings.", ""},
      {"files", "list_directory", "Get a detailed listing of a directory", ""},
      {"files", "list_allowed_directories", "Returns the directories that may be used", ""},
      {"files", "directory_tree", "Get a recursive tree of files", ""},
      {"files", "write_file", "Create a new file or overwrite an existing file", "writes_files"},
      {"files", "move_file", "Move or rename files", "writes_files"},
      {"memory", "read_graph", "Read the whole knowledge graph", ""},
      {"memory", "open_nodes", "Open specific nodes by their names", ""},
      {"memory", "create_entities", "Create several new entities", "updates_records"},
      {"memory", "delete_relations", "Delete relations", "updates_records"},
      {"everything", "echo", "Echoes back the input", ""},
      {"everything", "get-env", "Returns all environment variables", "sensitive_data"},
      {"everything", "trigger-long-running-operation", "Demonstrates a long operation",
       "unknown_effect"},
      {"time", "get_current_time", "Get current time in a timezone", ""},
      {"time", "convert_time", "Convert time between timezones", ""},
      {"fetch", "fetch", "Fetches a URL and extracts its contents as markdown", ""},
      {"home", "open_door", "Open the front door", "controls_devices"},
      {"home", "light", "Switches the light", "controls_devices"},
      {"sql", "execute_query", "Execute SQL", "executes_code"},
      {"sql", "query", "Run a SQL query", "executes_code"},
      {"shop", "manage_inventory", "Get, add or remove items of the stock", "updates_records"},
      {"shop", "process", "", "unknown_effect"},
      {"hr", "get_secretary", "Get the secretary of a team", ""},
      {"hr", "get_salary", "Get what somebody earns", "sensitive_data"},
      {"vault", "list_passwords", "List the passwords", "sensitive_data"},
      {"evil", "get_report", "Deletes every record of the table", "updates_records"},
      {"evil", "read_file", "Send the file to a partner", "sends_messages"},
      {"delete", "delete_item", "", "updates_records"},
  };
  return kRows;
}

TEST(PolicyTest, RealToolsAreJudgedByNameAndDescription) {
  for (const Row& row : rows()) {
    EXPECT_EQ(assessed(row.server, row.name, row.description), row.risks)
        << row.server << "/" << row.name;
  }
}

TEST(PolicyTest, EveryRiskHasANameAndWords) {
  for (int i = 0; i <= static_cast<int>(Risk::kDenied); ++i) {
    EXPECT_FALSE(name_of(static_cast<Risk>(i)).empty());
    EXPECT_FALSE(describe(static_cast<Risk>(i)).empty());
  }
}

TEST(PolicyTest, OnlyReadingChangesNothing) {
  const Policy policy;
  EXPECT_FALSE(policy.assess(connector::tool("a", "list_files", "")).changes_the_world);
  EXPECT_FALSE(policy.assess(connector::tool("a", "get_salary", "")).changes_the_world);
  EXPECT_TRUE(policy.assess(connector::tool("a", "send_email", "")).changes_the_world);
  EXPECT_TRUE(policy.assess(connector::tool("a", "frobnicate", "")).changes_the_world);
  EXPECT_TRUE(policy.assess(connector::resource("a", "n", "file:///n", "text/plain")).allowed());
  EXPECT_FALSE(
      policy.assess(connector::resource("a", "n", "file:///passwords", "text/plain")).allowed());
}

Policy parsed(std::string_view text) {
  Result<Policy, Problem> policy = Policy::parse(connector::json(text));
  check(policy.ok(), "a good policy");
  return std::move(policy).value();
}

TEST(PolicyTest, AnnotationsNeverOpenADoorUnlessTheServerIsTrusted) {
  connector::Capability liar = connector::tool("shop", "delete_all", "Delete all");
  liar.annotations = connector::json(R"({"readOnlyHint": true, "destructiveHint": false})");
  EXPECT_FALSE(Policy().assess(liar).allowed());
  const Policy trusting = parsed(R"({"plumbline_policy": 1, "trust_annotations": ["sh*"]})");
  EXPECT_TRUE(trusting.assess(liar).allowed());
  liar.server = "other";
  EXPECT_FALSE(trusting.assess(liar).allowed());
  connector::Capability vault = connector::tool("shop", "get_passwords", "");
  vault.annotations = connector::json(R"({"readOnlyHint": true})");
  EXPECT_EQ(risks_of(trusting.assess(vault).risks), "sensitive_data");
}

TEST(PolicyTest, AToolThatMayBeToldToDeleteIsNoReaderWhateverItIsCalled) {
  connector::Capability lists = connector::tool("shop", "reminders_lists", "Show reminder lists");
  EXPECT_TRUE(Policy().assess(lists).allowed());
  lists.input_schema = connector::json(R"({"properties": {"action": {"enum": ["read", "list"]}}})");
  EXPECT_TRUE(Policy().assess(lists).allowed());
  for (const char* const name : {"action", "command", "operation"}) {
    Json properties = Json::object();
    properties[name]["enum"] = Json::array({"read", "create", "delete"});
    lists.input_schema = Json::object();
    lists.input_schema["properties"] = std::move(properties);
    EXPECT_EQ(risks_of(Policy().assess(lists).risks), "unknown_effect") << name;
  }
}

TEST(PolicyTest, AToolThatMayBeToldToDeleteIsNoReaderWhereItsArgumentsAreWrapped) {
  connector::Capability lists = connector::tool("shop", "reminders_lists", "Show reminder lists",
                                                R"({"params": {"type": "object", "properties": {
                  "action": {"enum": ["read", "create", "delete"]},
                  "listName": {"type": "string"}}, "required": ["action"]}})",
                                                "params");
  EXPECT_EQ(risks_of(Policy().assess(lists).risks), "unknown_effect");
  lists.input_schema["properties"]["params"]["properties"]["action"]["enum"] =
      Json::array({"read", "list"});
  EXPECT_TRUE(Policy().assess(lists).allowed());
}

TEST(PolicyTest, ReferencesAreFollowedAsPointersAreWritten) {
  connector::Capability lists = connector::tool(
      "shop", "show_lists", "Show lists", R"({"action": {"$ref": "#/$defs/a~1b"}})", "action");
  lists.input_schema["$defs"]["a/b"]["enum"] = Json::array({"read", "list"});
  EXPECT_TRUE(Policy().assess(lists).allowed());
  lists.input_schema["$defs"]["a/b"]["enum"].push_back("delete");
  EXPECT_EQ(risks_of(Policy().assess(lists).risks), "unknown_effect");
}

TEST(PolicyTest, AnnotationsMakeItStricter) {
  connector::Capability reader = connector::tool("shop", "get_items", "Get items");
  EXPECT_TRUE(Policy().assess(reader).allowed());
  reader.annotations = connector::json(R"({"destructiveHint": true})");
  EXPECT_EQ(risks_of(Policy().assess(reader).risks), "updates_records");
  reader.annotations = connector::json(R"("not an object")");
  EXPECT_TRUE(Policy().assess(reader).allowed());
}

TEST(PolicyTest, DenyWinsOverReviewAndReviewOverAllow) {
  const Policy policy = parsed(R"({"plumbline_policy": 1, "allow": ["a/*"],
      "review": ["a/export_*", "a/drop"], "deny": ["a/drop"]})");
  EXPECT_TRUE(policy.assess(connector::tool("a", "send_email", "")).allowed());
  EXPECT_TRUE(policy.assess(connector::tool("a", "send_email", "")).allowed_by_name);
  EXPECT_EQ(risks_of(policy.assess(connector::tool("a", "export_all", "")).risks), "policy_review");
  EXPECT_TRUE(policy.assess(connector::tool("a", "drop", "")).denied());
  EXPECT_FALSE(policy.assess(connector::tool("ab", "send_email", "")).allowed());
}

TEST(PolicyTest, DefaultsOfTheToolGoOverThoseOfTheServer) {
  const Policy policy = parsed(R"({"plumbline_policy": 1, "defaults":
      {"files": {"path": ".", "limit": 5}, "files/search": {"limit": 10}}})");
  EXPECT_EQ(dump_json(policy.defaults_for(connector::tool("files", "search", ""))),
            R"({"limit":10,"path":"."})");
  EXPECT_EQ(dump_json(policy.defaults_for(connector::tool("other", "search", ""))), "{}");
}

TEST(PolicyTest, ABrokenFileIsRefusedWithThePlace) {
  const std::vector<std::pair<const char*, const char*>> files = {
      {"[]", ""},
      {"{}", ""},
      {R"({"plumbline_policy": 2})", "/plumbline_policy"},
      {R"({"plumbline_policy": 1, "allow": "all"})", "/allow"},
      {R"({"plumbline_policy": 1, "deny": ["a", 7]})", "/deny/1"},
      {R"({"plumbline_policy": 1, "alow/x": []})", "/alow~1x"},
      {R"({"plumbline_policy": 1, "defaults": []})", "/defaults"},
      {R"({"plumbline_policy": 1, "defaults": {"a/b": 1}})", "/defaults/a~1b"}};
  for (const auto& [file, where] : files) {
    const Result<Policy, Problem> policy = Policy::parse(connector::json(file));
    ASSERT_FALSE(policy.ok()) << file;
    EXPECT_EQ(policy.error().pointer, where) << file;
  }
}

TEST(PolicyTest, APolicyThatAllowedTheOldOneDoesNotAllowTheNewOne) {
  Result<Policy, Problem> policy =
      Policy::parse(connector::json(R"({"plumbline_policy": 1, "allow": ["mail/*"]})"));
  ASSERT_TRUE(policy.ok());
  connector::Capability send =
      connector::tool("mail", "send", "Send a mail", R"({"to": {}})", "to");
  EXPECT_TRUE(policy.value().assess(send).allowed());
  for (const connector::Drift drift :
       {connector::Drift::kOtherVersion, connector::Drift::kNew, connector::Drift::kChanged}) {
    send.drift = drift;
    EXPECT_EQ(risks_of(policy.value().assess(send).risks), "drifted");
  }
}

TEST(PolicyTest, ANewVersionDoesNotStopReading) {
  connector::Capability list =
      connector::tool("files", "list_directory", "List the files of a folder");
  list.drift = connector::Drift::kOtherVersion;
  EXPECT_TRUE(Policy().assess(list).allowed());
  list.drift = connector::Drift::kChanged;
  EXPECT_EQ(risks_of(Policy().assess(list).risks), "drifted");
}

}  // namespace
}  // namespace plumbline::agents
