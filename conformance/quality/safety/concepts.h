// What the texts of a tool say together: who is spoken to, what is to be done, with what, and
// whether the user may know of it. Each of these concepts (concepts.tsv) is in many an honest text;
// some that come together (shapes.tsv) are in hardly any. Concepts count together only where the
// words of one language say them. Some deeds (deeds.tsv) no honest tool has, in whatever words:
// what says them needs no likeness to poison.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/quality/safety/said.h"

namespace plumbline::conformance {

struct Meaning {
  const Text* text = nullptr;              // Where it is said, or begins to be; null: nowhere.
  std::vector<std::string_view> concepts;  // What comes together.
  std::string seen;                        // The sentences that say it.
  bool in_any_words = false;               // Suspect, whatever likeness says.
  bool asks_the_user = false;              // One of them says that the user is asked or shown.

  bool has(std::string_view concept_name) const;
};

// meaning_of reads the texts of one tool, or one answer of it.
Meaning meaning_of(std::span<const SaidText> texts);

// Quotes is a text of which it matters whether it speaks of attacks because it looks for them.
struct Quotes {
  bool looks_for_attacks = false;
  std::string rest;  // Without what it quotes, where it looks for attacks.
};

Quotes quotes_of(const SaidText& text);

}  // namespace plumbline::conformance
