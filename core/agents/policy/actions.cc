#include "core/agents/policy/actions.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

constexpr WordTable kActionNames({Word{"action"}, Word{"cmd"}, Word{"command"}, Word{"op"},
                                  Word{"operation"}, Word{"subcommand"}, Word{"verb"}});

// They say how something is done, unless one of the ways is to change it.
constexpr WordTable kWayNames({Word{"method"}, Word{"mode"}});

// "operationType" is called after "operation", "http_method" after "method".
constexpr WordTable kNameEndings({Word{"kind"}, Word{"name"}, Word{"type"}});
constexpr WordTable kWayOpenings({Word{"access"}, Word{"http"}, Word{"request"}});

constexpr WordTable kGivers({Word{"describe"}, Word{"get"}, Word{"info"}, Word{"read"},
                             Word{"show"}});
constexpr WordTable kListers({Word{"list"}, Word{"search"}});

// They tell of what is there, too.
constexpr WordTable kTellers({Word{"count"}, Word{"inspect"}, Word{"status"}});

// Bounded: a server may send a schema whose references make much of little.
constexpr std::size_t kStepsMax = 100'000;

// Visit sees each node of a schema once.
class Visit {
 public:
  // `steps` is how many more may be taken by all visits that share it.
  Visit(const Json& root, std::size_t& steps) : root_(root), steps_(steps) {}

  // enter returns whether `node` is a schema that was not seen before.
  bool enter(const Json& node) {
    return node.is_object() && may_step() && seen_.insert(&node).second;
  }

  bool may_step() {
    if (steps_ > 0) --steps_;
    return steps_ > 0;
  }

  // ways calls `look` with each schema that applies to the same value as `schema` does.
  void ways(const Json& schema, const std::function<void(const Json&)>& look) const {
    for (const char* const key : {"anyOf", "oneOf", "allOf"}) {
      const Json* const all = find(schema, key);
      if (all == nullptr || !all->is_array()) continue;
      for (const Json& one : *all) look(one);
    }
    for (const char* const key : {"then", "else"}) {
      if (const Json* const one = find(schema, key)) look(*one);
    }
    const std::string ref = string_or(schema, "$ref", "");
    const Json* const at = ref.starts_with('#') ? at_pointer(root_, ref.substr(1)) : nullptr;
    if (at != nullptr) look(*at);
  }

 private:
  const Json& root_;
  std::size_t& steps_;
  std::set<const Json*> seen_;
};

// add_choices adds the texts that a property may be, or that may be in its list.
void add_choices(std::vector<std::string>& out, const Json& schema, Visit& visit) {
  if (!visit.enter(schema)) return;
  const auto add = [&](const Json& value) {
    const auto* const text = value.get_ptr<const std::string*>();
    if (text != nullptr && visit.may_step()) out.push_back(*text);
  };
  const Json* const values = find(schema, "enum");
  if (values != nullptr && values->is_array()) std::ranges::for_each(*values, add);
  if (const Json* const value = find(schema, "const")) add(*value);
  const auto look = [&](const Json& other) { add_choices(out, other, visit); };
  visit.ways(schema, look);
  if (const Json* const items = find(schema, "items")) look(*items);
}

std::vector<std::string> choices_of(const Json& schema, const Json& root, std::size_t& steps) {
  std::vector<std::string> out;
  Visit visit(root, steps);
  add_choices(out, schema, visit);
  return out;
}

bool is_called_action(const std::vector<std::string>& words) {
  return !words.empty() && kActionNames.contains(fold(words.back()));
}

bool is_called_way(const std::vector<std::string>& words) {
  return !words.empty() && kWayNames.contains(fold(words.back())) &&
         (words.size() == 1 || kWayOpenings.contains(words.front()));
}

bool is_any_verb(const std::string& text) {
  const Deed deed = deed_of(text);
  return deed.reads || !deed.risks.empty() || find_verb(fold(lower_case(text))) != nullptr;
}

bool changes(const std::string& text) { return !deed_of(text).risks.empty(); }

// orders_change returns whether a choice is a verb of changing as an order is: "delete", not
// "deleted" or "message".
bool orders_change(const std::string& text) {
  const Verb* const verb = plain_verb(lower_case(text));
  return verb != nullptr && !verb->noun_too && verb->does != Does::kReads;
}

std::vector<std::string> name_words(std::string_view name) {
  std::vector<std::string> words = words_of(name);
  if (words.size() > 1 && kNameEndings.contains(words.back())) words.pop_back();
  return words;
}

// may_tell returns whether a property with these choices may say what is done, whatever it is
// called.
bool may_tell(std::string_view name, const std::vector<std::string>& choices) {
  const std::vector<std::string> words = name_words(name);
  if (is_called_action(words)) return std::ranges::any_of(choices, is_any_verb);
  if (!std::ranges::any_of(choices, changes)) return false;
  return is_called_way(words) || (std::ranges::any_of(choices, plainly_reads) &&
                                  std::ranges::any_of(choices, orders_change));
}

// is_told_freely returns whether a property takes texts for an action that the schema does not
// list, and its description speaks of changing something.
bool is_told_freely(std::string_view name, const Json& schema,
                    const std::vector<std::string>& choices) {
  return choices.empty() && is_called_action(name_words(name)) &&
         (std::ranges::any_of(words_of(string_or(schema, "description", "")), orders_change) ||
          find(schema, "$ref") != nullptr);
}

// Search looks for an action that may be another than one that plainly reads.
struct Search {
  const Json& root;
  std::size_t steps = kStepsMax;
  Visit visit{root, steps};
  bool found = false;

  void look(const Json& schema) {
    if (found || !visit.enter(schema)) return;
    const Json* const properties = find(schema, "properties");
    if (properties != nullptr && properties->is_object()) {
      for (const auto& [name, property] : properties->items()) {
        const std::vector<std::string> choices = choices_of(property, root, steps);
        found = found || is_told_freely(name, property, choices) ||
                (may_tell(name, choices) && !std::ranges::all_of(choices, plainly_reads));
        look(property);
      }
    }
    visit.ways(schema, [this](const Json& other) { look(other); });
    for (const char* const key : {"items", "additionalProperties"}) {
      if (const Json* const one = find(schema, key)) look(*one);
    }
  }
};

bool all_plainly_read(const Json& value) {
  if (const auto* const text = value.get_ptr<const std::string*>()) return plainly_reads(*text);
  return value.is_array() && !value.empty() && std::ranges::all_of(value, all_plainly_read);
}

using NameWords = std::vector<std::string>;

// any_order returns whether one of the arguments, however deep, is `such` by its name and value.
bool any_order(const Json& value, bool (*such)(const NameWords&, const Json&)) {
  if (value.is_array()) {
    return std::ranges::any_of(value, [&](const Json& one) { return any_order(one, such); });
  }
  if (!value.is_object()) return false;
  return std::ranges::any_of(value.items(), [&](const auto& item) {
    return such(name_words(item.key()), item.value()) || any_order(item.value(), such);
  });
}

bool any_changes(const Json& value) {
  if (value.is_array()) return std::ranges::any_of(value, any_changes);
  const auto* const text = value.get_ptr<const std::string*>();
  return text != nullptr && changes(*text);
}

// Told is what the actions that the arguments of a call give come to.
struct Told {
  const Json& root;
  std::size_t steps = kStepsMax;
  bool reads = false;
  bool otherwise = false;

  void look(const Json& schema, const Json& value) {
    Visit visit(root, steps);
    look_all_ways(schema, value, visit);
  }

  void look_all_ways(const Json& schema, const Json& value, Visit& visit) {
    if (!visit.enter(schema)) return;
    visit.ways(schema, [&](const Json& other) { look_all_ways(other, value, visit); });
    const Json* const items = value.is_array() ? find(schema, "items") : nullptr;
    if (items != nullptr) {
      for (const Json& one : value) look(*items, one);
    }
    const Json* const properties = value.is_object() ? find(schema, "properties") : nullptr;
    if (properties == nullptr || !properties->is_object()) return;
    for (const auto& [name, property] : properties->items()) {
      const Json* const given = find(value, name);
      if (may_tell(name, choices_of(property, root, steps))) {
        const bool plain = given != nullptr && all_plainly_read(*given);
        reads = reads || (plain && is_called_action(name_words(name)));
        otherwise = otherwise || !plain;
      }
      if (given != nullptr) look(property, *given);
    }
  }
};

}  // namespace

bool is_action(std::string_view name, const Json& schema, const Json& root) {
  std::size_t steps = kStepsMax;
  const bool called = is_called_action(name_words(name));
  return called && std::ranges::any_of(choices_of(schema, root, steps), is_any_verb);
}

bool is_giver(std::string_view action) { return kGivers.contains(action); }

bool is_lister(std::string_view action) { return kListers.contains(action); }

bool plainly_reads(std::string_view action) {
  const std::string lower = lower_case(action);
  const std::string folded = fold(lower);
  // Who queries may be told any statement.
  if (lower == "query") return false;
  return is_giver(folded) || is_lister(folded) || kTellers.contains(folded);
}

bool can_be_told_to_change(const Json& schema) {
  Search search{schema};
  search.look(schema);
  return search.found || search.steps == 0;
}

bool tells_to_change(const Json& arguments) {
  return any_order(arguments, [](const NameWords& words, const Json& value) {
    return (is_called_action(words) || is_called_way(words)) && any_changes(value);
  });
}

bool is_told_to_read(const Json& schema, const Json& arguments) {
  const auto is_other = [](const NameWords& words, const Json& value) {
    return is_called_action(words) && !value.is_object() && !all_plainly_read(value);
  };
  Told told{schema};
  told.look(schema, arguments);
  return told.reads && !told.otherwise && told.steps > 0 && !any_order(arguments, is_other) &&
         !tells_to_change(arguments);
}

}  // namespace plumbline::agents
