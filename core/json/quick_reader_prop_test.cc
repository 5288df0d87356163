// What QuickReader reads is compared with what the library does: all, or nothing.

#include "core/json/quick_reader.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline {
namespace {

std::optional<Json> quick(std::string_view text, std::size_t depth_max = 8) {
  JsonLimits limits;
  limits.depth_max = depth_max;
  return QuickReader(text, limits).read();
}

// same tells 1 from 1.0 and from -(-1), which dump alike or compare equal.
bool same(const Json& a, const Json& b) {
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (!a.is_structured()) return a == b;
  for (auto left = a.begin(), right = b.begin(); left != a.end(); ++left, ++right) {
    if (a.is_object() && left.key() != right.key()) return false;
    if (!same(*left, *right)) return false;
  }
  return true;
}

// nearly_json is made of pieces of JSON, so that it often is some, and often nearly.
std::string nearly_json() {
  static const std::vector<std::string> kPieces = {"{",
                                                   "}",
                                                   "[",
                                                   "]",
                                                   ",",
                                                   ":",
                                                   "\"a\":",
                                                   "\"b\":",
                                                   "\"a\"",
                                                   "\"\\n\"",
                                                   "0",
                                                   "-0",
                                                   "-17",
                                                   "1.5",
                                                   "1e2",
                                                   "007",
                                                   "true",
                                                   "false",
                                                   "null",
                                                   "nul",
                                                   " ",
                                                   "\n\t",
                                                   "\"\\u00e9\"",
                                                   "\"é\"",
                                                   "\"\\x\"",
                                                   "\"\x01\"",
                                                   "\"",
                                                   "// c\n",
                                                   "[1,2]",
                                                   "{\"x\":3}",
                                                   "[]",
                                                   "{}",
                                                   "999999999999999999",
                                                   "9223372036854775808",
                                                   "-9223372036854775809"};
  std::string text;
  for (const std::string& piece :
       *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces))) {
    text += piece;
  }
  return text;
}

Json arbitrary_message(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 6 : 4)) {
    case 0:
      return Json(*rc::gen::arbitrary<std::int64_t>());
    case 1:
      return Json(*rc::gen::arbitrary<bool>());
    case 2:
      return Json(nullptr);
    case 3:
      return Json(*rc::gen::container<std::string>(rc::gen::inRange(' ', '\x7f')));
    case 4: {
      Json items = Json::array();
      for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
        items.push_back(arbitrary_message(depth - 1));
      }
      return items;
    }
    default: {
      Json members = Json::object();
      for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
        members["k" + std::to_string(*rc::gen::inRange(0, 30))] = arbitrary_message(depth - 1);
      }
      return members;
    }
  }
}

RC_GTEST_PROP(QuickReaderProperty, ReadsWhatTheLibraryReadsOrNothing, ()) {
  const std::string text = nearly_json();
  const std::optional<Json> read = quick(text);
  if (!read) return;
  const Json expected = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  RC_ASSERT(!expected.is_discarded());
  RC_ASSERT(same(*read, expected));
}

RC_GTEST_PROP(QuickReaderProperty, ReadsWhatWasWrittenHoweverItIsLaidOut, ()) {
  const Json value = arbitrary_message(4);
  for (const int indent : {-1, 2}) {
    const std::string text = value.dump(indent);
    const std::optional<Json> read = quick(text);
    if (read) RC_ASSERT(same(*read, Json::parse(text)));
  }
}

TEST(QuickReaderTest, ReadsWhatMessagesAreMadeOf) {
  for (const std::string_view text :
       {R"({"id":1,"jsonrpc":"2.0","params":{"a":[true,false,null,-3],"text":"a\"b\\n"}})",
        R"( { "z" : [ ] , "a" : { } } )", "17", "\"\"", "[[[]]]"}) {
    const std::optional<Json> read = quick(text);
    ASSERT_TRUE(read) << text;
    EXPECT_TRUE(same(*read, Json::parse(text))) << text;
  }
}

TEST(QuickReaderTest, LeavesTheRestToTheLibrary) {
  for (const std::string_view text : {"",           "{",
                                      "[1,]",       "[1",
                                      "{\"a\":1,}", "{\"a\":1,\"a\":2}",
                                      "01",         "-",
                                      "1.0",        "1e3",
                                      "nul",        "truex",
                                      "1 2",        "{}x",
                                      "\"é\"",      "\"\\u0041\"",
                                      "\"a",        "\"a\\",
                                      "\"\n\"",     "{1:2}",
                                      "/**/1",      "1234567890123456789"}) {
    EXPECT_FALSE(quick(text)) << text;
  }
  EXPECT_FALSE(quick(std::string_view("1\0", 2)));
  EXPECT_TRUE(quick("[[1]]", 2));
  EXPECT_FALSE(quick("[[[1]]]", 2));
}

}  // namespace
}  // namespace plumbline
