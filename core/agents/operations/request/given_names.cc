#include "core/agents/operations/request/given_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/request/identified.h"
#include "core/agents/operations/request/property_kind.h"
#include "core/agents/operations/request/typed.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/words.h"

namespace plumbline::agents {

namespace {

// named_by returns the things that a property names: "branch" of branchName, "pod" of the name of a
// tool called get_pod. Empty where it is no name, or of one among several ("newName").
std::vector<std::string> named_by(const std::string& property,
                                  const connector::Capability& capability) {
  constexpr auto kEnds = std::to_array<std::string_view>({"id", "key", "name", "slug", "uid"});
  constexpr auto kOneOfSeveral = std::to_array<std::string_view>(
      {"base", "current", "destination", "from", "head", "new", "old", "source", "target", "to"});
  std::vector<std::string> words = words_of(property);
  for (const std::string_view one : kOneOfSeveral) {
    if (words.size() > 1 && contains(words, one)) return {};
  }
  if (!words.empty() && is_empty_word(words.back())) return {};  // "In", of checkIn.
  const bool is_name = !words.empty() && std::ranges::find(kEnds, words.back()) != kEnds.end();
  if (!is_name || words.empty()) return words.empty() ? words : std::vector{words.back()};
  if (words.size() > 1) return {words[words.size() - 2]};
  std::vector<std::string> things = content_words(capability.name);
  const bool lists = !things.empty() && things.front() == "list";  // "Reminders_lists" is of lists.
  std::erase_if(things, [lists](const std::string& word) {
    return is_verb(word) && (lists || word != "list");
  });
  if (words.front() != "name") things.insert(things.begin(), words.front());
  return things;
}

// names_by_another returns whether another property than the one for an id holds the name of the
// same thing: workspaceName beside workspaceId.
bool names_by_another(const std::string& id, const Json& properties) {
  std::vector<std::string> words = words_of(id);
  words.back() = "name";
  return std::ranges::any_of(
      properties.items(), [&](const auto& property) { return words_of(property.key()) == words; });
}

}  // namespace

void give_names(Extraction& extraction, const Json& properties,
                const connector::Capability& capability, RequestText& request) {
  std::vector<std::string> no_names = content_words(capability.name);
  for (const auto& [name, property] : properties.items()) no_names.push_back(fold(name));
  for (const auto& [name, property] : properties.items()) {
    const bool plain = takes_text(property) && find(property, "enum") == nullptr;
    if (extraction.arguments.contains(name) || !plain) continue;
    const PropertyKind kind = kind_of(name);
    const bool other = kind == PropertyKind::kPath || kind == PropertyKind::kUri ||
                       kind == PropertyKind::kText || words_of(name).empty();
    if (other) continue;
    const bool made = !is_id_word(words_of(name).back());
    for (const std::string& thing : named_by(name, capability)) {
      if (!made && names_by_another(name, properties)) continue;
      const std::optional<std::string> said = request.named_as(thing, no_names, made);
      if (!said) continue;
      extraction.give(name, *said, Provenance::kRequest);
      break;
    }
  }
}

}  // namespace plumbline::agents
