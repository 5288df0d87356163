// The manual that the parser of the whole program makes; that pages and completions are well-formed
// is seen by their own programs (packaging/deb/deb_test.sh).

#include "cli/commands/manual/manual.h"

#include <variant>

#include <gtest/gtest.h>

#include "cli/commands/command_line.h"
#include "cli/commands/commands.h"

namespace plumbline::cli {
namespace {

std::string manual(const std::string& name) {
  const auto answered = parse_command_line({"--manual", name});
  if (!answered.ok()) return "refused: " + answered.error().message;
  return std::get<Answered>(answered.value()).text;
}

TEST(ManualTest, EveryCommandHasAPageAndStandsInEveryCompletion) {
  const std::string names = manual("list");
  for (const Command& command : all_commands()) {
    if (command.name == "relay") continue;  // Help does not show it.
    std::string page = "plumbline-" + std::string(command.name) + ".1";
    for (char& c : page) c = c == ' ' ? '-' : c;
    EXPECT_NE(names.find(page + "\n"), std::string::npos) << page;
    EXPECT_NE(manual(page).find(".SH SYNOPSIS\n"), std::string::npos) << page;
    std::string for_site = page.substr(0, page.size() - 1) + "md";
    EXPECT_NE(manual(for_site).find("# plumbline " + std::string(command.name) + "\n"),
              std::string::npos)
        << for_site;
    for (const char* const shell : {"plumbline.bash", "_plumbline", "plumbline.fish"}) {
      EXPECT_NE(manual(shell).find("'plumbline " + std::string(command.name) + "'"),
                std::string::npos)
          << shell << " " << command.name;
    }
  }
}

TEST(ManualTest, APageTellsOptionsWithTheirValues) {
  const std::string page = manual("plumbline-check-client.1");
  EXPECT_NE(page.find("\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\\fB\\-\\-report\\fR \\fIFORMAT=PATH\\fR\n"), std::string::npos) << page;
  EXPECT_NE(page.find("plumbline check client\\fR [\\fIOPTIONS\\fR] \\fICOMMAND...\\fR\n"),
            std::string::npos)
      << page;
  EXPECT_EQ(page.find("{http"), std::string::npos) << page;
  EXPECT_NE(manual("plumbline.bash").find("check client --transport') choices='http stdio'"),
            std::string::npos);
}

TEST(ManualTest, APageForTheSiteLeadsToTheCommandsBelow) {
  const std::string page = manual("plumbline-check.md");
  EXPECT_NE(page.find("| [plumbline check server](plumbline-check-server.md) | "),
            std::string::npos)
      << page;
  EXPECT_NE(manual("plumbline-list.md").find("| `WHAT` | "), std::string::npos);
  EXPECT_NE(manual("plumbline-check-client.md").find("| `-q`, `--quiet` | "), std::string::npos);
}

TEST(ManualTest, CompletionsOfferWhatAnArgumentChoosesFrom) {
  EXPECT_NE(manual("plumbline.bash").find("'plumbline list') words='checks scenarios "),
            std::string::npos);
  EXPECT_NE(manual("plumbline.fish").find(" -f -a situations -d ''\n"), std::string::npos);
  EXPECT_NE(manual("_plumbline").find(" 'errors:' 'settings:' )\n"), std::string::npos);
}

TEST(ManualTest, AFileThatIsNoneIsRefused) {
  EXPECT_NE(manual("plumbline-fly.1").find("refused"), std::string::npos);
}

TEST(ManualTest, WhatRoffWouldReadIsEscaped) {
  CommandEntry command;
  command.name = "x";
  command.what = ".a\\b-c";
  EXPECT_NE(man_page({command}, command, "1").find("\\- \\&.a\\eb\\-c\n"), std::string::npos);
}

}  // namespace
}  // namespace plumbline::cli
