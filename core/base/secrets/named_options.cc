#include "core/base/secrets/named_search.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/name_signs.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/secrets/value_words.h"

namespace plumbline {

namespace {

struct Known {
  std::string_view program;
  char letter;
  ProgramOption takes = ProgramOption::kSecret;
};
constexpr auto kKnown = std::to_array<Known>({{"sshpass", 'p'},
                                              {"mysql", 'p', ProgramOption::kAttached},
                                              {"mysqldump", 'p', ProgramOption::kAttached},
                                              {"mysqladmin", 'p', ProgramOption::kAttached},
                                              {"mariadb", 'p', ProgramOption::kAttached},
                                              {"mariadb-dump", 'p', ProgramOption::kAttached},
                                              {"mysqlimport", 'p', ProgramOption::kAttached},
                                              {"mysqlcheck", 'p', ProgramOption::kAttached},
                                              {"mysqlshow", 'p', ProgramOption::kAttached},
                                              {"mysqlslap", 'p', ProgramOption::kAttached},
                                              {"mycli", 'p'},
                                              {"twine", 'p'},
                                              {"7z", 'p', ProgramOption::kAttached},
                                              {"mongosh", 'p'},
                                              {"mongo", 'p'},
                                              {"mongodump", 'p'},
                                              {"mongorestore", 'p'},
                                              {"cqlsh", 'p'},
                                              {"docker login", 'p'},
                                              {"podman login", 'p'},
                                              {"az login", 'p'},
                                              {"redis-cli", 'a'},
                                              {"http", 'a', ProgramOption::kUser},
                                              {"https", 'a', ProgramOption::kUser},
                                              {"xh", 'a', ProgramOption::kUser},
                                              {"curl", 'b'},
                                              {"curl", 'u', ProgramOption::kUser},
                                              {"curl", 'U', ProgramOption::kUser},
                                              {"curl", 'E', ProgramOption::kUser},
                                              {"openssl", 'k'},
                                              {"ldapsearch", 'w'},
                                              {"ldapadd", 'w'},
                                              {"ldapmodify", 'w'},
                                              {"ldapdelete", 'w'},
                                              {"ldapwhoami", 'w'},
                                              {"ldappasswd", 'w'},
                                              {"sqlcmd", 'P'},
                                              {"bcp", 'P'},
                                              {"zip", 'P'},
                                              {"unzip", 'P'},
                                              {"ipmitool", 'P'},
                                              {"mosquitto_pub", 'P'},
                                              {"mosquitto_sub", 'P'}});

// is_of_word returns whether a program goes on at this byte: mysqldump is not mysql.
bool is_of_word(char c) { return ascii_word(c) || c == '_' || c == '-' || c == '.' || c == ':'; }

// last_of returns where `program` stands last in `line`, as a word; npos: nowhere.
std::size_t last_of(std::string_view line, std::string_view program) {
  for (std::size_t at = line.rfind(program); at != line.npos; at = line.rfind(program, at - 1)) {
    const std::size_t end = at + program.size();
    const bool begins = at == 0 || !is_of_word(line[at - 1]);
    const bool ends = end == line.size() || !is_of_word(line[end]);
    if (begins && (ends || line.substr(end).starts_with(".exe"))) return at;
    if (at == 0) break;
  }
  return line.npos;
}

// program_option returns what the option of this letter takes for the last program near the end of
// `line` that has one: kSecret for "sshpass" and 'p'.
ProgramOption program_option(std::string_view line, char letter) {
  ProgramOption takes = ProgramOption::kNone;
  std::size_t place = 0;
  for (const Known& known : kKnown) {
    const std::size_t found = known.letter == letter ? last_of(line, known.program) : line.npos;
    if (found == line.npos || (takes != ProgramOption::kNone && found < place)) continue;
    takes = known.takes;
    place = found;
  }
  return takes;
}

// command_before returns what stands before `at` in a command line, however far its program is.
std::string_view command_before(std::string_view text, std::size_t at) {
  constexpr std::size_t kCommandMax = 320;
  const std::size_t begin = at - std::min(at, kCommandMax);
  std::string_view line = text.substr(begin, at - begin);
  for (const std::string_view end : {"\n", "; ", "&& ", "| "}) {
    const std::size_t last = line.rfind(end);
    if (last != line.npos) line.remove_prefix(last + end.size());
  }
  return line;
}

// is_of_letters returns whether an option is some of a letter each, of which the last may take the
// next word: -sSLu.
bool is_of_letters(std::string_view option) {
  return option.size() > 1 && option.size() <= 6 && option != "help" &&
         std::string_view("uUbpP").find(option.back()) != option.npos &&
         std::ranges::all_of(option, ascii_letter);
}

// takes_no_password returns whether -u is of a program that means something else by it.
bool takes_no_password(std::string_view text, std::size_t at) {
  constexpr auto kOthers = std::to_array<std::string_view>(
      {"date", "scp", "rsync", "du", "nc", "sort", "tar", "cp", "mv"});
  std::string_view line =
      text.substr(at - std::min(at, kNameBytesMax), std::min(at, kNameBytesMax));
  while (!line.empty() && (is_gap(line.back()) || line.back() == '-')) line.remove_suffix(1);
  return is_one_of(line.substr(line.find_last_of(" \t\n\"'/") + 1), kOthers);
}

// is_user_and_password returns whether `value` is user:password, or user%password as Samba
// writes it; not a group as in 1000:1000, and no URL.
bool is_user_and_password(std::string_view value) {
  const std::size_t colon = value.find_first_of(":%");
  if (colon == value.npos || colon + 1 == value.size()) return false;
  const std::string_view behind = value.substr(colon);
  if (behind.starts_with("://") || behind.starts_with(":\\")) return false;  // C:\ is a folder.
  return !std::ranges::all_of(value, [](char c) { return ascii_digit(c) || c == ':'; });
}

}  // namespace

bool NamedSearch::takes_user(std::string_view option) {
  constexpr auto kOptions =
      std::to_array<std::string_view>({"user", "proxy-user", "cert", "proxy-cert"});
  return is_one_of(option, kOptions);
}

void NamedSearch::at_dash(std::size_t at) {
  const bool first = at == 0 || is_gap(text_[at - 1]) || is_quote(text_[at - 1]) ||
                     ends_line(text_[at - 1]) || text_[at - 1] == '(' || text_[at - 1] == '[';
  if (!first) return;
  std::size_t name = at + 1;
  if (name < text_.size() && text_[name] == '-') ++name;
  std::size_t end = name;
  while (end < text_.size() && end - name < kNameBytesMax && is_word_byte(text_[end])) ++end;
  const std::string_view option = text_.substr(name, end - name);
  done_ = std::max(done_, name);
  if (option.empty()) return;
  if (name == at + 1 && short_option(option, name)) return;
  std::size_t value = behind_word(end);
  if (value == end) return;
  if (text_.substr(value).starts_with("<<<")) value = behind_gap(text_, value + 3);  // Of a shell.
  if (takes_user(option)) return user_at(value);
  if (option.size() < 3 || option.starts_with("no-")) return;
  if (!names(option, NamedAs::kVariable)) return;
  const std::string_view rest = text_.substr(value);
  if (rest.starts_with("--") && !rest.starts_with("-----")) return;
  word(value);
}

std::size_t NamedSearch::behind_word(std::size_t end) const {
  std::size_t at = end;
  const Mark mark = mark_at(text_, at);
  if (mark.end > at) {
    at = behind_gap(text_, mark.end);
    if (at >= text_.size() || text_[at] != ',') return end;
    return behind_gap(text_, at + 1);
  }
  return behind_gap(text_, at);
}

Span NamedSearch::word_from(std::size_t at) const {
  if (const Mark mark = prefixed_mark(text_, at); mark.end > mark.begin) {
    return closes_string(text_, mark) ? Span{at, at} : whole_string(text_, mark, false);
  }
  return {at, behind_parts(text_, behind(at, kWordEnds), kWordEnds, '\0')};
}

void NamedSearch::word(std::size_t at) {
  const Span word = word_from(at);
  if (const std::size_t end = behind_brackets(text_, word.begin)) return add(word.begin, end);
  const std::string_view value = text_of(word);
  if (!is_ordinary_value(value) && !is_metavariable(value)) add(word.begin, word.end);
  done_ = std::max(done_, word.end);
}

void NamedSearch::user_at(std::size_t at) {
  const Span word = word_from(at);
  const std::string_view value = text_of(word);
  if (is_user_and_password(value) && !is_ordinary_value(value)) add(word.begin, word.end);
}

// What was searched for programs already, and had none, is not searched again.
ProgramOption NamedSearch::option_at(std::size_t at, char letter) {
  constexpr std::size_t kAgain = kNameBytesMax / 2;
  const bool known_letter = std::ranges::count(kKnown, letter, &Known::letter) > 0;
  if (!known_letter) return ProgramOption::kNone;
  if (std::exchange(missed_letter_, letter) != letter) missed_ = 0;
  const std::size_t seen = missed_ > kAgain ? missed_ - kAgain : 0;
  const std::size_t near = std::min(at - std::min(at, seen), 2 * kNameBytesMax);
  ProgramOption known = program_option(text_.substr(at - near, near), letter);
  if (known == ProgramOption::kNone && at - seen > near) {
    known = program_option(command_before(text_, at), letter);
  }
  if (known == ProgramOption::kNone) missed_ = at;
  return known;
}

bool NamedSearch::short_option(std::string_view option, std::size_t at) {
  const char letter = option.front();
  if (letter == 'u' || letter == 'U') {
    const std::size_t value = option.size() == 1 ? behind_word(at + 1) : at + 1;
    const bool word = option.size() == 1 || names(option, NamedAs::kVariable);
    const bool user = option.size() == 1 || !word;
    if (user && !takes_no_password(text_, at)) user_at(value);
    return option.size() == 1 || done_ > at;
  }
  ProgramOption known = option_at(at, letter);
  std::size_t value = option.size() == 1 ? behind_word(at + 1) : at + 1;
  if (known == ProgramOption::kNone && is_of_letters(option)) {
    known = option_at(at, option.back());
    value = behind_word(at + option.size());
    if (known == ProgramOption::kAttached) return false;
  }
  if (known == ProgramOption::kNone) return false;
  if (known == ProgramOption::kUser) {
    user_at(value);
  } else if (known != ProgramOption::kAttached || option.size() > 1) {  // mysql -p asks.
    word(value);
  }
  return true;
}

}  // namespace plumbline
