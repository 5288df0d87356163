#include "conformance/quality/safety/concepts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"
#include "conformance/quality/safety/sentences.h"
#include "conformance/quality/safety/vocabulary.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kReadForConcepts = 50'000;  // Bytes of a text.
constexpr std::size_t kSentenceShown = 160;       // Bytes of one.

// Together is a line of shapes.tsv.
struct Together {
  std::string_view where;
  std::vector<std::string_view> concepts;
  ConceptMask needs = 0;
  ConceptMask must_miss = 0;
  ConceptMask not_about = 0;  // A tool that is about one of these may say it.
  bool in_any_words = false;

  // may_fit returns whether the words of all languages say it.
  bool may_fit(ConceptMask said) const { return (said & needs) == needs; }

  // fits returns whether the words of one language say all of it.
  bool fits(const ConceptMasks& said) const {
    if (must_miss != 0 && says_any(said, must_miss)) return false;
    return std::ranges::any_of(
        said, [&](ConceptMask one) { return ((one | said.front()) & needs) == needs; });
  }
};

std::vector<std::string_view> parts(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(", "), list.size());
    parts.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 2, list.size()));
  }
  return parts;
}

const std::vector<Together>& come_together() {
  static const std::vector<Together> kAll = [] {
    std::vector<Together> shapes;
    Columns columns(table_text("shapes.tsv"));
    while (columns.next_line()) {
      Together& shape = shapes.emplace_back();
      shape.where = columns.next();
      shape.concepts = parts(columns.next());
      for (const auto one : shape.concepts) shape.needs |= Vocabulary::all().mask(one);
      for (const auto one : parts(columns.next())) shape.must_miss |= Vocabulary::all().mask(one);
      for (const auto one : parts(columns.next())) shape.not_about |= Vocabulary::all().mask(one);
      shape.in_any_words = !columns.next().empty();
    }
    return shapes;
  }();
  return kAll;
}

std::string_view place_of(const Text& text) {
  switch (text.kind) {
    case Text::Kind::kArgument:
      return "argument";
    case Text::Kind::kValue:
      return "value";
    case Text::Kind::kName:
      return names_argument(text) ? "argument name" : "";
    default:
      return "";
  }
}

// is_one_word returns whether `text` is a word such as "relevance": one says nothing.
bool is_one_word(const Text& text) {
  const bool may_be_taken_apart = names_argument(text) || is_name_of_value(text);
  return std::ranges::all_of(text.text, [&](char c) {
    return c > ' ' && c <= '~' && (!may_be_taken_apart || (c != '_' && c != '-'));
  });
}

// Sought is what is looked for in the texts of one tool.
struct Sought {
  bool in_any_words;  // Only such shapes; false: only others.
  ConceptMask about;  // What the tool is about, in its own words.

  bool holds(const Together& shape) const {
    return shape.in_any_words == in_any_words && (shape.not_about & about) == 0;
  }
};

// about_of returns what a tool says of itself, of the concepts that matter there.
ConceptMask about_of(std::span<const SaidText> texts) {
  ConceptMask wanted = 0;
  for (const Together& shape : come_together()) wanted |= shape.not_about;
  ConceptMask about = 0;
  for (const SaidText& text : texts) {
    if (!place_of(*text.text).empty()) continue;
    about |= Vocabulary::all().said_of(text.said, text.possible, wanted);
  }
  return about;
}

// Said is a sentence that says something.
struct Said {
  const Text* text;
  std::string sentence;
  ConceptMasks masks;
};

void add_seen(Meaning& meaning, std::string_view sentence) {
  if (meaning.seen.size() + sentence.size() > kSentenceShown && !meaning.seen.empty()) return;
  const std::size_t begin = std::min(sentence.find_first_not_of(" \t\r\n"), sentence.size());
  meaning.seen += (meaning.seen.empty() ? "" : " ... ") +
                  std::string(clipped(sentence.substr(begin), kSentenceShown));
}

// look_at looks at one text for the phrases `tried`, and adds the sentences that say something to
// `all`.
Meaning look_at(const SaidText& whole, const std::vector<int>& tried, const Sought& sought,
                std::vector<Said>& all) {
  const Text& text = *whole.text;
  const std::string_view plain = beginning(whole.said, kReadForConcepts);
  const std::vector<int> possible = Vocabulary::all().matching(plain, tried);
  if (possible.empty()) return {};
  const std::string_view place = place_of(text);
  ConceptMasks before(Vocabulary::all().languages());
  std::string_view sentence_before;
  for (const std::string_view sentence : sentences(plain)) {
    const ConceptMasks said = Vocabulary::all().said_in(sentence, possible);
    ConceptMasks near = said;
    add_concepts(near, before);
    if (said_at_all(said) != 0) all.push_back({&text, std::string(sentence), said});
    const ConceptMask near_by = said_at_all(near);
    for (const Together& shape : come_together()) {
      if (!shape.may_fit(near_by) || !sought.holds(shape)) continue;
      const bool alone = (shape.where == "sentence" || shape.where == place) && shape.fits(said);
      if (!alone && (shape.where != "near" || !shape.fits(near))) continue;
      Meaning meaning{&text, shape.concepts, {}, sought.in_any_words};
      if (!alone && says_any(before, shape.needs)) add_seen(meaning, sentence_before);
      add_seen(meaning, sentence);
      meaning.asks_the_user = Vocabulary::all().asks_the_user(said_at_all(near));
      return meaning;
    }
    before = said;
    sentence_before = sentence;
  }
  return {};
}

// said_together returns what all sentences of a tool say together.
Meaning said_together(const std::vector<Said>& all, const Sought& sought) {
  ConceptMasks together(Vocabulary::all().languages());
  for (const Said& said : all) add_concepts(together, said.masks);
  for (const Together& shape : come_together()) {
    if (shape.where != "tool" || !sought.holds(shape) || !shape.fits(together)) continue;
    Meaning meaning{nullptr, shape.concepts, {}, sought.in_any_words};
    for (const Said& said : all) {
      if (!says_any(said.masks, shape.needs)) continue;
      if (meaning.text == nullptr) meaning.text = said.text;
      add_seen(meaning, said.sentence);
    }
    return meaning;
  }
  return {};
}

// worth_a_try returns the phrases of a text without those that no shape can come of.
std::vector<int> worth_a_try(const SaidText& text, const ConceptMasks& of_tool,
                             const Sought& sought) {
  const Vocabulary& vocabulary = Vocabulary::all();
  const ConceptMasks of_text = vocabulary.masks_of(text.possible);
  ConceptMasks wanted(vocabulary.languages());
  const ConceptMask said_by_tool = said_at_all(of_tool);
  const ConceptMask said_by_text = said_at_all(of_text);
  bool any = false;
  for (const Together& shape : come_together()) {
    const bool of_any = shape.where == "tool";
    if (!sought.holds(shape) || !shape.may_fit(of_any ? said_by_tool : said_by_text)) continue;
    const ConceptMasks& said = of_any ? of_tool : of_text;
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (((said[i] | said.front()) & shape.needs) != shape.needs) continue;
      wanted[i] |= shape.needs;
      wanted.front() |= shape.needs;
      any = true;
    }
  }
  return any ? vocabulary.only(text.possible, wanted) : std::vector<int>();
}

}  // namespace

bool Meaning::has(std::string_view concept_name) const {
  return std::ranges::find(concepts, concept_name) != concepts.end();
}

Meaning meaning_of(std::span<const SaidText> texts) {
  const Vocabulary& vocabulary = Vocabulary::all();
  std::vector<const SaidText*> read;
  ConceptMasks of_tool(vocabulary.languages());
  for (const SaidText& text : texts) {
    if (says_nothing(text.text->text) || is_one_word(*text.text)) continue;
    read.push_back(&text);
    add_concepts(of_tool, vocabulary.masks_of(text.possible));
  }
  const auto look = [&](const Sought& sought, bool at_all) {
    std::vector<Said> all;
    for (const SaidText* const text : read) {
      Meaning meaning = look_at(
          *text, at_all ? text->possible : worth_a_try(*text, of_tool, sought), sought, all);
      if (meaning.text != nullptr) return meaning;
    }
    return said_together(all, sought);
  };
  const ConceptMask about = about_of(texts);
  for (const bool in_any_words : {true, false}) {
    const Sought sought{in_any_words, about};
    // Few tools say anything together: only for those is every sentence needed that says something.
    if (look(sought, false).text == nullptr) continue;
    Meaning meaning = look(sought, true);
    if (meaning.text != nullptr) return meaning;
  }
  return {};
}

Quotes quotes_of(const SaidText& text) {
  const Vocabulary& all = Vocabulary::all();
  if (!all.looks_for_attacks(text.said, text.possible)) return {false, text.said};
  return {true, all.without_quotes(text.said)};
}

}  // namespace plumbline::conformance
