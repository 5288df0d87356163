#include "core/mcp/both_sides/wire_judge_fixture.h"

#include <gtest/gtest.h>

#include "core/mcp/protocol/test_values.h"

namespace plumbline::mcp {
namespace {

TEST(WireJudgeTest, ABadMessageIsFound) {
  WireJudge judge;
  judge.sent(true, json(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"));
  judge.sent(false, json(R"({"jsonrpc":"2.0","id":1,"result":{"tools":[]}})"));
  EXPECT_TRUE(judge.problems().empty());
  EXPECT_EQ(judge.judged(), 2);
  judge.sent(true, json(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"));
  judge.sent(false, json(R"({"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":7}]}})"));
  judge.sent(true, json(R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{}})"));
  judge.sent(false, json(R"({"jsonrpc":"2.0","method":"notifications/strange"})"));
  EXPECT_EQ(judge.problems().size(), 3U);
}

}  // namespace
}  // namespace plumbline::mcp
