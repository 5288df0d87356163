#include "conformance/checks/gateway/differences.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/checks/gateway/mirror_content.h"
#include "conformance/checks/gateway/names.h"

namespace plumbline::conformance {
namespace {

std::vector<std::string> pointers(const char* before, const char* after) {
  std::vector<std::string> found;
  const Json one = parse_json(before).value();
  for (const Difference& difference : differences(one, parse_json(after).value())) {
    found.push_back(difference.pointer + (difference.before ? "" : "+") +
                    (difference.after ? "" : "-"));
  }
  return found;
}

using Pointers = std::vector<std::string>;

TEST(Differences, NameTheMemberThatWasLostChangedOrPutIn) {
  EXPECT_EQ(pointers(R"({"a":{"b/c":1,"d":2}})", R"({"a":{"d":3,"e":4}})"),
            (Pointers{"/a/b~1c-", "/a/d", "/a/e+"}));
  EXPECT_EQ(pointers(R"([1,{"x":null}])", R"([1,{}])"), Pointers{"/1/x-"});
  EXPECT_EQ(pointers(R"([1,2])", R"([1])"), Pointers{"/1-"});
  EXPECT_EQ(pointers(R"({"a":[]})", R"({"a":{}})"), Pointers{"/a"});
}

TEST(Differences, CompareNumbersByValue) {
  EXPECT_EQ(pointers("[1]", "[1.0]"), Pointers{});
  EXPECT_EQ(pointers("[18446744073709551615]", "[18446744073709552000]"), Pointers{"/0"});
  EXPECT_EQ(pointers("[-9223372036854775807]", "[-9223372036854775808]"), Pointers{"/0"});
}

TEST(Differences, AreWithinWhatAPatternNames) {
  EXPECT_TRUE(is_within("/tools/rich/title", "/tools/*/title"));
  EXPECT_TRUE(is_within("/tools/rich/icons/0/src", "/x /tools/*/icons"));
  EXPECT_FALSE(is_within("/tools/rich", "/tools/*/title"));
  EXPECT_FALSE(is_within("/tools/rich/titles", "/tools/*/title"));
}

TEST(Renaming, IsFoundOutWhereItIsTheSameForAll) {
  const std::vector<std::string> names = {"echo", "ask", "rich"};
  EXPECT_EQ(find_renaming(names, {"x_echo", "x_ask", "x_rich", "other"}).of("new"), "x_new");
  EXPECT_EQ(find_renaming(names, {"echo", "x_ask"}).of("new"), "new");
  EXPECT_EQ(find_renaming(names, {"a_echo", "b_ask"}).of("new"), "new");
  EXPECT_EQ(find_renaming(names, {"x_echo"}).of("new"), "new");
  EXPECT_EQ(find_renaming(names, {"x_echo"}, {"x_", ""}).of("new"), "x_new");
  EXPECT_EQ(find_renaming(names, {"y_echo"}, {"x_", ""}).of("new"), "new");
  EXPECT_EQ(read_renaming("{name}.x").value().of("new"), "new.x");
  EXPECT_FALSE(read_renaming("x").ok());
  EXPECT_FALSE(read_renaming("{name}{name}").ok());
}

TEST(MirrorContent, SaysWhatARevisionKnows) {
  const MirrorList& tools = *mirror_list_of("tools/list");
  const auto has = [&](std::string_view revision, const char* member) {
    for (const Json& tool : mirror_items(tools, revision)) {
      if (find(tool, member) != nullptr) return true;
    }
    return false;
  };
  EXPECT_FALSE(has("2024-11-05", "annotations"));
  EXPECT_TRUE(has("2025-03-26", "annotations"));
  EXPECT_FALSE(has("2025-03-26", "title"));
  EXPECT_TRUE(has("2025-06-18", "outputSchema"));
  EXPECT_FALSE(has("2025-06-18", "icons"));
  EXPECT_TRUE(has("2025-11-25", "execution"));
  EXPECT_FALSE(has("2026-07-28", "execution"));
}

TEST(MirrorContent, HasTwoPagesOfEachList) {
  for (const MirrorList& list : kMirrorLists) {
    const Json first = mirror_page(list, "2025-11-25", nullptr, true);
    const Json* const cursor = find(first, "nextCursor");
    ASSERT_NE(cursor, nullptr) << list.method;
    const Json second = mirror_page(list, "2025-11-25", cursor, true);
    EXPECT_FALSE(second.contains("nextCursor")) << list.method;
    const std::string member(list.member);
    EXPECT_GT(second[member].size(), 0U) << list.method;
    EXPECT_EQ(first[member].size() + second[member].size(),
              mirror_items(list, "2025-11-25").size());
  }
}

}  // namespace
}  // namespace plumbline::conformance
