#include "core/base/secrets/command_words.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/base/secrets/ascii.h"

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
                                              {"curl", 'b'},
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
    if (begins && (end == line.size() || !is_of_word(line[end]))) return at;
    if (at == 0) break;
  }
  return line.npos;
}

}  // namespace

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

bool is_user_and_password(std::string_view value) {
  const std::size_t colon = value.find_first_of(":%");
  if (colon == value.npos || colon + 1 == value.size()) return false;
  if (value.substr(colon).starts_with("://")) return false;
  return !std::ranges::all_of(value, [](char c) { return ascii_digit(c) || c == ':'; });
}

}  // namespace plumbline
