#include "scenarios/record/likeness.h"

#include <algorithm>

namespace plumbline::scenarios {

bool is_request(const Json& message) {
  return find(message, "method") != nullptr && find(message, "id") != nullptr;
}

bool is_answer(const Json& message) {
  return find(message, "method") == nullptr && find(message, "id") != nullptr;
}

bool is_notification(const Json& message) {
  return find(message, "method") != nullptr && find(message, "id") == nullptr;
}

Json member_of(const Json& object, std::string_view key) {
  const Json* const found = find(object, key);
  return found == nullptr ? Json() : *found;
}

bool fits_placeholders(const std::string& then, const std::string& now) {
  constexpr std::string_view kSecret = "[secret ";
  const std::size_t first = then.find(kSecret);
  const std::size_t last = then.rfind(kSecret);
  const std::size_t end = last == std::string::npos ? std::string::npos : then.find(']', last);
  if (end == std::string::npos) return then == now;
  const std::string_view text = then;
  return now.size() >= first + (text.size() - end - 1) && now.starts_with(text.substr(0, first)) &&
         now.ends_with(text.substr(end + 1));
}

bool same(const Json& then, const Json& now) {
  if (then.is_string() && now.is_string()) {
    return fits_placeholders(then.get_ref<const std::string&>(), now.get_ref<const std::string&>());
  }
  if (then.is_array() && now.is_array()) {
    return std::ranges::equal(then, now, [](const Json& a, const Json& b) { return same(a, b); });
  }
  if (then.is_object() && now.is_object()) {
    if (then.size() != now.size()) return false;
    for (const auto& [key, member] : then.items()) {
      const Json* const other = find(now, key);
      if (other == nullptr || !same(member, *other)) return false;
    }
    return true;
  }
  return then == now;
}

std::string other_server(const Json& then, const Json& now) {
  if (now.empty()) return {};
  for (const char* const what : {"command", "url"}) {
    std::string said = string_or(then, what, "");
    if (!said.empty() && !fits_placeholders(said, string_or(now, what, ""))) return said;
  }
  return {};
}

Json steady_params(const Json& message) {
  Json params = member_of(message, "params");
  if (!params.is_object()) return Json::object();
  Json* const meta = part_of(params, "/_meta");
  if (meta == nullptr || !meta->is_object()) return params;
  meta->erase("progressToken");
  if (meta->empty()) params.erase("_meta");
  return params;
}

Json* part_of(Json& message, std::string_view pointer) {
  return const_cast<Json*>(at_pointer(message, pointer));
}

}  // namespace plumbline::scenarios
