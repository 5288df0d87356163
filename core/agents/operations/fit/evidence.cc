#include "core/agents/operations/fit/evidence.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/agents/policy/words.h"

namespace plumbline::agents {

std::vector<std::string> evidence_words(std::string_view text) {
  constexpr auto kFamilies = std::to_array<std::string_view>(
      {"application/", "audio/", "font/", "image/", "text/", "video/"});
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
    const std::string_view token = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool place = token.find("://") != std::string_view::npos ||
                       std::ranges::any_of(kFamilies, [&](std::string_view family) {
                         return token.find(family) != std::string_view::npos;
                       });
    if (place) continue;
    for (WordReader reader(token); reader.next_content();) {
      if (reader.word() == "tool" || reader.word() == "mcp")
        continue;  // As every one says of itself.
      if (!contains(words, reader.word())) words.emplace_back(reader.word());
    }
  }
  return words;
}

}  // namespace plumbline::agents
