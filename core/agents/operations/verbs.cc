#include "core/agents/operations/verbs.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/agents/operations/word_table.h"
#include "core/agents/operations/words.h"
#include "core/base/check.h"

namespace plumbline::agents {

namespace {

enum class Does {
  kReads,
  kChanges,  // What is changed says which risk it is.
  kFiles,
  kSends,
  kRecords,
  kDevices,
  kMoney,
  kCode,
};

struct Verb {
  std::string_view word;  // Folded: "remove" is "delete", "mail" is "email".
  Does does;
  bool noun_too = false;  // "a message", "the order": a verb only where a clause begins with it.
};

constexpr WordTable kVerbs({
    Verb{"activate", Does::kDevices},
    Verb{"add", Does::kChanges},
    Verb{"analyze", Does::kReads},
    Verb{"answer", Does::kReads, true},
    Verb{"append", Does::kChanges},
    Verb{"approve", Does::kRecords},
    Verb{"archive", Does::kChanges, true},
    Verb{"arm", Does::kDevices, true},
    Verb{"assign", Does::kRecords},
    Verb{"book", Does::kRecords, true},
    Verb{"broadcast", Does::kSends},
    Verb{"browse", Does::kReads},
    Verb{"buy", Does::kMoney},
    Verb{"calculate", Does::kReads},
    Verb{"cancel", Does::kRecords},
    Verb{"change", Does::kChanges},
    Verb{"charge", Does::kMoney, true},
    Verb{"check", Does::kReads, true},
    Verb{"clear", Does::kChanges},
    Verb{"close", Does::kChanges},
    Verb{"comment", Does::kSends, true},
    Verb{"commit", Does::kChanges, true},
    Verb{"compare", Does::kReads},
    Verb{"compute", Does::kReads},
    Verb{"convert", Does::kReads},
    Verb{"copy", Does::kFiles, true},
    Verb{"count", Does::kReads, true},
    Verb{"create", Does::kChanges},
    Verb{"deactivate", Does::kDevices},
    Verb{"delete", Does::kChanges},
    Verb{"deploy", Does::kCode},
    Verb{"deposit", Does::kMoney, true},
    Verb{"describe", Does::kReads},
    Verb{"destroy", Does::kChanges},
    Verb{"detect", Does::kReads},
    Verb{"diff", Does::kReads, true},
    Verb{"dim", Does::kDevices, true},
    Verb{"disable", Does::kChanges},
    Verb{"disarm", Does::kDevices},
    Verb{"donate", Does::kMoney},
    Verb{"download", Does::kReads},
    Verb{"drop", Does::kRecords},
    Verb{"duplicate", Does::kChanges},
    Verb{"echo", Does::kReads, true},
    Verb{"edit", Does::kChanges},
    Verb{"email", Does::kSends, true},
    Verb{"enable", Does::kChanges},
    Verb{"estimate", Does::kReads},
    Verb{"eval", Does::kCode},
    Verb{"exec", Does::kCode},
    Verb{"execute", Does::kCode},
    Verb{"explain", Does::kReads},
    Verb{"explore", Does::kReads},
    Verb{"extract", Does::kReads},
    Verb{"filter", Does::kReads, true},
    Verb{"fix", Does::kChanges},
    Verb{"fork", Does::kChanges, true},
    Verb{"forward", Does::kSends, true},
    Verb{"get", Does::kReads},
    Verb{"give", Does::kReads},
    Verb{"grant", Does::kChanges, true},
    Verb{"greet", Does::kReads},
    Verb{"head", Does::kReads, true},
    Verb{"hello", Does::kReads, true},
    Verb{"identify", Does::kReads},
    Verb{"import", Does::kChanges, true},
    Verb{"info", Does::kReads, true},
    Verb{"insert", Does::kRecords},
    Verb{"inspect", Does::kReads},
    Verb{"install", Does::kCode},
    Verb{"invite", Does::kSends, true},
    Verb{"label", Does::kChanges, true},
    Verb{"launch", Does::kCode},
    Verb{"link", Does::kChanges, true},
    Verb{"lint", Does::kReads},
    Verb{"list", Does::kReads},
    Verb{"locate", Does::kReads},
    Verb{"lock", Does::kDevices, true},
    Verb{"look", Does::kReads},
    Verb{"mark", Does::kChanges, true},
    Verb{"merge", Does::kChanges},
    Verb{"message", Does::kSends, true},
    Verb{"mkdir", Does::kFiles},
    Verb{"monitor", Does::kReads, true},
    Verb{"move", Does::kChanges},
    Verb{"mute", Does::kDevices},
    Verb{"notify", Does::kSends},
    Verb{"open", Does::kReads},
    Verb{"order", Does::kMoney, true},
    Verb{"overwrite", Does::kFiles},
    Verb{"parse", Does::kReads},
    Verb{"patch", Does::kChanges, true},
    Verb{"pause", Does::kDevices},
    Verb{"pay", Does::kMoney},
    Verb{"payment", Does::kMoney, true},
    Verb{"payout", Does::kMoney, true},
    Verb{"ping", Does::kReads, true},
    Verb{"play", Does::kDevices},
    Verb{"post", Does::kSends, true},
    Verb{"power", Does::kDevices, true},
    Verb{"preview", Does::kReads, true},
    Verb{"provide", Does::kReads},
    Verb{"publish", Does::kSends},
    Verb{"purchase", Does::kMoney, true},
    Verb{"purge", Does::kChanges},
    Verb{"push", Does::kChanges},
    Verb{"put", Does::kChanges},
    Verb{"rank", Does::kReads, true},
    Verb{"read", Does::kReads},
    Verb{"reboot", Does::kDevices},
    Verb{"receive", Does::kReads},
    Verb{"recommend", Does::kReads},
    Verb{"refund", Does::kMoney, true},
    Verb{"register", Does::kRecords},
    Verb{"rename", Does::kChanges},
    Verb{"reopen", Does::kRecords},
    Verb{"replace", Does::kChanges},
    Verb{"reply", Does::kSends, true},
    Verb{"reset", Does::kChanges},
    Verb{"resolve", Does::kRecords},
    Verb{"restart", Does::kDevices},
    Verb{"return", Does::kReads, true},
    Verb{"revoke", Does::kChanges},
    Verb{"rotate", Does::kChanges},
    Verb{"run", Does::kCode},
    Verb{"save", Does::kChanges},
    Verb{"schedule", Does::kRecords, true},
    Verb{"search", Does::kReads},
    Verb{"see", Does::kReads},
    Verb{"sell", Does::kMoney},
    Verb{"send", Does::kSends},
    Verb{"set", Does::kChanges},
    Verb{"share", Does::kSends},
    Verb{"shell", Does::kCode, true},
    Verb{"show", Does::kReads},
    Verb{"sms", Does::kSends, true},
    Verb{"sort", Does::kReads, true},
    Verb{"star", Does::kChanges, true},
    Verb{"start", Does::kDevices},
    Verb{"stat", Does::kReads, true},
    Verb{"status", Does::kReads, true},
    Verb{"stop", Does::kDevices},
    Verb{"submit", Does::kChanges},
    Verb{"suggest", Does::kReads},
    Verb{"summarize", Does::kReads},
    Verb{"switch", Does::kDevices, true},
    Verb{"sync", Does::kChanges, true},
    Verb{"tail", Does::kReads, true},
    Verb{"text", Does::kSends, true},
    Verb{"time", Does::kReads, true},
    Verb{"trade", Does::kMoney, true},
    Verb{"transfer", Does::kMoney, true},
    Verb{"translate", Does::kReads},
    Verb{"tree", Does::kReads, true},
    Verb{"truncate", Does::kFiles},
    Verb{"turn", Does::kDevices},
    Verb{"tweet", Does::kSends, true},
    Verb{"uninstall", Does::kCode},
    Verb{"unlock", Does::kDevices},
    Verb{"update", Does::kChanges},
    Verb{"upload", Does::kFiles, true},
    Verb{"upsert", Does::kRecords},
    Verb{"validate", Does::kReads},
    Verb{"verify", Does::kReads},
    Verb{"wipe", Does::kChanges},
    Verb{"wire", Does::kMoney, true},
    Verb{"withdraw", Does::kMoney},
    Verb{"write", Does::kChanges},
});

struct Object {
  std::string_view word;
  Risk risk;
};

// What changing these things is.
constexpr WordTable kObjects({
    Object{"alarm", Risk::kControlsDevices},   Object{"attachment", Risk::kWritesFiles},
    Object{"blind", Risk::kControlsDevices},   Object{"camera", Risk::kControlsDevices},
    Object{"charge", Risk::kMovesMoney},       Object{"chat", Risk::kSendsMessages},
    Object{"comment", Risk::kSendsMessages},   Object{"coupon", Risk::kMovesMoney},
    Object{"device", Risk::kControlsDevices},  Object{"document", Risk::kWritesFiles},
    Object{"door", Risk::kControlsDevices},    Object{"email", Risk::kSendsMessages},
    Object{"fan", Risk::kControlsDevices},     Object{"file", Risk::kWritesFiles},
    Object{"folder", Risk::kWritesFiles},      Object{"garage", Risk::kControlsDevices},
    Object{"gate", Risk::kControlsDevices},    Object{"heater", Risk::kControlsDevices},
    Object{"heating", Risk::kControlsDevices}, Object{"image", Risk::kWritesFiles},
    Object{"invoice", Risk::kMovesMoney},      Object{"lamp", Risk::kControlsDevices},
    Object{"light", Risk::kControlsDevices},   Object{"lock", Risk::kControlsDevices},
    Object{"message", Risk::kSendsMessages},   Object{"money", Risk::kMovesMoney},
    Object{"music", Risk::kControlsDevices},   Object{"newsletter", Risk::kSendsMessages},
    Object{"note", Risk::kWritesFiles},        Object{"notification", Risk::kSendsMessages},
    Object{"order", Risk::kMovesMoney},        Object{"path", Risk::kWritesFiles},
    Object{"payment", Risk::kMovesMoney},      Object{"payout", Risk::kMovesMoney},
    Object{"photo", Risk::kWritesFiles},       Object{"post", Risk::kSendsMessages},
    Object{"price", Risk::kMovesMoney},        Object{"refund", Risk::kMovesMoney},
    Object{"reply", Risk::kSendsMessages},     Object{"sensor", Risk::kControlsDevices},
    Object{"siren", Risk::kControlsDevices},   Object{"sms", Risk::kSendsMessages},
    Object{"speaker", Risk::kControlsDevices}, Object{"spreadsheet", Risk::kWritesFiles},
    Object{"subscription", Risk::kMovesMoney}, Object{"thermostat", Risk::kControlsDevices},
    Object{"transfer", Risk::kMovesMoney},     Object{"tv", Risk::kControlsDevices},
    Object{"tweet", Risk::kSendsMessages},     Object{"valve", Risk::kControlsDevices},
    Object{"volume", Risk::kControlsDevices},
});

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

// find_verb also knows "sending", "creating", "running" and "sent".
const Verb* find_verb(std::string_view word) {
  if (const Verb* const verb = kVerbs.find(word)) return verb;
  if (word == "sent") return kVerbs.find("send");
  if (word.size() < 6 || !word.ends_with("ing")) return nullptr;
  const std::string stem(word.substr(0, word.size() - 3));
  if (const Verb* const verb = kVerbs.find(stem)) return verb;
  if (const Verb* const verb = kVerbs.find(stem + "e")) return verb;
  const bool doubled = stem[stem.size() - 1] == stem[stem.size() - 2];
  return doubled ? kVerbs.find(std::string_view(stem).substr(0, stem.size() - 1)) : nullptr;
}

std::optional<Risk> object_risk(std::string_view word) {
  const Object* const object = kObjects.find(word);
  return object ? std::optional(object->risk) : std::nullopt;
}

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
    const Verb* const verb = kVerbs.find(word);
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

bool is_verb(std::string_view word) {
  const Verb* const verb = kVerbs.find(word);
  return verb != nullptr && !verb->noun_too;
}

bool is_device(std::string_view word) { return object_risk(word) == Risk::kControlsDevices; }

std::string_view first_sentence(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  text = text.substr(0, text.find('\n'));
  const std::size_t stop = text.find(". ");
  return text.substr(0, stop);
}

}  // namespace plumbline::agents
