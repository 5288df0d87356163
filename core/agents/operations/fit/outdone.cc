#include "core/agents/operations/fit/outdone.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/arguments/chosen_action.h"
#include "core/agents/operations/fit/acted_on.h"
#include "core/agents/operations/fit/doing.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"

namespace plumbline::agents {

namespace {

using Words = std::vector<std::string>;

// They narrow nothing in a name.
constexpr WordTable kNeutral({Word{"by"}, Word{"content"}, Word{"data"}, Word{"detail"},
                              Word{"fetch"}, Word{"filter"}, Word{"find"}, Word{"id"}, Word{"info"},
                              Word{"information"}, Word{"item"}, Word{"name"}, Word{"query"},
                              Word{"single"}, Word{"text"}, Word{"tool"}});

// Account is what a name says of a wish, and beside it.
struct Account {
  Words asked;
  Words beside;
};

bool among(const Words& words, const std::string& word) {
  return std::ranges::any_of(words, [&](const std::string& other) {
    return other == word || is_form_of(other, word) || is_form_of(word, other);
  });
}

bool all_in(const Words& some, const Words& others) {
  return std::ranges::all_of(some, [&](const auto& word) { return contains(others, word); });
}

// account_of takes the words of a tool's name apart. What the request says only beside its object
// ("in the project") counts for nothing, and against nothing.
Account account_of(const Wish& wish, const connector::Capability& tool) {
  Words things;
  Words others;
  bool many = false;
  for (const Wish::Demand& demand : wish.demands) {
    many = many || demand.many || demand.verb == "list" || demand.verb == "search" ||
           demand.verb == "count";
    if (!demand.verb.empty()) others.push_back(demand.verb);
    for (const Wish::Chain& chain : demand.chains) {
      for (const Wish::Thing& thing : chain)
        things.insert(things.end(), thing.begin(), thing.end());
    }
    // "How many likes does the video have?"
    Words& so = demand.asks.empty() ? others : things;
    so.insert(so.end(), demand.so.begin(), demand.so.end());
    others.insert(others.end(), demand.about.begin(), demand.about.end());
  }
  for (const Wish::Value& value : wish.values) {
    for (std::string& word : content_words(value.text)) others.push_back(std::move(word));
  }
  Account out;
  const Words server = content_words(tool.server);
  const Words own = content_words(tool.name);
  const bool bare = std::ranges::all_of(own, [&](const std::string& word) {
    return find_verb(word) != nullptr || contains(server, word);
  });
  const bool lists = own.empty() || own.front() == "list" || !is_verb(own.front());
  bool opens = true;
  for (WordReader reader(tool.name); reader.next();) {
    const std::string word = fold(reader.word());
    const bool verb = opens && find_verb(word) != nullptr;
    opens = opens && contains(server, word);
    if (is_empty_word(reader.word()) || kNeutral.contains(word)) continue;
    if (verb && is_generic_verb(word)) continue;
    if (verb && (word == "list" || word == "search") && many) continue;
    // "get_tasks_list" gets tasks; "list_task_lists" lists of them.
    if (word == "list" && !verb && !lists && !among(things, word)) continue;
    const bool asked = among(things, word) && !(verb && is_verb(word) && word != "list");
    if (!asked && (contains(server, word) || among(others, word) || among(things, word))) continue;
    Words& to = asked ? out.asked : out.beside;
    if (!contains(to, word)) to.push_back(word);
  }
  // What is called "list" says what it lists in its first sentence.
  for (const std::string& word : bare ? object_of(first_sentence(tool.description)) : Words()) {
    if (among(things, word) && !contains(out.asked, word)) out.asked.push_back(word);
  }
  return out;
}

// is_of_one returns whether many are wanted, and a name has what is wanted in the singular.
bool is_of_one(const Wish::Demand& demand, const connector::Capability& tool) {
  const std::string& wanted = demand.chains.front().front().back();
  for (WordReader reader(tool.name); demand.many && reader.next();) {
    if (fold(reader.word()) == wanted && !reader.word().ends_with('s')) return true;
  }
  return false;
}

// is_for_what_is_wanted returns whether one of the words is of what is wanted, and not only of what
// that is of: no channel, where its messages are wanted.
bool is_for_what_is_wanted(const Wish::Demand& demand, const Words& words) {
  const auto is_one = [&](const std::string& word) { return among(words, word); };
  return std::ranges::any_of(demand.chains,
                             [&](const Wish::Chain& chain) {
                               return std::ranges::any_of(chain.front(), is_one);
                             }) ||
         (!demand.asks.empty() && std::ranges::any_of(demand.so, is_one));
}

// outdoes returns whether the name of `other` says more of what is wanted, or less beside it.
bool outdoes(const Wish& wish, const connector::Capability& other,
             const connector::Capability& tool) {
  if (tool.name == other.name) return false;
  const Wish::Demand& demand = wish.demands.front();
  if (demand.chains.empty()) return false;
  const Account mine = account_of(wish, tool);
  const Account its = account_of(wish, other);
  const bool as_much = all_in(mine.asked, its.asked) && all_in(its.beside, mine.beside);
  if (mine.asked.empty() || !as_much) return false;
  if (!is_for_what_is_wanted(demand, its.asked)) return false;
  if (its.asked.size() > mine.asked.size()) return true;
  return !is_of_one(demand, other) && its.beside.size() < mine.beside.size();
}

// is_of_the_thing returns whether a tool that does many things is called after the part of what is
// to be changed, and another after the whole: calendar_events, where a calendar is to be deleted,
// beside calendar_calendars.
bool is_of_the_thing(const Wish::Demand& demand, const connector::Capability& other,
                     const connector::Capability& tool) {
  if (demand.chains.empty()) return false;
  const std::string& thing = demand.chains.front().front().back();
  const Words mine = words_of(tool.name);
  const Words its = words_of(other.name);
  return mine.size() > 1 && its.size() > 1 && fold(mine.back()) != thing &&
         fold(mine.front()) == thing && fold(its.back()) == thing;
}

}  // namespace

bool is_deprecated(const connector::Capability& capability) {
  const std::string& told = capability.description;
  return told.find("DEPRECATED") != told.npos || told.find("Deprecated") != told.npos ||
         told.find("Superseded by") != told.npos;
}

bool is_outdone(const Wish& wish, const connector::Manifest& manifest, connector::CapabilityRef ref,
                const Policy& policy) {
  if (wish.demands.empty()) return false;
  const connector::Capability& tool = at(manifest, ref);
  const bool changes = policy.assess(tool).changes_the_world;
  const auto is_better = [&](const connector::Capability& other) {
    return other.type == tool.type && !is_deprecated(other) && outdoes(wish, other, tool) &&
           policy.assess(other).changes_the_world == changes &&
           does_what_is_asked(wish.demands.front(), other, tool_words(other), changes);
  };
  const bool told = has_action(tool) && !only_reads(wish.demands.front());
  const auto is_for_that = [&](const connector::Capability& other) {
    return told && other.type == tool.type && is_of_the_thing(wish.demands.front(), other, tool);
  };
  return std::ranges::any_of(manifest.servers[ref.server].capabilities, [&](const auto& other) {
    return is_better(other) || is_for_that(other);
  });
}

}  // namespace plumbline::agents
