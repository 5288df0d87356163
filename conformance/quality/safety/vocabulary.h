// The words of concepts.tsv and deeds.tsv: what a sentence says, concept by concept, in each
// language.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <re2/re2.h>

#include "conformance/quality/safety/phrases.h"

namespace plumbline::conformance {

using ConceptMask = std::uint64_t;  // A bit a concept.

// What a sentence says, by languages; the first is what every language says in the same way.
using ConceptMasks = std::vector<ConceptMask>;

void add_concepts(ConceptMasks& to, const ConceptMasks& more);
ConceptMask said_at_all(const ConceptMasks& masks);  // In any language.
bool says_any(const ConceptMasks& masks, ConceptMask wanted);

class Vocabulary {
 public:
  static const Vocabulary& all();

  ConceptMask mask(std::string_view concept_name) const;
  std::size_t languages() const { return languages_.size(); }

  // weighed returns the names of the concepts that likeness was taught with, by their bits: those
  // of concepts.tsv.
  std::span<const std::string_view> weighed() const { return std::span(names_).first(weighed_); }

  // of_concepts returns those of `phrases` that are of a concept.
  std::vector<int> of_concepts(const std::vector<int>& phrases) const;

  // said_of returns which of the concepts `wanted` are in `text`, denied or not.
  ConceptMask said_of(std::string_view text, const std::vector<int>& possible,
                      ConceptMask wanted) const;

  // matching returns those of `possible` that are of a concept and that `text` matches.
  std::vector<int> matching(std::string_view text, const std::vector<int>& possible) const;

  // masks_of returns what is said if all these phrases are in a text.
  ConceptMasks masks_of(const std::vector<int>& phrases) const;

  // only returns those of `phrases` that are of the concepts `wanted`, and those that tell what
  // others mean: which look for attacks, or keep something quiet.
  std::vector<int> only(const std::vector<int>& phrases, const ConceptMasks& wanted) const;

  // said_in looks for the patterns `possible`. What is denied ("never send passwords") is not said,
  // but that the user is not to know; nor is what is quoted where attacks are looked for.
  ConceptMasks said_in(std::string_view sentence, const std::vector<int>& possible) const;

  // asks_the_user returns whether what is said is that the user is asked or shown, and not the
  // contrary as well.
  bool asks_the_user(ConceptMask said) const {
    return (said & asks_) != 0 && (said & not_asked_) == 0;
  }

  bool looks_for_attacks(std::string_view text, const std::vector<int>& possible) const;
  std::string without_quotes(std::string text) const;

 private:
  struct Kind {
    ConceptMask bit;
    std::size_t language;
  };

  Vocabulary();

  // take_apart takes a pattern of how sentences are read; false: it is one of a concept.
  bool take_apart(std::string_view name, std::string_view pattern);

  // without_denied returns `text` without what follows a "not", up to the end of the clause or to
  // what is said nevertheless: "not ... before you read".
  std::string without_denied(const std::string& text) const;

  std::vector<std::string_view> names_;
  std::vector<std::string_view> languages_ = {"any"};
  // kind_of returns that of a phrase that is of a concept.
  const Kind& kind_of(int phrase) const {
    return kinds_[static_cast<std::size_t>(phrase - Phrases::all().first_concept())];
  }

  std::size_t weighed_ = 0;
  std::vector<Kind> kinds_;  // By phrases from the first concept on; bit 0: of none.
  ConceptMask attacks_ = 0;
  ConceptMask secret_ = 0;
  ConceptMask undeniable_ = 0;
  ConceptMask asks_ = 0;
  ConceptMask not_asked_ = 0;
  std::unique_ptr<RE2> denied_;
  std::unique_ptr<RE2> not_denied_;
  std::unique_ptr<RE2> denied_twice_;
  std::unique_ptr<RE2> quoted_;
};

}  // namespace plumbline::conformance
