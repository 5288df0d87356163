#include "conformance/quality/safety/vocabulary.h"

#include <algorithm>
#include <utility>

#include "conformance/quality/safety/patterns.h"
#include "core/base/check.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kConceptsMax = 64;

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

ConceptMask said_at_all(const ConceptMasks& masks) {
  ConceptMask all = 0;
  for (const ConceptMask one : masks) all |= one;
  return all;
}

bool says_any(const ConceptMasks& masks, ConceptMask wanted) {
  return (said_at_all(masks) & wanted) != 0;
}

const Vocabulary& Vocabulary::all() {
  static const Vocabulary vocabulary;
  return vocabulary;
}

Vocabulary::Vocabulary() {
  const std::vector<Phrase>& list = Phrases::all().list();
  for (auto i = static_cast<std::size_t>(Phrases::all().first_concept()); i < list.size(); ++i) {
    if (static_cast<int>(i) == Phrases::all().first_deed()) weighed_ = names_.size();
    Kind& kind = kinds_.emplace_back(Kind{0, 0});
    if (take_apart(list[i].name, list[i].pattern)) continue;
    kind.bit = ConceptMask{1} << number_of(list[i].name, names_);
    kind.language = number_of(list[i].language, languages_);
  }
  check(names_.size() <= kConceptsMax, "few concepts");
  attacks_ = mask("looks for attacks");
  secret_ = mask("kept quiet") | mask("without consent");
  asks_ = mask("asks the user");
  not_asked_ = mask("not asking") | mask("not telling");
  for (const char* const name :
       {"told to", "to the model", "preferred", "against the rules", "in the answer"}) {
    undeniable_ |= mask(name);
  }
  // What such a concept says is a denial.
  for (const std::string_view name : names_) {
    if (name.starts_with("not ")) undeniable_ |= mask(name);
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

std::vector<int> Vocabulary::of_concepts(const std::vector<int>& phrases) const {
  std::vector<int> of_concepts;
  for (const int number : phrases) {
    const bool is_one = number >= Phrases::all().first_concept() && kind_of(number).bit != 0;
    if (is_one) of_concepts.push_back(number);
  }
  return of_concepts;
}

ConceptMask Vocabulary::said_of(std::string_view text, const std::vector<int>& possible,
                                ConceptMask wanted) const {
  ConceptMask said = 0;
  for (const int number : of_concepts(possible)) {
    const ConceptMask bit = kind_of(number).bit & wanted & ~said;
    if (bit != 0 && Phrases::all().patterns().matches(text, number)) said |= bit;
  }
  return said;
}

std::vector<int> Vocabulary::matching(std::string_view text,
                                      const std::vector<int>& possible) const {
  std::vector<int> found;
  for (const int number : of_concepts(possible)) {
    if (Phrases::all().patterns().matches(text, number)) found.push_back(number);
  }
  return found;
}

ConceptMasks Vocabulary::masks_of(const std::vector<int>& phrases) const {
  ConceptMasks masks(languages_.size());
  for (const int number : phrases) {
    if (number < Phrases::all().first_concept()) continue;
    masks[kind_of(number).language] |= kind_of(number).bit;
  }
  return masks;
}

std::vector<int> Vocabulary::only(const std::vector<int>& phrases,
                                  const ConceptMasks& wanted) const {
  std::vector<int> rest;
  for (const int number : phrases) {
    if (number < Phrases::all().first_concept()) continue;
    const Kind& kind = kind_of(number);
    if ((kind.bit & (wanted[kind.language] | attacks_ | secret_)) != 0) rest.push_back(number);
  }
  return rest;
}

ConceptMasks Vocabulary::said_in(std::string_view sentence,
                                 const std::vector<int>& possible) const {
  ConceptMasks said(languages_.size());
  ConceptMask sayable = 0;
  for (const int number : possible) sayable |= kind_of(number).bit;
  const auto look = [&](std::string_view text, ConceptMask wanted) {
    if ((sayable & wanted) == 0) return;
    for (const int number : possible) {
      const Kind& kind = kind_of(number);
      if ((kind.bit & wanted) == 0 || (said[kind.language] & kind.bit) != 0) continue;
      if (Phrases::all().patterns().matches(text, number)) said[kind.language] |= kind.bit;
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

bool Vocabulary::looks_for_attacks(std::string_view text, const std::vector<int>& possible) const {
  const Phrases& all = Phrases::all();
  return std::ranges::any_of(possible, [&](int number) {
    return number >= all.first_concept() && kind_of(number).bit == attacks_ &&
           all.patterns().matches(text, number);
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
