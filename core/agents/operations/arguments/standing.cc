#include "core/agents/operations/arguments/standing.h"

#include <optional>
#include <utility>

#include "core/agents/operations/request/taken.h"
#include "core/agents/policy/words.h"

namespace plumbline::agents {

namespace {

// only_choice returns the value of a property that may have no other; nullptr where it may.
const Json* only_choice(const Json& schema) {
  const Json* const values = find(schema, "enum");
  const bool one = values != nullptr && values->is_array() && values->size() == 1;
  return one ? &values->front() : find(schema, "const");
}

}  // namespace

void give_standing(Extraction& extraction, const std::string& name, const Json& property,
                   bool required, const Json& configured) {
  if (const Json* const set = find(configured, name)) {
    extraction.give(name, *set, Provenance::kConfiguration);
  } else if (const Json* const standard = find(property, "default")) {
    extraction.give(name, *standard, Provenance::kSchemaDefault);
  } else if (const Json* const only = only_choice(property); only != nullptr && required) {
    extraction.give(name, *only, Provenance::kSchemaDefault);
  }
}

void wrap(Extraction& extraction, const connector::Capability& capability) {
  const std::optional<std::string> wrapper = wrapper_of(capability);
  if (!wrapper) return;
  const bool needed = contains(required_of(capability.input_schema), *wrapper);
  Json inner = std::exchange(extraction.arguments, Json::object());
  if (needed || !inner.empty()) extraction.arguments[*wrapper] = std::move(inner);
  extraction.wrapper = *wrapper;
}

}  // namespace plumbline::agents
