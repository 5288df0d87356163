#include "core/json/locate.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/json/json.h"

namespace plumbline {
namespace {

TEST(PositionTest, FindsKeysItemsAndTheDeepestThatExists) {
  const std::string text =
      "{ // a comment: {\n  \"a\": [10, {\"b\\\"\": \"}\"}],\n  \"c\": -1.5e3\n}";
  EXPECT_EQ(locate(text, ""), (Position{1, 1}));
  EXPECT_EQ(locate(text, "/a"), (Position{2, 3}));
  EXPECT_EQ(locate(text, "/a/1"), (Position{2, 13}));
  EXPECT_EQ(locate(text, "/a/1/b\""), (Position{2, 14}));
  EXPECT_EQ(locate(text, "/c"), (Position{3, 3}));
  EXPECT_EQ(locate(text, "/a/1/missing"), (Position{2, 13}));
  EXPECT_EQ(describe(locate(text, "/c")), "line 3 column 3");
}

Json arbitrary_json(int depth) {
  const int kind = *rc::gen::inRange(0, depth > 0 ? 6 : 4);
  if (kind == 0) return Json(*rc::gen::arbitrary<int>());
  if (kind == 1) return Json(*rc::gen::string<std::string>());
  if (kind == 2) return Json(*rc::gen::arbitrary<bool>());
  if (kind == 3) return Json(nullptr);
  Json out = kind == 4 ? Json::array() : Json::object();
  const int count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) {
    Json child = arbitrary_json(depth - 1);
    if (kind == 4) {
      out.push_back(std::move(child));
    } else {
      out["k" + std::to_string(i) + "/~\""] = std::move(child);
    }
  }
  return out;
}

void collect(const Json& value, const std::string& at, std::vector<std::string>& out) {
  out.push_back(at);
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      collect(value[i], at + "/" + std::to_string(i), out);
  }
  if (value.is_object()) {
    for (const auto& [key, child] : value.items())
      collect(child, at + "/" + pointer_token(key), out);
  }
}

// Whatever the layout, the text found at a value's position starts with that value (or its key).
RC_GTEST_PROP(PositionPropTest, PointsAtTheValue, ()) {
  const Json root = arbitrary_json(3);
  const std::string text = pretty_json(root);
  std::vector<std::string> pointers;
  collect(root, "", pointers);
  for (const std::string& pointer : pointers) {
    const Position at = locate(text, pointer);
    std::size_t offset = 0;
    for (std::size_t line = 1; line < at.line; ++line) offset = text.find('\n', offset) + 1;
    const std::string rest = text.substr(offset + at.column - 1);
    const Json& value = *at_pointer(root, pointer);
    const bool member =
        !pointer.empty() && at_pointer(root, pointer.substr(0, pointer.rfind('/')))->is_object();
    const std::string start = member ? "\"k" : dump_json(value).substr(0, 1);
    RC_ASSERT(rest.rfind(start, 0) == 0U);
  }
}

}  // namespace
}  // namespace plumbline
