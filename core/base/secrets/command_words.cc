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
};
constexpr auto kKnown = std::to_array<Known>({{"sshpass", 'p'},
                                              {"mysql", 'p'},
                                              {"mariadb", 'p'},
                                              {"docker login", 'p'},
                                              {"podman login", 'p'},
                                              {"az login", 'p'},
                                              {"redis-cli", 'a'},
                                              {"curl", 'b'}});

}  // namespace

std::string_view program_of_option(std::string_view line, char letter) {
  std::string_view program;
  std::size_t place = 0;
  for (const Known& known : kKnown) {
    const std::size_t found = known.letter == letter ? line.rfind(known.program) : line.npos;
    if (found == line.npos || (!program.empty() && found < place)) continue;
    program = known.program;
    place = found;
  }
  return program;
}

bool is_user_and_password(std::string_view value) {
  const std::size_t colon = value.find(':');
  if (colon == value.npos || colon + 1 == value.size()) return false;
  if (value.substr(colon).starts_with("://")) return false;
  return !std::ranges::all_of(value, [](char c) { return ascii_digit(c) || c == ':'; });
}

}  // namespace plumbline
