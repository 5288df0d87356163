#include "tests/command_line/bash_lines_fixture.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace plumbline::agents::command_line {

namespace {

using namespace std::string_view_literals;

template <std::size_t N>
std::string pick(Rng& rng, const std::array<std::string_view, N>& of) {
  return std::string(of[rng.below(N)]);
}

constexpr std::array kPrograms = {
    "git"sv,      "git"sv,          "npm"sv,           "awk"sv,         "printf"sv,
    "'git'"sv,    "\"npm\""sv,      "g\\it"sv,         "gi't'"sv,       "\"\"git"sv,
    "/bin/git"sv, "/usr/bin/git"sv, "/opt/tool/run"sv, "/usr/bin/npm"sv};

constexpr std::array kOddPrograms = {"./git"sv,
                                     "../usr/bin/git"sv,
                                     "/usr/bin/../bin/git"sv,
                                     "//usr/bin/git"sv,
                                     "/srv/git"sv,
                                     "rm"sv,
                                     "sh"sv,
                                     "/bin/sh"sv,
                                     "bash"sv,
                                     "GIT"sv,
                                     "git "sv,
                                     "gi"sv,
                                     "A=1"sv,
                                     "A=1 git"sv,
                                     "time git"sv,
                                     "! git"sv,
                                     "if"sv,
                                     "{ git"sv,
                                     "\\"sv,
                                     "''"sv,
                                     "eval"sv,
                                     ". git"sv,
                                     "exec git"sv,
                                     "command git"sv,
                                     "g\xc3\xaft"sv,
                                     "git\xc2\xa0"sv,
                                     "$git"sv,
                                     "~/git"sv,
                                     "gi?"sv,
                                     "-git"sv};

constexpr std::array kPlain = {"a"sv,
                               "status"sv,
                               "-v"sv,
                               "--x=y"sv,
                               "HEAD~1"sv,
                               "a:b"sv,
                               "x.c"sv,
                               "1"sv,
                               "/"sv,
                               "."sv,
                               "%s"sv,
                               "\xc3\xa9"sv,
                               "\xe2\x82\xac"sv,
                               "then"sv,
                               "a#b"sv,
                               "@{u"sv,
                               "^"sv,
                               "!"sv,
                               ","sv,
                               "+"sv,
                               "]"sv,
                               "-"sv,
                               "a@b"sv,
                               "!!"sv};

constexpr std::array kSpecial = {"*"sv,
                                 "?"sv,
                                 "[ab]"sv,
                                 "{a,b}"sv,
                                 "{1..3}"sv,
                                 "{}"sv,
                                 "~"sv,
                                 "~root"sv,
                                 "a=~"sv,
                                 "a:~"sv,
                                 "#"sv,
                                 "# x"sv,
                                 ";"sv,
                                 "&&"sv,
                                 "||"sv,
                                 "|"sv,
                                 "&"sv,
                                 ">"sv,
                                 "2>&1"sv,
                                 "<"sv,
                                 "<<E"sv,
                                 "<(git)"sv,
                                 "$("sv,
                                 "$(git)"sv,
                                 "`git`"sv,
                                 "$HOME"sv,
                                 "${a}"sv,
                                 "$'\\n'"sv,
                                 "$\"x\""sv,
                                 "$((1))"sv,
                                 "("sv,
                                 ")"sv,
                                 "\n"sv,
                                 "\r"sv,
                                 "\x01"sv,
                                 "\x7f"sv,
                                 "\xff"sv,
                                 "\xc0\xbb"sv,
                                 "\xed\xa0\x80"sv,
                                 "\xef\xbc\x9b"sv,
                                 "\xe2\x80\xa8"sv,
                                 "\xc2\xa0"sv,
                                 "\\\n"sv,
                                 "\v"sv,
                                 "\0"sv,
                                 "@(a|b)"sv,
                                 "!(x)"sv,
                                 "\"`git`\""sv,
                                 "\"$a\""sv,
                                 "\"$(git)\""sv,
                                 ";git"sv,
                                 "\ngit"sv};

constexpr std::array kQuotable = {"a"sv,        " "sv,     "*"sv, ";"sv,      "|"sv, "\n"sv, "\t"sv,
                                  "~"sv,        "{a,b}"sv, "#"sv, "&"sv,      ">"sv, "\\"sv, "!"sv,
                                  "\xc3\xa9"sv, "("sv,     "="sv, "$(git)"sv, "`"sv, "\\x"sv};

constexpr std::array kInDouble = {
    "a"sv,    "\\\n"sv, " "sv,   "*"sv,   ";"sv, "'"sv,     "\n"sv,  "~"sv, "\\$"sv,
    "\\\""sv, "\\\\"sv, "\\`"sv, "\\a"sv, "|"sv, "{a,b}"sv, "\\ "sv, "!"sv, "\xe2\x82\xac"sv};

constexpr std::array kEscaped = {"\\ "sv,  "\\*"sv, "\\;"sv, "\\$"sv, "\\\\"sv, "\\'"sv,
                                 "\\\""sv, "\\~"sv, "\\#"sv, "\\a"sv, "\\|"sv,  "\\{"sv,
                                 "\\}"sv,  "\\("sv, "\\?"sv, "\\["sv, "\\="sv,  "\\\t"sv};

constexpr std::array kBlanks = {" "sv, " "sv, " "sv, "  "sv, "\t"sv, " \t "sv};

// draw_piece returns a part of a word; what `odd` is, out of a hundred, a shell would act on.
std::string draw_piece(Rng& rng, std::uint64_t odd) {
  if (rng.chance(odd, 100)) return pick(rng, kSpecial);
  std::string piece;
  const std::uint64_t pieces = rng.below(4);
  switch (rng.below(5)) {
    case 0:
      for (std::uint64_t i = 0; i < pieces; ++i) piece += pick(rng, kQuotable);
      return "'" + piece + "'";
    case 1:
      for (std::uint64_t i = 0; i < pieces; ++i) piece += pick(rng, kInDouble);
      return "\"" + piece + "\"";
    case 2:
      return pick(rng, kEscaped);
    default:
      return pick(rng, kPlain);
  }
}

}  // namespace

std::string draw_line(Rng& rng) {
  constexpr std::uint64_t kOdd[] = {0, 0, 2, 8};
  const std::uint64_t odd = kOdd[rng.below(4)];
  std::string line = rng.chance(1, 20) ? " " : "";
  line += rng.chance(1, 8) ? pick(rng, kOddPrograms) : pick(rng, kPrograms);
  const std::uint64_t words = rng.below(6);
  for (std::uint64_t word = 0; word < words; ++word) {
    line += pick(rng, kBlanks);
    const std::uint64_t pieces = 1 + rng.below(3);
    for (std::uint64_t piece = 0; piece < pieces; ++piece) line += draw_piece(rng, odd);
  }
  // Now and then one byte is changed, or the rest is cut off: quotes stay open, escapes split.
  if (rng.chance(1, 12)) line.resize(rng.below(line.size() + 1));
  if (rng.chance(1, 12) && !line.empty()) {
    line[rng.below(line.size())] = static_cast<char>(rng.below(256));
  }
  return line;
}

}  // namespace plumbline::agents::command_line
