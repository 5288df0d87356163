#include "scenarios/spec/format_shell.h"

#include <string>

#include <gtest/gtest.h>

#include "core/json/parse.h"

namespace plumbline::scenarios {
namespace {

// wrong returns where and what is wrong with a shell, "" when nothing is.
std::string wrong(const char* text) {
  std::optional<Problem> problem;
  const std::optional<ShellSpec> spec = read_shell(parse_json(text).value(), problem);
  EXPECT_NE(spec.has_value(), problem.has_value());
  return problem ? problem->pointer + ": " + problem->message : "";
}

TEST(FormatShellTest, AShellIsReadWithItsFilesAndHosts) {
  EXPECT_EQ(wrong("{}"), "");
  EXPECT_EQ(wrong(R"({"local": {"programs": ["git"]},
                      "commands": {"git 'a b'": {"out": "x", "takes_ms": 5, "forks": true}},
                      "files": {"/srv/project/a": "text"}, "links": {"/srv/project/b": "a"},
                      "hosts": {"prod": {"key": "changed", "drops_after_ms": 1}}})"),
            "");
}

TEST(FormatShellTest, WhatIsWrongIsSaidInOneLineWithItsPlace) {
  EXPECT_EQ(wrong(R"({"commands": {"git; rm": {}}})"),
            "/shell/commands/git; rm: \"git; rm\" is no beginning of a plain command");
  EXPECT_EQ(wrong(R"({"files": {"a": "x"}})"),
            "/shell/files/a: expected a text at an absolute path");
  EXPECT_TRUE(wrong(R"({"hosts": {"h": {"key": "lost"}}})").starts_with("/shell/hosts/h/key: "));
  EXPECT_TRUE(wrong(R"({"local": {"programm": []}})").starts_with("/shell/local"));
  EXPECT_TRUE(wrong(R"({"local": {"roots": ["/"]}})").starts_with("/shell/local: the root"));
  EXPECT_TRUE(wrong(R"({"commands": {"git": {"exit": 256}}})").starts_with("/shell/commands/git"));
  EXPECT_TRUE(wrong(R"({"command": {}})").find("unknown key") != std::string::npos);
}

TEST(FormatShellTest, ACopyHasRulesOfItsOwn) {
  std::optional<Problem> problem;
  std::optional<ShellSpec> spec = read_shell(
      parse_json(R"({"local": {"programs": ["git"]}, "commands": {"git": {}}})").value(), problem);
  ASSERT_TRUE(spec);
  const ShellSpec copy = *spec;
  spec.reset();
  EXPECT_TRUE(copy.policy().permit({"git status", "", {}, false}).ok());
  EXPECT_FALSE(copy.policy().permit({"rm x", "", {}, false}).ok());
}

}  // namespace
}  // namespace plumbline::scenarios
