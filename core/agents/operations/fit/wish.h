// A Wish is what a request wants, as far as its words tell: what is to be done, with which things,
// and the values by which it narrows them.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/fit/wish_values.h"

namespace plumbline::agents {

struct Wish {
  // A chain is a thing, and what it is of: "the tree of the project folder" is {{tree}, {project,
  // folder}}. Words are folded, the last of each thing is the thing itself.
  using Thing = std::vector<std::string>;
  using Chain = std::vector<Thing>;

  // Demand is one clause.
  struct Demand {
    std::string verb;      // Folded; empty where none is said, as in a question.
    std::string asks;      // The word that a question begins with: "when". Empty in an order.
    bool whether = false;  // It asks how something is: "is the server down?"
    bool many = false;     // The first thing is meant in the plural.
    std::vector<Chain> chains;
    std::vector<std::string> so;     // What it has to be: "changed" of "which files were changed".
    std::vector<std::string> about;  // The words behind "in", "about", "for" ... Folded.
  };

  // Value is a word that means one thing alone: "notes.md", "Bob", 10, "two words".
  struct Value {
    using Kind = ValueKind;
    Kind kind = Kind::kQuoted;
    std::string text;  // As written.
  };

  std::vector<Demand> demands;
  std::vector<Value> values;
  bool reckons = false;  // It wants a number reckoned: "add 2 and 3".
  std::string order;     // In which order many are wanted: "sorted by date". Empty: in any.
  bool until = false;    // It asks how many there are until a time.
  // Whether a verb and what stands further behind it ("bring it back", "have it deleted") ask for a
  // change. Nothing: there are none.
  std::optional<bool> parted_changes{};
  bool general = false;  // It asks about the world: "how do I ...", "what is a ...".
};

// wish_of reads `request`, whose words are set apart by single spaces.
Wish wish_of(std::string_view request);

// is_generic_verb returns whether a folded verb only asks to be given something: "show", "find".
bool is_generic_verb(std::string_view verb);

}  // namespace plumbline::agents
