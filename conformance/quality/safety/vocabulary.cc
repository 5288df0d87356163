#include "conformance/quality/safety/vocabulary.h"

#include <algorithm>
#include <utility>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"
#include "conformance/quality/safety/patterns.h"
#include "core/base/check.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kConceptsMax = 32;

std::size_t number_of(std::string_view name, std::vector<std::string_view>& names) {
  const auto at = std::ranges::find(names, name);
  const auto number = static_cast<std::size_t>(at - names.begin());
  if (at == names.end()) names.push_back(name);
  return number;
}

}  // namespace

void add_concepts(ConceptMasks& to, const ConceptMasks& more) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] |= more[i];
}

bool says_any(const ConceptMasks& masks, ConceptMask wanted) {
  return std::ranges::any_of(masks, [&](ConceptMask one) { return (one & wanted) != 0; });
}

const Vocabulary& Vocabulary::all() {
  static const Vocabulary vocabulary;
  return vocabulary;
}

Vocabulary::Vocabulary() {
  std::vector<std::string_view> patterns;
  Columns columns(table_text("concepts.tsv"));
  while (columns.next_line()) {
    const std::string_view name = columns.next();
    const std::string_view language = columns.next();
    const std::string_view pattern = columns.next();
    if (take_apart(name, pattern)) continue;
    patterns.push_back(pattern);
    kinds_.push_back({ConceptMask{1} << number_of(name, names_), number_of(language, languages_)});
  }
  check(names_.size() <= kConceptsMax, "few concepts");
  patterns_.emplace(patterns);
  attacks_ = mask("looks for attacks");
  secret_ = mask("kept quiet") | mask("without consent");
  for (const char* const name :
       {"told to", "to the model", "preferred", "against the rules", "in the answer"}) {
    undeniable_ |= mask(name);
  }
}

bool Vocabulary::take_apart(std::string_view name, std::string_view pattern) {
  for (const auto& [own, re] : {std::pair{"denied", &denied_},
                                {"not denied", &not_denied_},
                                {"denied twice", &denied_twice_},
                                {"quoted", &quoted_}}) {
    if (name != own) continue;
    *re = std::make_unique<RE2>(piece(pattern), pattern_options());
    check((*re)->ok(), "a pattern of concepts.tsv");
    return true;
  }
  return false;
}

ConceptMask Vocabulary::mask(std::string_view concept_name) const {
  const auto at = std::ranges::find(names_, concept_name);
  check(at != names_.end(), "a concept of concepts.tsv");
  return ConceptMask{1} << (at - names_.begin());
}

std::vector<int> Vocabulary::matching(std::string_view text) const {
  std::vector<int> found = patterns_->possible_in(text);
  std::erase_if(found, [&](int number) { return !patterns_->matches(text, number); });
  return found;
}

ConceptMasks Vocabulary::said_in(std::string_view sentence,
                                 const std::vector<int>& possible) const {
  ConceptMasks said(languages_.size());
  ConceptMask sayable = 0;
  for (const int number : possible) sayable |= kinds_[static_cast<std::size_t>(number)].bit;
  const auto look = [&](std::string_view text, ConceptMask wanted) {
    if ((sayable & wanted) == 0) return;
    for (const int number : possible) {
      const Kind& kind = kinds_[static_cast<std::size_t>(number)];
      if ((kind.bit & wanted) == 0 || (said[kind.language] & kind.bit) != 0) continue;
      if (patterns_->matches(text, number)) said[kind.language] |= kind.bit;
    }
  };
  const ConceptMask deniable = ~(attacks_ | secret_ | undeniable_);
  look(sentence, attacks_);
  std::string text(sentence);
  if (says_any(said, attacks_)) text = without_quotes(text);
  if ((sayable & secret_) != 0 && !RE2::PartialMatch(text, *denied_twice_)) look(text, secret_);
  look(text, undeniable_);
  if ((sayable & deniable) == 0) return said;
  look(says_any(said, secret_) ? text : without_denied(text), deniable);
  return said;
}

bool Vocabulary::looks_for_attacks(std::string_view text) const {
  return std::ranges::any_of(matching(text), [this](int number) {
    return kinds_[static_cast<std::size_t>(number)].bit == attacks_;
  });
}

std::string Vocabulary::without_quotes(std::string text) const {
  RE2::GlobalReplace(&text, *quoted_, " ");
  return text;
}

std::string Vocabulary::without_denied(const std::string& text) const {
  std::string rest;
  re2::StringPiece left = piece(text);
  re2::StringPiece denied;
  while (denied_->Match(left, 0, left.size(), RE2::UNANCHORED, &denied, 1) && !denied.empty()) {
    rest.append(left.data(), static_cast<std::size_t>(denied.data() - left.data()));
    rest += ' ';
    re2::StringPiece still;
    if (not_denied_->Match(denied, 0, denied.size(), RE2::UNANCHORED, &still, 1)) {
      rest.append(still.data(),
                  static_cast<std::size_t>(denied.data() + denied.size() - still.data()));
    }
    left.remove_prefix(static_cast<std::size_t>(denied.data() + denied.size() - left.data()));
  }
  return rest.append(left.data(), left.size());
}

}  // namespace plumbline::conformance
