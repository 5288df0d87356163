#include "core/agents/dictionary/dictionary.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "core/agents/dictionary/dictionary_file.h"

namespace plumbline::agents {
namespace {

TEST(DictionaryTest, EachWordHasOneLineInOrder) {
  std::string_view text = embedded_text(dictionary_files(), "words.tsv");
  EXPECT_LE(text.size(), 400U << 10);
  std::string_view before;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::string_view word = line.substr(0, line.find('\t'));
    ASSERT_LT(before, word);
    before = word;
    text.remove_prefix(line.size() + 1);
  }
}

TEST(DictionaryTest, WordsOfOneMeaningAreKnown) {
  EXPECT_TRUE(same_deed("buy", "purchase"));
  EXPECT_TRUE(same_deed("translate", "translation"));
  EXPECT_TRUE(same_deed("kubectl", "kubectl"));
  EXPECT_FALSE(same_deed("create", "delete"));
  EXPECT_FALSE(same_deed("kubectl", "delete"));
  EXPECT_TRUE(same_thing("car", "automobile"));
  EXPECT_FALSE(same_thing("car", "invoice"));
}

TEST(DictionaryTest, FormsLeadToTheirWord) {
  EXPECT_EQ(base_form("said"), "say");
  EXPECT_EQ(base_form("image"), "image");
  EXPECT_TRUE(is_form_of("followed", "follow"));
  EXPECT_TRUE(is_form_of("running", "run"));
  EXPECT_FALSE(is_form_of("follow", "followed"));
  EXPECT_FALSE(is_form_of("string", "strong"));
}

TEST(DictionaryTest, CommonWordsAreToldFromNames) {
  for (const char* word : {"table", "tables", "children", "said", "deploying"}) {
    EXPECT_TRUE(is_common_word(word)) << word;
  }
  for (const char* word : {"kubectl", "nginx", "", "zz"})
    EXPECT_FALSE(is_common_word(word)) << word;
  EXPECT_TRUE(is_verb_too("mention"));
  EXPECT_FALSE(is_verb_too("physics"));
}

}  // namespace
}  // namespace plumbline::agents
