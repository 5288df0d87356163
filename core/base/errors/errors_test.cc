#include "core/base/errors/errors.h"

#include <set>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline {
namespace {

std::string id_of(std::string_view line) {
  const KnownError* const error = pasted_error(line);
  return error == nullptr ? "none" : std::string(error->id);
}

TEST(ErrorsTest, AnErrorHasItsIdAndItsWords) {
  const Error error = the_error_as(ErrorCode::kConflict, "scenario.twice", "a.json", "x", "b.json");
  EXPECT_EQ(error.id, "scenario.twice");
  EXPECT_EQ(error.code, ErrorCode::kConflict);
  EXPECT_EQ(error.message, "a.json: there is \"x\" in b.json, too, expected each id once");
}

TEST(ErrorsTest, WordsThatLookLikePlacesStayWords) {
  EXPECT_EQ(the_error("scenario.twice", "*", "#", "#*").message,
            "*: there is \"#\" in #*, too, expected each id once");
}

TEST(ErrorsTest, WhatStandsBeforeAnErrorTakesNothingOfIt) {
  const Error error = behind("the server: ", the_error("server.no-program", "x"), "file.where");
  EXPECT_EQ(error.id, "server.no-program");
  EXPECT_EQ(error.message, "the server: no program \"x\" in PATH");
  EXPECT_EQ(behind("a.json:1:1: ", Error{ErrorCode::kInvalidInput, "bad"}, "file.where").id,
            "file.where");
}

TEST(ErrorsTest, APastedLineIsKnownByWhatSaysMostOfIt) {
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
  EXPECT_EQ(id_of("t.db: cannot open it: Permission denied"), "none");
}

// line_of returns `wording` with `text` for each star, and 7 for each digit.
std::string line_of(std::string_view wording, const std::string& text) {
  std::string line;
  for (const char c : wording) line += c == '*' ? text : std::string(1, c == '#' ? '7' : c);
  return line;
}

TEST(ErrorsTest, EveryErrorIsKnownByItsWords) {
  for (const KnownError& error : kErrors) {
    EXPECT_EQ(id_of(line_of(error.wording, "x")), error.id);
  }
}

TEST(ErrorsTest, EveryErrorHasAnIdOfItsOwnAndSaysWhatToDo) {
  std::set<std::string_view> ids;
  for (const KnownError& error : kErrors) {
    EXPECT_TRUE(ids.insert(error.id).second) << error.id;
    EXPECT_EQ(known_error(error.id), &error);
    EXPECT_TRUE(error.advice.ends_with('.') || error.id == "auth.key-readable") << error.id;
    EXPECT_FALSE(error.wording.empty()) << error.id;
  }
  EXPECT_GT(ids.size(), 90U);
}

RC_GTEST_PROP(ErrorsPropTest, AWordingFitsWhateverStandsInItsPlaces, (std::string text)) {
  const auto at = *rc::gen::inRange<std::size_t>(0, std::size(kErrors));
  RC_ASSERT(pasted_error(line_of(kErrors[at].wording, text)) != nullptr);
}

}  // namespace
}  // namespace plumbline
