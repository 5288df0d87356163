#include "conformance/quality/offer.h"

#include <utility>

#include "conformance/catalogue/introduced.h"

namespace plumbline::conformance {

void ServerOffer::take_opening(const Json& result) {
  const Introduced itself = introduced_in(result);
  if (!itself.name.empty()) {
    name = itself.name;
    version = itself.version;
  }
  instructions = string_or(result, "instructions", instructions);
  revision = string_or(result, "protocolVersion", revision);
}

bool ServerOffer::take_lists(const Json& result) {
  bool any = false;
  for (const auto& [key, list] :
       {std::pair("tools", &tools), std::pair("prompts", &prompts),
        std::pair("resources", &resources), std::pair("resourceTemplates", &templates)}) {
    const Json* const items = find(result, key);
    if (items == nullptr || !items->is_array()) continue;
    any = true;
    list->insert(list->end(), items->begin(), items->end());
  }
  return any;
}

ServerOffer offer_of(const Survey& survey) {
  ServerOffer offer;
  offer.revision = survey.revision;
  if (const Json* const result = survey.opening.result()) offer.take_opening(*result);
  offer.tools = survey.tools.items;
  offer.prompts = survey.prompts.items;
  offer.resources = survey.resources.items;
  offer.templates = survey.templates.items;
  return offer;
}

Result<ServerOffer> read_offer(const Json& document) {
  ServerOffer offer;
  const Json* body = &document;
  if (const Json* const result = find(document, "result")) body = result;
  if (document.is_array()) {
    offer.tools.assign(document.begin(), document.end());
  } else if (!offer.take_lists(*body)) {
    return Error{ErrorCode::kInvalidInput,
                 "expected a saved answer to tools/list: an object with \"tools\""};
  }
  offer.take_opening(*body);
  return offer;
}

}  // namespace plumbline::conformance
