// Verbs decide what a text asks to be done to the world: a request, the name of a tool, or the
// sentence with which it describes itself.

#pragma once

#include <string_view>
#include <vector>

#include "core/agents/policy/risk.h"

namespace plumbline::agents {

// Deed is what a text asks for. "List the tickets and delete the old ones" does both.
struct Deed {
  bool reads = false;       // Something is to be read, shown, found or told.
  std::vector<Risk> risks;  // Of what is to be changed, each once.
};

// deed_of judges `text` clause by clause: the first verb of a clause decides it, and what it
// changes says which risk it is ("close the door", "close the ticket"). In a name, words may be
// joined in any way: "files_list", "ticketSearch", "create-or-update-file".
Deed deed_of(std::string_view text);

// may_open_clause returns whether a word in lower case may stand before the verb of a clause:
// "just", "kindly", "would".
bool may_open_clause(std::string_view word);

// is_verb returns whether the folded `word` is a verb and nothing else: "send", not "order".
bool is_verb(std::string_view word);

// is_device returns whether the folded `word` names something that moves, lights or sounds.
bool is_device(std::string_view word);

// first_sentence returns the first line of `text` that is neither blank nor a heading ("Purpose:"),
// without the mark of a list, up to its first full stop.
std::string_view first_sentence(std::string_view text);

}  // namespace plumbline::agents
