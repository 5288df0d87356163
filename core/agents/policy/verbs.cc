#include "core/agents/policy/verbs.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/check.h"

namespace plumbline::agents {

namespace {

// Words that may stand before the verb of a clause.
constexpr WordTable kOpenings(
    {Word{"able"}, Word{"ahead"},  Word{"allow"},  Word{"allows"}, Word{"api"},     Word{"be"},
     Word{"d"},    Word{"dear"},   Word{"fine"},   Word{"go"},     Word{"going"},   Word{"great"},
     Word{"help"}, Word{"helps"},  Word{"hey"},    Word{"hi"},     Word{"just"},    Word{"kindly"},
     Word{"like"}, Word{"ll"},     Word{"may"},    Word{"mcp"},    Word{"might"},   Word{"must"},
     Word{"need"}, Word{"now"},    Word{"ok"},     Word{"okay"},   Word{"quickly"}, Word{"s"},
     Word{"say"},  Word{"should"}, Word{"simple"}, Word{"tool"},   Word{"try"},     Word{"use"},
     Word{"used"}, Word{"using"},  Word{"ve"},     Word{"will"},   Word{"would"}});

// A clause that begins with one of these asks, whatever its verb.
constexpr WordTable kQuestions({Word{"are"}, Word{"did"}, Word{"does"}, Word{"has"}, Word{"how"},
                                Word{"is"}, Word{"was"}, Word{"were"}, Word{"what"}, Word{"when"},
                                Word{"where"}, Word{"which"}, Word{"who"}, Word{"whom"},
                                Word{"whose"}, Word{"why"}});

constexpr WordTable kClauseBounds({Word{"and"}, Word{"but"}, Word{"or"}, Word{"then"}});

std::optional<Risk> verb_risk(Does does) {
  switch (does) {
    case Does::kReads:
    case Does::kChanges:
      return std::nullopt;
    case Does::kFiles:
      return Risk::kWritesFiles;
    case Does::kSends:
      return Risk::kSendsMessages;
    case Does::kRecords:
      return Risk::kUpdatesRecords;
    case Does::kDevices:
      return Risk::kControlsDevices;
    case Does::kMoney:
      return Risk::kMovesMoney;
    case Does::kCode:
      return Risk::kExecutesCode;
  }
  check(false, "unknown Does");
  return std::nullopt;
}

// Clause is one thing that a text asks for.
struct Clause {
  std::vector<std::string> words;    // As written, in lower case.
  std::vector<std::string> content;  // Folded, from the first word that could be its verb.
  std::string opening;               // That word as written.
  bool first = true;

  bool has_object(Risk risk) const {
    return std::ranges::any_of(content,
                               [&](const auto& word) { return object_risk(word) == risk; });
  }

  // follows returns whether one of `next` stands directly after `word`.
  bool follows(std::string_view word, std::initializer_list<std::string_view> next) const {
    const auto at = std::ranges::find(words, word);
    return at != words.end() && at + 1 != words.end() &&
           std::ranges::find(next, *(at + 1)) != next.end();
  }
};

void add_word(Clause& clause, std::string_view word) {
  if (clause.content.size() == 1 && !clause.words.empty()) {
    const std::string_view phrase = phrasal_verb(clause.words.back(), word);
    if (!phrase.empty()) clause.content.front() = phrase;
  }
  clause.words.emplace_back(word);
  const bool opens = clause.content.empty();
  if (is_empty_word(word)) return;
  if (opens && kOpenings.contains(word)) return;
  std::string folded = fold(word);
  const bool adverb = word.size() > 4 && word.ends_with("ly") && find_verb(folded) == nullptr;
  if (opens && adverb) return;
  if (opens) clause.opening = word;
  clause.content.push_back(std::move(folded));
}

// is_noun_here returns whether the first word of a later clause is one more noun: "comments and
// replies", not "and replies to the thread", "and email it".
bool is_noun_here(const Clause& clause, const Verb& verb) {
  if (clause.words.size() == 1) return true;
  return verb.noun_too && clause.opening.ends_with('s') &&
         !clause.follows(clause.opening, {"a", "an", "it", "the", "them", "this", "to"});
}

// decide returns the verb of a clause, nullptr when it has none.
const Verb* decide(const Clause& clause) {
  const Verb* const opening = find_verb(clause.content.front());
  if (!clause.first) {
    return opening != nullptr && !is_noun_here(clause, *opening) ? opening : nullptr;
  }
  if (opening != nullptr && !opening->noun_too) return opening;
  for (const std::string& word : clause.content) {
    const Verb* const verb = plain_verb(word);
    if (verb != nullptr && !verb->noun_too) return verb;
  }
  return opening;
}

// opens_up returns whether "open" begins something instead of reading it: "open the door", "open
// a ticket"; not "open the ticket", "open a file".
bool opens_up(const Clause& clause) {
  if (clause.has_object(Risk::kControlsDevices)) return true;
  return clause.follows("open", {"a", "an", "new"}) && !clause.has_object(Risk::kWritesFiles) &&
         !clause.has_object(Risk::kSendsMessages);
}

// sends_here returns whether "send" only asks for an answer: "send me the list".
bool sends_here(const Clause& clause) {
  return clause.follows("send", {"me", "us"}) && !clause.has_object(Risk::kSendsMessages);
}

void judge(const Clause& clause, Deed& deed) {
  if (clause.words.empty()) return;
  if (kQuestions.contains(clause.words.front())) {
    deed.reads = true;
    return;
  }
  if (clause.content.empty()) return;
  const Verb* const verb = decide(clause);
  if (verb == nullptr) return;
  const bool reads = verb->does == Does::kReads && !(verb->word == "open" && opens_up(clause));
  if (reads || (verb->word == "send" && sends_here(clause))) {
    deed.reads = true;
    return;
  }
  if (const std::optional<Risk> risk = verb_risk(verb->does)) return add_once(deed.risks, *risk);
  bool known = false;
  for (const std::string& word : clause.content) {
    const std::optional<Risk> risk = object_risk(word);
    if (risk) add_once(deed.risks, *risk);
    known = known || risk.has_value();
  }
  if (!known) add_once(deed.risks, Risk::kUpdatesRecords);
}

// lacks_object returns whether the next clause says what is changed: "move or rename files".
bool lacks_object(const Clause& clause) {
  if (clause.content.size() != 1) return false;
  const Verb* const verb = find_verb(clause.content.front());
  return verb != nullptr && verb->does == Does::kChanges;
}

// ends_clause returns whether the marks between two words end a clause. A dot inside a word, as
// in "notes.md", does not.
bool ends_clause(std::string_view gap) {
  if (gap.find_first_of(",;!?\n") != std::string_view::npos) return true;
  const std::size_t stop = gap.find_first_of(".:");
  return stop != std::string_view::npos && stop + 1 < gap.size() && gap[stop + 1] == ' ';
}

constexpr std::string_view kBlanks = " \t\r\n";

bool is_heading(std::string_view line) { return line.ends_with(':') || line.starts_with('#'); }

// without_list_mark returns a line without the "1." or "-" that it begins with as an item of a
// list.
std::string_view without_list_mark(std::string_view line) {
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  const std::string_view mark = digits > 0 ? line.substr(digits, 2) : line.substr(0, 2);
  const bool item = digits > 0 ? mark == ". " || mark == ") " : mark == "- " || mark == "* ";
  return item ? line.substr(digits + 2) : line;
}

}  // namespace

Deed deed_of(std::string_view text) {
  Deed deed;
  Clause clause;
  clause.words.reserve(16);
  clause.content.reserve(16);
  const auto finish = [&] {
    judge(clause, deed);
    if (!clause.content.empty()) clause.first = false;
    clause.words.clear();
    clause.content.clear();
  };
  for (WordReader reader(text); reader.next();) {
    if (!clause.words.empty() && ends_clause(reader.gap())) finish();
    if (kClauseBounds.contains(reader.word())) {
      if (!lacks_object(clause)) finish();
    } else {
      add_word(clause, reader.word());
    }
  }
  finish();
  return deed;
}

bool may_open_clause(std::string_view word) { return kOpenings.contains(word); }

bool is_verb(std::string_view word) {
  const Verb* const verb = plain_verb(word);
  return verb != nullptr && !verb->noun_too;
}

bool is_device(std::string_view word) { return object_risk(word) == Risk::kControlsDevices; }

std::string_view first_sentence(std::string_view text) {
  std::string_view line;
  do {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size());
    line.remove_suffix(line.size() - (line.find_last_not_of(kBlanks) + 1));
  } while (is_heading(line) && text.find_first_not_of(kBlanks) != std::string_view::npos);
  line = without_list_mark(line);
  return line.substr(0, line.find(". "));
}

}  // namespace plumbline::agents
