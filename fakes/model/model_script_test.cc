#include "fakes/model/model_script.h"

#include <chrono>
#include <string>

#include <gtest/gtest.h>

namespace plumbline::fakes {
namespace {

using std::chrono::milliseconds;

// refusal_of_turn returns what is wrong with a script of this one turn.
std::string refusal_of_turn(const std::string& turn) {
  const Result<ModelScript, Problem> read =
      parse_model_script(parse_json(R"({"turns": [{)" + turn + "}]}").value());
  return read.ok() ? "" : read.error().pointer + ": " + read.error().message;
}

TEST(ModelScriptTest, ReadsEveryMember) {
  const Result<ModelScript, Problem> read = parse_model_script(parse_json(R"({
      "model": "m", "context_tokens": 9, "latency_ms": 2, "piece_ms": 3,
      "turns": [{"when": "w", "role": "tool", "times": 4, "text": "t", "finish": "length",
                 "calls": [{"name": "a", "arguments": {"x": 1}},
                           {"name": "b", "arguments_text": "{"}],
                 "bytes": 5, "cut_after": 6, "usage": {"input_tokens": 7, "output_tokens": 8},
                 "latency_ms": 1.5},
                {"always": true, "fails": {"status": 429, "code": "c", "message": "slow",
                                           "retry_after_ms": 20}},
                {"obeys": true, "usage": false}]})")
                                                                   .value());
  ASSERT_TRUE(read.ok()) << read.error().message;
  const ModelScript& script = read.value();
  EXPECT_EQ(script.model, "m");
  EXPECT_EQ(script.context_tokens, 9);
  const ModelTurn& first = script.turns.at(0);
  EXPECT_EQ(first.when, "w");
  EXPECT_EQ(first.role, model::Role::kTool);
  EXPECT_EQ(first.times, 4);
  EXPECT_EQ(first.calls.at(0).arguments, Json({{"x", 1}}));
  EXPECT_EQ(first.calls.at(1).arguments_text, "{");
  EXPECT_EQ(first.finish, model::FinishReason::kLength);
  EXPECT_EQ(first.bytes, 5U);
  EXPECT_EQ(first.cut_after, 6U);
  EXPECT_EQ(first.usage->output_tokens, 8);
  EXPECT_EQ(first.latency, std::chrono::microseconds(1'500));
  EXPECT_EQ(first.piece, milliseconds(3)) << "that of the script";
  const ModelTurn& second = script.turns.at(1);
  EXPECT_EQ(second.times, std::nullopt);
  EXPECT_EQ(second.fails->kind, model::FailureKind::kRateLimit);
  EXPECT_EQ(second.fails->retry_after, milliseconds(20));
  EXPECT_EQ(second.latency, milliseconds(2));
  EXPECT_TRUE(script.turns.at(2).obeys);
  EXPECT_FALSE(script.turns.at(2).tells_usage);
  EXPECT_EQ(script.turns.at(2).times, 1) << "once, where nothing else is said";
}

TEST(ModelScriptTest, ATurnThatContradictsItselfIsRefused) {
  EXPECT_EQ(refusal_of_turn(R"("text": "x")"), "");
  EXPECT_EQ(refusal_of_turn(R"("times": 1, "always": true)"),
            "/turns/0/always: expected either \"times\" or \"always\"");
  EXPECT_EQ(refusal_of_turn(R"("fails": {"status": 500}, "text": "x")"),
            "/turns/0: a turn that \"fails\" says nothing else");
  EXPECT_EQ(refusal_of_turn(R"("text": "x", "cut_after": 1, "garbage": true)"),
            "/turns/0: expected either \"cut_after\" or \"garbage\"");
  EXPECT_EQ(refusal_of_turn(R"("obeys": true, "calls": [{"name": "a"}])"),
            "/turns/0/obeys: expected either \"calls\" or \"obeys\"");
  EXPECT_EQ(refusal_of_turn(R"("calls": [{"name": "a", "arguments": {}, "arguments_text": ""}])"),
            "/turns/0/calls/0/arguments_text: expected either \"arguments\" or \"arguments_text\"");
  EXPECT_EQ(refusal_of_turn(R"("bytes": 5)"), "/turns/0/bytes: expected a \"text\" to repeat");
  EXPECT_EQ(refusal_of_turn(R"("fails": {})"),
            "/turns/0/fails: a failure has no \"status\", expected the HTTP status, 400 to 599");
  EXPECT_NE(refusal_of_turn(R"("texts": "x")").find("/turns/0/texts: "), std::string::npos);
  EXPECT_NE(refusal_of_turn(R"("role": "judge")").find("/turns/0/role: "), std::string::npos);
}

}  // namespace
}  // namespace plumbline::fakes
