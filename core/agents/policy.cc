#include "core/agents/policy.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/agents/words.h"
#include "core/base/check.h"

namespace plumbline::agents {

namespace {

struct VerbRisk {
  Risk risk;
  std::vector<std::string_view> words;
};

// Words are folded (words.h): "remove" is "delete", "mail" is "email".
const std::vector<VerbRisk>& verb_table() {
  static const std::vector<VerbRisk> table = {
      {Risk::kWritesFiles,
       {"write", "create", "edit", "append", "save", "upload", "move", "copy", "rename", "delete",
        "overwrite", "truncate", "mkdir", "put", "add"}},
      {Risk::kSendsMessages,
       {"send", "email", "post", "notify", "reply", "forward", "publish", "tweet", "invite", "sms",
        "broadcast", "message"}},
      {Risk::kUpdatesRecords,
       {"update", "insert", "set", "assign", "close", "upsert", "approve", "merge", "patch",
        "cancel", "book", "schedule", "resolve", "reopen", "drop", "register"}},
      {Risk::kControlsDevices,
       {"turn", "switch", "unlock", "lock", "start", "stop", "reboot", "restart", "activate",
        "deactivate", "dim", "arm", "disarm", "power", "thermostat"}},
      {Risk::kMovesMoney,
       {"pay", "transfer", "charge", "refund", "buy", "sell", "purchase", "withdraw", "deposit",
        "trade", "wire", "payment"}},
      {Risk::kExecutesCode, {"execute", "exec", "eval", "deploy", "shell", "run", "install"}},
  };
  return table;
}

constexpr std::array<std::string_view, 14> kSensitiveWords = {
    "password", "secret",  "credential",   "salary",   "payroll", "ssn",       "medical",
    "patient",  "private", "confidential", "passport", "wallet",  "biometric", "diagnosis"};

constexpr std::array<std::string_view, 35> kReadVerbs = {
    "list",    "get",     "read",      "search",    "show",    "describe",  "count",
    "look",    "greet",   "echo",      "ping",      "check",   "status",    "info",
    "browse",  "tree",    "head",      "tail",      "hello",   "compare",   "lint",
    "parse",   "stat",    "summarize", "translate", "open",    "calculate", "extract",
    "convert", "preview", "inspect",   "validate",  "analyze", "explain",   "time"};

// What an opening word does not decide: "the email tool", "a tool that sends".
constexpr std::array<std::string_view, 5> kOpenings = {"tool", "use", "used", "simple", "sample"};

bool is_read_verb(std::string_view word) {
  return std::ranges::find(kReadVerbs, word) != kReadVerbs.end();
}

// third_person undoes what fold() leaves of a verb in a description: "sends" is folded already,
// "sending" and "sent" are not.
std::string base_verb(const std::string& word) {
  if (word == "sent") return "send";
  if (word == "written") return "write";
  if (word.size() > 5 && word.ends_with("ing")) return word.substr(0, word.size() - 3);
  return word;
}

void add_once(std::vector<Risk>& risks, Risk risk) {
  if (std::ranges::find(risks, risk) == risks.end()) risks.push_back(risk);
}

void add_verb(std::vector<Risk>& risks, const std::string& word) {
  for (const VerbRisk& row : verb_table()) {
    if (std::ranges::find(row.words, word) != row.words.end()) add_once(risks, row.risk);
  }
}

// deciding_verb returns the first word that says what is done.
std::string deciding_verb(std::string_view text) {
  for (const std::string& word : content_words(text)) {
    if (std::ranges::find(kOpenings, word) != kOpenings.end()) continue;
    return base_verb(word);
  }
  return {};
}

void add_sensitive(std::vector<Risk>& risks, std::string_view text) {
  for (const std::string& word : content_words(text)) {
    if (std::ranges::find(kSensitiveWords, word) != kSensitiveWords.end()) {
      add_once(risks, Risk::kSensitiveData);
    }
  }
}

bool any_match(const std::vector<std::string>& patterns, const std::string& text) {
  return std::ranges::any_of(patterns, [&](const std::string& p) { return matches(p, text); });
}

// tool_risks judges a tool by what it is called and how it describes itself.
std::vector<Risk> tool_risks(const Capability& tool, bool trusted) {
  std::vector<Risk> risks;
  const bool says_read_only = bool_or(tool.annotations, "readOnlyHint", false);
  if (bool_or(tool.annotations, "destructiveHint", false) && !says_read_only) {
    add_once(risks, Risk::kUpdatesRecords);
  }
  add_sensitive(risks, tool.name + " " + tool.description);
  if (trusted && says_read_only) return risks;
  const std::string verb = deciding_verb(tool.name);
  if (is_read_verb(verb)) return risks;
  for (const std::string& word : content_words(tool.name)) add_verb(risks, base_verb(word));
  const std::string described = deciding_verb(tool.description);
  add_verb(risks, described);
  if (risks.empty() && !is_read_verb(described)) risks.push_back(Risk::kUnknownEffect);
  return risks;
}

Result<std::vector<std::string>> strings_of(const Json& value, const std::string& key,
                                            std::string* pointer) {
  std::vector<std::string> out;
  if (!value.is_array()) {
    if (pointer != nullptr) *pointer = "/" + key;
    return Error{ErrorCode::kInvalidInput, "\"" + key + "\" must be an array of strings"};
  }
  for (const Json& item : value) {
    if (!item.is_string()) {
      if (pointer != nullptr) *pointer = "/" + key + "/" + std::to_string(out.size());
      return Error{ErrorCode::kInvalidInput,
                   "\"" + key + "\" must hold strings, here is " + std::string(type_name(item))};
    }
    out.push_back(*item.get_ptr<const std::string*>());
  }
  return out;
}

}  // namespace

std::string_view name_of(Risk risk) {
  switch (risk) {
    case Risk::kWritesFiles:
      return "writes_files";
    case Risk::kSendsMessages:
      return "sends_messages";
    case Risk::kUpdatesRecords:
      return "updates_records";
    case Risk::kControlsDevices:
      return "controls_devices";
    case Risk::kMovesMoney:
      return "moves_money";
    case Risk::kSensitiveData:
      return "sensitive_data";
    case Risk::kExecutesCode:
      return "executes_code";
    case Risk::kUnknownEffect:
      return "unknown_effect";
    case Risk::kPolicyReview:
      return "policy_review";
    case Risk::kDenied:
      return "denied";
  }
  check(false, "unknown Risk");
  return {};
}

std::string_view describe(Risk risk) {
  switch (risk) {
    case Risk::kWritesFiles:
      return "changing files";
    case Risk::kSendsMessages:
      return "sending external messages";
    case Risk::kUpdatesRecords:
      return "updating records";
    case Risk::kControlsDevices:
      return "controlling devices";
    case Risk::kMovesMoney:
      return "a financial action";
    case Risk::kSensitiveData:
      return "access to sensitive data";
    case Risk::kExecutesCode:
      return "executing code";
    case Risk::kUnknownEffect:
      return "an action whose effect is unknown";
    case Risk::kPolicyReview:
      return "an action that the policy marks for review";
    case Risk::kDenied:
      return "an action that the policy denies";
  }
  check(false, "unknown Risk");
  return {};
}

bool Assessment::denied() const { return std::ranges::find(risks, Risk::kDenied) != risks.end(); }

std::vector<Risk> verb_risks(std::string_view text) {
  std::vector<Risk> risks;
  if (reads(text)) return risks;
  for (const std::string& word : content_words(text)) add_verb(risks, base_verb(word));
  return risks;
}

bool reads(std::string_view text) { return is_read_verb(deciding_verb(text)); }

Result<Policy> Policy::parse(const Json& file, std::string* pointer) {
  const auto refuse = [&](std::string at, std::string why) {
    if (pointer != nullptr) *pointer = std::move(at);
    return Error{ErrorCode::kInvalidInput, std::move(why)};
  };
  if (!file.is_object()) return refuse("", "a policy must be an object");
  if (int_or(file, "plumbline_policy", 0) != 1) {
    return refuse("", "a policy must say \"plumbline_policy\": 1");
  }
  Policy policy;
  const std::array<std::pair<std::string_view, std::vector<std::string>*>, 4> lists = {
      {{"allow", &policy.allow_},
       {"review", &policy.review_},
       {"deny", &policy.deny_},
       {"trust_annotations", &policy.trusted_}}};
  for (const auto& [key, value] : file.items()) {
    const auto list = std::ranges::find(lists, key, [](const auto& row) { return row.first; });
    if (list != lists.end()) {
      Result<std::vector<std::string>> strings = strings_of(value, key, pointer);
      if (!strings.ok()) return std::move(strings).error();
      *list->second = std::move(strings).value();
    } else if (key == "defaults") {
      if (!value.is_object()) return refuse("/defaults", "\"defaults\" must be an object");
      for (const auto& [target, values] : value.items()) {
        if (!values.is_object()) {
          return refuse("/defaults/" + pointer_token(target),
                        "the defaults of \"" + target + "\" must be an object");
        }
      }
      policy.defaults_ = value;
    } else if (key != "plumbline_policy") {
      return refuse("/" + pointer_token(key), "unknown key \"" + key + "\" in a policy");
    }
  }
  return policy;
}

Assessment Policy::assess(const Capability& capability) const {
  Assessment out;
  const std::string name = label(capability);
  const bool trusted = any_match(trusted_, capability.server);
  if (capability.type == CapabilityType::kTool) {
    out.risks = tool_risks(capability, trusted);
    const auto sensitive = [](Risk risk) { return risk == Risk::kSensitiveData; };
    out.changes_the_world = !std::ranges::all_of(out.risks, sensitive);
  } else {
    add_sensitive(out.risks, capability.name + " " + capability.uri + " " + capability.description);
  }
  if (any_match(allow_, name)) {
    out.allowed_by_name = true;
    out.risks.clear();
  }
  if (any_match(review_, name)) add_once(out.risks, Risk::kPolicyReview);
  if (any_match(deny_, name)) add_once(out.risks, Risk::kDenied);
  return out;
}

Json Policy::defaults_for(const Capability& capability) const {
  Json out = Json::object();
  for (const std::string& target : {capability.server, label(capability)}) {
    if (const Json* const values = find(defaults_, target)) out.update(*values);
  }
  return out;
}

bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace plumbline::agents
