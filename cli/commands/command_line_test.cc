#include "cli/commands/command_line.h"

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>

#include <gtest/gtest.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/ask.h"
#include "cli/commands/check/client.h"
#include "cli/commands/check/server.h"
#include "cli/commands/commands.h"
#include "cli/commands/run.h"
#include "cli/commands/serve.h"
#include "cli/known/known.h"
#include "core/os/files/temporary_folder.h"

namespace plumbline::cli {
namespace {

template <typename Told>
Told parsed(std::vector<std::string> words) {
  auto result = parse_command_line(std::move(words));
  if (!result.ok()) {
    ADD_FAILURE() << result.error().message;
    return {};
  }
  return dynamic_cast<const Told&>(*std::get<Invocation>(result.value()).options);
}

std::string refused(std::vector<std::string> words) {
  const auto result = parse_command_line(std::move(words));
  return result.ok() ? "accepted" : result.error().message;
}

TEST(CommandLineTest, RunTakesPathsSeedsJobsAndReports) {
  const auto run = parsed<RunOptions>({"run", "a.json", "b", "--seeds", "1..200", "--jobs", "2",
                                       "--report", "junit=out.xml", "--report", "json=-", "-q"});
  EXPECT_EQ(run.paths, (std::vector<std::string>{"a.json", "b"}));
  EXPECT_EQ(run.seeds.first, 1U);
  EXPECT_EQ(run.seeds.last, 200U);
  EXPECT_EQ(run.jobs, 2);
  ASSERT_EQ(run.common.reports.size(), 2U);
  EXPECT_EQ(run.common.reports[0].format, "junit");
  EXPECT_EQ(run.common.reports[1].path, "-");
  EXPECT_TRUE(run.common.quiet);
}

// What may be given several times takes one word each time, and leaves the -- behind it alone.
TEST(CommandLineTest, ACommandMayFollowWhatIsRepeatable) {
  const auto client = parsed<CheckClientOptions>(
      {"check", "client", "--report", "json=r.json", "--", "my-client", "--report"});
  EXPECT_EQ(client.command, (std::vector<std::string>{"my-client", "--report"}));
  const auto server = parsed<CheckServerOptions>(
      {"check", "server", "--stdio", "--report", "json=r.json", "--", "my-server", "--stdio"});
  EXPECT_EQ(server.target.command, (std::vector<std::string>{"my-server", "--stdio"}));
}

TEST(CommandLineTest, OneSeedIsARangeOfOne) {
  const auto run = parsed<RunOptions>({"run", "a.json", "--seed", "18446744073709551615"});
  EXPECT_EQ(run.seeds.first, 18446744073709551615U);
  EXPECT_EQ(run.seeds.last, run.seeds.first);
}

TEST(CommandLineTest, AskTakesTheRequestAsOneWordAndApprovals) {
  const auto ask = parsed<AskOptions>({"ask", "List the files", "--config", "c.json", "--approve",
                                       "call-1", "--approve", "all", "--timeout", "500ms"});
  EXPECT_EQ(ask.request, "List the files");
  EXPECT_EQ(ask.approve, (std::vector<std::string>{"call-1", "all"}));
  EXPECT_EQ(ask.config.timeout, std::chrono::milliseconds(500));
}

TEST(CommandLineTest, ServeTakesOneWayToBeReached) {
  EXPECT_EQ(parsed<ServeOptions>({"serve", "s.json", "--stdio"}).place.over,
            mcp::Transport::kStdio);
  const auto http = parsed<ServeOptions>({"serve", "s.json", "--http", "127.0.0.1:0"});
  EXPECT_EQ(http.place.over, mcp::Transport::kStreamableHttp);
  EXPECT_EQ(http.place.at, (net::Authority{"127.0.0.1", 0}));
  EXPECT_FALSE(http.place.tls.has_value());
  const auto ws = parsed<ServeOptions>(
      {"serve", "--reference", "--ws", "[::1]:8443", "--tls-cert", "c.pem", "--tls-key", "k.pem"});
  EXPECT_EQ(ws.place.over, mcp::Transport::kWebSocket);
  EXPECT_EQ(ws.place.at, (net::Authority{"::1", 8443}));
  EXPECT_EQ(ws.place.tls->key_file, "k.pem");
  EXPECT_EQ(parsed<ServeOptions>({"serve", "s.json", "--sse", "h:1"}).place.over,
            mcp::Transport::kSse);

  EXPECT_NE(refused({"serve", "--stdio"}).find("SCENARIO"), std::string::npos);
  EXPECT_NE(refused({"serve", "s.json", "--reference", "--stdio"}).find("either"),
            std::string::npos);
  EXPECT_NE(refused({"serve", "s.json", "--stdio", "--http", "h:1"}).find("one of"),
            std::string::npos);
  for (const char* const place : {"h", "h:", ":1", "h:65536", "::1:5", "h:x"}) {
    EXPECT_NE(refused({"serve", "s.json", "--http", place}).find("HOST:PORT"), std::string::npos)
        << place;
  }
  EXPECT_NE(refused({"serve", "s.json", "--http", "h:1", "--tls-cert", "c"}).find("both"),
            std::string::npos);
}

TEST(CommandLineTest, EveryMistakeIsOneLineThatSaysWhatWasExpected) {
  EXPECT_NE(refused({"fly"}).find("fly"), std::string::npos);
  EXPECT_NE(refused({"run"}).find("PATH"), std::string::npos);
  EXPECT_NE(refused({"run", "a", "--seeds", "9..1"}).find("A..B"), std::string::npos);
  EXPECT_NE(refused({"run", "a", "--seeds", "0..200000000"}).find("at most"), std::string::npos);
  EXPECT_NE(refused({"run", "a", "--seed", "x"}).find("number"), std::string::npos);
  EXPECT_NE(refused({"run", "a", "--seed", "1", "--seeds", "1..2"}).find("exclude"),
            std::string::npos);
  EXPECT_NE(refused({"run", "a", "--real", "--seed", "1"}).find("no seeds"), std::string::npos);
  EXPECT_NE(refused({"run", "a", "--jobs", "0"}).find("0"), std::string::npos);
  EXPECT_NE(refused({"run", "a", "--report", "pdf=x"}).find("junit"), std::string::npos);
  EXPECT_NE(refused({"run", "a", "--report", "json"}).find("FORMAT=PATH"), std::string::npos);
  EXPECT_NE(refused({"run", "a", "--report", "json=-", "--report", "junit=-"}).find("one report"),
            std::string::npos);
  EXPECT_NE(refused({"ask", "x", "--config", "c", "--timeout", "5"}).find("such as 5s"),
            std::string::npos);
  EXPECT_NE(refused({"shrink", "s.json"}).find("--seed"), std::string::npos);
  EXPECT_NE(refused({"run", "a", "--all-orders", "--seeds", "1..2"}).find("one seed"),
            std::string::npos);
  EXPECT_NE(refused({"serve", "s.json"}).find("--stdio"), std::string::npos);
  EXPECT_NE(refused({"graph", "--format", "png"}).find("mermaid"), std::string::npos);
  for (const auto& words : std::vector<std::vector<std::string>>{{"check"}, {"fly"}, {"run"}}) {
    EXPECT_EQ(refused(words).find('\n'), std::string::npos);
  }
}

std::vector<std::string> words_of(std::string_view command) {
  const std::size_t space = command.find(' ');
  if (space == std::string_view::npos) return {std::string(command)};
  return {std::string(command.substr(0, space)), std::string(command.substr(space + 1))};
}

// A variable that is not set leaves an empty word: no option may be as if it were not given.
TEST(CommandLineTest, NoOptionOfAnyCommandTakesAnEmptyValue) {
  int values = 0;
  for (const Command& command : all_commands()) {
    if (command.options == nullptr) continue;
    CLI::App app;
    const std::unique_ptr<Options> options = command.options();
    options->declare(app);
    std::vector<std::string> before = words_of(command.name);
    for (const CLI::Option* const option : app.get_options()) {
      const std::string shown = option->get_name();  // None of a hidden one.
      if (option->get_items_expected_max() == 0 || shown == "COMMAND") continue;
      ++values;
      const std::string name =
          option->get_positional() ? shown : "--" + option->get_lnames().front();
      const std::string want = shown + ": expected a value, it is empty";
      std::vector<std::string> words = before;
      if (!option->get_positional()) words.push_back(name);
      words.emplace_back();
      EXPECT_TRUE(refused(words).starts_with(want)) << command.name << ": " << refused(words);
      if (option->get_positional()) {
        before.emplace_back("x");
        continue;
      }
      words = before;
      words.push_back(name + "=");
      words.emplace_back("x");
      EXPECT_TRUE(refused(words).starts_with(want)) << command.name << ": " << refused(words);
    }
  }
  EXPECT_GT(values, 200);
}

std::string answered(std::vector<std::string> words) {
  const auto result = parse_command_line(std::move(words));
  if (!result.ok()) return "refused: " + result.error().message;
  return std::get<Answered>(result.value()).text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// An option has its name and at most two lines; examples alone may be longer than a terminal.
TEST(CommandLineTest, HelpFitsATerminalAndEndsWithExamples) {
  for (const Command& command : all_commands()) {
    if (command.name == "relay") continue;
    std::vector<std::string> words = words_of(command.name);
    words.emplace_back("--help");
    const std::string text = answered(words);
    int more = 0;  // Lines of an option behind its first.
    for (const std::string& line : lines_of(text.substr(0, text.find("\nExamples\n")))) {
      EXPECT_LE(line.size(), 80U) << command.name << ": " << line;
      more = line.starts_with("   ") ? more + 1 : 0;
      EXPECT_LE(more, 1) << command.name << ": " << line;
    }
    EXPECT_EQ(command.options != nullptr,
              text.find("\nExamples\n  plumbline ") != text.npos || command.name == "completion")
        << command.name;
  }
  EXPECT_NE(answered({"check", "server", "--help"}).find("\nTarget\n  --url URL "),
            std::string::npos);
  EXPECT_EQ(answered({"help", "check", "server"}), answered({"check", "server", "--help"}));
}

TEST(CommandLineTest, EveryExampleOfHelpIsACommandLine) {
  const auto folder = os::TemporaryFolder::make();  // With the files that the examples name.
  ASSERT_TRUE(folder.ok());
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.value().path());
  for (const char* const name : {"server.js", "mcp.json"}) std::ofstream(name) << "{}";
  for (const Command& command : all_commands()) {
    for (const CommandExample& example : examples_of(command.name)) {
      std::vector<std::string> words;
      std::istringstream in{std::string(example.line)};
      for (std::string word; in >> std::quoted(word);) words.push_back(word);
      if (words.front() != "plumbline") continue;  // A line of a shell around it.
      words.erase(words.begin());
      EXPECT_TRUE(parse_command_line(words).ok()) << example.line << ": " << refused(words);
    }
  }
  std::filesystem::current_path(before);
}

TEST(CommandLineTest, PlumblineAloneShowsWhatPeopleDo) {
  const std::string text = answered({});
  EXPECT_NE(text.find("plumbline check server -- node server.js"), std::string::npos);
  EXPECT_LE(lines_of(text).size(), 24U);
}

TEST(CommandLineTest, AnOptionOfOursBehindTheDashesIsNoted) {
  const auto server = parse_command_line({"check", "server", "--", "node", "--level", "must"});
  ASSERT_TRUE(server.ok());
  EXPECT_EQ(std::get<Invocation>(server.value()).note,
            "--level behind -- goes to node; if it is for plumbline, write it before --");
  const auto own = parse_command_line({"check", "server", "--", "node", "--config", "x"});
  EXPECT_EQ(std::get<Invocation>(own.value()).note, "");
}

TEST(CommandLineTest, HelpAndVersionAreAnswers) {
  const auto help = parse_command_line({"--help"});
  ASSERT_TRUE(help.ok());
  const std::string text = std::get<Answered>(help.value()).text;
  for (const char* command :
       {"demo", "run", "shrink", "ask", "serve", "graph", "list", "explain"}) {
    EXPECT_NE(text.find(command), std::string::npos) << command;
  }
  EXPECT_TRUE(parse_command_line({"run", "--help"}).ok());
  const auto version = parse_command_line({"--version"});
  ASSERT_TRUE(version.ok());
  const std::string line = std::get<Answered>(version.value()).text;
  const auto verbose = parse_command_line({"--version", "--verbose"});
  ASSERT_TRUE(verbose.ok());
  const std::string more = std::get<Answered>(verbose.value()).text;
  EXPECT_TRUE(more.starts_with(line)) << more;
  EXPECT_NE(more.find("\nlibpq: "), std::string::npos) << more;
  EXPECT_EQ(line.find("libpq"), std::string::npos) << line;
  EXPECT_NE(refused({"--verbose", "demo"}).find("--version"), std::string::npos);
}

}  // namespace
}  // namespace plumbline::cli
