// What texts ask to be done: requests, tool names and descriptions as real servers write them.

#include "core/agents/policy/verbs.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/agents/policy/words.h"

namespace plumbline::agents {
namespace {

std::string told(std::string_view text) {
  const Deed deed = deed_of(text);
  std::string out = deed.reads ? "reads" : "";
  for (const Risk risk : deed.risks) {
    out += std::string(out.empty() ? "" : " ") + std::string(name_of(risk));
  }
  return out;
}

using Rows = std::vector<std::pair<std::string_view, std::string_view>>;

void expect_all(const Rows& rows) {
  for (const auto& [text, expected] : rows) EXPECT_EQ(told(text), expected) << text;
}

TEST(VerbsTest, RequestsAreJudgedByTheirVerbs) {
  expect_all({{"List the files", "reads"},
              {"Could you please show me the tickets?", "reads"},
              {"Send me the list of files", "reads"},
              {"Send me an email with the list", "sends_messages"},
              {"Email the report to finance", "sends_messages"},
              {"I'd like to email Bob", "sends_messages"},
              {"Show my latest emails", "reads"},
              {"Turn on the light", "controls_devices"},
              {"Open the door", "controls_devices"},
              {"Set the thermostat to 20", "controls_devices"},
              {"Open the ticket T-42", "reads"},
              {"Open a ticket about the printer", "updates_records"},
              {"Open a file", "reads"},
              {"Close ticket T-42", "updates_records"},
              {"Close the garage door", "controls_devices"},
              {"Create a ticket", "updates_records"},
              {"Create a folder", "writes_files"},
              {"pay the invoice", "moves_money"},
              {"Transfer $50 to Bob", "moves_money"},
              {"Where is my order?", "reads"},
              {"Show the transfer of yesterday", "reads"},
              {"run the tests", "executes_code"},
              {"What did I delete yesterday?", "reads"},
              {"hello", "reads"},
              {"2+2", ""}});
}

TEST(VerbsTest, EveryClauseCounts) {
  expect_all({{"Find the report and email it to Bob", "reads sends_messages"},
              {"Read a.txt, then delete the file", "reads writes_files"},
              {"List the files and folders", "reads"},
              {"List comments and replies", "reads"},
              {"Fetches the report and emails it to everyone", "reads sends_messages"},
              {"Get, add or remove items", "reads updates_records"},
              {"Summarize notes.md. Send it to Ann", "reads sends_messages"}});
}

TEST(VerbsTest, NamesAreReadInAnyStyle) {
  expect_all({{"files_list", "reads"},
              {"ticketSearch", "reads"},
              {"gh_list_issues", "reads"},
              {"API-get-user", "reads"},
              {"message_list", "reads"},
              {"get_thread_replies", "reads"},
              {"list_charges", "reads"},
              {"issue_write", "updates_records"},
              {"create_or_update_file", "writes_files"},
              {"get_or_create_customer", "reads updates_records"},
              {"sendEmail", "sends_messages"},
              {"delete-all", "updates_records"},
              {"secretary", ""},
              {"sequentialthinking", ""}});
}

TEST(VerbsTest, VerbFormsAreKnown) {
  expect_all({{"A tool for sending emails", "sends_messages"},
              {"Used for creating issues", "updates_records"},
              {"Running commands", "executes_code"},
              {"Deletes a branch", "updates_records"}});
  EXPECT_TRUE(is_verb("send"));
  EXPECT_FALSE(is_verb("order"));
  EXPECT_TRUE(is_device("door"));
}

TEST(VerbsTest, TheFirstSentenceEndsAtItsFullStop) {
  EXPECT_EQ(first_sentence("\n  Reads a.txt fast. Deletes it."), "Reads a.txt fast");
  EXPECT_EQ(first_sentence("One\nTwo"), "One");
  EXPECT_EQ(first_sentence("Purpose:\n  1. Lists the deals. All.\n  2. More"), "Lists the deals");
  EXPECT_EQ(first_sentence("# Deals\n- Lists them"), "Lists them");
  EXPECT_EQ(first_sentence("Purpose:"), "Purpose:");
  EXPECT_EQ(first_sentence(""), "");
}

TEST(WordsTest, WordsAreSplitAndFolded) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(words_of("listFiles in_the a/b-c"),
            (Words{"list", "files", "in", "the", "a", "b", "c"}));
  EXPECT_EQ(content_words("Please list the directories, then the Directory"),
            (Words{"list", "folder"}));
  EXPECT_EQ(words_of("caf\xc3\xa9 HTTPServer"), (Words{"caf\xc3\xa9", "httpserver"}));
  EXPECT_TRUE(words_of("").empty());
  for (const auto& [word, folded] : Rows{{"boxes", "box"},
                                         {"queries", "search"},
                                         {"addresses", "address"},
                                         {"status", "status"},
                                         {"analysis", "analysis"},
                                         {"removes", "delete"},
                                         {"is", "is"}}) {
    EXPECT_EQ(fold(word), folded);
  }
}

TEST(WordsTest, SqueezeLeavesOneSpace) {
  EXPECT_EQ(squeeze("  a\t\n b\x01 c  "), "a b c");
  EXPECT_EQ(squeeze(" \n "), "");
}

}  // namespace
}  // namespace plumbline::agents
