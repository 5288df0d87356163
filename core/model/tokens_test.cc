#include "core/model/tokens.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::model {
namespace {

TEST(TokensTest, FourBytesOfAsciiAreOneAndSoIsEachLetterBeyond) {
  EXPECT_EQ(estimated_tokens(""), 0);
  EXPECT_EQ(estimated_tokens("a"), 1);
  EXPECT_EQ(estimated_tokens("abcd"), 1);
  EXPECT_EQ(estimated_tokens("abcde"), 2);
  EXPECT_EQ(estimated_tokens("\u00e9\u4e2d"), 2) << "two letters, of two and of three bytes";
}

TEST(TokensTest, AMessageIsMoreThanItsText) {
  EXPECT_EQ(estimated_tokens(Message{.text = "abcd"}), 5);
  EXPECT_EQ(estimated_tokens(Message{.media = {{"image/png", "eA=="}}}), 1'004);
  EXPECT_EQ(estimated_tokens(
                Message{.role = Role::kAssistant, .tool_calls = {{"id", "look", "{\"a\": 1}"}}}),
            4 + 4 + 1 + 2);
  EXPECT_EQ(estimated_tokens(ToolOffer{"look", "Looks."}), 4 + 1 + 2 + 1);
}

RC_GTEST_PROP(TokensProp, APromptIsTheSumOfItsPartsAndMoreTextIsNeverLess, ()) {
  const auto first = *rc::gen::arbitrary<std::string>();
  const auto second = *rc::gen::arbitrary<std::string>();
  RC_ASSERT(estimated_tokens(first + second) >= estimated_tokens(first));
  RC_ASSERT(estimated_tokens(first) <= static_cast<std::int64_t>(first.size()));
  const Prompt prompt{.messages = {{.text = first}, {.text = second}}, .tools = {{"look"}}};
  RC_ASSERT(estimated_tokens(prompt) == estimated_tokens(prompt.messages[0]) +
                                            estimated_tokens(prompt.messages[1]) +
                                            estimated_tokens(prompt.tools[0]));
}

}  // namespace
}  // namespace plumbline::model
