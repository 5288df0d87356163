#include "conformance/checks/client/forms/exact_arguments.h"

#include "conformance/checks/client/rule_kit.h"

namespace plumbline::conformance {

namespace {

// in_a_pointer returns one step of a JSON pointer.
std::string in_a_pointer(const std::string& key) {
  std::string step = "/";
  for (const char c : key) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

bool same_leaf(const Json& told, const Json& got) {
  if (told.is_number() && got.is_number()) return told.get<double>() == got.get<double>();
  return told == got;
}

}  // namespace

std::string difference(const Json& told, const Json* got, const std::string& place) {
  const bool same_kind = got != nullptr && told.is_structured() &&
                         told.is_array() == got->is_array() && told.is_object() == got->is_object();
  if (!same_kind) {
    if (got != nullptr && !told.is_structured() && same_leaf(told, *got)) return {};
    return "\"" + place + "\" is " + shown(got) + ", expected " + shown(&told);
  }
  if (told.is_array()) {
    for (std::size_t i = 0; i < told.size(); ++i) {
      std::string wrong = difference(told[i], i < got->size() ? &(*got)[i] : nullptr,
                                     place + "/" + std::to_string(i));
      if (!wrong.empty()) return wrong;
    }
    if (got->size() == told.size()) return {};
    return "\"" + place + "\" is " + shown(got) + ", expected " + shown(&told);
  }
  for (auto item = told.begin(); item != told.end(); ++item) {
    std::string wrong = difference(*item, find(*got, item.key()), place + in_a_pointer(item.key()));
    if (!wrong.empty()) return wrong;
  }
  for (auto item = got->begin(); item != got->end(); ++item) {
    if (find(told, item.key()) != nullptr) continue;
    return "\"" + place + in_a_pointer(item.key()) + "\" is " + shown(&*item) +
           ", expected nothing";
  }
  return {};
}

bool is_marked(const Heard& call, std::string_view mark) {
  const Json* const given = call.params() ? find(*call.params(), "arguments") : nullptr;
  return given != nullptr && dump_json(*given).find(mark) != std::string::npos;
}

std::string difference_of(const Heard& call, const Json& told) {
  const Json* const given = call.params() ? find(*call.params(), "arguments") : nullptr;
  const std::string wrong = difference(told, given, "");
  if (wrong.empty()) return {};
  return call.param("name") + " was to be called with other arguments: " + wrong;
}

}  // namespace plumbline::conformance
