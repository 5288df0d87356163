#include "core/schema/findings.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/json/redactor.h"

namespace plumbline::schema {

namespace {

constexpr std::size_t kTextBytesTold = 60;  // Of one string that stands in a message.
constexpr std::size_t kChoicesTold = 8;

std::string in_quotes(std::string_view text) {
  if (text.size() <= kTextBytesTold) return dump_json(Json(text));
  return dump_json(Json(beginning(text, kTextBytesTold))) + "... (" + std::to_string(text.size()) +
         " bytes)";
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

// shown is a value as a message shows it: scalars whole, the rest by its size.
std::string shown(const Json& value) {
  if (const auto* const text = value.get_ptr<const Json::string_t*>()) return in_quotes(*text);
  if (value.is_array()) {
    return value.empty() ? "an empty array" : "an array of " + counted(value.size(), "item");
  }
  if (value.is_object()) {
    return value.empty() ? "an empty object" : "an object with " + counted(value.size(), "member");
  }
  return dump_json(value);
}

// place names the value: "the value", "\"status\"", "item 2 of \"tags\"".
std::string place(const Path& path) {
  if (path.parent == nullptr) return "the value";
  if (path.is_name) return "the member name " + in_quotes(*path.key);
  if (path.key != nullptr) return in_quotes(*path.key);
  const std::string item = "item " + std::to_string(path.index);
  const bool in_member = path.parent->key != nullptr && !path.parent->is_name;
  return in_member ? item + " of " + in_quotes(*path.parent->key) : item;
}

std::string within(const Path& path) { return path.parent == nullptr ? "" : " in " + place(path); }

// one_of names the first of `count` choices, and how many others there are.
std::string one_of(const std::vector<std::string>& first, std::size_t count) {
  if (count == 1) return first.front();
  std::string text = "one of ";
  for (std::size_t i = 0; i < first.size(); ++i) text += (i == 0 ? "" : ", ") + first[i];
  if (count == first.size()) return text;
  return text + " or " + counted(count - first.size(), "other");
}

std::string type_text(std::string_view name) {
  if (name == "null") return "null";
  const bool vowel = name.find_first_of("aio") == 0;
  return (vowel ? "an " : "a ") + std::string(name);
}

std::string types_text(const Json& type) {
  std::string text;
  if (!type.is_array()) return type_text(*type.get_ptr<const Json::string_t*>());
  for (std::size_t i = 0; i < type.size(); ++i) {
    const auto* const name = type[i].get_ptr<const Json::string_t*>();
    if (i > 0) text += i + 1 == type.size() ? " or " : ", ";
    text += type_text(name == nullptr ? std::string_view("value") : std::string_view(*name));
  }
  return text;
}

std::string enum_text(const Json& values) {
  if (values.empty()) return "nothing: its \"enum\" is empty";
  std::vector<std::string> first;
  for (std::size_t i = 0; i < std::min(values.size(), kChoicesTold); ++i) {
    first.push_back(shown(values[i]));
  }
  return one_of(first, values.size());
}

std::string known_members(const Json& schema) {
  const Json* const properties = find(schema, "properties");
  if (properties == nullptr || !properties->is_object() || properties->empty()) {
    return "no such member";
  }
  std::vector<std::string> first;
  for (const auto& [name, unused] : *properties->get_ptr<const Json::object_t*>()) {
    if (first.size() == kChoicesTold) break;
    first.push_back(in_quotes(name));
  }
  return one_of(first, properties->size());
}

// limit_text words a keyword that bounds a number: "at least 3 items".
struct LimitWords {
  std::string_view keyword;
  std::string_view words;
  std::string_view noun;
};

constexpr LimitWords kLimitWords[] = {
    {"exclusiveMaximum", "less than ", ""},
    {"exclusiveMinimum", "more than ", ""},
    {"maxContains", "at most ", "item that fits \"contains\""},
    {"maxItems", "at most ", "item"},
    {"maxLength", "at most ", "character"},
    {"maxProperties", "at most ", "member"},
    {"maximum", "at most ", ""},
    {"minContains", "at least ", "item that fits \"contains\""},
    {"minItems", "at least ", "item"},
    {"minLength", "at least ", "character"},
    {"minProperties", "at least ", "member"},
    {"minimum", "at least ", ""},
    {"multipleOf", "a multiple of ", ""},
};

std::string plural(std::string_view noun, const Json& count) {
  if (noun.empty()) return "";
  const std::size_t end = std::min(noun.find(' '), noun.size());
  const bool one = as_int(count) == 1;
  std::string text = " " + std::string(noun.substr(0, end));
  if (one) return text + std::string(noun.substr(end));
  text += "s";
  return end == noun.size() ? text : text + " that fit \"contains\"";
}

std::string expected_text(std::string_view keyword, const Json& asked) {
  for (const LimitWords& limit : kLimitWords) {
    if (limit.keyword == keyword) {
      return std::string(limit.words) + dump_json(asked) + plural(limit.noun, asked);
    }
  }
  if (keyword == "type") return types_text(asked);
  if (keyword == "enum") return enum_text(asked);
  if (keyword == "const") return shown(asked);
  if (keyword == "pattern") return "text that matches " + asked.get_ref<const std::string&>();
  if (keyword == "format") return "text of format " + asked.get_ref<const std::string&>();
  if (keyword == "not") return "what does not fit \"not\"";
  return "";
}

// explain fills in the words of `finding`.
void explain(Finding& finding, const Node& node, std::string_view keyword, const At& at,
             const std::string& detail) {
  const std::string subject = place(at.path);
  const bool secret = at.path.key != nullptr && names_credential(*at.path.key);
  finding.is = at.path.is_name                     ? subject + " is there"
               : secret && at.value.is_primitive() ? subject + " is [redacted]"
                                                   : subject + " is " + shown(at.value);
  if (keyword.empty()) {
    finding.is = subject + " is there";
    finding.expected = "nothing";
  } else if (keyword == "required") {
    finding.is = in_quotes(detail) + " is missing" + within(at.path) + " and required";
  } else if (keyword == "dependencies" || keyword == "dependentRequired") {
    finding.is = detail + within(at.path) + " and missing";
  } else if (keyword == "additionalProperties" || keyword == "unevaluatedProperties") {
    finding.is = subject + " is no known member";
    finding.expected = known_members(*node.source);
  } else if (keyword == "items" || keyword == "additionalItems" || keyword == "unevaluatedItems") {
    finding.is = subject + " is there";
    finding.expected = "no further items";
  } else if (keyword == "uniqueItems") {
    finding.is = "items " + detail + " of " + subject + " are equal";
    finding.expected = "all items to differ";
  } else if (keyword == "contains") {
    finding.is = subject + " has no item that fits \"contains\"";
  } else if (keyword == "anyOf" || keyword == "oneOf") {
    finding.expected = detail;
  } else {
    const Json* const asked = find(*node.source, keyword);
    check(asked != nullptr, "a violation of a keyword that is not there");
    if (keyword == "maxContains" || keyword == "minContains") {
      finding.is = subject + " has " + detail;
    }
    finding.expected = expected_text(keyword, *asked);
  }
}

std::vector<Finding::Step> steps_of(const Path& path) {
  std::vector<Finding::Step> steps;
  for (const Path* at = &path; at->parent != nullptr; at = at->parent) {
    steps.push_back({at->key, at->index});
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

bool step_before(const Finding::Step& a, const Finding::Step& b) {
  if (a.key == nullptr || b.key == nullptr) return a.index < b.index;
  return a.key != b.key && *a.key < *b.key;
}

bool path_before(const Finding& a, const Finding& b) {
  return std::lexicographical_compare(a.path.begin(), a.path.end(), b.path.begin(), b.path.end(),
                                      step_before);
}

// before goes by place, and at one place by the order of evaluation.
bool before(const Finding& a, const Finding& b) {
  if (path_before(a, b)) return true;
  return !path_before(b, a) && a.number < b.number;
}

std::string pointer_of(const std::vector<Finding::Step>& path) {
  std::string pointer;
  for (const Finding::Step& step : path) {
    if (step.key != nullptr) {
      add_step(pointer, *step.key);
    } else {
      add_step(pointer, std::to_string(step.index));
    }
  }
  return pointer;
}

}  // namespace

void Findings::add(const Node& node, std::string_view keyword, const At& at,
                   const std::string& detail) {
  if (full()) return;
  Finding& finding = list_.emplace_back();
  finding.number = list_.size();
  finding.path = steps_of(at.path);
  finding.schema_pointer = pointer_to(*node.location);
  if (!keyword.empty()) finding.schema_pointer += "/" + std::string(keyword);
  explain(finding, node, keyword, at, detail);
  finding.is = clipped(finding.is);
  finding.expected = clipped(finding.expected);
}

std::vector<Violation> Findings::violations() {
  std::sort(list_.begin(), list_.end(), before);
  std::vector<Violation> all;
  for (const Finding& finding : std::exchange(list_, {})) {
    all.push_back(
        {pointer_of(finding.path), finding.schema_pointer, finding.message(), /*undecided=*/false});
  }
  return all;
}

}  // namespace plumbline::schema
