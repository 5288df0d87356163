#include "core/agents/capability.h"

#include <string>
#include <vector>

#include "core/agents/test_support.h"

namespace plumbline::agents {
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
  for (const char* entry : {R"({"name": "t"})", R"({"name": "t", "inputSchema": []})",
                            R"({"name": "t", "inputSchema": {"properties": []}})",
                            R"({"name": "t", "inputSchema": {}, "outputSchema": true})"}) {
    EXPECT_NE(refusal(tool_of, entry).find("\"t\""), std::string::npos) << entry;
  }
  for (const char* entry : {R"({"name": "r"})", R"({"name": "r", "uri": ""})", "null", "[]"}) {
    EXPECT_NE(refusal(resource_of, entry), "accepted") << entry;
    EXPECT_NE(refusal(resource_template_of, entry), "accepted") << entry;
  }
  EXPECT_NE(refusal(prompt_of, R"({"name": "p", "arguments": [{}]})"), "accepted");
  EXPECT_NE(refusal(prompt_of, R"({"name": "p", "arguments": [7]})"), "accepted");
  EXPECT_EQ(refusal(prompt_of, R"({"name": "p", "arguments": 7})"), "accepted");
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

}  // namespace
}  // namespace plumbline::agents
