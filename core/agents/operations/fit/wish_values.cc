#include "core/agents/operations/fit/wish_values.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/fit/wish_words.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

// How people begin a question about the world in general, word by word.
constexpr std::array kGeneralOpenings = std::to_array<std::string_view>({"define ",
                                                                         "explain how ",
                                                                         "explain what ",
                                                                         "explain why ",
                                                                         "how can i ",
                                                                         "how do i ",
                                                                         "how do we ",
                                                                         "how do you ",
                                                                         "how does ",
                                                                         "how should i ",
                                                                         "how to ",
                                                                         "how would i ",
                                                                         "what does it mean ",
                                                                         "what is a ",
                                                                         "what is an ",
                                                                         "what is the difference ",
                                                                         "what is the meaning ",
                                                                         "what s a ",
                                                                         "what s an ",
                                                                         "why do ",
                                                                         "why is a "});

// is_assignment returns whether a word gives a value to a name: "key=a/b.txt".
bool is_assignment(std::string_view text) {
  const std::size_t sign = text.find('=');
  return sign != text.npos && sign > 0 && std::ranges::all_of(text.substr(0, sign), [](char c) {
           return is_lower(lower(c)) || is_digit(c) || c == '_' || c == '-';
         });
}

// joins_words returns whether a mark stands between letters: "light.kitchen", "by_size".
bool joins_words(std::string_view text) {
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    const bool mark = text[i] == '.' || text[i] == ':' || text[i] == '_';
    if (mark && is_lower(lower(text[i - 1])) && is_lower(lower(text[i + 1])) && text.size() > 4)
      return true;
  }
  return false;
}

// is_ending returns whether a word is what stands behind a dot: ".io".
bool is_ending(std::string_view text) {
  return text.size() > 2 && text.front() == '.' &&
         std::ranges::all_of(text.substr(1), [](char c) { return is_lower(lower(c)); });
}

// names_a_field returns whether a word is what programs call something that they keep: "page_id".
bool names_a_field(std::string_view text) {
  if (text.find('_') == text.npos) return false;
  constexpr WordTable kFieldEnds({Word{"at"}, Word{"by"}, Word{"code"}, Word{"count"}, Word{"date"},
                                  Word{"id"}, Word{"ids"}, Word{"key"}, Word{"name"}, Word{"time"},
                                  Word{"type"}, Word{"url"}});
  const std::vector<std::string> words = words_of(text);
  return !words.empty() && kFieldEnds.contains(words.back());
}

}  // namespace

bool is_general(std::string_view request) {
  std::string words;
  for (WordReader reader(request); reader.next();) words += std::string(reader.word()) + ' ';
  return std::ranges::any_of(kGeneralOpenings,
                             [&](std::string_view opening) { return words.starts_with(opening); });
}

std::string_view without_owner_mark(std::string_view text) {
  constexpr WordTable kNoOwners({Word{"he"}, Word{"here"}, Word{"how"}, Word{"it"}, Word{"let"},
                                 Word{"she"}, Word{"that"}, Word{"there"}, Word{"what"},
                                 Word{"when"}, Word{"where"}, Word{"which"}, Word{"who"},
                                 Word{"why"}});
  for (const std::string_view mark : {"'s", "\xe2\x80\x99s"}) {
    if (!text.ends_with(mark) || text.size() == mark.size()) continue;
    const std::string_view owner = text.substr(0, text.size() - mark.size());
    return kNoOwners.contains(lower_case(owner)) ? text : owner;
  }
  return text;
}

std::optional<ValueKind> value_kind(const RequestText::Piece& piece) {
  const std::string_view text = piece.text;
  if (piece.quoted || is_pattern(text)) return ValueKind::kQuoted;
  if (text.ends_with(']') || text.ends_with('}')) return ValueKind::kNumber;  // As JSON.
  if (text.find("://") != std::string_view::npos) return ValueKind::kUri;
  if (is_assignment(text)) return ValueKind::kNumber;
  if (is_path(text)) return ValueKind::kPath;
  if (is_ending(text)) return ValueKind::kNumber;
  if (joins_words(text) && !names_a_field(text)) return ValueKind::kNumber;
  const bool sign = text.find_first_of("@#=$") != std::string_view::npos;
  if (sign || std::ranges::any_of(text, is_digit)) return ValueKind::kNumber;
  return std::nullopt;
}

std::size_t condition_end(const RequestText& text) {
  const std::vector<RequestText::Piece>& pieces = text.pieces();
  const bool opens = pieces.size() > 2 && kConditions.contains(lower_case(pieces[0].text)) &&
                     !kAuxiliaries.contains(lower_case(pieces[1].text));
  const auto comma = std::ranges::find(pieces, ',', &RequestText::Piece::end);
  if (!opens || comma == pieces.end()) return 0;
  return static_cast<std::size_t>(comma - pieces.begin()) + 1;
}

bool is_generic_verb(std::string_view verb) { return kGenericVerbs.contains(verb); }

bool is_letter_to(std::string_view verb, std::string_view before, std::string_view value) {
  return verb == "write" && before == "to" && value.find('@') != value.npos;
}

bool tells_somebody(const RequestText& text) {
  const std::vector<RequestText::Piece>& pieces = text.pieces();
  if (pieces.size() < 3 || lower_case(pieces[0].text) != "tell" || pieces[1].quoted) return false;
  const std::string whom = lower_case(pieces[1].text);
  return whom != "me" && whom != "us" && pieces.back().quoted;
}

bool begins_clause(std::string_view word) {
  const std::string folded = fold(word);
  const Verb* const verb = find_verb(folded);
  return (verb != nullptr && !verb->noun_too) || kAskingWords.contains(word);
}

std::string deed_done(const std::string& word) {
  if (word.ends_with("ed")) {
    for (const std::size_t ending : {2UL, 1UL}) {
      std::string plain = word.substr(0, word.size() - ending);
      if (is_verb_too(plain) || find_verb(plain) != nullptr) return plain;
    }
  }
  std::string base = base_form(word);
  return base != word && is_verb_too(base) ? fold(base) : std::string();
}

const Parted* parted_by(std::string_view verb, std::string_view before, std::string_view word,
                        bool of_something) {
  const auto found = std::ranges::find_if(kParted, [&](const Parted& parted) {
    const std::string_view particle = parted.particle;
    const bool of = particle == "out of" && word == "of" && before == "out";
    const bool order = particle == "in order" && word == "order" && before == "in";
    const bool sides = particle == "side by side" && word == "side" && before == "by";
    return verb == parted.verb && (of || order || sides || (word == particle && of_something));
  });
  return found != kParted.end() ? &*found : nullptr;
}

}  // namespace plumbline::agents
