#include "core/agents/operations/fit/denied.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

// denied_words returns the folded words behind each denial, up to the end of its sentence, to what
// it says to do instead, or to what only tells more: "events" of "not for events with a date".
std::vector<std::string> denied_words(const std::string& description) {
  constexpr auto kDenials = std::to_array<std::string_view>(
      {"do not use for ", "do not use it for ", "do not use this tool for ", "don't use for ",
       "don't use it for ", "don't use this tool for ", "not for ", "not intended for ",
       "not meant for ", "not suitable for "});
  constexpr auto kEnds =
      std::to_array<std::string_view>({". ", ".\n", ";", "\n", "because", "instead", " about ",
                                       " from ", " in ", " to ", " when ", " with "});
  const std::string text = lower_case(description);
  std::vector<std::string> out;
  for (const std::string_view denial : kDenials) {
    for (std::size_t at = text.find(denial); at != std::string::npos;
         at = text.find(denial, at + 1)) {
      std::string_view said = std::string_view(text).substr(at + denial.size());
      for (const std::string_view end : kEnds) said = said.substr(0, said.find(end));
      for (WordReader reader(said); reader.next_content();) out.emplace_back(reader.word());
    }
  }
  return out;
}

// goes_without returns whether a tool says that it does something without doing this: "saves a
// draft without sending it".
bool goes_without(const std::string& verb, const std::string& description) {
  bool without = false;
  if (verb.empty() || description.find("without ") == std::string::npos) return false;
  for (WordReader reader(description); reader.next();) {
    const Verb* const deed = without ? find_verb(reader.word()) : nullptr;
    if (deed != nullptr && deed->word == verb) return true;
    without = reader.word() == "without";
  }
  return false;
}

}  // namespace

bool is_denied(const Wish::Demand& demand, const connector::Capability& tool) {
  if (goes_without(demand.verb, tool.description)) return true;
  if (demand.chains.empty()) return false;
  const std::vector<std::string> denied = denied_words(tool.description);
  const Wish::Thing& thing = demand.chains.front().front();
  if (contains(content_words(tool.name), thing.back())) return false;
  return !denied.empty() && std::ranges::all_of(thing, [&](const std::string& word) {
    return contains(denied, word);
  });
}

}  // namespace plumbline::agents
