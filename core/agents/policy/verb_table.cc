#include "core/agents/policy/verb_table.h"

#include <array>
#include <string>

#include "core/agents/policy/word_table.h"

namespace plumbline::agents {

namespace {

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

struct Phrase {
  std::string_view word;
  std::string_view second;
  std::string_view verb;
};

constexpr auto kPhrases = std::to_array<Phrase>({
    {"bring", "down", "stop"},    {"bring", "up", "open"},      {"check", "off", "complete"},
    {"check", "out", "checkout"}, {"cross", "off", "complete"}, {"dig", "up", "search"},
    {"fill", "in", "fill"},       {"fire", "off", "send"},      {"get", "rid", "delete"},
    {"kick", "off", "start"},     {"look", "for", "search"},    {"look", "up", "search"},
    {"pull", "up", "open"},       {"put", "up", "create"},      {"set", "up", "create"},
    {"shut", "down", "stop"},     {"spin", "up", "create"},     {"take", "away", "delete"},
    {"take", "down", "delete"},   {"take", "off", "delete"},    {"tear", "down", "delete"},
    {"throw", "away", "delete"},  {"throw", "out", "delete"},   {"tick", "off", "complete"},
    {"write", "down", "write"},   {"zip", "up", "zip"},
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

}  // namespace

const Verb* plain_verb(std::string_view word) { return kVerbs.find(word); }

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

std::string_view phrasal_verb(std::string_view first, std::string_view second) {
  for (const Phrase& phrase : kPhrases) {
    if (phrase.word == first && phrase.second == second) return phrase.verb;
  }
  return {};
}

std::optional<Risk> object_risk(std::string_view word) {
  const Object* const object = kObjects.find(word);
  return object ? std::optional(object->risk) : std::nullopt;
}

}  // namespace plumbline::agents
