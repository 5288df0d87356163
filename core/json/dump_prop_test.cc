// What dump_json writes is compared with what the library does.

#include <limits>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/json/json.h"

namespace plumbline {
namespace {

std::string dump_of_library(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// arbitrary_text returns bytes: also what must be escaped, and what is no UTF-8.
std::string arbitrary_text() {
  return *rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::inRange('\0', '\x7f'),
                     rc::gen::elementOf(std::string("\"\\\b\f\n\r\t\x1f\x7f\xc3\xa9"))));
}

Json arbitrary_value(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 8 : 6)) {
    case 0:
      return Json(*rc::gen::arbitrary<std::int64_t>());
    case 1:
      return Json(*rc::gen::arbitrary<std::uint64_t>());
    case 2:
      return Json(*rc::gen::arbitrary<double>());
    case 3:
      return Json(*rc::gen::arbitrary<bool>());
    case 4:
      return Json(nullptr);
    case 5:
      return Json(arbitrary_text());
    case 6: {
      Json items = Json::array();
      for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
        items.push_back(arbitrary_value(depth - 1));
      }
      return items;
    }
    default: {
      Json members = Json::object();
      for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
        members[arbitrary_text()] = arbitrary_value(depth - 1);
      }
      return members;
    }
  }
}

RC_GTEST_PROP(DumpJsonProperty, WritesWhatTheLibraryWrites, ()) {
  const Json value = arbitrary_value(4);
  RC_ASSERT(dump_json(value) == dump_of_library(value));
}

TEST(DumpJsonTest, WritesEachByteAndTheEndsOfNumbersAsTheLibraryDoes) {
  for (int byte = 0; byte < 256; ++byte) {
    const Json text(std::string("a") + static_cast<char>(byte) + "b");
    EXPECT_EQ(dump_json(text), dump_of_library(text)) << byte;
  }
  for (const Json& number :
       {Json(std::numeric_limits<std::int64_t>::min()),
        Json(std::numeric_limits<std::int64_t>::max()),
        Json(std::numeric_limits<std::uint64_t>::max()), Json(0), Json(-0.0), Json(1e300),
        Json(0.1), Json(std::numeric_limits<double>::infinity())}) {
    EXPECT_EQ(dump_json(number), dump_of_library(number));
  }
}

TEST(DumpJsonTest, WritesLongTextsAsTheLibraryDoes) {
  for (std::size_t bytes = 500; bytes < 520; ++bytes) {
    Json value = Json::array({7, std::string(bytes, 'a'), std::string(2 * bytes, 'b')});
    value.push_back(std::string(bytes, 'c') + '"' + std::string(bytes, 'd') + "\n\u00e9");
    value.push_back(std::string(bytes, '\n'));
    value.push_back(Json{{std::string(bytes - 1, 'e') + '\\', "f"}});
    EXPECT_EQ(dump_json(value), dump_of_library(value)) << bytes;
  }
}

TEST(DumpJsonTest, AppendsToWhatIsThere) {
  std::string text = "x=";
  append_json(text, Json::parse(R"({"b":[],"a":{}})"));
  EXPECT_EQ(text, R"(x={"a":{},"b":[]})");
}

}  // namespace
}  // namespace plumbline
