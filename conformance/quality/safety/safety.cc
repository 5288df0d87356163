#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "conformance/quality/checks.h"
#include "conformance/quality/safety/concepts.h"
#include "conformance/quality/safety/likeness.h"
#include "conformance/quality/safety/phrases.h"
#include "conformance/quality/safety/signs.h"
#include "conformance/quality/safety/unfolded.h"
#include "core/base/text.h"
#include "core/json/shown/visible_text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kPassageShown = 200;  // Bytes of one.

std::string_view rule_for(const Signs& signs) {
  if (signs.hides) return "security.hidden-text";
  if (signs.has("others' tools")) return "security.other-tools";
  for (const char* const group : {"a file of keys", "credentials", "an address to send to",
                                  "the conversation", "carried along by the call"}) {
    if (signs.has(group)) return "security.exfiltration";
  }
  return "security.orders";
}

// with_escapes returns a text in which what is not shown is written as U+202E.
std::string with_escapes(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    const std::string_view one = text.substr(0, letter.bytes);
    if (hides_text(one)) {
      std::array<char, 16> code{};
      std::snprintf(code.data(), code.size(), "<U+%04X>", static_cast<unsigned>(letter.code));
      out += code.data();
    } else {
      out += one == "\n" ? std::string_view(" ") : one;
    }
    text.remove_prefix(letter.bytes);
  }
  return out;
}

// first_unseen returns where the first character stands that is not shown.
std::size_t first_unseen(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (hides_text(text.substr(at, first_letter(text.substr(at)).bytes))) return at;
    at += first_letter(text.substr(at)).bytes;
  }
  return 0;
}

std::string told(const Text& text, const Signs& signs) {
  std::string what = shown_place(text);
  if (!signs.decoded.empty()) return what + " spells \"" + clipped(signs.decoded, 100) + "\"";
  if (signs.hides) {
    const std::string_view rest = std::string_view(text.text).substr(first_unseen(text.text));
    return what + " hides \"" + with_escapes(beginning(rest, 48)) + "\"";
  }
  std::string groups;
  for (const std::string_view group : signs.groups) {
    groups += (groups.empty() ? "" : ", ") + std::string(group);
  }
  return what + " (" + groups + "): \"" + with_escapes(signs.seen) + "\"";
}

std::string_view rule_for(const Meaning& meaning) {
  if (meaning.has("others' tools")) return "security.other-tools";
  for (const char* const one :
       {"keys", "passwords", "the conversation", "private data", "an address"}) {
    if (meaning.has(one)) return "security.exfiltration";
  }
  return "security.orders";
}

// add_meaning notes what texts say together that no sign was seen in; false: it says nothing, or in
// words that no poisoned text has.
bool add_meaning(const std::vector<SaidText>& texts, LikenessScorer& scorer, Notes& notes) {
  const Meaning meaning = meaning_of(texts);
  if (meaning.text == nullptr) return false;
  // Anybody may have written what a tool returns.
  const bool in_any_words =
      meaning.in_any_words && meaning.text->kind != Text::Kind::kAnswer && !meaning.asks_the_user;
  if (!in_any_words && !scorer.may_be_poison(texts, LikenessScorer::Seen::kConcepts)) return false;
  std::string concepts;
  for (const std::string_view one : meaning.concepts) {
    concepts += (concepts.empty() ? "" : ", ") + std::string(one);
  }
  notes.add(
      rule_for(meaning), meaning.text->item,
      shown_place(*meaning.text) + " (" + concepts + "): \"" + with_escapes(meaning.seen) + "\"");
  return true;
}

// add_likeness notes which of texts that say nothing by themselves reads like poison.
void add_likeness(const std::vector<SaidText>& texts, LikenessScorer& scorer, Notes& notes) {
  const Likeness likeness = scorer.most_like_poison(texts);
  if (likeness.text == nullptr) return;
  std::string words;
  for (const std::string& word : likeness.words) words += (words.empty() ? "" : ", ") + word;
  notes.add("security.like-poison", likeness.text->item,
            shown_place(*likeness.text) + " (" + words + "): \"" +
                with_escapes(clipped(trimmed(likeness.passage), kPassageShown)) + "\"");
}

// looks_for_attacks returns whether a text of a tool says so: then the examples of its arguments
// may well be attacks.
bool looks_for_attacks(const std::vector<SaidText>& texts) {
  return std::ranges::any_of(texts,
                             [](const SaidText& one) { return quotes_of(one).looks_for_attacks; });
}

// check_signs looks at each text alone, and at those of a tool together; an answer is one by
// itself.
void check_signs(const Reading& read, const Around& around, Notes& notes) {
  PatternSet::Search search(Phrases::all().patterns());
  LikenessScorer scorer;
  std::vector<SaidText> texts;
  bool seen = false;
  for (std::size_t i = 0; i < read.texts.size(); ++i) {
    const Text& text = read.texts[i];
    const Unfolded unfolded = says_nothing(text.text) ? Unfolded() : unfold(read_of(text));
    texts.push_back(said_text(text, unfolded.plain, search));
    const Signs signs = signs_of(texts.back(), unfolded, read, around);
    // A page that a tool returns may well have a comment or a character that isn't shown.
    const bool answer = text.kind == Text::Kind::kAnswer;
    const bool shows_itself =
        (signs.hides && !answer) || signs.hides_words || signs.has("buried text");
    const bool suspect =
        signs.suspect() &&
        (shows_itself || scorer.may_be_poison({&texts.back(), 1}, LikenessScorer::Seen::kSigns));
    if (suspect) {
      // Many signs are sure only where the words are clearly those of poison as well.
      const bool sure =
          signs.sure() && (signs.hides_words || (scorer.clearly_reads_like_poison(texts.back()) &&
                                                 !looks_for_attacks(texts)));
      notes.add(rule_for(signs), text.item, told(text, signs), sure);
    }
    seen = seen || suspect;
    const Text* const next = i + 1 < read.texts.size() ? &read.texts[i + 1] : nullptr;
    if (next != nullptr && !answer && next->item == text.item &&
        next->kind != Text::Kind::kAnswer) {
      continue;
    };
    if (!seen && !add_meaning(texts, scorer, notes)) add_likeness(texts, scorer, notes);
    texts.clear();
    seen = false;
  }
}

}  // namespace

void check_safety(const Reading& read, const Around& around, Notes& notes) {
  check_signs(read, around, notes);
  for (const std::string& other : around.other_servers) {
    if (look_alike(around.server, other)) {
      notes.add("security.look-alike", "", around.server + " is like " + other);
    }
  }
  for (const OfferedTool& tool : read.tools) {
    for (const std::string& other : around.other_tools) {
      if (look_alike(tool.name, other))
        notes.add("security.look-alike", tool.name, "like " + other);
    }
  }
  for (const char* const id : {"security.hidden-text", "security.orders", "security.exfiltration",
                               "security.other-tools", "security.like-poison"}) {
    notes.looked(id, read.texts.size());
  }
  notes.looked("security.look-alike", around.other_servers.size() + around.other_tools.size());
  // Who compares with pins says so.
  notes.looked("security.pin-changed", notes.looked_at("security.pin-changed", 0));
}

}  // namespace plumbline::conformance
