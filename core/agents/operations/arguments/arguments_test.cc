#include "core/agents/operations/arguments/arguments.h"

#include <string>
#include <string_view>

#include "core/agents/operations/assistant_fixture.h"

namespace plumbline::agents {
namespace {

constexpr std::string_view kText = R"({"type": "string"})";

std::string arguments(std::string_view request, const connector::Capability& capability,
                      std::string_view configured = "{}") {
  return dump_json(extract_arguments(request, capability, connector::json(configured)).arguments);
}

// one makes a tool with a single required property.
connector::Capability one(const std::string& name, std::string_view schema = kText) {
  return connector::tool("s", "get_it", "", "{\"" + name + "\": " + std::string(schema) + "}",
                         name);
}

TEST(ArgumentsTest, EachKindOfPropertyFindsItsValue) {
  struct Row {
    const char* request;
    const char* property;
    const char* value;
  };
  for (const Row& row : {Row{"Read notes.md", "path", "notes.md"},
                         {"Fetch https://x.com/a", "url", "https://x.com/a"},
                         {"Post it to #general", "channel_id", "#general"},
                         {"Greet Ada", "name", "Ada"},
                         {"Search the wiki for holiday rules", "query", "holiday rules"},
                         {"Say \"hello there\" now", "message", "hello there"},
                         {"Show ticket T-42", "ticket_id", "T-42"},
                         {"Email the report to Bob", "subject", "report"},
                         {"What is the weather in New York?", "city", "New York"},
                         {"Compute \"2+2\"", "expression", "2+2"}}) {
    const Json found = connector::json(arguments(row.request, one(row.property)));
    EXPECT_EQ(string_or(found, row.property, "nothing"), row.value) << row.request;
  }
}

TEST(ArgumentsTest, MissingStaysMissing) {
  for (const char* property :
       {"path", "url", "to", "name", "query", "body", "id", "city", "blob"}) {
    const Extraction found = extract_arguments("do it", one(property), Json::object());
    EXPECT_EQ(found.missing, std::vector<std::string>{property});
    EXPECT_TRUE(found.arguments.empty());
    EXPECT_TRUE(found.sources.empty());
  }
}

TEST(ArgumentsTest, TheRequestGoesBeforeTheConfigurationAndThatBeforeTheDefault) {
  const connector::Capability reader = one("path", R"({"type": "string", "default": "d.txt"})");
  const auto source = [&](std::string_view request, std::string_view configured) {
    const Extraction found = extract_arguments(request, reader, connector::json(configured));
    return string_or(found.arguments, "path", "") + " " +
           std::string(name_of(found.sources.at(0).provenance));
  };
  EXPECT_EQ(source("read r.txt", R"({"path": "c.txt"})"), "r.txt request");
  EXPECT_EQ(source("read it", R"({"path": "c.txt"})"), "c.txt configuration");
  EXPECT_EQ(source("read it", "{}"), "d.txt schema_default");
}

TEST(ArgumentsTest, TypesAreKept) {
  EXPECT_EQ(arguments("show issue #17", one("issue_number", R"({"type": "integer"})")),
            R"({"issue_number":17})");
  EXPECT_EQ(arguments("wait 2.5", one("seconds", R"({"type": "number"})")), R"({"seconds":2.5})");
  EXPECT_EQ(arguments("wait 2.5", one("seconds", R"({"type": "integer"})")), "{}");
  EXPECT_EQ(arguments("wait 1.2.3", one("seconds", R"({"type": "number"})")), "{}");
  EXPECT_EQ(arguments("wait seconds=nan", one("seconds", R"({"type": "number"})")), "{}");
  EXPECT_EQ(arguments("n=99999999999999999999", one("n", R"({"type": "integer"})")), "{}");
  EXPECT_EQ(arguments("deep=yes", one("deep", R"({"type": "boolean"})")), R"({"deep":true})");
  EXPECT_EQ(arguments("read a.txt", one("paths", R"({"type": "array"})")),
            R"({"paths":["a.txt"]})");
  EXPECT_EQ(arguments("read a.txt", one("path", "true")), R"({"path":"a.txt"})");
  EXPECT_EQ(arguments("set x=1", one("x", R"({"type": "object"})")), "{}");
}

TEST(ArgumentsTest, EnumValuesAreSpokenOfOrNotTaken) {
  const connector::Capability search =
      one("state", R"({"type": "string", "enum": ["open", "closed", "in_progress"]})");
  EXPECT_EQ(arguments("list the Open ones", search), R"({"state":"open"})");
  EXPECT_EQ(arguments("list those in progress", search), R"({"state":"in_progress"})");
  EXPECT_EQ(arguments("list open and closed ones", search), "{}");
  EXPECT_EQ(arguments("list all", search), "{}");
  EXPECT_EQ(arguments("state: OPEN", search), R"({"state":"open"})");
}

TEST(ArgumentsTest, ListsAreFilteredByWhatTheRequestSays) {
  const std::string_view properties =
      R"({"status": {"type": "string"}, "priority": {"type": "string"}})";
  const connector::Capability list = connector::tool("s", "search_tickets", "", properties);
  EXPECT_EQ(arguments("Summarize the open high-priority tickets", list),
            R"({"priority":"high","status":"open"})");
  EXPECT_EQ(arguments("Open the tickets", list), "{}");
  EXPECT_EQ(
      arguments("Update the open ticket", connector::tool("s", "update_ticket", "", properties)),
      "{}");
}

TEST(ArgumentsTest, SourceAndDestinationAreNotMixedUp) {
  const connector::Capability move = connector::tool(
      "files", "move_file", "",
      R"({"source": {"type": "string"}, "destination": {"type": "string"}})", "source destination");
  EXPECT_EQ(arguments("Move a.txt to b.txt", move), R"({"destination":"b.txt","source":"a.txt"})");
  EXPECT_EQ(arguments("Move a.txt", move), R"({"source":"a.txt"})");
}

TEST(ArgumentsTest, WhatIsNamedIsNotGuessedByAnother) {
  const connector::Capability send =
      connector::tool("mail", "send", "",
                      R"({"body": {"type": "string"}, "title": {"type": "string"},
                                   "to": {"type": "string"}})",
                      "body title to");
  EXPECT_EQ(arguments("Send body=\"see you\" title=\"lunch\" to: bob@x.com", send),
            R"({"body":"see you","title":"lunch","to":"bob@x.com"})");
}

TEST(ArgumentsTest, AMessageThatNeedNotSayWhomIsToldWhom) {
  const char* const schema = R"({"to": {"type": "string"}, "subject": {"type": "string"}})";
  const connector::Capability send = connector::tool("mail", "send_email", "", schema, "");
  EXPECT_EQ(arguments("Email the report to finance.", send), R"({"to":"finance"})");
  const connector::Capability translate = connector::tool("words", "translate", "", schema, "");
  EXPECT_EQ(arguments("Translate the report to finance.", translate), "{}");
}

TEST(ArgumentsTest, ANumberBehindAThingIsTheThings) {
  const char* const schema = R"({"document_type": {"type": "number"}, "page": {"type": "number"},
                                 "document_number": {"type": "number"}})";
  const connector::Capability list = connector::tool("docs", "list_documents", "", schema, "");
  EXPECT_EQ(arguments("Print two copies of document 311", list), R"({"document_number":311})");
  EXPECT_EQ(arguments("List documents of type 3, page 2", list), R"({"document_type":3,"page":2})");
}

TEST(ArgumentsTest, ANameIsNoCode) {
  const connector::Capability translate = connector::tool(
      "deepl", "translate", "",
      R"({"text": {"type": "string"}, "to": {"type": "string", "description": "Language code"}})",
      "text to");
  EXPECT_EQ(arguments("Translate \"good day\" to German", translate), R"({"text":"good day"})");
  EXPECT_EQ(arguments("Translate \"good day\" to pt-BR", translate),
            R"({"text":"good day","to":"pt-BR"})");
}

TEST(ArgumentsTest, EncodedBytesAreNeverWordsOfTheRequest) {
  for (const char* schema : {R"({"attachment_base64": {"type": "string"}})",
                             R"({"attachment": {"type": "string", "contentEncoding": "base64"}})",
                             R"({"attachment": {"type": "string", "format": "byte"}})"}) {
    const bool plain = std::string_view(schema).find("attachment_base64") == std::string_view::npos;
    EXPECT_EQ(arguments("Email the file report.pdf",
                        connector::tool("mail", "send_email", "", schema,
                                        plain ? "attachment" : "attachment_base64")),
              "{}")
        << schema;
  }
}

TEST(ArgumentsTest, BrokenSchemasGiveNothing) {
  connector::Capability odd = one("path");
  for (const char* schema : {"{}", R"({"properties": 7, "required": 7})",
                             R"({"properties": {"a": 7}, "required": [7, null]})"}) {
    odd.input_schema = connector::json(schema);
    EXPECT_EQ(arguments("read a.txt", odd), "{}") << schema;
  }
}

}  // namespace
}  // namespace plumbline::agents
