#include "cli/known/known.h"

#include <set>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::cli {
namespace {

std::string id_of(std::string_view line) {
  const KnownError* const error = error_of(line);
  return error == nullptr ? "none" : std::string(error->id);
}

TEST(KnownTest, ALineIsKnownByWhatSaysMostOfIt) {
  EXPECT_EQ(id_of("plumbline: unknown command \"fly\"; see plumbline --help"),
            "cli.unknown-command");
  EXPECT_EQ(id_of("plumbline: --jobs: 7x is no number; see plumbline --help"), "cli.unread-words");
  EXPECT_EQ(id_of("--seed x: expected a number from 0 to 2^64-1"), "world.seed");
  EXPECT_EQ(id_of("--seed and --seeds exclude each other"), "world.seeds");
  EXPECT_EQ(id_of("a.json:7:52: \"x\" is an object, expected a number"), "file.where");
  EXPECT_EQ(id_of("thread 't' has no step 7"), "thread.no-step");
  EXPECT_EQ(id_of("the server: no revision is answered: cannot start \"x\": Permission denied"),
            "server.cannot-start");
  EXPECT_EQ(id_of("something that nobody says"), "none");
}

// line_of returns `wording` with `text` for each star, and 7 for each digit.
std::string line_of(std::string_view wording, const std::string& text) {
  std::string line;
  for (const char c : wording) line += c == '*' ? text : std::string(1, c == '#' ? '7' : c);
  return line;
}

TEST(KnownTest, ALineOfEveryErrorHasItsOwnId) {
  for (const KnownError& error : known_errors()) {
    EXPECT_EQ(id_of(line_of(error.wording, "x")), error.id);
  }
}

TEST(KnownTest, APlaceInAFileIsNumbers) {
  EXPECT_EQ(id_of("t.db: cannot open it: Permission denied"), "none");
  EXPECT_EQ(id_of("a:1.json:12:1: \"x\" is too long"), "file.where");
}

TEST(KnownTest, EveryErrorHasAnIdOfItsOwnAndSaysWhatToDo) {
  std::set<std::string_view> ids;
  for (const KnownError& error : known_errors()) {
    EXPECT_TRUE(ids.insert(error.id).second) << error.id;
    EXPECT_TRUE(error.advice.ends_with('.') || error.id == "auth.key-readable") << error.id;
    EXPECT_FALSE(error.wording.empty()) << error.id;
  }
  EXPECT_GT(ids.size(), 90U);
}

RC_GTEST_PROP(KnownPropTest, AWordingFitsWhateverStandsForItsStars, (std::string text)) {
  const auto errors = known_errors();
  const auto& error = errors[*rc::gen::inRange<std::size_t>(0, errors.size())];
  const std::string line = line_of(error.wording, text);
  RC_ASSERT(error_of(line) != nullptr);
}

TEST(KnownTest, SettingsOfFilesAndVariablesAreKnown) {
  std::set<std::string> names;
  for (const KnownSetting& setting : known_settings()) {
    EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
    EXPECT_FALSE(setting.what.empty()) << setting.name;
  }
  for (const char* const name : {"mcp.connectionTimeout", "PLUMBLINE_MCP_CONNECTION_TIMEOUT",
                                 "OPENAI_API_KEY", "CLI_EXECUTION_TIMEOUT"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

}  // namespace
}  // namespace plumbline::cli
