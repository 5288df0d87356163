#include "core/agents/operations/arguments/numbers.h"

#include <optional>
#include <utility>

#include "core/agents/operations/request/typed.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"

namespace plumbline::agents {

namespace {

// required_numbers returns the required properties that are numbers and have no value yet.
std::vector<std::string> required_numbers(const std::vector<std::string>& required,
                                          const Json& properties, const Json& arguments) {
  std::vector<std::string> numbers;
  for (const std::string& name : required) {
    const Json* const schema = find(properties, name);
    if (schema == nullptr || arguments.contains(name)) continue;
    const std::string type = string_or(*schema, "type", "");
    if (type == "integer" || type == "number") numbers.push_back(name);
  }
  return numbers;
}

}  // namespace

bool is_counted_so(const std::string& name, const RequestText& text) {
  constexpr WordTable kSpans({Word{"days"}, Word{"months"}, Word{"weeks"}, Word{"years"}});
  for (const std::string& word : words_of(name)) {
    if (kSpans.contains(word) && !text.speaks_of(word) && !text.speaks_of(fold(word))) return false;
  }
  return true;
}

void give_numbers(Extraction& extraction, const std::vector<std::string>& required,
                  const Json& properties, RequestText& request) {
  std::vector<std::string> numbers = required_numbers(required, properties, extraction.arguments);
  // "800 by 600" is a width and a height, whether or not they have to be given.
  if (numbers.empty())
    numbers = required_numbers({"width", "height"}, properties, extraction.arguments);
  if (numbers.size() > 1) {
    const std::vector<std::string> listed = request.listed_numbers(numbers.size());
    for (std::size_t i = 0; i < listed.size(); ++i) {
      std::optional<Json> value = typed(*find(properties, numbers[i]), listed[i]);
      if (value) extraction.give(numbers[i], std::move(*value), Provenance::kRequest);
    }
  }
}

}  // namespace plumbline::agents
