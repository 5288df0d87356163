#include "conformance/checks/server/features/subscription_filters.h"

#include <algorithm>

#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kAnyResource = "plumbline://listened-for";

}  // namespace

bool serves(const Survey& survey) {
  return survey.declares("/resources/subscribe") ||
         std::ranges::any_of(kNoticeKinds,
                             [&](const Notice& kind) { return survey.declares(kind.capability); });
}

Json everything(const Survey& survey) {
  Json filter = Json::object();
  for (const Notice& kind : kNoticeKinds) filter[kind.filter] = true;
  filter["resourceSubscriptions"] = Json::array();
  const std::string first = survey.resources.items.empty()
                                ? kAnyResource
                                : string_or(survey.resources.items.front(), "uri", kAnyResource);
  filter["resourceSubscriptions"].push_back(first);
  return filter;
}

std::string unhonored(const Survey& survey, const Json& asked, const Json& honored) {
  for (const Notice& kind : kNoticeKinds) {
    const bool wanted = bool_or(asked, kind.filter, false) && survey.declares(kind.capability);
    if (wanted && !bool_or(honored, kind.filter, false)) return kind.filter;
  }
  const bool watches = survey.declares("/resources/subscribe") && !survey.resources.items.empty();
  const Json* const uris = find(honored, "resourceSubscriptions");
  const bool none = uris == nullptr || uris->empty();
  const bool wanted = find(asked, "resourceSubscriptions") != nullptr;
  return watches && wanted && none ? "resourceSubscriptions, which named a listed resource" : "";
}

std::string honor_problem(const Survey& survey, const Json& asked, const Json& honored) {
  for (const auto& [name, value] : honored.items()) {
    const Json* const wanted = find(asked, name);
    if (wanted == nullptr) return "\"" + shortened(name) + "\", which was not asked for";
  }
  for (const Notice& kind : kNoticeKinds) {
    if (bool_or(honored, kind.filter, false) && !survey.declares(kind.capability)) {
      return std::string(kind.filter) + ", which its capabilities do not have";
    }
  }
  const Json* const uris = find(honored, "resourceSubscriptions");
  if (uris == nullptr) return "";
  if (!uris->is_array()) return "resourceSubscriptions that are no array";
  if (!uris->empty() && !survey.declares("/resources/subscribe")) {
    return "resourceSubscriptions, which its capabilities do not have";
  }
  const Json* const wanted = find(asked, "resourceSubscriptions");
  for (const Json& uri : *uris) {
    if (std::ranges::find(*wanted, uri) == wanted->end()) {
      return "the resource " + shortened(dump_json(uri)) + ", which was not asked for";
    }
  }
  return "";
}

}  // namespace plumbline::conformance
