#include "core/agents/operations/arguments/quoted.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/agents/operations/request/filters.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/operations/request/typed.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

constexpr WordTable kTitles({Word{"name"}, Word{"summary"}, Word{"title"}});
constexpr WordTable kTexts({Word{"body"}, Word{"comment"}, Word{"content"}, Word{"message"},
                            Word{"note"}, Word{"text"}});
constexpr WordTable kMakes({Word{"add"}, Word{"create"}, Word{"insert"}, Word{"make"}, Word{"new"},
                            Word{"open"}, Word{"plan"}, Word{"schedule"}, Word{"set"}});
constexpr WordTable kSays({Word{"answer"}, Word{"comment"}, Word{"compose"}, Word{"draft"},
                           Word{"email"}, Word{"forward"}, Word{"message"}, Word{"note"},
                           Word{"post"}, Word{"push"}, Word{"reply"}, Word{"respond"}, Word{"send"},
                           Word{"tell"}, Word{"text"}, Word{"write"}});

// only_quotation returns where the one quotation stands that nothing has taken.
std::optional<std::size_t> only_quotation(const RequestText& request) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < request.pieces().size(); ++i) {
    const RequestText::Piece& piece = request.pieces()[i];
    if (piece.used || !piece.quoted) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

// first_verb returns the first word of a request that may say what is to be done. Folded.
std::string first_verb(const RequestText& request) {
  for (const RequestText::Piece& piece : request.pieces()) {
    if (piece.quoted) return "";
    const std::string word = lower_case(piece.text);
    if (!is_empty_word(word) && !may_open_clause(word)) return fold(word);
  }
  return "";
}

bool is_quoted(const RequestText& request, std::string_view text) {
  return std::ranges::any_of(request.pieces(), [&](const RequestText::Piece& piece) {
    return piece.quoted && piece.text == text;
  });
}

}  // namespace

void give_quotation(Extraction& extraction, const Json& properties,
                    const connector::Capability& capability, RequestText& request) {
  if (is_list(capability)) return;
  const std::optional<std::size_t> at = only_quotation(request);
  if (!at) return;
  const std::string verb = first_verb(request);
  const bool makes = kMakes.contains(verb);
  if (!makes && !kSays.contains(verb)) return;
  const auto only_of = [&](const auto& names) {
    return only_open(extraction, properties, [&](const auto& words, const Json& property) {
      return words.size() == 1 && takes_text(property) && find(property, "enum") == nullptr &&
             has_one_of(words, names);
    });
  };
  const bool has_title = std::ranges::any_of(extraction.sources, [](const ArgumentSource& source) {
    return source.provenance == Provenance::kRequest && kTitles.contains(source.name);
  });
  std::optional<std::string> name;
  if (makes && !has_title) name = only_of(kTitles);
  if (!name && (!makes || has_title)) name = only_of(kTexts);
  if (name) extraction.give(*name, request.take_piece(*at), Provenance::kRequest);
}

void give_nested(Extraction& extraction, const Json& properties,
                 const connector::Capability& capability, const RequestText& request,
                 Extraction (*extract)(const RequestText&, const connector::Capability&)) {
  for (const std::string& name : required_of(capability.input_schema)) {
    const Json* const schema = find(properties, name);
    if (schema == nullptr || extraction.arguments.contains(name)) continue;
    const Json* const own = find(*schema, "properties");
    if (type_of(*schema) != "object" || own == nullptr || !own->is_object() || own->empty())
      continue;
    connector::Capability inner;
    inner.type = capability.type;
    inner.name = capability.name;
    inner.description = capability.description;
    inner.input_schema = *schema;
    Extraction found = extract(request, inner);
    bool given = false;
    bool guessed = false;
    for (const ArgumentSource& source : found.sources) {
      if (source.provenance != Provenance::kRequest) continue;
      const auto* const text = found.value(source.name).get_ptr<const std::string*>();
      const bool quoted = text != nullptr && is_quoted(request, *text);
      (quoted ? given : guessed) = true;
    }
    if (!given || guessed || !found.missing.empty()) continue;
    extraction.give(name, std::move(found.arguments), Provenance::kRequest);
  }
}

}  // namespace plumbline::agents
