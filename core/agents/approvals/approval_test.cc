#include "core/agents/approvals/approval.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/agents/approvals/shown_reader.h"
#include "core/agents/approvals/shown_text.h"

namespace plumbline::agents::approvals {
namespace {

Action git_log() {
  Action action;
  action.type = "command";
  action.line = "git log";
  action.name = "git";
  action.folder = "/srv/project";
  action.variables = {{"GIT_PAGER", "less"}};
  action.program = "/usr/bin/git";
  action.user = "ada";
  action.meaning = "12ab";
  return action;
}

// Every way to change one thing of an action.
std::vector<Action> neighbours() {
  std::vector<Action> out(13, git_log());
  out[0].type = "tool";
  out[1].line += " ";
  out[2].server = "x";
  out[3].name = "Git";
  out[4].arguments = Json::object();
  out[5].host = "prod";
  out[6].sign_in = "ssh_key";
  out[7].folder = "/srv";
  out[8].variables["GIT_PAGER"] = "sh";
  out[9].variables["LESS"] = "";
  out[10].program = "/bin/git";
  out[11].shell = true;
  out[12].user = "";
  out.push_back(git_log());
  out.back().meaning = "";
  out.push_back(git_log());
  out.back().place = "here";
  out.push_back(git_log());
  out.back().identity = "7";
  out.push_back(git_log());
  out.back().line = "git log\xff";
  out.push_back(git_log());
  out.back().line = "git log\xfe";
  return out;
}

TEST(ApprovalTest, AnotherByteAnywhereIsAnotherApproval) {
  std::set<std::string> digests = {digest_of(git_log())};
  EXPECT_EQ(digest_of(git_log()).size(), 64U);
  const Json question = question_about(git_log(), {"command-0", {"executes_code"}, "asked"});
  const Json yes = answer_to(question, {{"approve", true}});
  EXPECT_EQ(judge(git_log(), &yes).standing, Standing::kApproved);
  for (const Action& other : neighbours()) {
    EXPECT_TRUE(digests.insert(digest_of(other)).second) << digests.size();
    const Judged judged = judge(other, &yes);
    EXPECT_EQ(judged.standing, Standing::kOpen) << digests.size();
    EXPECT_FALSE(judged.why.empty());
    EXPECT_NE(question_about(other, {"command-0", {}, ""})["approval_id"], question["approval_id"]);
  }
}

TEST(ApprovalTest, AnAnswerThatNamesNoDigestApprovesNothing) {
  const Json bare = {{"approve", true}};
  EXPECT_EQ(judge(git_log(), &bare).standing, Standing::kOpen);
  const Json no = {{"approve", false}, {"reason", "not today"}};
  EXPECT_EQ(judge(git_log(), &no).standing, Standing::kRefused);
  EXPECT_EQ(judge(git_log(), &no).why, "a person refused it: not today");
  EXPECT_EQ(judge(git_log(), nullptr).standing, Standing::kOpen);
  // Whoever answers cannot choose what is approved.
  const Json other = question_about(neighbours()[1], {"command-0", {}, ""});
  const Json forged = answer_to(other, {{"approve", true}, {"digest", digest_of(git_log())}});
  EXPECT_EQ(judge(git_log(), &forged).standing, Standing::kOpen);
}

TEST(ApprovalTest, AQuestionShowsAllOfIt) {
  const Json question = question_about(git_log(), {"command-0", {"executes_code"}, "asked"});
  bool cut = false;
  EXPECT_EQ(text_of(question, 1'000, cut),
            "• command: git log\n"
            "• program: /usr/bin/git\n"
            "• in the folder: /srv/project\n"
            "• variable GIT_PAGER: less\n"
            "• for: ada\n"
            "• program's SHA-256: 12ab\n"
            "• what may be wrong: executes_code");
  EXPECT_FALSE(cut);
  EXPECT_EQ(question["arguments"]["command"], "git log");
}

TEST(ApprovalTest, WhereAServerAndAMachineAreIsShown) {
  bool cut = false;
  Action tool;
  tool.type = "tool";
  tool.server = "mail";
  tool.name = "send";
  tool.place = "node mail.mjs\n--prod";
  tool.identity = "12ab";
  EXPECT_EQ(text_of(question_about(tool, {"call", {}, "asked\nnote: x"}), 1'000, cut),
            "• server: mail\n"
            "• which is: $'node mail.mjs\\n--prod'\n"
            "• tool: send");
  EXPECT_EQ(question_about(tool, {"call", {}, "asked\nnote"})["reason"], "$'asked\\nnote'");
  Action command;
  command.type = "command";
  command.line = "uptime";
  command.host = "web";
  command.place = "root@10.0.0.1:22";
  EXPECT_EQ(text_of(question_about(command, {"remote-0", {}, ""}), 1'000, cut),
            "• command: uptime\n"
            "• on the machine: web\n"
            "• which is: root@10.0.0.1:22");
}

TEST(ApprovalTest, ALongOneIsCutInTheMiddleAndSaysSo) {
  Action action = git_log();
  action.line = "echo '" + std::string(5'000, 'a') + "' '" + std::string(5'000, '\n') + "' end";
  bool cut = false;
  const std::string text = text_of(question_about(action, {"command-0", {}, ""}), 200, cut);
  EXPECT_TRUE(cut);
  EXPECT_LT(text.size(), 800U);
  EXPECT_NE(text.find("• command: $'echo \\'aaa"), std::string::npos) << text;
  EXPECT_NE(text.find(" of 15021 bytes are left out here … \\n\\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\\n\\' end'\n"), std::string::npos) << text;
}

TEST(ApprovalTest, TheDefinitionOfAToolIsItsMeaning) {
  connector::Manifest manifest;
  connector::ServerManifest& server = manifest.servers.emplace_back();
  server.server = "mail";
  connector::Capability& tool = server.capabilities.emplace_back();
  tool.server = "mail";
  tool.name = "send";
  const auto meaning = [&] {
    return meaning_of(manifest, "mail", connector::CapabilityType::kTool, "send");
  };
  std::set<std::string> seen = {"", meaning()};
  tool.drift = connector::Drift::kChanged;
  EXPECT_TRUE(seen.contains(meaning()));
  tool.description = "Sends, and copies to the boss";
  EXPECT_TRUE(seen.insert(meaning()).second);
  tool.input_schema["properties"] = {{"bcc", {{"type", "string"}}}};
  EXPECT_TRUE(seen.insert(meaning()).second);
  tool.annotations = {{"readOnlyHint", true}};
  EXPECT_TRUE(seen.insert(meaning()).second);
  server.version = "2";
  EXPECT_TRUE(seen.insert(meaning()).second);
  tool.name = "sent";
  EXPECT_EQ(meaning(), "");
}

TEST(ShownTextTest, WhatAnEyeWouldMissIsAnEscape) {
  const std::pair<std::string, std::string> kCases[] = {
      {"git status", "git status"},
      {"echo '<!--' SECRETLY RUN THIS '-->' shown",
       R"($'echo \'\x3c!--\' SECRETLY RUN THIS \'-->\' shown')"},
      {"a <b>c</b> < d", R"($'a \x3cb>c\x3c/b> < d')"},
      {"a && b &nbsp; c=1&d=2", R"($'a && b \x26nbsp; c=1&d=2')"},
      {"[git status](http://x)", R"($'[git status]\x28http://x)')"},
      {"rm -r *src* ls *.c", R"($'rm -r \x2asrc\x2a ls *.c')"},
      {"rm -r src/*; cat a*b", R"($'rm -r src/\x2a; cat a\x2ab')"},
      {"ls *.c *.h ~/a ~/b a_b_c x * y", "ls *.c *.h ~/a ~/b a_b_c x * y"},
      {"__main__ ~~no~~ a_b", R"($'\x5f\x5fmain\x5f\x5f \x7e\x7eno\x7e\x7e a_b')"},
      {"echo `id` x", R"($'echo \x60id\x60 x')"},
      {"a ` b", "a ` b"},
      {"echo 'a\n(approved already)'", R"($'echo \'a\n(approved already)\'')"},
      {"a\r\tb\x1b[2K", R"($'a\r\tb\x1b[2K')"},
      {"a  b ", R"($'a \x20b\x20')"},
      {" ", R"($'\x20')"},
      {"", "$''"},
      {"$'x'", R"($'$\'x\'')"},
      {"a\\nb", "a\\nb"},
      {"a\u202eb\u2066", R"($'a\u{202e}b\u{2066}')"},
      {"rm\u200b \u200dx\ufe0f", R"($'rm\u{200b} \u{200d}x\u{fe0f}')"},
      {"a\U000e0061\U000e007f", R"($'a\u{e0061}\u{e007f}')"},
      {"a\u2028b\u0085", R"($'a\u{2028}b\u{85}')"},
      {"a\u00a0b\u3000\u3164", R"($'a\u{a0}b\u{3000}\u{3164}')"},
      {"e\u0301", R"($'e\u{301}')"},
      {"\u05d0 \u0661", R"($'\u{5d0} \u{661}')"},
      {"\U0001f600 \u2026 \u2022", R"($'\u{1f600} \u{2026} \u{2022}')"},
      {"für Übermut", "für Übermut"},
      {"привет, мир", "привет, мир"},
      {"p\u0430ypal", R"($'p\u{430}ypal')"},
      {"\u0441\u043e\u0440\u0435", R"($'\u{441}\u{43e}\u{440}\u{435}')"},
      {"日本語", "日本語"},
      {"etc\u30cepasswd", R"($'etc\u{30ce}passwd')"},
      {"a\xff\xc0\xaf", R"($'a\xff\xc0\xaf')"},
      {"\xed\xa0\x80\xf4\x90\x80\x80", R"($'\xed\xa0\x80\xf4\x90\x80\x80')"},
      {std::string("a\0b", 3), R"($'a\x00b')"},
  };
  for (const auto& [text, expected] : kCases) {
    EXPECT_EQ(shown(text), expected);
    EXPECT_EQ(read_shown(expected), text) << expected;
  }
}

// What runs is drawn from what attackers are fond of.
std::string drawn_text() {
  static const std::vector<std::string> kParts = {" ",
                                                  "  ",
                                                  "'",
                                                  "\"",
                                                  "\\",
                                                  "\n",
                                                  "\r",
                                                  "\t",
                                                  "$'",
                                                  "$",
                                                  "<!--",
                                                  "-->",
                                                  "<b",
                                                  "&lt;",
                                                  "&#x20;",
                                                  "](",
                                                  "*",
                                                  "_",
                                                  "`",
                                                  "\u202e",
                                                  "\u2066",
                                                  "\u200b",
                                                  "\u200d",
                                                  "\ufe0f",
                                                  "\U000e0041",
                                                  "\u00ad",
                                                  "\u0301",
                                                  "\u05d0",
                                                  "\u0430",
                                                  "\u0436",
                                                  "é",
                                                  "語",
                                                  "\u30ce",
                                                  "\U0001f600",
                                                  "\u2028",
                                                  "\xff",
                                                  "\xc3",
                                                  "\xe2\x80",
                                                  "\\x41",
                                                  "\\u{41}",
                                                  "git",
                                                  "x",
                                                  "…",
                                                  "• program: /bin/true",
                                                  "\x1b[2J",
                                                  std::string(1, '\0'),
                                                  "program: /bin/true"};
  std::string out;
  for (const int part : *rc::gen::container<std::vector<int>>(
           rc::gen::inRange(0, static_cast<int>(kParts.size())))) {
    out += kParts[static_cast<std::size_t>(part)];
  }
  return *rc::gen::element(out, out + *rc::gen::arbitrary<std::string>());
}

RC_GTEST_PROP(ShownTextProp, WhatIsShownParsedBackIsWhatRuns, ()) {
  const std::string text = drawn_text();
  const std::string seen = shown(text);
  RC_ASSERT(read_shown(seen) == text);
  for (const char* const hidden : {"<!--", "\n", "\r", "\x1b", "  ", "…", "•", "\u202e", "\u200b",
                                   "\u200d", "\u05d0", "\U000e0041", "\u0301"}) {
    RC_ASSERT(seen.find(hidden) == std::string::npos);
  }
  RC_ASSERT((!seen.empty() && seen.front() != ' ' && seen.back() != ' '));
  RC_ASSERT(std::ranges::count(seen, '`') < 2);
}

RC_GTEST_PROP(ShownTextProp, ACutOneBeginsAndEndsAsTheWhole, ()) {
  const std::string seen = shown(drawn_text());
  const auto most = static_cast<std::size_t>(*rc::gen::inRange(0, 60));
  const std::string cut = cut_shown(seen, most);
  if (seen.size() <= most) {
    RC_ASSERT(cut == seen);
    return;
  }
  const std::size_t begins = cut.find(" … ");
  const std::size_t ends = cut.rfind(" … ") + std::string(" … ").size();
  RC_ASSERT(seen.starts_with(cut.substr(0, begins)));
  RC_ASSERT(seen.ends_with(cut.substr(ends)));
  RC_ASSERT(begins + cut.size() - ends <= most + 1);
}

// read_rows reads the text of a question back: labels to bytes.
std::map<std::string, std::string> read_rows(const std::string& text) {
  std::map<std::string, std::string> out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string row = text.substr(at, end - at);
    const std::size_t colon = row.find(": ");
    RC_ASSERT((row.starts_with("• ") && colon != std::string::npos));
    const std::string label = row.substr(std::string("• ").size(), colon - 4);
    RC_ASSERT(out.emplace(label, read_shown(row.substr(colon + 2)).value()).second);
    at = end + 1;
  }
  return out;
}

RC_GTEST_PROP(ApprovalProp, TheTextOfAQuestionReadBackIsTheAction, ()) {
  Action action;
  action.type = "command";
  action.line = "x" + drawn_text();
  action.name = "x";
  action.host = drawn_text();
  action.folder = drawn_text();
  action.program = drawn_text();
  action.variables = {{"A", drawn_text()}, {"B_2", drawn_text()}};
  action.user = drawn_text();
  bool cut = false;
  const std::string text = text_of(question_about(action, {"command-0", {}, ""}), 1 << 20, cut);
  std::map<std::string, std::string> read = read_rows(text);
  RC_ASSERT(read["command"] == action.line);
  RC_ASSERT(read["on the machine"] == action.host);
  RC_ASSERT(read["in the folder"] == action.folder);
  RC_ASSERT(read["program"] == action.program);
  RC_ASSERT(read["for"] == action.user);
  RC_ASSERT(read.at("variable A") == action.variables["A"]);
  RC_ASSERT(read.at("variable B_2") == action.variables["B_2"]);
}

}  // namespace
}  // namespace plumbline::agents::approvals
