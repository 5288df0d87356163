// What a server says to server/discover may be a refusal of the revision, which is no fault, or an
// answer that cannot be read: that breaks the rules of every era, by their names.

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {
namespace {

// as_other_text says `message` as `change` writes it.
template <auto change>
void as_other_text(Interceptor& interceptor, Json message) {
  interceptor.say_text(change(message));
}

std::string without_its_id(const Json& message) {
  Json changed = message;
  if (changed.contains("id")) changed["id"] = "id " + dump_json(message["id"]);
  return dump_json(changed);
}
std::string over_two_lines(const Json& message) {
  std::string text = dump_json(message);
  return text.insert(text.find(',') + 1, "\n");
}
std::string in_latin_1(const Json& message) {
  const std::string text = dump_json(message);
  return text.substr(0, text.size() - 1) + ",\"x\":\"caf\xe9\"}";
}

struct Unreadable {
  std::string_view what;
  std::string_view id;  // Of the rule.
  Transport transport;
  void (*say)(Interceptor& interceptor, Json message);
};

constexpr Unreadable kUnreadable[] = {
    {"ids of its own", "jsonrpc.response-id-matches", Transport::kStdio,
     as_other_text<without_its_id>},
    {"ids of its own", "jsonrpc.response-id-matches", Transport::kHttp,
     as_other_text<without_its_id>},
    {"messages of two lines", "stdio.stdout-only-mcp", Transport::kStdio,
     as_other_text<over_two_lines>},
};

void PrintTo(const Unreadable& unreadable, std::ostream* out) { *out << unreadable.what; }

// judged_as_stateless judges a server that says everything so, as one of 2026-07-28.
Judgement judged_as_stateless(Transport transport, void (*say)(Interceptor&, Json)) {
  Deviation deviation{.id = "", .revision = "2026-07-28", .transport = transport, .what = ""};
  deviation.from_server = say;
  DeviantWorld world(transport, &deviation);
  JudgeOptions options;
  options.revision = "2026-07-28";
  return world.judge(std::move(options));
}

class UnreadableOpeningOf : public testing::TestWithParam<Unreadable> {};

TEST_P(UnreadableOpeningOf, FailsByTheRuleThatItBreaks) {
  const Judgement judgement = judged_as_stateless(GetParam().transport, GetParam().say);
  const auto row = std::ranges::find(judgement.results, GetParam().id, &CheckResult::id);
  std::string told = judgement.unreachable.message;
  for (const CheckResult& each : judgement.results) told += " " + each.id;
  ASSERT_TRUE(row != judgement.results.end()) << told;
  EXPECT_EQ(row->verdict, Verdict::kFail);
  EXPECT_EQ(judgement.unreachable.message, "") << "it is wrong, not of another era";
  for (const CheckResult& other : judgement.results) {
    EXPECT_EQ(other.verdict, Verdict::kFail) << other.id << ": nothing else was put to the test";
  }
}

INSTANTIATE_TEST_SUITE_P(AllWays, UnreadableOpeningOf, testing::ValuesIn(kUnreadable));

// Clients read it with a sign in place of what is no UTF-8: all the rest can be judged.
TEST(UnreadableOpening, WhatIsNotUtf8IsOneFailure) {
  const Judgement judgement = judged_as_stateless(Transport::kStdio, as_other_text<in_latin_1>);
  EXPECT_EQ(judgement.unreachable.message, "");
  std::string failed;
  int passed = 0;
  for (const CheckResult& each : judgement.results) {
    if (each.verdict == Verdict::kFail) failed += each.id + " ";
    passed += each.verdict == Verdict::kPass ? 1 : 0;
  }
  EXPECT_EQ(failed, "base.utf8-encoding ");
  EXPECT_GT(passed, 100);
}

TEST(RefusedOpening, BreaksNothing) {
  for (const Transport transport : {Transport::kStdio, Transport::kHttp}) {
    const Judgement judgement =
        judged_as_stateless(transport, [](Interceptor& interceptor, Json message) {
          if (!message.contains("id")) return interceptor.say(message);
          refuse(interceptor, id_of(message), -32601);
        });
    EXPECT_TRUE(judgement.results.empty()) << judgement.results.front().id;
    EXPECT_NE(judgement.unreachable.message.find("it does not answer to revision 2026-07-28"),
              std::string::npos)
        << judgement.unreachable.message;
  }
}

}  // namespace
}  // namespace plumbline::conformance
