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

Vocabulary::Vocabulary() : words_(pattern_options(), RE2::UNANCHORED) {
  Columns columns(table_text("concepts.tsv"));
  while (columns.next_line()) {
    const std::string_view name = columns.next();
    const std::string_view language = columns.next();
    take(name, language, columns.next());
  }
  std::vector<std::string> words;
  patterns_.Compile(&words);
  for (const std::string& word : words) words_.Add(RE2::QuoteMeta(word), nullptr);
  check(words_.Compile(), "the words of concepts.tsv");
  std::vector<int> always;
  patterns_.AllPotentials({}, &always);
  needs_no_words_.resize(kinds_.size());
  for (const int number : always) needs_no_words_[static_cast<std::size_t>(number)] = true;
  attacks_ = mask("looks for attacks");
  secret_ = mask("kept quiet") | mask("without consent");
  for (const char* const name :
       {"told to", "to the model", "preferred", "against the rules", "in the answer"}) {
    undeniable_ |= mask(name);
  }
}

void Vocabulary::take(std::string_view name, std::string_view language, std::string_view pattern) {
  for (const auto& [own, re] : {std::pair{"denied", &denied_},
                                {"not denied", &not_denied_},
                                {"denied twice", &denied_twice_},
                                {"quoted", &quoted_}}) {
    if (name != own) continue;
    *re = std::make_unique<RE2>(piece(pattern), pattern_options());
    check((*re)->ok(), "a pattern of concepts.tsv");
    return;
  }
  int number = 0;
  const auto wrong = patterns_.Add(piece(pattern), pattern_options(), &number);
  check(wrong == RE2::NoError, "a pattern of concepts.tsv");
  kinds_.push_back({ConceptMask{1} << number_of(name, names_), number_of(language, languages_)});
  check(names_.size() <= kConceptsMax, "few concepts");
}

ConceptMask Vocabulary::mask(std::string_view concept_name) const {
  const auto at = std::ranges::find(names_, concept_name);
  check(at != names_.end(), "a concept of concepts.tsv");
  return ConceptMask{1} << (at - names_.begin());
}

bool Vocabulary::matches(std::string_view text, int number) const {
  return RE2::PartialMatch(piece(text), patterns_.GetRE2(number));
}

std::vector<int> Vocabulary::matching(std::string_view text) const {
  std::vector<int> words;
  words_.Match(piece(text), &words);
  std::vector<int> possible;
  patterns_.AllPotentials(words, &possible);
  const auto needs_no_words = [this](int number) {
    return bool{needs_no_words_[static_cast<std::size_t>(number)]};
  };
  std::erase_if(possible,
                [&](int number) { return !needs_no_words(number) && !matches(text, number); });
  if (std::ranges::all_of(possible, needs_no_words)) return {};
  std::erase_if(possible,
                [&](int number) { return needs_no_words(number) && !matches(text, number); });
  return possible;
}

ConceptMasks Vocabulary::said_in(std::string_view sentence,
                                 const std::vector<int>& possible) const {
  ConceptMasks said(languages_.size());
  const auto look = [&](std::string_view text, ConceptMask wanted) {
    for (const int number : possible) {
      const Kind& kind = kinds_[static_cast<std::size_t>(number)];
      if ((kind.bit & wanted) == 0 || (said[kind.language] & kind.bit) != 0) continue;
      if (matches(text, number)) said[kind.language] |= kind.bit;
    }
  };
  look(sentence, attacks_);
  std::string text(sentence);
  if (says_any(said, attacks_)) text = without_quotes(text);
  if (!RE2::PartialMatch(text, *denied_twice_)) look(text, secret_);
  look(text, undeniable_);
  look(says_any(said, secret_) ? text : without_denied(text), ~(attacks_ | secret_ | undeniable_));
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
