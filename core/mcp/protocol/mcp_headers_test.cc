#include "core/mcp/protocol/mcp_headers.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/base64.h"

namespace plumbline::transport {
namespace {

Json property(const char* type, const char* header) {
  return {{"type", type}, {"x-mcp-header", header}};
}

Json schema_with(Json properties) {
  return {{"type", "object"}, {"properties", std::move(properties)}};
}

// The vectors of the specification's table.
TEST(HeaderValueTest, OnlyPlainTextGoesAsItIs) {
  EXPECT_EQ(encode_header_value("us-west1"), "us-west1");
  EXPECT_EQ(encode_header_value("us west 1"), "us west 1");
  EXPECT_EQ(encode_header_value("Hello, 世界"), "=?base64?SGVsbG8sIOS4lueVjA==?=");
  EXPECT_EQ(encode_header_value(" padded "), "=?base64?IHBhZGRlZCA=?=");
  EXPECT_EQ(encode_header_value("line1\nline2"), "=?base64?bGluZTEKbGluZTI=?=");
  EXPECT_EQ(encode_header_value("=?base64?literal?="), "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
  EXPECT_EQ(encode_header_value(""), "");
}

TEST(HeaderValueTest, WhatIsNoEncodingIsTakenLiterally) {
  EXPECT_EQ(decode_header_value("=?BASE64?dw==?="), "=?BASE64?dw==?=");
  EXPECT_EQ(decode_header_value("=?base64?dw=="), "=?base64?dw==");
  EXPECT_EQ(decode_header_value("=?base64?dw=?="), std::nullopt);
  EXPECT_EQ(decode_header_value("=?base64?d*==?="), std::nullopt);
  EXPECT_EQ(decode_header_value("caf\xc3\xa9"), std::nullopt);
}

RC_GTEST_PROP(HeaderValuePropTest, EveryTextComesBack, (const std::string& text)) {
  const std::string value = encode_header_value(text);
  RC_ASSERT(value.find_first_of(std::string("\r\n\0", 3)) == std::string::npos);
  RC_ASSERT(decode_header_value(value) == text);
  RC_ASSERT(decode_base64(encode_base64(text)) == text);
}

TEST(ParamHeadersTest, AnnotationsOnPropertiesAreFoundWithTheirPaths) {
  const Json schema = schema_with({{"region", property("string", "Region")},
                                   {"deep", schema_with({{"count", property("integer", "Count")}})},
                                   {"x-mcp-header", {{"type", "string"}}}});
  const auto found = param_headers_of(schema);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found.value(), (std::vector<ParamHeader>{{"Count", {"deep", "count"}, true},
                                                     {"Region", {"region"}, false}}));
}

TEST(ParamHeadersTest, AnnotationsThatBreakARuleAreRefused) {
  const Json good = property("string", "Good");
  const std::vector<Json> bad = {
      schema_with({{"a", property("string", "")}}),
      schema_with({{"a", property("string", "My Region")}}),
      schema_with({{"a", property("string", "Region:Primary")}}),
      schema_with({{"a", property("string", "Tab\t")}}),
      schema_with({{"a", property("string", "R\xc3\xa9gion")}}),
      schema_with({{"a", property("number", "N")}}),
      schema_with({{"a", property("object", "O")}}),
      schema_with({{"a", {{"x-mcp-header", "NoType"}}}}),
      schema_with({{"a", property("string", "Same")}, {"b", property("string", "sAME")}}),
      schema_with({{"a", {{"type", "array"}, {"items", good}}}}),
      schema_with({{"a", {{"anyOf", Json::array({good})}}}}),
      {{"$defs", {{"a", good}}}},
      {{"if", schema_with({{"a", good}})}},
      {{"type", "string"}, {"x-mcp-header", "Root"}},
  };
  for (const Json& schema : bad) EXPECT_FALSE(param_headers_of(schema).ok()) << schema;
  EXPECT_TRUE(param_headers_of(schema_with({{"a", good}})).ok());
}

TEST(ParamTextTest, ValuesAreReadAtTheirExactPath) {
  const ParamHeader param{"P", {"a", "b"}, false};
  const auto text = [&](Json value) {
    return param_text(param, {{"b", "wrong"}, {"a", {{"b", std::move(value)}}}});
  };
  EXPECT_EQ(text("x"), "x");
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text(-7), "-7");
  EXPECT_EQ(text(0), "0");
  EXPECT_EQ(text(42.0), "42");
  EXPECT_EQ(text(false), "false");
  EXPECT_EQ(text(nullptr), std::nullopt);
  EXPECT_EQ(text(0.5), std::nullopt);
  EXPECT_EQ(text(9007199254740991), "9007199254740991");
  EXPECT_EQ(text(9007199254740992), std::nullopt);
  EXPECT_EQ(param_text(param, {{"b", "wrong"}}), std::nullopt);
}

TEST(MirrorTest, WhatIsWrittenMatchesAndNothingElseDoes) {
  const std::vector<ParamHeader> params = {{"Count", {"count"}, true}, {"Who", {"who"}, false}};
  const Json request = {{"method", "tools/call"},
                        {"params", {{"name", "t\u00e4t"}, {"arguments", {{"count", 42}}}}}};
  wire::HttpHeaders headers;
  add_mirror_headers(headers, request, params);
  EXPECT_EQ(find_mirror_mismatch(headers, request, params), std::nullopt);
  EXPECT_FALSE(headers.get("Mcp-Param-Who"));
  for (const auto& [name, value] :
       std::vector<wire::HttpHeaders::Field>{{"Mcp-Method", "tools/Call"},
                                             {"Mcp-Name", "tat"},
                                             {"Mcp-Param-Count", "43"},
                                             {"Mcp-Param-Count", "x"},
                                             {"Mcp-Param-Who", "nobody"}}) {
    wire::HttpHeaders changed = headers;
    changed.set(name, value);
    EXPECT_TRUE(find_mirror_mismatch(changed, request, params)) << name << value;
  }
  for (const char* const name : {"Mcp-Method", "Mcp-Name", "Mcp-Param-Count"}) {
    wire::HttpHeaders changed = headers;
    changed.erase(name);
    EXPECT_TRUE(find_mirror_mismatch(changed, request, params)) << name;
  }
  headers.set("mcp-param-count", "42.0");
  EXPECT_EQ(find_mirror_mismatch(headers, request, params), std::nullopt);
}

TEST(MirrorTest, EachMethodHasItsName) {
  const auto name = [](const char* method, const char* key) {
    return mirrored_name({{"method", method}, {"params", {{key, "n"}}}});
  };
  EXPECT_EQ(name("tools/call", "name"), "n");
  EXPECT_EQ(name("prompts/get", "name"), "n");
  EXPECT_EQ(name("resources/read", "uri"), "n");
  EXPECT_EQ(name("tasks/get", "taskId"), "n");
  EXPECT_EQ(name("tools/list", "name"), std::nullopt);
}

}  // namespace
}  // namespace plumbline::transport
