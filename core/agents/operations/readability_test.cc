// What may be put before a model, and what only looks as if it may not.

#include "core/agents/operations/readability.h"

#include <string>
#include <string_view>

#include "core/agents/operations/assistant_fixture.h"
#include "core/connector/result_parts.h"

namespace plumbline::agents {
namespace {

using connector::is_opaque_text;
using Kind = Unreadable::Kind;
constexpr std::int64_t kBytesMax = 1'000;

std::string verdict(const connector::Capability& capability, const Json& result) {
  const Result<ContextUpdate, Unreadable> read = read_result(capability, result, kBytesMax);
  if (!read.ok()) return std::string(name_of(read.error().kind));
  return read.value().kind + " " + std::to_string(read.value().item_count);
}

std::string tool_verdict(std::string_view result) {
  return verdict(connector::tool("a", "t", ""), connector::json(result));
}

std::string base64(std::size_t bytes, std::size_t line) {
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) {
    out += "QmFzZTY0IG9mIGJpbmFyeSBkYXRhLCA0Mg"[i % 34];
    if (line != 0 && i % line == line - 1) out += '\n';
  }
  return out;
}

TEST(ReadabilityTest, TextInDisguiseIsOpaque) {
  EXPECT_TRUE(is_opaque_text("%PDF-1.7 ..."));
  EXPECT_TRUE(is_opaque_text(std::string_view("PK\x03\x04\x00\x00\x08\x00", 8)));
  EXPECT_TRUE(is_opaque_text("\xef\xbf\xbd\xef\xbf\xbdIHDR\xef\xbf\xbd"));
  EXPECT_TRUE(is_opaque_text(base64(300, 0)));
  EXPECT_TRUE(is_opaque_text(base64(400, 76)));
  EXPECT_TRUE(is_opaque_text("data:application/pdf;base64," + base64(400, 0)));
}

TEST(ReadabilityTest, OrdinaryTextIsNot) {
  std::string folders;
  std::string hashes;
  for (int i = 0; i < 60; ++i) folders += "Folder" + std::to_string(i) + "\n";
  for (int i = 0; i < 20; ++i)
    hashes += "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n";
  for (const std::string& text :
       {std::string(), std::string("plain"), folders, hashes, std::string(500, 'a'),
        std::string("\x1b[31mred\x1b[0m and \x1b[1mbold\x1b[0m"),
        std::string("\xc3\x9c\x62\x65r \xe2\x82\xac \xf0\x9f\x99\x82 \xe6\x97\xa5\xe6\x9c\xac"),
        std::string("a\tb\r\nc"), "The key is " + base64(300, 0) + std::string(200, ' ') + "end",
        base64(100, 0)}) {
    EXPECT_FALSE(is_opaque_text(text)) << text;
  }
}

TEST(ReadabilityTest, MediaTypesAreKnown) {
  for (const char* type :
       {"application/pdf", "image/png", "audio/wav", "application/zip", "application/octet-stream",
        "application/pdf; version=1.7", "application/vnd.ms-excel"}) {
    EXPECT_TRUE(is_opaque_type(type)) << type;
  }
  for (const char* type : {"", "text/plain", "application/json", "image/svg+xml",
                           "application/vnd.api+json", "text/markdown; charset=utf-8"}) {
    EXPECT_FALSE(is_opaque_type(type)) << type;
  }
}

TEST(ReadabilityTest, ToolResultsAreRead) {
  EXPECT_EQ(tool_verdict(R"({"content": [{"type": "text", "text": "a\n\n b\n"}]})"), "text 2");
  EXPECT_EQ(tool_verdict(R"({"content": []})"), "confirmation 0");
  EXPECT_EQ(tool_verdict(R"({"content": [{"type": "resource_link", "name": "n", "uri": "u"}]})"),
            "text 1");
  EXPECT_EQ(tool_verdict(R"({"content": [{"type": "resource", "resource":
                            {"uri": "u", "text": "inside"}}]})"),
            "text 1");
  EXPECT_EQ(tool_verdict(R"({"content": [], "structuredContent": {"items": [1, 2, 3]}})"),
            "records 3");
  const Result<ContextUpdate, Unreadable> mixed =
      read_result(connector::tool("a", "t", ""),
                  connector::json(R"({"content": [{"type": "text", "text": "see"},
                           {"type": "image", "mimeType": "image/png", "data": "aa"}]})"),
                  kBytesMax);
  EXPECT_EQ(mixed.value().text, "see\n[left out: image of type image/png]");
}

std::string text_of(std::string_view result) {
  const Result<ContextUpdate, Unreadable> read =
      read_result(connector::tool("a", "t", ""), connector::json(result), kBytesMax);
  return read.ok() ? read.value().text : read.error().message;
}

TEST(ReadabilityTest, EachItemWithoutTextIsNamed) {
  EXPECT_EQ(text_of(R"({"content": [{"type": "text", "text": "see"},
                {"type": "audio", "mimeType": "audio/wav", "data": "aa"},
                {"type": "resource", "resource": {"uri": "u:1", "blob": "AAAA"}}]})"),
            "see\n[left out: audio of type audio/wav, "
            "binary content of type application/octet-stream at u:1]");
  Json many = connector::json(R"({"content": [{"type": "text", "text": "see"}]})");
  for (int i = 0; i < 10; ++i) {
    many["content"].push_back({{"type", "image"}, {"mimeType", std::string(999, 'x')}});
  }
  const std::string named = text_of(dump_json(many));
  EXPECT_TRUE(named.ends_with(" and 2 more]")) << named;
  EXPECT_LT(named.size(), 8 * 210U);
}

TEST(ReadabilityTest, ABlobOfTextIsReadAsText) {
  const auto blob = [](std::string_view type, std::string_view bytes) {
    return text_of(R"({"content": [{"type": "resource", "resource": {"uri": "u", "mimeType": ")" +
                   std::string(type) + R"(", "blob": ")" + std::string(bytes) + R"("}}]})");
  };
  EXPECT_EQ(blob("text/csv; charset=utf-8", "YSxiCjEsMgo="), "a,b\n1,2\n");
  EXPECT_EQ(blob("application/ld+json", "e30="), "{}");
  EXPECT_NE(blob("text/csv", "*not base64*").find("binary content"), std::string::npos);
  EXPECT_NE(blob("image/png", "YSxiCjEsMgo=").find("binary content"), std::string::npos);
}

TEST(ReadabilityTest, BinaryDataInStructuredContentStaysOut) {
  Json result =
      connector::json(R"({"content": [], "structuredContent": {"title": "T", "files": [{}]}})");
  result["structuredContent"]["files"][0]["data"] = base64(400, 0);
  EXPECT_EQ(text_of(dump_json(result)), R"({"files":[{"data":"[binary data]"}],"title":"T"})");
}

TEST(ReadabilityTest, OpaqueResultsAreRefused) {
  for (const char* item : {R"({"type": "image", "mimeType": "image/png", "data": "aa"})",
                           R"({"type": "audio", "mimeType": "audio/wav", "data": "aa"})",
                           R"({"type": "text", "text": "%PDF-1.7"})",
                           R"({"type": "resource",
            "resource": {"uri": "u", "mimeType": "application/pdf", "blob": "J"}})"}) {
    EXPECT_EQ(tool_verdict("{\"content\": [" + std::string(item) + "]}"), "opaque") << item;
  }
}

TEST(ReadabilityTest, MalformedResultsAreRefused) {
  for (const char* result :
       {"[]", "7", "{}", R"({"content": {}})", R"({"content": [7]})", R"({"content": [{}]})",
        R"({"content": [{"type": "text"}]})", R"({"content": [{"type": "text", "text": 7}]})",
        R"({"content": [{"type": "video"}]})", R"({"content": [{"type": "resource"}]})",
        R"({"content": [{"type": "resource", "resource": {"uri": "u"}}]})"}) {
    EXPECT_EQ(tool_verdict(result), "malformed") << result;
  }
}

TEST(ReadabilityTest, TheBoundOnTheContextIsExact) {
  const connector::Capability any = connector::tool("a", "t", "");
  std::string text = "x" + std::string(kBytesMax - 1, ' ');
  EXPECT_EQ(verdict(any, connector::text_result(text)), "text 1");
  EXPECT_EQ(verdict(any, connector::text_result(text + " ")), "oversized");
}

TEST(ReadabilityTest, OutputSchemasBind) {
  connector::Capability typed = connector::tool("a", "t", "");
  typed.output_schema =
      connector::json(R"({"type": "object", "properties": {"n": {"type": "integer"}}})");
  EXPECT_EQ(verdict(typed, connector::json(R"({"content": [], "structuredContent": {"n": 1}})")),
            "records 1");
  EXPECT_EQ(verdict(typed, connector::json(R"({"content": [], "structuredContent": {"n": "1"}})")),
            "malformed");
  EXPECT_EQ(verdict(typed, connector::json(R"({"content": []})")), "malformed");
  typed.output_schema = connector::json(R"({"type": 7})");
  EXPECT_EQ(verdict(typed, connector::json(R"({"content": [], "structuredContent": {"n": 1}})")),
            "malformed");
}

TEST(ReadabilityTest, TextAndStructuredContentMustAgree) {
  const auto both = [](std::string text, std::string_view structured) {
    Json result = connector::text_result(std::move(text));
    result["structuredContent"] = connector::json(structured);
    return verdict(connector::tool("a", "t", ""), result);
  };
  EXPECT_EQ(both(R"({"n": 1})", R"({"n": 2})"), "contradictory");
  EXPECT_EQ(both(R"({"n": 1})", R"({"n": 1})"), "records 1");
  EXPECT_EQ(both("one record", R"({"n": 2})"), "records 1");
  EXPECT_EQ(both("{not json", R"({"n": 2})"), "records 1");
  EXPECT_EQ(both(R"({"n": 1})", R"({"content": "{\"n\": 1}"})"), "records 1");
}

TEST(ReadabilityTest, ResourcesAndPromptsAreRead) {
  const connector::Capability file = connector::resource("a", "n", "file:///n", "");
  EXPECT_EQ(verdict(file, connector::json(R"({"contents": [{"uri": "u", "text": "a"}]})")),
            "text 1");
  EXPECT_EQ(verdict(file, connector::json(R"({"contents": [{"uri": "u", "blob": "a"}]})")),
            "opaque");
  for (const char* broken : {"{}", R"({"contents": []})", R"({"contents": [{}]})", "null"}) {
    EXPECT_EQ(verdict(file, connector::json(broken)), "malformed") << broken;
  }
  connector::Capability prompt = connector::tool("a", "p", "");
  prompt.type = connector::CapabilityType::kPrompt;
  EXPECT_EQ(verdict(prompt, connector::json(R"({"messages": [{"role": "user", "content":
                                    {"type": "text", "text": "a"}}]})")),
            "prompt 1");
  for (const char* broken :
       {"{}", R"({"messages": [{"role": "system", "content": {"type": "text", "text": "a"}}]})",
        R"({"messages": [{"role": "user"}]})", R"({"messages": [7]})"}) {
    EXPECT_EQ(verdict(prompt, connector::json(broken)), "malformed") << broken;
  }
}

// Goal: nothing of a result is lost where its text is only a note. Method: the places that a server
// can put an answer in, each beside a text that does not say it.
TEST(ReadabilityTest, WhatTheTextOnlyPointsToIsRead) {
  const auto noted = [](std::string_view structured) {
    return text_of(R"({"content": [{"type": "text", "text": "Done. See there."}],
                       "structuredContent": )" +
                   std::string(structured) + "}");
  };
  EXPECT_EQ(noted(R"({"files": ["a.txt", "b.txt"]})"),
            "Done. See there.\n{\"files\":[\"a.txt\",\"b.txt\"]}");
  EXPECT_EQ(noted("[1,2]"), "Done. See there.\n[1,2]");
  EXPECT_EQ(noted(R"({"count": 0, "ok": true})"), "Done. See there.\n{\"count\":0,\"ok\":true}");
  EXPECT_EQ(noted("{}"), "Done. See there.");
  EXPECT_EQ(noted(R"({"content": "Done. See there."})"), "Done. See there.") << "says the same";
  EXPECT_EQ(text_of(R"({"content": [{"type": "text", "text": "{\"n\": [1]}"}],
                        "structuredContent": {"n": [1]}})"),
            "{\"n\": [1]}")
      << "says the same";
  EXPECT_EQ(tool_verdict(R"({"content": [{"type": "text", "text": "Done."}],
                             "structuredContent": {"files": ["a", "b", "c"]}})"),
            "records 3");
  EXPECT_EQ(text_of(R"({"content": [{"type": "resource_link", "name": "plan", "uri": "file:///p",
                                     "description": "For May"}]})"),
            "plan: file:///p (For May)");
}

TEST(ReadabilityTest, AReasonInStructuredContentIsTold) {
  const auto failed = [](std::string_view rest) {
    return error_text(connector::json(R"({"isError": true, )" + std::string(rest) + "}"));
  };
  EXPECT_EQ(failed(R"("content": [], "structuredContent": {"reason": "disk full"})"),
            R"({"reason":"disk full"})");
  EXPECT_EQ(failed(R"("content": [{"type": "text", "text": "It failed."}],
                      "structuredContent": {"code": 28})"),
            "It failed.\n{\"code\":28}");
  EXPECT_EQ(failed(R"("structuredContent": {"code": 28})"), R"({"code":28})");
  EXPECT_EQ(failed(R"("content": [{"type": "image", "mimeType": "image/png", "data": "aa"}])"),
            "[left out: image of type image/png]");
}

TEST(ReadabilityTest, ErrorTextsAreShort) {
  EXPECT_EQ(error_text(connector::error_result("no such file")), "no such file");
  EXPECT_EQ(error_text(connector::error_result(std::string(9'000, 'e'))).size(), 500U);
  EXPECT_EQ(error_text(connector::json("{}")), "no explanation");
  EXPECT_EQ(error_text(connector::json("7")), "no explanation");
}

}  // namespace
}  // namespace plumbline::agents
