#include "core/agents/operations/fit/told.h"

#include <algorithm>

#include "core/agents/operations/arguments/chosen_action.h"
#include "core/agents/operations/fit/doing.h"
#include "core/agents/operations/fit/resource_fit.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/policy/actions.h"
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

bool is_told_by_action(const Wish::Demand& demand, const connector::Capability& tool,
                       const Extraction& extraction) {
  const Json* const properties = find(taken_schema(tool), "properties");
  return std::ranges::any_of(extraction.sources, [&](const ArgumentSource& source) {
    const Json* const schema = find(*properties, source.name);
    const auto* const action = extraction.value(source.name).get_ptr<const std::string*>();
    return source.provenance == Provenance::kRequest && schema != nullptr && action != nullptr &&
           is_action(source.name, *schema, tool.input_schema) &&
           is_reached_by(demand.verb, *action);
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

bool only_says_in_use(const Wish::Demand& demand, const std::string& word) {
  constexpr WordTable kInUse({Word{"deployed"}, Word{"installed"}, Word{"running"}, Word{"used"}});
  return kInUse.contains(word) && !demand.chains.empty() &&
         demand.chains.front().front().back() == "version";
}

}  // namespace plumbline::agents
