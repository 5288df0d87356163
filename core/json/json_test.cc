#include "core/json/json.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/position.h"

namespace plumbline {
namespace {

using std::string_view_literals::operator""sv;

TEST(KeyOrderTest, IsThatOfTheBytes) {
  const std::vector<std::string> keys = {
      "", std::string(1, '\0'), "A", "a", "aa", "ab", "b", "b\x80", "\x7f", "\x80", "\xc3\xa9"};
  for (const std::string& a : keys) {
    for (const std::string& b : keys) EXPECT_EQ(KeyOrder()(a, b), a < b) << a << " and " << b;
  }
}

TEST(JsonTest, ReadsWhatTheStandardAllows) {
  const Result<Json> parsed = parse_json(R"( {"b":[1,2.5,true,null],"a":"\u00e9\ud83d\ude00"} )");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(dump_json(parsed.value()), "{\"a\":\"é😀\",\"b\":[1,2.5,true,null]}");
}

TEST(JsonTest, NamesTheLineAndColumnOfASyntaxError) {
  const Result<Json> parsed = parse_json("{\n  \"a\": 1,\n  \"b\" 2\n}");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidInput);
  EXPECT_NE(parsed.error().message.find("at line 3 column 7"), std::string::npos)
      << parsed.error().message;
}

TEST(JsonTest, SaysWhereAFileIsWrong) {
  JsonLimits limits;
  limits.duplicate_keys = false;
  limits.depth_max = 2;
  Position at;
  const auto message = [&](std::string_view text) {
    const Result<Json> parsed = parse_json(text, limits, at);
    return parsed.ok() ? std::string() : parsed.error().message;
  };
  EXPECT_EQ(message("{\"a\": [1]}"), "");
  EXPECT_EQ(message("{\n  \"a\": 1,\n  \"b\" 2\n}").find(" line "), std::string::npos);
  EXPECT_EQ(at, (Position{3, 7}));
  EXPECT_EQ(message("{\n  \"a\": 1,\n  \"a\": 2\n}"), "key \"a\" stands there twice");
  EXPECT_EQ(at, (Position{3, 5}));
  EXPECT_EQ(message("{\n  \"a\": [\n    []]}"), "JSON is more than 2 levels deep");
  EXPECT_EQ(at, (Position{3, 5}));
  EXPECT_NE(message(""), "");
  EXPECT_EQ(at, (Position{1, 1}));
}

TEST(JsonTest, RefusesAByteOfZeroAndWhatItWouldHide) {
  for (const std::string_view text : {"{}\0"sv, "{}\0 hidden"sv, "\0{}"sv, "[\"a\0\"]"sv}) {
    EXPECT_FALSE(parse_json(text).ok());
    Position at;
    EXPECT_FALSE(parse_json(text, JsonLimits(), at).ok());
    EXPECT_EQ(at.column, text.find('\0') + 1);
  }
}

TEST(JsonTest, RefusesWhatIsNoJson) {
  for (const char* text : {"", "{", "[1,]", "01", "nul", "{\"a\":1}x", "\"\xff\"", "'a'", "// c\n1",
                           "\xef\xbb\xbf{}x", "[1 2]", "NaN"}) {
    EXPECT_FALSE(parse_json(text).ok()) << text;
  }
}

TEST(JsonTest, DepthIsRefusedWhileParsing) {
  const std::string deep(100'000, '[');
  const Result<Json> parsed = parse_json(deep);
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().code, ErrorCode::kLimitReached);

  JsonLimits limits;
  limits.depth_max = 2;
  EXPECT_TRUE(parse_json("[[1]]", limits).ok());
  EXPECT_FALSE(parse_json("[[[]]]", limits).ok());
}

TEST(JsonTest, SizeIsRefusedBeforeParsing) {
  JsonLimits limits;
  limits.bytes_max = 4;
  EXPECT_TRUE(parse_json("1234", limits).ok());
  EXPECT_EQ(parse_json("12345", limits).error().code, ErrorCode::kLimitReached);
}

TEST(JsonTest, CommentsAndDuplicateKeysAreChoices) {
  JsonLimits file;
  file.comments = true;
  file.duplicate_keys = false;
  EXPECT_TRUE(parse_json("// a\n{/* b */\"a\":1}", file).ok());
  const Result<Json> twice = parse_json("{\"a\":1,\"a\":2}", file);
  ASSERT_FALSE(twice.ok());
  EXPECT_NE(twice.error().message.find("\"a\" stands there twice"), std::string::npos);
  EXPECT_EQ(parse_json("{\"a\":1,\"a\":2}").value(), Json::parse("{\"a\":2}"));
}

TEST(JsonTest, WhatIsLongTakesNoMoreRoomThanItNeeds) {
  const std::string text(100'000, 'x');
  const Json string = parse_json("\"" + text + "\"").value();
  EXPECT_LT(string.get_ref<const std::string&>().capacity(), text.size() + 100);
  std::string list = "[0";
  for (int i = 1; i < 70'000; ++i) list += ",0";
  const Json array = parse_json(list + "]").value();
  EXPECT_EQ(array.get_ref<const Json::array_t&>().capacity(), 70'000U);
}

TEST(JsonTest, DumpReplacesBytesThatAreNotText) {
  EXPECT_EQ(dump_json(Json("a\xff")), "\"a\xef\xbf\xbd\"");
}

TEST(JsonTest, PointersFollowRfc6901) {
  const Json root = Json::parse(R"({"a/b":{"m~n":[10,20]},"":1})");
  EXPECT_EQ(*at_pointer(root, "/a~1b/m~0n/1"), 20);
  EXPECT_EQ(*at_pointer(root, "/"), 1);
  EXPECT_EQ(at_pointer(root, ""), &root);
  EXPECT_EQ(at_pointer(root, "/a~1b/m~0n/2"), nullptr);
  EXPECT_EQ(at_pointer(root, "/a~1b/m~0n/01"), nullptr);
  EXPECT_EQ(at_pointer(root, "x"), nullptr);
  EXPECT_EQ(pointer_token("a/b~"), "a~1b~0");
}

TEST(JsonTest, ReadersFallBackOnAnotherType) {
  const Json object =
      Json::parse(R"({"s":"x","i":3,"f":3.0,"h":3.5,"b":true,"u":9223372036854775808})");
  EXPECT_EQ(string_or(object, "s", "-"), "x");
  EXPECT_EQ(string_or(object, "i", "-"), "-");
  EXPECT_EQ(int_or(object, "i", -1), 3);
  EXPECT_EQ(int_or(object, "f", -1), 3);
  EXPECT_EQ(int_or(object, "h", -1), -1);
  EXPECT_EQ(int_or(object, "u", -1), -1);
  EXPECT_TRUE(bool_or(object, "b", false));
  EXPECT_EQ(find(Json::array(), "a"), nullptr);
}

TEST(FindTest, FindsEveryMemberOfObjectsOfAnySize) {
  Json object = Json::object();
  for (int size = 0; size < 20; ++size) {
    for (int i = 0; i < 20; ++i) {
      const Json* const found = find(object, "k" + std::to_string(i));
      ASSERT_EQ(found != nullptr, i < size) << size << " members";
      if (found == nullptr) continue;
      ASSERT_EQ(*found, Json(i));
    }
    ASSERT_EQ(find(object, "k"), nullptr);
    object["k" + std::to_string(size)] = size;
  }
}

// Nothing of ours reads a value so deep, but whoever uses our functions may make one.
TEST(JsonTest, AValueOfAnyDepthIsDestroyed) {
  Json value = 1;
  for (int i = 0; i < 300'000; ++i) {
    Json outer = i % 2 == 0 ? Json::array() : Json::object();
    if (outer.is_array()) {
      outer.push_back(std::move(value));
      outer.push_back("beside it");
    } else {
      outer["in"] = std::move(value);
    }
    value = std::move(outer);
  }
  value = Json();
  EXPECT_TRUE(value.is_null());
}

}  // namespace
}  // namespace plumbline
