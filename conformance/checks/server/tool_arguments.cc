#include "conformance/checks/server/tool_arguments.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/mended/mended_arguments.h"
#include "conformance/peer/name_words.h"
#include "core/schema/sample_value.h"
#include "core/schema/schema.h"

namespace plumbline::conformance {

namespace {

constexpr std::int64_t kListedTogether = 2;  // In place of a list of ids.
constexpr std::size_t kOfThingMax = 4;       // Values for a parameter whose own name says nothing.
constexpr std::size_t kMendedMax = 24;       // Calls, of all tools.
constexpr std::size_t kChoicesOfEnumMax = 10;  // Of one enum.

constexpr std::int64_t kMostMax = 1'000;                 // Of a number that is tried at its end.
constexpr std::array<std::int64_t, 2> kSome = {7, 250};  // In place of a number that is none.

// What a number is called that says how long something takes.
constexpr std::array<std::string_view, 12> kOfWaiting = {
    "duration", "seconds", "minutes", "delay", "timeout", "wait",
    "sleep",    "ms",      "time",    "steps", "retries", "interval"};

// What a number is called that says how many are wanted, or from where on.
constexpr std::array<std::string_view, 12> kOfHowMany = {
    "count", "depth", "from", "k", "limit", "max", "most", "n", "offset", "page", "size", "top"};

constexpr std::array kStates = {"enum", "const", "default", "examples"};
constexpr std::array kLimits = {"pattern", "format", "minLength", "maxLength"};

bool is_of(const Json& property, std::string_view type) {
  return string_or(property, "type", "") == type;
}

// is_made_up returns whether a value of a property is the judge's own, and a text or a number.
bool is_made_up(const Json& property) {
  const bool states = std::ranges::any_of(
      kStates, [&](const char* says) { return find(property, says) != nullptr; });
  return !states &&
         (is_of(property, "string") || is_of(property, "integer") || is_of(property, "number"));
}

bool fits(const Json& property, const Json& value) {
  if (value.is_string() != is_of(property, "string")) return false;
  const bool limits = std::ranges::any_of(
      kLimits, [&](const char* says) { return find(property, says) != nullptr; });
  if (!limits) return true;
  const auto schema = schema::Schema::compile(property, {.assert_format = true});
  return schema.ok() && !schema.value().validate(value);
}

// plain_items returns what a list holds whose items the judge makes up; nullptr: it is no such.
const Json* plain_items(const Json& property) {
  if (!is_of(property, "array") || is_stated(property)) return nullptr;
  const Json* const items = find(property, "items");
  return items != nullptr && items->is_object() && is_made_up(*items) ? items : nullptr;
}

// list_of returns a list of values that are known for the items of a property; null: none are.
Json list_of(const LearnedValues& known, std::string_view name, const Json& property) {
  const Json* const items = plain_items(property);
  if (items == nullptr) return nullptr;
  std::vector<Json> values = known.of(singular(name));
  if (values.empty()) values = known.of(name);
  std::erase_if(values, [&](const Json& value) { return !fits(*items, value); });
  const std::int64_t most = int_or(property, "maxItems", kListedTogether);
  const auto count = static_cast<std::size_t>(std::clamp<std::int64_t>(
      int_or(property, "minItems", 0), kListedTogether, LearnedValues::kValuesMax));
  values.resize(
      std::min({values.size(), count, static_cast<std::size_t>(std::max<std::int64_t>(most, 1))}));
  return values.empty() ? Json() : Json(values);
}

// of_thing returns the values of the first of these words that something is known by.
std::vector<Json> of_thing(const LearnedValues& known, const std::vector<std::string>& words,
                           std::size_t from) {
  for (std::size_t i = from; i < words.size(); ++i) {
    if (searches_by(words[i])) continue;
    std::vector<Json> values = known.of(singular(words[i]));
    if (!values.empty()) return values;
  }
  return {};
}

// says_a_form returns whether the pattern of a property is one of few: no word has it by chance.
bool says_a_form(const Json& property) {
  constexpr std::array kNone = {"plumbline", "Plumb line", "PLUMBLINE", "a/b.c"};
  return find(property, "pattern") != nullptr &&
         std::ranges::none_of(kNone, [&](const char* text) { return fits(property, text); });
}

// values_for returns what a parameter may be: by its name, else by what its name ends in, by its
// description, by what the tool is about, or by its pattern.
std::vector<Json> values_for(const LearnedValues& known, const Json& tool, std::string_view name,
                             const Json& property) {
  std::vector<Json> values = known.of(name);
  const auto misfits = [&](const Json& value) { return !fits(property, value); };
  std::erase_if(values, misfits);
  if (!values.empty() || !is_of(property, "string") || searches_by(name)) return values;
  const std::vector<std::string> words = words_of(name);
  if (words.size() > 1) values = of_thing(known, words, words.size() - 1);
  if (values.empty()) values = of_thing(known, words_of(string_or(property, "description", "")), 0);
  if (values.empty()) values = of_thing(known, words_of(string_or(tool, "name", "")), 1);
  std::erase_if(values, misfits);
  if (values.empty() && says_a_form(property)) {
    values = known.texts(kOfThingMax, [&](const Json& value) { return fits(property, value); });
  }
  values.resize(std::min(values.size(), kOfThingMax));
  return values;
}

// Parameter is one whose value may be a learned one.
struct Parameter {
  std::string name;
  std::vector<Json> values;
  std::size_t before = 0;  // How many parameters may be the same.
};

std::vector<Parameter> parameters_of(const LearnedValues& known, const Json& tool,
                                     const Json& properties, const Json& first) {
  std::vector<Parameter> found;
  for (const auto& [name, property] : properties.items()) {
    if (!first.contains(name) || !property.is_object() || !is_made_up(property)) continue;
    Parameter one{name, values_for(known, tool, name, property)};
    if (one.values.empty()) continue;
    const auto same = [&](const Parameter& other) { return other.values == one.values; };
    one.before = static_cast<std::size_t>(std::ranges::count_if(found, same));
    found.push_back(std::move(one));
  }
  return found;
}

// optional_value returns a value for a parameter that may be left out; null: none is known.
Json optional_value(const LearnedValues& known, const std::string& name, const Json& property) {
  if (is_of(property, "boolean")) return true;
  const bool numeric = is_of(property, "integer") || is_of(property, "number");
  if (numeric || is_stated(property)) return schema::sample_value(property, property);
  if (!is_of(property, "string")) return nullptr;
  std::vector<Json> values = known.of(name);
  std::erase_if(values, [&](const Json& value) { return !fits(property, value); });
  return values.empty() ? Json() : values.front();
}

// with_everything returns `first` with what is optional, and with its switches turned.
Json with_everything(const LearnedValues& known, const Json& properties, Json first) {
  for (const auto& [name, property] : properties.items()) {
    if (!property.is_object()) continue;
    if (!first.contains(name)) {
      if (Json value = optional_value(known, name, property); !value.is_null()) {
        first[name] = std::move(value);
      }
    } else if (first[name].is_boolean()) {
      first[name] = !first[name].get<bool>();
    }
  }
  return first;
}

// long_ago returns `first` with its dates and times long before anything that there is: what finds
// nothing has to say so in its own schema.
Json long_ago(const Json& properties, Json first) {
  for (const auto& [name, property] : properties.items()) {
    if (!first.contains(name) || !property.is_object()) continue;
    for (const char* const then : {"1901-01-01", "1901-01-01T00:00:00Z"}) {
      const auto* const now = first[name].get_ptr<const std::string*>();
      const bool dated =
          find(property, "format") != nullptr || find(property, "pattern") != nullptr;
      if (now == nullptr || !dated || !fits(property, then)) continue;
      first[name] = then;
      break;
    }
  }
  return first;
}

bool waits(std::string_view name) {
  return std::ranges::any_of(words_of(name), [](const std::string& word) {
    return std::ranges::find(kOfWaiting, word) != kOfWaiting.end();
  });
}

bool fits_bounds(const Json& property, std::int64_t number) {
  const auto schema = schema::Schema::compile(property, {.assert_format = true});
  return schema.ok() && !schema.value().validate(Json(number));
}

// ends_of returns the least and the most that a whole number may be, where both are said and what
// lies between is no stretch of time.
std::vector<std::int64_t> ends_of(std::string_view name, const Json& property) {
  const std::int64_t least = int_or(property, "minimum", 0);
  const std::int64_t most = int_or(property, "maximum", 0);
  const bool bounded = find(property, "minimum") != nullptr && most > least && most <= kMostMax;
  if (!is_of(property, "integer") || !bounded || waits(name)) return {};
  return {least, most};
}

// some_of returns numbers over 0 for a parameter that was made up as 0: of nothing there is little
// to be seen.
std::vector<std::int64_t> some_of(std::string_view name, const Json& property, const Json& first) {
  const Json* const now = find(first, name);
  const bool numeric = is_of(property, "integer") || is_of(property, "number");
  if (now == nullptr || !now->is_number() || now->get<double>() != 0) return {};
  if (!numeric || !is_made_up(property) || waits(name)) return {};
  std::vector<std::int64_t> some(kSome.begin(), kSome.end());
  std::erase_if(some, [&](std::int64_t one) { return !fits_bounds(property, one); });
  return some;
}

// brinks_of returns numbers at which what is reckoned may have no end, for a parameter of a tool
// that only reads: no logarithm and no quotient is one of 0. None for what counts or takes its
// time.
std::vector<std::int64_t> brinks_of(const Json& tool, std::string_view name, const Json& property) {
  const Json* const reads = at_pointer(tool, "/annotations/readOnlyHint");
  const bool counts = std::ranges::any_of(words_of(name), [](const std::string& word) {
    return std::ranges::find(kOfHowMany, word) != kOfHowMany.end();
  });
  const bool reckons = is_of(property, "number") && is_made_up(property) && !counts && !waits(name);
  if (reads == nullptr || *reads != Json(true) || !reckons) return {};
  std::vector<std::int64_t> brinks = {0, -1};
  std::erase_if(brinks, [&](std::int64_t one) { return !fits_bounds(property, one); });
  return brinks;
}

// words_of_refusal returns what a reply says went wrong; empty: nothing did.
std::string words_of_refusal(const Reply& reply) {
  if (const Json* const error = reply.error()) return string_or(*error, "message", "an error");
  const Json* const result = reply.result();
  if (result == nullptr || !bool_or(*result, "isError", false)) return {};
  const Json* const text = at_pointer(*result, "/content/0/text");
  return text != nullptr && text->is_string() ? text->get<std::string>() : "an error";
}

// may_mend returns whether a tool may be called again.
bool may_mend(const Json& tool, const ProbeOptions& options) {
  const std::string name = string_or(tool, "name", "");
  const Json* const annotations = find(tool, "annotations");
  const auto says = [annotations](const char* what) {
    return annotations != nullptr && bool_or(*annotations, what, false);
  };
  const Hint* const hint = options.hints.of(name);
  const bool hinted = hint != nullptr && (hint->arguments || (hint->call && !*hint->call));
  const bool may = says("readOnlyHint") || (options.allow_writes && !says("destructiveHint"));
  return may && !hinted && !options.hints.disturbs(name) && may_call_tool(tool, options);
}

// last_refused returns the last call of a tool of which none went well; nullptr: there is none, or
// one did.
const Call* last_refused(const Exercise& exercise, std::string_view tool) {
  const Call* last = nullptr;
  for (const Call& call : exercise.calls) {
    if (call.method != "tools/call" || string_or(call.params, "name", "") != tool) continue;
    if (!call.first || !call.reply.answered()) continue;
    if (words_of_refusal(call.reply).empty()) return nullptr;
    last = &call;
  }
  return last;
}

}  // namespace

std::vector<Json> learned_arguments(const LearnedValues& values, const Json& tool,
                                    const Json& first) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return {};
  Json base = first;
  for (const auto& [name, property] : properties->items()) {
    if (!first.contains(name) || !property.is_object()) continue;
    if (Json list = list_of(values, name, property); !list.is_null()) base[name] = std::move(list);
  }
  const std::vector<Parameter> parameters = parameters_of(values, tool, *properties, first);
  std::size_t rounds = base == first ? 0 : 1;
  for (const Parameter& one : parameters) rounds = std::max(rounds, one.values.size());
  std::vector<Json> calls;
  for (std::size_t number = 0; number < rounds; ++number) {
    Json arguments = base;
    for (const Parameter& one : parameters) {
      const std::size_t at = number < one.values.size() ? number : 0;
      arguments[one.name] = one.values[(at + one.before) % one.values.size()];
    }
    if (arguments != first) calls.push_back(std::move(arguments));
  }
  return calls;
}

const Json* choices_of(const Json& tool, std::string_view parameter) {
  const Json* const schema = find(tool, "inputSchema");
  const Json* const properties = properties_of(tool);
  const Json* property = properties == nullptr ? nullptr : find(*properties, parameter);
  if (property == nullptr) return nullptr;
  if (const Json* const either = at_pointer(*property, "/anyOf/0")) property = either;
  const std::string reference = string_or(*property, "$ref", "");
  if (reference.starts_with("#/")) property = at_pointer(*schema, reference.substr(1));
  const Json* const choices = property == nullptr ? nullptr : find(*property, "enum");
  return choices != nullptr && choices->is_array() && !choices->empty() ? choices : nullptr;
}

std::vector<Json> other_choices(const LearnedValues& values, const Json& tool, const Json& first) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return {};
  std::vector<Json> calls;
  for (const auto& [name, property] : properties->items()) {
    const Json* const choices = choices_of(tool, name);
    if (choices == nullptr) continue;
    for (std::size_t i = 0; i < std::min(choices->size(), kChoicesOfEnumMax); ++i) {
      Json arguments = first;
      arguments[name] = (*choices)[i];
      if (arguments != first) calls.push_back(std::move(arguments));
    }
  }
  for (const auto& [name, property] : properties->items()) {
    if (!property.is_object()) continue;
    for (const auto& numbers : {ends_of(name, property), some_of(name, property, first),
                                brinks_of(tool, name, property)}) {
      for (const std::int64_t number : numbers) {
        Json arguments = first;
        arguments[name] = number;
        if (arguments != first) calls.push_back(std::move(arguments));
      }
    }
  }
  Json ago = long_ago(*properties, first);
  if (ago != first) calls.push_back(std::move(ago));
  Json everything = with_everything(values, *properties, first);
  if (everything != first) calls.push_back(std::move(everything));
  return calls;
}

std::vector<Json> mended_calls(const Survey& survey, const Exercise& exercise,
                               const ProbeOptions& options) {
  std::vector<Json> calls;
  for (const Json& tool : survey.tools.items) {
    const Call* const refused = last_refused(exercise, string_or(tool, "name", ""));
    const Json* const given = refused == nullptr ? nullptr : find(refused->params, "arguments");
    if (given == nullptr || !may_mend(tool, options)) continue;
    for (Json& arguments : mended_arguments(tool, *given, words_of_refusal(refused->reply))) {
      if (calls.size() == kMendedMax) return calls;
      calls.push_back(refused->params);
      calls.back()["arguments"] = std::move(arguments);
    }
  }
  return calls;
}

}  // namespace plumbline::conformance
