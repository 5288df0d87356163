// Tools that are told by a choice what to do: what of that runs without a person.

#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/assistant_fixture.h"
#include "core/base/text.h"

namespace plumbline::agents {
namespace {

class ToldActionTest : public AssistantTest {
 protected:
  // sent returns how many calls a request comes to that nobody approves.
  std::size_t sent(std::string_view name, std::string_view description, std::string_view properties,
                   const std::string& request) {
    mcp_.requests.clear();
    offer({connector::tool("home", std::string(name), std::string(description),
                           std::string(properties), "action")});
    ask_for(request);
    return mcp_.requests.size();
  }
};

TEST_F(ToldActionTest, WhatIsWrappedIsJudgedToo) {
  offer({connector::tool("reminders", "reminders_lists", "Show reminder lists",
                         R"({"params": {"type": "object", "properties": {
                     "action": {"type": "string", "enum": ["read", "create", "delete"]},
                     "listName": {"type": "string"}}, "required": ["action"]}})",
                         "params")});
  const AssistantOutcome outcome = ask_for("Delete the reminder list named Groceries");
  EXPECT_EQ(status(outcome), "needs_review");
  EXPECT_TRUE(mcp_.requests.empty());
}

TEST_F(ToldActionTest, WhatSoundsLikeReadingAndMovesSomethingNeedsAPerson) {
  constexpr std::string_view kBlinds =
      R"({"action": {"type": "string", "enum": ["open", "close", "stop"]}})";
  EXPECT_EQ(sent("blinds", "The blinds.", kBlinds, "Open the blinds"), 0U);
  constexpr std::string_view kGate = R"({"action": {"type": "string", "enum": ["open"]}})";
  EXPECT_EQ(sent("gate", "The gate.", kGate, "Open the gate"), 0U);
  constexpr std::string_view kPositions =
      R"({"action": {"type": "string", "enum": ["open", "close"]}})";
  EXPECT_EQ(sent("positions", "Positions.", kPositions, "Open a position"), 0U);
  constexpr std::string_view kPhone =
      R"({"action": {"type": "string", "enum": ["answer", "hang_up"]}})";
  EXPECT_EQ(sent("phone", "The phone.", kPhone, "Answer the phone"), 0U);
  constexpr std::string_view kCalendar =
      R"({"action": {"type": "string", "enum": ["list", "receive", "sort", "open"]}})";
  EXPECT_EQ(sent("calendar", "The calendar.", kCalendar, "Sort the calendar"), 0U);
  EXPECT_EQ(sent("calendar", "The calendar.", kCalendar, "List the calendar"), 1U);
}

TEST_F(ToldActionTest, NothingIsReadByOneWhoAsksForAChangeToo) {
  constexpr std::string_view kTasks =
      R"({"action": {"type": "string", "enum": ["list", "delete"]}})";
  EXPECT_EQ(sent("tasks", "Tasks.", kTasks, "List the tasks"), 1U);
  EXPECT_EQ(sent("tasks", "Tasks.", kTasks, "List the tasks and delete them"), 0U);
  constexpr std::string_view kBackup = R"({"action": {"type": "string", "enum": ["status"]}})";
  EXPECT_EQ(sent("backup", "The backup.", kBackup, "Show the backup"), 1U);
  EXPECT_EQ(sent("backup", "The backup.", kBackup, "Start the backup"), 0U);
}

// A tool that is called and described as one that shows is asked to delete, by whichever action.
TEST_F(ToldActionTest, WhateverItsActionIsCalledNobodyDeletesUnasked) {
  for (const char* const properties : {
           R"({"action": {"enum": ["show", "delete"]}, "name": {"type": "string"}})",
           R"({"action": {"anyOf": [{"const": "show"}, {"const": "delete"}]},
               "name": {"type": "string"}})",
           R"({"action": {"oneOf": [{"enum": ["show"]}, {"enum": ["delete"]}]},
               "name": {"type": "string"}})",
           R"({"operations": {"type": "array", "items": {"type": "string",
               "enum": ["show", "delete"]}}, "name": {"type": "string"}})",
           R"({"steps": {"type": "array", "items": {"type": "object", "properties":
               {"op": {"enum": ["show", "delete"]}}}}, "name": {"type": "string"}})",
           R"({"mode": {"enum": ["show", "delete"]}, "name": {"type": "string"}})",
           R"({"method": {"enum": ["GET", "DELETE"]}, "name": {"type": "string"}})",
           R"({"http_method": {"enum": ["GET", "DELETE"]}, "name": {"type": "string"}})",
           R"({"op": {"enum": ["show", "delete"]}, "name": {"type": "string"}})",
           R"({"verb": {"enum": ["show", "delete"]}, "name": {"type": "string"}})",
           R"({"operationType": {"enum": ["show", "delete"]}, "name": {"type": "string"}})",
           R"({"what": {"enum": ["show", "delete"]}, "name": {"type": "string"}})",
           R"({"action": {"type": "string", "description": "show, or delete"},
               "name": {"type": "string"}})",
           R"({"options": {"type": "object", "properties": {
               "action": {"enum": ["show", "delete"]}}}, "name": {"type": "string"}})",
       }) {
    offer({connector::tool("home", "alarms_show", "Show alarms.", properties)});
    EXPECT_EQ(risks_of(Policy().assess(mcp_.discovery.manifest.servers[0].capabilities[0]).risks),
              "unknown_effect")
        << properties;
    for (const char* const request :
         {"Delete the alarm named Work", "Show alarms delete", "Show the alarm Work, action delete",
          "Show the alarm named Work with action=delete", "Show alarms, mode delete",
          "Show the alarms with operations=delete", "Show alarms method=DELETE"}) {
      mcp_.requests.clear();
      ask_for(request);
      for (const connector::McpRequest& sent : mcp_.requests) {
        const std::string call = lower_case(dump_json(sent.params));
        EXPECT_EQ(call.find("delete"), std::string::npos) << properties << request;
      }
    }
  }
}

TEST_F(ToldActionTest, ReferencesAreFollowedToTheirEnd) {
  connector::Capability alarms = connector::tool("home", "alarms_show", "Show alarms.",
                                                 R"({"action": {"$ref": "#/$defs/a"}})");
  alarms.input_schema["$defs"] = connector::json(
      R"({"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]},
          "b": {"enum": ["show", "delete"]}})");
  EXPECT_EQ(risks_of(Policy().assess(alarms).risks), "unknown_effect");
  alarms.input_schema["$defs"]["b"]["enum"] = Json::array({"show", "list"});
  EXPECT_TRUE(Policy().assess(alarms).allowed());
  // Each action is an object of its own.
  alarms.input_schema = connector::json(
      R"({"oneOf": [{"properties": {"action": {"const": "show"}}},
                    {"properties": {"action": {"const": "delete"}}}]})");
  EXPECT_EQ(risks_of(Policy().assess(alarms).risks), "unknown_effect");
}

TEST_F(ToldActionTest, ASchemaThatMakesMuchOfLittleIsNotTrusted) {
  connector::Capability alarms =
      connector::tool("home", "alarms_show", "Show alarms.", R"({"name": {"type": "string"}})");
  for (int i = 0; i < 400; ++i) {
    alarms.input_schema["properties"]["p" + std::to_string(i)] =
        connector::json(R"({"$ref": "#/$defs/many"})");
    alarms.input_schema["$defs"]["many"]["enum"].push_back("v" + std::to_string(i));
  }
  EXPECT_EQ(risks_of(Policy().assess(alarms).risks), "unknown_effect");
}

TEST_F(ToldActionTest, WhatReadsGoesOn) {
  constexpr std::string_view kPage =
      R"({"url": {"type": "string"}, "method": {"enum": ["GET", "HEAD"]}})";
  EXPECT_TRUE(
      Policy().assess(connector::tool("web", "fetch_page", "Fetch a page.", kPage)).allowed());
  constexpr std::string_view kRoute =
      R"({"to": {"type": "string"}, "mode": {"enum": ["driving", "walking"]}})";
  EXPECT_TRUE(
      Policy().assess(connector::tool("map", "get_route", "Get a route.", kRoute)).allowed());
}

TEST_F(ToldActionTest, WhatNoSchemaSaysIsSeenInTheCall) {
  offer({connector::tool("home", "alarms_show", "Show alarms.",
                         R"({"action": {"type": "string"}, "name": {"type": "string"}})")});
  EXPECT_EQ(status(ask_for("Show the alarms with action=delete")), "needs_review");
  EXPECT_TRUE(mcp_.requests.empty());
}

}  // namespace
}  // namespace plumbline::agents
