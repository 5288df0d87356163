#include "core/agents/operations/fit/told.h"

#include <algorithm>
#include <iterator>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/arguments/chosen_action.h"
#include "core/agents/operations/fit/doing.h"
#include "core/agents/operations/fit/resource_fit.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/policy/actions.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"

namespace plumbline::agents {

bool is_chosen(const Wish::Demand& demand, const connector::Capability& tool,
               const Offered& offered) {
  if (demand.about.empty() || !only_reads(demand)) return false;
  const Json* const properties = find(taken_schema(tool), "properties");
  return properties != nullptr && properties->is_object() &&
         std::ranges::all_of(demand.about, [&](const std::string& word) {
           return contains(offered.values, word) &&
                  std::ranges::any_of(properties->items(), [&](const auto& property) {
                    const Json* const values = find(property.value(), "enum");
                    return values != nullptr && values->is_array() &&
                           std::ranges::find(*values, Json(word)) != values->end();
                  });
         });
}

bool is_told_by_property(const Wish::Demand& demand, const Offered& offered) {
  const auto is_property = [&](const std::string& word) {
    return contains(offered.words.schema, word) && contains(offered.given_names, word);
  };
  const std::string& word =
      demand.chains.empty() ? demand.verb : demand.chains.front().front().back();
  return demand.chains.size() <= 1 && (demand.chains.empty() || demand.verb.empty()) &&
         is_property(word);
}

namespace {

// is_told_by_flag returns whether a tool that updates is told what to do by a property that is
// true: "complete" by completed.
bool is_told_by_flag(const Wish::Demand& demand, const Extraction& extraction) {
  return std::ranges::any_of(extraction.sources, [&](const ArgumentSource& source) {
    return source.provenance == Provenance::kRequest &&
           extraction.value(source.name) == Json(true) && is_form_of(source.name, demand.verb);
  });
}

}  // namespace

bool is_told_by_action(const Wish::Demand& demand, const connector::Capability& tool,
                       const Extraction& extraction) {
  const Json* const properties = find(taken_schema(tool), "properties");
  return std::ranges::any_of(extraction.sources, [&](const ArgumentSource& source) {
    const Json* const schema = find(*properties, source.name);
    const auto* const action = extraction.value(source.name).get_ptr<const std::string*>();
    return source.provenance == Provenance::kRequest && schema != nullptr && action != nullptr &&
           is_action(source.name, *schema, tool.input_schema) &&
           (is_reached_by(demand.verb, *action) ||
            (*action == "update" && is_told_by_flag(demand, extraction)));
  });
}

bool changes_by_action_only(const Wish::Demand& demand, const connector::Capability& tool,
                            const Offered& offered) {
  if (only_reads(demand) || demand.chains.empty() || !has_action(tool)) return false;
  const std::string& wanted = demand.chains.front().front().back();
  return contains(offered.words.schema, wanted) && !contains(offered.given, wanted) &&
         !contains(offered.words.named, wanted) && !contains(offered.words.lead, wanted) &&
         !is_attribute(wanted);
}

bool only_counts(const Wish::Demand& demand, const ToolWords& words) {
  const auto first = std::ranges::find_if(
      words.named, [&](const std::string& word) { return !contains(words.server, word); });
  if (first == words.named.end() || *first != "count" || demand.verb == "count") return false;
  const auto is_number = [](const Wish::Chain& chain) {
    constexpr WordTable kNumbers({Word{"amount"}, Word{"count"}, Word{"number"}, Word{"total"}});
    return has_one_of(chain.front(), kNumbers);
  };
  const bool whether = demand.whether || demand.asks == "how";
  return !whether && std::ranges::none_of(demand.chains, is_number);
}

bool is_named_for_a_deed(const Wish::Demand& demand, const ToolWords& words) {
  if (!demand.verb.empty() || !demand.many || demand.chains.empty()) return false;
  const std::string& thing = demand.chains.front().front().back();
  const auto first = std::ranges::find_if(
      words.named, [&](const std::string& word) { return !contains(words.server, word); });
  const bool deed = first != words.named.end() && *first == thing && is_verb_too(thing);
  return deed && std::next(first) != words.named.end();
}

bool is_left_untold(const Wish::Demand& demand, const Offered& offered) {
  if (only_reads(demand) || demand.chains.empty() || offered.is_given_more_than_ids) return false;
  const std::string& thing = demand.chains.front().front().back();
  return contains(offered.words.schema, thing) && !contains(offered.words.named, thing) &&
         !contains(offered.words.described, thing) && !contains(offered.words.server, thing) &&
         !contains(offered.given, thing) && !contains(offered.given_names, thing);
}

bool runs_something_else(const Wish& wish, const ToolWords& words) {
  if (wish.demands.empty() || !wish.demands.front().chains.empty()) return false;
  const std::string& verb = wish.demands.front().verb;
  if ((verb != "run" && verb != "execute" && verb != "exec") || runs_what_it_is_told(verb, words))
    return false;
  return std::ranges::any_of(wish.values, [](const Wish::Value& value) {
    return value.kind == Wish::Value::Kind::kQuoted && is_lower(value.text.front()) &&
           value.text.find(' ') != std::string::npos;
  });
}

bool is_named_for_finding_out(const Wish::Demand& demand, const ToolWords& words) {
  const Verb* const asked = find_verb(demand.verb);
  if (only_reads(demand) || asked == nullptr || asked->does == Does::kReads) return false;
  if (words.named.empty() || contains(words.named, demand.verb)) return false;
  const auto finds_out = [](const std::string& word) {
    const Verb* const verb = find_verb(word);
    return word == "ask" || (verb != nullptr && verb->does == Does::kReads && !verb->noun_too);
  };
  const auto does = [](const std::string& word) {
    const Verb* const verb = find_verb(word);
    return verb != nullptr && verb->does != Does::kReads && !verb->noun_too;
  };
  return finds_out(words.named.front()) && std::ranges::none_of(words.named, does);
}

bool compares_one(const ToolWords& words, const Extraction& extraction) {
  if (!contains(words.named, "compare") && !contains(words.named, "comparison")) return false;
  return std::ranges::any_of(extraction.sources, [&](const ArgumentSource& source) {
    const Json& value = extraction.value(source.name);
    return source.provenance == Provenance::kRequest && value.is_array() && value.size() == 1;
  });
}

bool only_says_in_use(const Wish::Demand& demand, const std::string& word) {
  constexpr WordTable kInUse({Word{"deployed"}, Word{"installed"}, Word{"running"}, Word{"used"}});
  return kInUse.contains(word) && !demand.chains.empty() &&
         demand.chains.front().front().back() == "version";
}

}  // namespace plumbline::agents
