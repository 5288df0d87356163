#include "core/mcp/client/list_pager.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::mcp {
namespace {

Json page(int items, const char* cursor) {
  Json out = Json::object();
  out["tools"] = Json::array();
  for (int i = 0; i < items; ++i) out["tools"].push_back(i);
  if (cursor != nullptr) out["nextCursor"] = cursor;
  return out;
}

TEST(ListPagerTest, OnePageWithoutCursorIsAll) {
  ListPager pager("tools", 10, 10);
  EXPECT_TRUE(pager.params().is_null());
  EXPECT_FALSE(pager.add(page(3, nullptr)).value());
  EXPECT_EQ(pager.take_items().size(), 3U);
}

TEST(ListPagerTest, CursorsGoBackAsTheyCameEvenTheEmptyOne) {
  ListPager pager("tools", 10, 10);
  EXPECT_TRUE(pager.add(page(1, "")).value());
  EXPECT_EQ(dump_json(pager.params()), R"({"cursor":""})");
  EXPECT_TRUE(pager.add(page(0, "b+/=")).value());
  EXPECT_EQ(dump_json(pager.params()), R"({"cursor":"b+/="})");
  EXPECT_FALSE(pager.add(page(1, nullptr)).value());
  EXPECT_EQ(pager.take_items().size(), 2U);
}

TEST(ListPagerTest, ANullCursorIsTheEnd) {
  ListPager pager("tools", 10, 10);
  Json last = page(1, nullptr);
  last["nextCursor"] = nullptr;
  EXPECT_FALSE(pager.add(last).value());
}

TEST(ListPagerTest, ARepeatedCursorStopsAndIsNamed) {
  ListPager pager("tools", 10, 10);
  EXPECT_TRUE(pager.add(page(1, "a")).value());
  EXPECT_TRUE(pager.add(page(1, "b")).value());
  const Reply<bool> more = pager.add(page(1, "a"));
  EXPECT_EQ(more.error().kind, Failure::Kind::kInvalidReply);
  EXPECT_EQ(more.error().message, "tools: cursor \"a\" comes a second time");
}

TEST(ListPagerTest, PagesAndItemsAreBounded) {
  ListPager few("tools", 2, 100);
  EXPECT_TRUE(few.add(page(1, "a")).value());
  EXPECT_EQ(few.add(page(1, "b")).error().message, "tools: more than 2 pages");

  ListPager just("tools", 2, 100);
  EXPECT_TRUE(just.add(page(1, "a")).value());
  EXPECT_FALSE(just.add(page(1, nullptr)).value());

  ListPager small("tools", 9, 2);
  EXPECT_TRUE(small.add(page(2, "a")).value());
  EXPECT_EQ(small.add(page(1, nullptr)).error().message, "tools: more than 2 items");
  EXPECT_EQ(small.take_items().size(), 2U) << "what came before is kept";
}

}  // namespace
}  // namespace plumbline::mcp
