#include "core/agents/verbs.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "core/agents/words.h"
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

// Sorted by word.
constexpr std::array kVerbs = std::to_array<Verb>({
    {"activate", Does::kDevices},
    {"add", Does::kChanges},
    {"analyze", Does::kReads},
    {"answer", Does::kReads, true},
    {"append", Does::kChanges},
    {"approve", Does::kRecords},
    {"archive", Does::kChanges, true},
    {"arm", Does::kDevices, true},
    {"assign", Does::kRecords},
    {"book", Does::kRecords, true},
    {"broadcast", Does::kSends},
    {"browse", Does::kReads},
    {"buy", Does::kMoney},
    {"calculate", Does::kReads},
    {"cancel", Does::kRecords},
    {"change", Does::kChanges},
    {"charge", Does::kMoney, true},
    {"check", Does::kReads, true},
    {"clear", Does::kChanges},
    {"close", Does::kChanges},
    {"comment", Does::kSends, true},
    {"commit", Does::kChanges, true},
    {"compare", Does::kReads},
    {"compute", Does::kReads},
    {"convert", Does::kReads},
    {"copy", Does::kFiles, true},
    {"count", Does::kReads, true},
    {"create", Does::kChanges},
    {"deactivate", Does::kDevices},
    {"delete", Does::kChanges},
    {"deploy", Does::kCode},
    {"deposit", Does::kMoney, true},
    {"describe", Does::kReads},
    {"destroy", Does::kChanges},
    {"detect", Does::kReads},
    {"diff", Does::kReads, true},
    {"dim", Does::kDevices, true},
    {"disable", Does::kChanges},
    {"disarm", Does::kDevices},
    {"donate", Does::kMoney},
    {"download", Does::kReads},
    {"drop", Does::kRecords},
    {"duplicate", Does::kChanges},
    {"echo", Does::kReads, true},
    {"edit", Does::kChanges},
    {"email", Does::kSends, true},
    {"enable", Does::kChanges},
    {"estimate", Does::kReads},
    {"eval", Does::kCode},
    {"exec", Does::kCode},
    {"execute", Does::kCode},
    {"explain", Does::kReads},
    {"explore", Does::kReads},
    {"extract", Does::kReads},
    {"filter", Does::kReads, true},
    {"fix", Does::kChanges},
    {"fork", Does::kChanges, true},
    {"forward", Does::kSends, true},
    {"get", Does::kReads},
    {"give", Does::kReads},
    {"grant", Does::kChanges, true},
    {"greet", Does::kReads},
    {"head", Does::kReads, true},
    {"hello", Does::kReads, true},
    {"identify", Does::kReads},
    {"import", Does::kChanges, true},
    {"info", Does::kReads, true},
    {"insert", Does::kRecords},
    {"inspect", Does::kReads},
    {"install", Does::kCode},
    {"invite", Does::kSends, true},
    {"label", Does::kChanges, true},
    {"launch", Does::kCode},
    {"link", Does::kChanges, true},
    {"lint", Does::kReads},
    {"list", Does::kReads},
    {"locate", Does::kReads},
    {"lock", Does::kDevices, true},
    {"look", Does::kReads},
    {"mark", Does::kChanges, true},
    {"merge", Does::kChanges},
    {"message", Does::kSends, true},
    {"mkdir", Does::kFiles},
    {"monitor", Does::kReads, true},
    {"move", Does::kChanges},
    {"mute", Does::kDevices},
    {"notify", Does::kSends},
    {"open", Does::kReads},
    {"order", Does::kMoney, true},
    {"overwrite", Does::kFiles},
    {"parse", Does::kReads},
    {"patch", Does::kChanges, true},
    {"pause", Does::kDevices},
    {"pay", Does::kMoney},
    {"payment", Does::kMoney, true},
    {"payout", Does::kMoney, true},
    {"ping", Does::kReads, true},
    {"play", Does::kDevices},
    {"post", Does::kSends, true},
    {"power", Does::kDevices, true},
    {"preview", Does::kReads, true},
    {"provide", Does::kReads},
    {"publish", Does::kSends},
    {"purchase", Does::kMoney, true},
    {"purge", Does::kChanges},
    {"push", Does::kChanges},
    {"put", Does::kChanges},
    {"rank", Does::kReads, true},
    {"read", Does::kReads},
    {"reboot", Does::kDevices},
    {"receive", Does::kReads},
    {"recommend", Does::kReads},
    {"refund", Does::kMoney, true},
    {"register", Does::kRecords},
    {"rename", Does::kChanges},
    {"reopen", Does::kRecords},
    {"replace", Does::kChanges},
    {"reply", Does::kSends, true},
    {"reset", Does::kChanges},
    {"resolve", Does::kRecords},
    {"restart", Does::kDevices},
    {"return", Does::kReads, true},
    {"revoke", Does::kChanges},
    {"rotate", Does::kChanges},
    {"run", Does::kCode},
    {"save", Does::kChanges},
    {"schedule", Does::kRecords, true},
    {"search", Does::kReads},
    {"see", Does::kReads},
    {"sell", Does::kMoney},
    {"send", Does::kSends},
    {"set", Does::kChanges},
    {"share", Does::kSends},
    {"shell", Does::kCode, true},
    {"show", Does::kReads},
    {"sms", Does::kSends, true},
    {"sort", Does::kReads, true},
    {"star", Does::kChanges, true},
    {"start", Does::kDevices},
    {"stat", Does::kReads, true},
    {"status", Does::kReads, true},
    {"stop", Does::kDevices},
    {"submit", Does::kChanges},
    {"suggest", Does::kReads},
    {"summarize", Does::kReads},
    {"switch", Does::kDevices, true},
    {"sync", Does::kChanges, true},
    {"tail", Does::kReads, true},
    {"text", Does::kSends, true},
    {"time", Does::kReads, true},
    {"trade", Does::kMoney, true},
    {"transfer", Does::kMoney, true},
    {"translate", Does::kReads},
    {"tree", Does::kReads, true},
    {"truncate", Does::kFiles},
    {"turn", Does::kDevices},
    {"tweet", Does::kSends, true},
    {"uninstall", Does::kCode},
    {"unlock", Does::kDevices},
    {"update", Does::kChanges},
    {"upload", Does::kFiles, true},
    {"upsert", Does::kRecords},
    {"validate", Does::kReads},
    {"verify", Does::kReads},
    {"wipe", Does::kChanges},
    {"wire", Does::kMoney, true},
    {"withdraw", Does::kMoney},
    {"write", Does::kChanges},
});
static_assert(std::ranges::is_sorted(kVerbs, {}, &Verb::word));

struct Object {
  std::string_view word;
  Risk risk;
};

// What changing these things is. Sorted by word.
constexpr std::array kObjects = std::to_array<Object>({
    {"alarm", Risk::kControlsDevices},   {"attachment", Risk::kWritesFiles},
    {"blind", Risk::kControlsDevices},   {"camera", Risk::kControlsDevices},
    {"charge", Risk::kMovesMoney},       {"chat", Risk::kSendsMessages},
    {"comment", Risk::kSendsMessages},   {"coupon", Risk::kMovesMoney},
    {"device", Risk::kControlsDevices},  {"document", Risk::kWritesFiles},
    {"door", Risk::kControlsDevices},    {"email", Risk::kSendsMessages},
    {"fan", Risk::kControlsDevices},     {"file", Risk::kWritesFiles},
    {"folder", Risk::kWritesFiles},      {"garage", Risk::kControlsDevices},
    {"gate", Risk::kControlsDevices},    {"heater", Risk::kControlsDevices},
    {"heating", Risk::kControlsDevices}, {"image", Risk::kWritesFiles},
    {"invoice", Risk::kMovesMoney},      {"lamp", Risk::kControlsDevices},
    {"light", Risk::kControlsDevices},   {"lock", Risk::kControlsDevices},
    {"message", Risk::kSendsMessages},   {"money", Risk::kMovesMoney},
    {"music", Risk::kControlsDevices},   {"newsletter", Risk::kSendsMessages},
    {"note", Risk::kWritesFiles},        {"notification", Risk::kSendsMessages},
    {"order", Risk::kMovesMoney},        {"path", Risk::kWritesFiles},
    {"payment", Risk::kMovesMoney},      {"payout", Risk::kMovesMoney},
    {"photo", Risk::kWritesFiles},       {"post", Risk::kSendsMessages},
    {"price", Risk::kMovesMoney},        {"refund", Risk::kMovesMoney},
    {"reply", Risk::kSendsMessages},     {"sensor", Risk::kControlsDevices},
    {"siren", Risk::kControlsDevices},   {"sms", Risk::kSendsMessages},
    {"speaker", Risk::kControlsDevices}, {"spreadsheet", Risk::kWritesFiles},
    {"subscription", Risk::kMovesMoney}, {"thermostat", Risk::kControlsDevices},
    {"transfer", Risk::kMovesMoney},     {"tv", Risk::kControlsDevices},
    {"tweet", Risk::kSendsMessages},     {"valve", Risk::kControlsDevices},
    {"volume", Risk::kControlsDevices},
});
static_assert(std::ranges::is_sorted(kObjects, {}, &Object::word));

// Words that may stand before the verb of a clause.
constexpr std::array kOpenings = std::to_array<std::string_view>(
    {"able", "ahead",   "allow", "allows", "api",    "be",     "d",    "dear", "fine",
     "go",   "going",   "great", "help",   "helps",  "hey",    "hi",   "just", "kindly",
     "like", "ll",      "may",   "mcp",    "might",  "must",   "need", "now",  "ok",
     "okay", "quickly", "s",     "say",    "should", "simple", "tool", "try",  "use",
     "used", "using",   "ve",    "will",   "would"});
static_assert(std::ranges::is_sorted(kOpenings));

// A clause that begins with one of these asks, whatever its verb.
constexpr std::array kQuestions = std::to_array<std::string_view>(
    {"are", "did", "does", "has", "how", "is", "was", "were", "what", "when", "where", "which",
     "who", "whom", "whose", "why"});
static_assert(std::ranges::is_sorted(kQuestions));

constexpr std::array kClauseBounds = std::to_array<std::string_view>({"and", "but", "or", "then"});
static_assert(std::ranges::is_sorted(kClauseBounds));

const Verb* exact_verb(std::string_view word) {
  const auto found = std::ranges::lower_bound(kVerbs, word, {}, &Verb::word);
  return found != kVerbs.end() && found->word == word ? &*found : nullptr;
}

// find_verb also knows "sending", "creating", "running" and "sent".
const Verb* find_verb(const std::string& word) {
  if (const Verb* const verb = exact_verb(word)) return verb;
  if (word == "sent") return exact_verb("send");
  if (word.size() < 6 || !word.ends_with("ing")) return nullptr;
  const std::string stem = word.substr(0, word.size() - 3);
  if (const Verb* const verb = exact_verb(stem)) return verb;
  if (const Verb* const verb = exact_verb(stem + "e")) return verb;
  const bool doubled = stem[stem.size() - 1] == stem[stem.size() - 2];
  return doubled ? exact_verb(std::string_view(stem).substr(0, stem.size() - 1)) : nullptr;
}

std::optional<Risk> object_risk(std::string_view word) {
  const auto found = std::ranges::lower_bound(kObjects, word, {}, &Object::word);
  if (found == kObjects.end() || found->word != word) return std::nullopt;
  return found->risk;
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

void add_word(Clause& clause, const std::string& word) {
  clause.words.push_back(word);
  const bool opens = clause.content.empty();
  if (is_empty_word(word)) return;
  if (opens && std::ranges::binary_search(kOpenings, word)) return;
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
    const Verb* const verb = exact_verb(word);
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
  if (std::ranges::binary_search(kQuestions, clause.words.front())) {
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
  const auto finish = [&] {
    judge(clause, deed);
    if (!clause.content.empty()) clause.first = false;
    clause.words.clear();
    clause.content.clear();
  };
  for (WordReader reader(text); reader.next();) {
    if (!clause.words.empty() && ends_clause(reader.gap())) finish();
    if (std::ranges::binary_search(kClauseBounds, reader.word())) {
      if (!lacks_object(clause)) finish();
    } else {
      add_word(clause, reader.word());
    }
  }
  finish();
  return deed;
}

bool is_verb(std::string_view word) {
  const Verb* const verb = exact_verb(word);
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
