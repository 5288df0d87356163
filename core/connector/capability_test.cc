#include "core/connector/capability.h"

#include <string>
#include <vector>

#include "core/connector/connector_fixture.h"

namespace plumbline::connector {
namespace {

using Reader = Result<Capability> (*)(const std::string& server, Json entry);

std::string refusal(Reader read, std::string_view entry) {
  const Result<Capability> capability = read("s", json(entry));
  return capability.ok() ? "accepted" : capability.error().message;
}

TEST(CapabilityTest, AToolKeepsItsSchemas) {
  const Result<Capability> read = tool_of("s", json(R"({"name": "t", "title": "T",
      "description": "d", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"},
      "annotations": {"readOnlyHint": true}})"));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(label(read.value()), "s/t");
  EXPECT_EQ(to_json(read.value()), json(R"({"type": "tool", "server": "s", "name": "t",
      "title": "T", "description": "d", "inputSchema": {"type": "object"},
      "outputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}})"));
}

TEST(CapabilityTest, MalformedEntriesAreRefusedByName) {
  EXPECT_EQ(refusal(tool_of, "7"), "server \"s\" lists a tool that is a number");
  EXPECT_EQ(refusal(tool_of, "{}"), "server \"s\" lists a tool without a name");
  EXPECT_EQ(refusal(tool_of, R"({"name": 7})"), "server \"s\" lists a tool without a name");
  for (const char* schema :
       {"null", "[]", R"({"properties": []})", R"({"type": "string"})", R"({"type": ["object"]})",
        R"({"anyOf": [{"type": "object"}, {"type": "object"}]})",
        R"({"type": "object", "properties": {"coin": {}, "required": ["coin"]}})",
        R"({"type": "object", "properties": {"tenant": {"type": "String?"}}})",
        R"({"type": "object", "properties": {"n": {"exclusiveMinimum": true}}})"}) {
    const std::string entry = std::string(R"({"name": "t", "inputSchema": )") + schema + "}";
    EXPECT_NE(refusal(tool_of, entry).find("\"t\""), std::string::npos) << schema;
  }
  for (const char* entry : {R"({"name": "r"})", R"({"name": "r", "uri": ""})", "null", "[]"}) {
    EXPECT_NE(refusal(resource_of, entry), "accepted") << entry;
    EXPECT_NE(refusal(resource_template_of, entry), "accepted") << entry;
  }
  EXPECT_NE(refusal(prompt_of, R"({"name": "p", "arguments": [{}]})"), "accepted");
  EXPECT_NE(refusal(prompt_of, R"({"name": "p", "arguments": [7]})"), "accepted");
  EXPECT_EQ(refusal(prompt_of, R"({"name": "p", "arguments": 7})"), "accepted");
}

TEST(CapabilityTest, ABadOutputSchemaAndHiddenTextCostOnlyThemselves) {
  for (const char* schema : {"true", R"({"properties": {"n": {"type": "numeric"}}})"}) {
    const Result<Capability> read = tool_of(
        "s",
        json(std::string(R"({"name": "t", "inputSchema": {}, "outputSchema": )") + schema + "}"));
    ASSERT_TRUE(read.ok());
    EXPECT_TRUE(read.value().output_schema.is_null());
    ASSERT_EQ(read.value().flaws.size(), 1U);
    EXPECT_NE(read.value().flaws[0].find("\"t\""), std::string::npos);
  }
  const Result<Capability> read = tool_of("s", json(R"({"name": "t", "inputSchema": {},
      "description": "Lists<!-- and sends --> files"})"));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().description, "Lists files");
  EXPECT_EQ(read.value().flaws.size(), 1U);
  const Result<Capability> other = tool_of("s", json(R"({"name": "t", "inputSchema": {},
      "description": "Lists<!-- and deletes --> files"})"));
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(other.value().description, read.value().description);
  EXPECT_NE(to_json(other.value()), to_json(read.value())) << "what is approved is all of it";
  EXPECT_NE(refusal(tool_of, R"({"name": "t\u200b", "inputSchema": {}})"), "accepted");
}

TEST(CapabilityTest, SchemasThatGoRoundAreKept) {
  for (const char* schema :
       {R"({"type": "object", "properties": {"root": {"$ref": "#/$defs/node"}}, "$defs":
            {"node": {"properties": {"children": {"items": {"$ref": "#/$defs/node"}}}}}})",
        R"({"type": "object", "properties": {"nodes": {"type": "array", "items": {"properties":
            {"sub": {"type": "array", "items": {"$ref": "#/properties/nodes/items"}}}}}}})"}) {
    EXPECT_EQ(refusal(tool_of, std::string(R"({"name": "t", "inputSchema": )") + schema + "}"),
              "accepted");
  }
}

TEST(CapabilityTest, PromptsAndTemplatesDescribeTheirArgumentsAsASchema) {
  const Capability prompt =
      prompt_of("s", json(R"({"name": "p", "arguments": [{"name": "a", "required": true},
                              {"name": "b"}]})"))
          .value();
  EXPECT_EQ(prompt.type, CapabilityType::kPrompt);
  EXPECT_EQ(prompt.input_schema["required"], json(R"(["a"])"));
  const Capability file =
      resource_template_of("s", json(R"({"name": "f", "uriTemplate": "file:///{dir}/{name}"})"))
          .value();
  EXPECT_EQ(file.input_schema["required"], json(R"(["dir", "name"])"));
  EXPECT_EQ(expand_template(file.uri, json(R"({"dir": "a b", "name": "\u00fc.md"})")),
            "file:///a%20b/%C3%BC.md");
}

TEST(CapabilityTest, BrokenTemplatesStayText) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(template_variables("a{b"), Names());
  EXPECT_EQ(template_variables("a}b{"), Names());
  EXPECT_EQ(template_variables("{}{a}{*}"), Names{"a"});
  EXPECT_EQ(expand_template("a{b", json("{}")), "a{b");
  EXPECT_EQ(expand_template("x/{a}{}", json("{}")), "x/");
}

TEST(CapabilityTest, TheManifestIsGroupedByServerAndKind) {
  const Manifest manifest = manifest_of({tool("a", "t", ""), resource("a", "r", "u:r", "")});
  EXPECT_EQ(manifest.capability_count(), 2U);
  EXPECT_EQ(at(manifest, {0, 1}).name, "r");
  const Json all = to_json(manifest);
  EXPECT_EQ(all["a"]["tools"].size(), 1U);
  EXPECT_EQ(all["a"]["resources"].size(), 1U);
  EXPECT_EQ(all["a"]["prompts"].size(), 0U);
}

TEST(CapabilityTest, AToolThatIsToBeCalledAsATaskIsKnown) {
  const auto as_task = [](std::string_view execution) {
    Json entry = json(R"({"name": "t", "inputSchema": {"type": "object"}})");
    entry["execution"] = json(execution);
    return tool_of("s", std::move(entry)).value().as_task;
  };
  EXPECT_TRUE(as_task(R"({"taskSupport": "required"})"));
  for (const char* other : {R"({"taskSupport": "optional"})", R"({"taskSupport": "forbidden"})",
                            R"({"taskSupport": 7})", "{}", "[]", "null"}) {
    EXPECT_FALSE(as_task(other)) << other;
  }
}

}  // namespace
}  // namespace plumbline::connector
