#include "core/agents/operations/fit/acted_on.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"

namespace plumbline::agents {

namespace {

using Words = std::vector<std::string>;

constexpr WordTable kPlaces({Word{"as"}, Word{"at"}, Word{"by"}, Word{"for"}, Word{"from"},
                             Word{"in"}, Word{"into"}, Word{"of"}, Word{"on"}, Word{"to"},
                             Word{"using"}, Word{"via"}, Word{"with"}, Word{"within"}});

// Who sets one of these changes the thing that has it: "set_light_state" switches a light.
constexpr WordTable kParts({Word{"content"}, Word{"contents"}, Word{"detail"}, Word{"field"},
                            Word{"info"}, Word{"information"}, Word{"name"}, Word{"property"},
                            Word{"setting"}, Word{"state"}, Word{"status"}, Word{"title"},
                            Word{"value"}});

// With these verbs a part is a thing by itself.
constexpr WordTable kWholeThings({Word{"add"}, Word{"archive"}, Word{"clear"}, Word{"copy"},
                                  Word{"create"}, Word{"delete"}, Word{"destroy"}, Word{"drop"},
                                  Word{"insert"}, Word{"make"}, Word{"new"}, Word{"purge"},
                                  Word{"wipe"}});

// Nothing is left of what one of these is done to.
constexpr WordTable kDeleting({Word{"delete"}, Word{"destroy"}, Word{"drop"}, Word{"purge"},
                               Word{"wipe"}});

bool names(const Wish::Demand& demand, const std::string& word) {
  return contains(demand.about, word) || contains(demand.so, word) || demand.verb == word ||
         std::ranges::any_of(demand.chains, [&](const Wish::Chain& chain) {
           return std::ranges::any_of(
               chain, [&](const Wish::Thing& thing) { return contains(thing, word); });
         });
}

}  // namespace

std::vector<std::string> object_of(std::string_view text) {
  Words out;
  bool after_verb = false;
  bool first = true;
  for (WordReader reader(text); reader.next();) {
    if (kPlaces.contains(reader.word())) {
      if (after_verb && !out.empty()) break;
      continue;
    }
    if (is_empty_word(reader.word())) continue;
    const std::string word = fold(reader.word());
    const bool opens = std::exchange(first, false);
    if (after_verb) {
      out.push_back(word);
    } else {
      // "Attach" opens a name as a verb, though nothing else is known of it.
      after_verb = find_verb(word) != nullptr || (opens && is_verb_too(word));
    }
  }
  return out;
}

bool acts_on_another_thing(const Wish::Demand& demand, const connector::Capability& tool,
                           const Offered& offered) {
  if (demand.chains.empty()) return false;
  Words object = object_of(tool.name);
  const std::string& thing = demand.chains.front().front().back();
  if (object.empty() && kWholeThings.contains(demand.verb)) {  // "create", of a task.
    const Words told = object_of(first_sentence(tool.description));
    if (!told.empty() && !contains(told, thing) && contains(offered.words.schema, thing))
      return true;
  }
  while (object.size() > 1 && object.back() == "tool") object.pop_back();
  if (!kWholeThings.contains(demand.verb)) {
    while (object.size() > 1 && kParts.contains(object.back())) object.pop_back();
  }
  // No tag is what "the tag rule" is.
  const Wish::Thing& whole = demand.chains.front().front();
  const bool qualified = !object.empty() && whole.size() > 1 && thing != object.back() &&
                         contains(whole, object.back()) && kWholeThings.contains(demand.verb);
  if (qualified && !contains(offered.words.named, thing) && !contains(offered.words.lead, thing) &&
      !contains(offered.given, thing) && !is_kind_word(thing)) {
    return true;
  }
  if (object.empty() || names(demand, object.back())) return false;
  // What only says which one is meant is not what is deleted: the team of a comment.
  const bool said = contains(offered.words.schema, thing) || contains(offered.given, thing);
  const bool chosen = contains(offered.values, thing);  // "Deposit" of entity=deposit.
  const bool beside = kDeleting.contains(demand.verb) && said && !chosen &&
                      !contains(offered.words.named, thing) &&
                      !contains(offered.words.lead, thing) && !is_kind_word(thing);
  if (beside) return true;
  const Wish::Thing& owner = demand.chains.front().back();  // "The memo of bill 88" is of a bill.
  const bool owned = demand.chains.front().size() > 1 && !is_kind_word(owner.back()) &&
                     find_verb(demand.verb) != nullptr &&
                     find_verb(demand.verb)->does != Does::kReads;
  if (owned && !contains(offered.words.named, owner.back()) &&
      !contains(offered.words.lead, owner.back()) && !contains(offered.given, owner.back())) {
    return true;
  }
  const std::string& wanted = demand.chains.front().front().back();
  if (contains(offered.words.named, wanted)) return true;
  const std::string lead(first_sentence(tool.description));
  return contains(offered.words.lead, wanted) && !contains(object_of(lead), wanted);
}

bool gives_another_thing(const Wish::Demand& demand, const connector::Capability& tool) {
  if (demand.chains.empty()) return false;
  Words object = object_of(tool.name);
  const bool lists = words_of(tool.name).front() == "list";  // "list_task_lists" is of lists.
  const auto is_no_thing = [lists](const std::string& word) {
    return kParts.contains(word) || word == "data" || word == "tool" || (word == "list" && !lists);
  };
  while (object.size() > 1 && is_no_thing(object.back())) object.pop_back();
  const std::string& wanted = demand.chains.front().front().back();
  return object.size() > 1 && object.back() != wanted && contains(object, wanted) &&
         !names(demand, object.back());
}

}  // namespace plumbline::agents
