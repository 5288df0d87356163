// What tools refuse that their own inputSchema allows: spec, server/tools, Tool. It is read in the
// words of a failure, and told as a warning: no word proves what it is about.

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/catalogue/binding.h"
#include "conformance/catalogue/demands.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/reasons.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/tool_arguments.h"
#include "conformance/peer/name_words.h"
#include "core/base/text.h"
#include "core/base/wait.h"
#include "core/schema/schema.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kFailureBytesMax = 2'000;  // Of a failure that is read.
constexpr std::size_t kWordsBetween = 4;         // A refusal, and the value that it is about.

using Words = std::vector<std::string>;

constexpr std::array<std::string_view, 8> kRefusing = {
    "unknown", "invalid", "unsupported", "unrecognized", "unrecognised", "illegal", "bad", "such"};
constexpr std::array<std::string_view, 11> kAccepting = {
    "valid",      "supported", "known",     "recognized",  "allowed", "accepted",
    "recognised", "one",       "permitted", "implemented", "handled"};
// Words that may stand between a refusal and its value, or a value and its refusal, besides the
// words of the parameter's name.
constexpr std::array<std::string_view, 14> kFillers = {
    "value", "option", "argument", "parameter", "is", "was",   "a",
    "an",    "the",    "of",       "type",      "it", "given", "name"};
// What may be refused of a value that is known: "Invalid transition to closed".
constexpr std::array<std::string_view, 8> kSteps = {"transition",  "move", "change", "step",
                                                    "combination", "from", "to",     "for"};
// What code says that looks a value up and does not find it.
constexpr std::array<std::string_view, 3> kBreakdowns = {"keyerror", "nonetype",
                                                         "keynotfoundexception"};
constexpr std::string_view kOfUndefined = "of undefined";  // Likewise.
// Of a validator that speaks of types.
constexpr std::array<std::string_view, 10> kTypeNames = {
    "string", "number", "integer", "boolean",   "array",
    "object", "list",   "dict",    "undefined", "null"};

bool is_in(std::string_view word, const auto& words) {
  return std::ranges::find(words, word) != words.end();
}

// tokens_of returns the words of a text: letters, digits, '_', '-' and what is beyond ASCII.
Words tokens_of(std::string_view text) {
  Words words;
  bool inside = false;
  for (const char c : text.substr(0, kFailureBytesMax)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool stands = std::isalnum(byte) != 0 || c == '_' || c == '-' || byte > 127;
    if (stands && !inside) words.emplace_back();
    if (stands) words.back() += c;
    inside = stands;
  }
  return words;
}

Words in_small_letters(Words words) {
  for (std::string& word : words) word = lower_case(word);
  return words;
}

// Refusal is a failed call of a tool with arguments that its inputSchema allows.
struct Refusal {
  const Call* call;
  const Json* tool;
  const Json* arguments;
  std::string text;
  Words exact;  // Its words as they are, and in small letters.
  Words words;
};

std::string name_of_tool(const Refusal& one) { return string_or(*one.tool, "name", ""); }

// names_another returns whether the text speaks of a text argument besides `parameter`.
bool names_another(const Refusal& one, std::string_view parameter) {
  for (const auto& [name, value] : one.arguments->items()) {
    const auto* const text = value.get_ptr<const std::string*>();
    if (name == parameter || text == nullptr || text->size() < 2) continue;
    if (mentions(one.text, *text)) return true;
  }
  return false;
}

// refuses_value returns whether a text says of `value` of `parameter` that there is no such:
// "Unknown level Beginner", "kelvin is not a valid unit".
bool refuses_value(const Refusal& one, std::string_view parameter, const std::string& value) {
  const Words wanted = tokens_of(value);
  if (wanted.empty()) return false;
  const Words own = words_of(parameter);
  const auto fills = [&](const std::string& word) {
    return is_in(word, kFillers) || is_in(word, own) || word == lower_case(parameter);
  };
  const Words& words = one.words;
  for (std::size_t at = 0; at + wanted.size() <= words.size(); ++at) {
    const auto here = one.exact.begin() + static_cast<std::ptrdiff_t>(at);
    if (!std::equal(wanted.begin(), wanted.end(), here)) continue;
    std::size_t others = 0;
    for (std::size_t i = at; i > 0 && at - i < kWordsBetween; --i) {
      if (is_in(words[i - 1], kRefusing)) return true;
      if (!fills(words[i - 1]) && (is_in(words[i - 1], kSteps) || ++others > 1)) break;
    }
    for (std::size_t i = at + wanted.size(); i < words.size() && i - at < kWordsBetween; ++i) {
      if (is_in(words[i], kRefusing)) return true;
      if (words[i] == "not" && i + 1 < words.size()) {
        const bool article = words[i + 1] == "a" || words[i + 1] == "an";
        const std::size_t verdict = i + (article ? 2 : 1);
        return verdict < words.size() && is_in(words[verdict], kAccepting);
      }
      if (!fills(words[i])) break;
    }
  }
  return false;
}

// takes_another returns whether the same tool took another value of `parameter`.
bool takes_another(const Exercise& exercise, const Refusal& one, const std::string& parameter) {
  return std::ranges::any_of(exercise.calls, [&](const Call& call) {
    const Json* const arguments = find(call.params, "arguments");
    return call.method == "tools/call" && string_or(call.params, "name", "") == name_of_tool(one) &&
           call.complete() != nullptr && text_of_failure(call.reply).empty() &&
           arguments != nullptr && find(*arguments, parameter) != nullptr;
  });
}

// names_value returns whether the words of a text that a failure names are in it.
bool names_value(const Refusal& one, const std::string& value) {
  const Words wanted = tokens_of(value);
  return !wanted.empty() && !std::ranges::search(one.exact, wanted).empty();
}

// cannot_bind returns whether a failure that names a choice says that no such one is known to the
// code: "No enum constant Level.LOW".
bool cannot_bind(const Refusal& one, const Json& value, const std::string& text) {
  return value.is_string() && text.size() > 1 && names_value(one, text) &&
         tells_of_binding(one.text, *one.arguments);
}

// breaks_down returns whether a failure that names `value` is one of the code, and the same call
// with another value of `parameter` went well: KeyError: 'lb'.
bool breaks_down(const Exercise& exercise, const Refusal& one, const std::string& parameter,
                 const std::string& value) {
  const bool broken = std::ranges::any_of(
      one.words, [](const std::string& word) { return is_in(word, kBreakdowns); });
  const bool told = broken || mentions(lower_case(one.text), kOfUndefined);
  if (!told || !names_value(one, value) || !says_hint(*one.tool, "readOnlyHint", true))
    return false;
  return std::ranges::any_of(exercise.calls, [&](const Call& call) {
    const Json* const arguments = find(call.params, "arguments");
    if (call.method != "tools/call" || string_or(call.params, "name", "") != name_of_tool(one) ||
        call.complete() == nullptr || !text_of_failure(call.reply).empty() ||
        arguments == nullptr || find(*arguments, parameter) == nullptr) {
      return false;
    }
    Json same = *arguments;
    same[parameter] = (*one.arguments)[parameter];
    return same == *one.arguments;
  });
}

// plain_text_of returns a text, or a number as it is written.
std::string plain_text_of(const Json& value) {
  const auto* const text = value.get_ptr<const std::string*>();
  if (text != nullptr) return *text;
  return value.is_number() ? dump_json(value) : "";
}

// refused_choice says which value of an enum is refused; empty: none.
std::string refused_choice(const Refusal& one, const Exercise& exercise) {
  for (const auto& [name, value] : one.arguments->items()) {
    const Json* const choices = choices_of(*one.tool, name);
    if (choices == nullptr) continue;
    if (std::find(choices->begin(), choices->end(), value) == choices->end()) continue;
    const std::string text = plain_text_of(value);
    const bool refused = refuses_value(one, name, text) || cannot_bind(one, value, text) ||
                         breaks_down(exercise, one, name, text);
    if (!refused || names_another(one, name)) continue;
    const std::string which = takes_another(exercise, one, name) ? "" : "each value, as ";
    return "refuses " + which + shortened(dump_json(value)) +
           ", which its inputSchema lists for \"" + name + "\"";
  }
  return {};
}

// missed_parameter says what the tool misses that its schema does not ask for; empty: nothing.
std::string missed_parameter(const Refusal& one) {
  const Json* const properties = properties_of(one.tool);
  if (properties == nullptr) return {};
  if (depends_on_something(one.words)) return {};
  std::string missed;
  for (std::size_t at = 0; at < one.exact.size(); ++at) {
    if (!properties->contains(one.exact[at]) || !is_demanded(one.words, at)) continue;
    if (one.arguments->contains(one.exact[at])) return {};
    missed = one.exact[at];
  }
  if (!missed.empty()) return "asks for \"" + missed + "\", which its inputSchema does not require";
  for (std::size_t at = 0; at < one.exact.size(); ++at) {
    const std::string& word = one.exact[at];
    if (words_of(word).size() < 2 || !is_demanded(one.words, at)) continue;
    for (const auto& [name, property] : properties->items()) {
      if (words_of(word) != words_of(name) || !one.arguments->contains(name)) continue;
      return "asks for \"" + word + "\", which its inputSchema calls \"" + name + "\"";
    }
  }
  return {};
}

// says_type returns whether one of `verbs` stands before the name of a type.
bool says_type(const Words& words, const auto& verbs) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (is_in(words[i], verbs) && is_in(words[i + 1], kTypeNames)) return true;
  }
  return false;
}

// complains_of_types returns whether a validator's words about a parameter are in a text: "days:
// expected number, received string".
bool complains_of_types(const Refusal& one) {
  constexpr std::array<std::string_view, 1> kWanted = {"expected"};
  constexpr std::array<std::string_view, 3> kGot = {"received", "got", "found"};
  const Json* const properties = properties_of(one.tool);
  if (properties == nullptr) return false;
  const bool names_one = std::ranges::any_of(
      one.exact, [&](const std::string& word) { return properties->contains(word); });
  return names_one && says_type(one.words, kWanted) && says_type(one.words, kGot);
}

// is_about_its_result returns whether it is what the tool made that was refused.
bool is_about_its_result(const Refusal& one) {
  return is_in("output", one.words) || is_in("structured", one.words);
}

std::string what_is_refused(const Refusal& one, const Exercise& exercise) {
  std::string what = refused_choice(one, exercise);
  if (what.empty()) what = missed_parameter(one);
  const auto is_choice = [&](const std::string& name) {
    const Json* const choices = choices_of(*one.tool, name);
    const Json* const given = find(*one.arguments, name);
    return choices != nullptr && std::ranges::find(*choices, *given) != choices->end();
  };
  const bool types =
      complains_of_types(one) || refuses_to_bind(one.text, *one.arguments, is_choice);
  if (what.empty() && types && !is_about_its_result(one)) {
    what = "refuses arguments that its inputSchema allows";
  }
  return what;
}

constexpr std::size_t kUnnamedArgumentsMax = 3;  // Tools that are called with more than they name.
constexpr const char* kOther = "plumbline_extra";

// with_another returns the params of a call that a tool that only reads has answered, with one
// argument more, which its schema does not name and lets be; null: there are none.
Json with_another(Probe* probe, const Call& call) {
  const std::string name = string_or(call.params, "name", "");
  const Json* const tool = call.method == "tools/call" ? probe->survey().tool(name) : nullptr;
  const Json* const input = tool == nullptr ? nullptr : find(*tool, "inputSchema");
  const Json* const given = find(call.params, "arguments");
  const bool good = call.complete() != nullptr && text_of_failure(call.reply).empty();
  if (input == nullptr || !says_hint(*tool, "readOnlyHint", true) || !good) return nullptr;
  if (given == nullptr || !given->is_object() || !call.wants.empty()) return nullptr;
  Json params = call.params;
  params["arguments"][kOther] = 1;
  const Result<schema::Schema> schema = probe->measured().compile(*input);
  if (!schema.ok()) return nullptr;
  const bool allowed = !probe->measured().violation(schema.value(), params["arguments"]);
  return allowed && probe->measured().decides() ? params : Json();
}

// takes_others calls a few tools with an argument that their schema does not name. What is refused
// is told where the refusal names it.
Task<Finding> takes_others(Probe* probe, const Exercise* exercise) {
  std::vector<Json> trials;
  for (const Call& call : exercise->calls) {
    Json params = trials.size() < kUnnamedArgumentsMax ? with_another(probe, call) : Json();
    if (!params.is_null()) trials.push_back(std::move(params));
    co_await Sleep(probe->loop(), probe->loop().now());
  }
  if (trials.empty()) co_return passes();
  Client client = co_await probe->open(probe->usual());
  if (!client.session().usable()) co_return passes();
  for (const Json& params : trials) {
    const Reply reply = co_await client.request("tools/call", params);
    const std::string text = text_of_failure(reply);
    if (text.find(kOther) == std::string::npos) continue;
    co_return about(
        broken("the tool \"" + shortened(string_or(params, "name", "")) + "\" refuses \"" + kOther +
               "\", an argument that its inputSchema does not name and lets be, for "
               "additionalProperties is not false: \"" +
               shortened(trimmed(text)) + "\""),
        reply);
  }
  co_return passes();
}

// with_text returns the params of a call with `more` behind its first text that may be any; null:
// it has none.
Json with_text(Probe& probe, const Json& params, const char* more, std::string& parameter) {
  const Json* const tool = probe.survey().tool(string_or(params, "name", ""));
  const Json* const properties = tool == nullptr ? nullptr : properties_of(*tool);
  const Json* const arguments = find(params, "arguments");
  if (properties == nullptr || arguments == nullptr) return nullptr;
  for (const auto& [name, value] : arguments->items()) {
    const Json* const property = find(*properties, name.c_str());
    const bool any = property != nullptr && value.is_string() && !is_stated(*property) &&
                     !property->contains("pattern") && !property->contains("maxLength");
    if (!any) continue;
    Json changed = params;
    changed["arguments"][name] = value.get<std::string>() + more;
    parameter = name;
    return changed;
  }
  return nullptr;
}

// takes_letters calls a few tools that only read with a letter beyond ASCII. What is no result is
// told where the same call with another letter gets one.
Task<Finding> takes_letters(Probe* probe, const Exercise* exercise) {
  Client client = co_await probe->open(probe->usual());
  for (const Json& good : reading_calls(*probe, *exercise, kUnnamedArgumentsMax)) {
    std::string parameter;
    const Json params = with_text(*probe, good, "\u00e9", parameter);
    if (params.is_null() || !client.session().usable()) continue;
    const Reply reply = co_await client.request("tools/call", params);
    const bool fails = reply.error() != nullptr && reply.code() != -32602;
    if (!fails) continue;
    const Reply plain =
        co_await client.request("tools/call", with_text(*probe, good, "e", parameter));
    if (plain.result() == nullptr) continue;
    co_return about(broken("the tool \"" + shortened(string_or(params, "name", "")) + "\" got " +
                           reply.describe() + " for a text with a letter beyond ASCII in \"" +
                           shortened(parameter) + "\", and a result without it"),
                    reply, plain);
  }
  co_return passes();
}

Task<Finding> takes_what_its_schema_allows(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  std::vector<std::string> told;  // Tools of which something was said.
  for (const Call& call : exercise.calls) {
    const std::string name = string_or(call.params, "name", "");
    const Json* const tool = call.method == "tools/call" ? probe.survey().tool(name) : nullptr;
    const Json* const arguments = find(call.params, "arguments");
    const Json* const input = tool == nullptr ? nullptr : find(*tool, "inputSchema");
    if (input == nullptr || arguments == nullptr || !arguments->is_object()) continue;
    co_await Sleep(probe.loop(), probe.loop().now());  // A schema may take long.
    const Result<schema::Schema> schema = probe.measured().compile(*input);
    if (!schema.ok() || probe.measured().violation(schema.value(), *arguments)) continue;
    tally.saw();
    Refusal one{&call, tool, arguments, text_of_failure(call.reply), {}, {}};
    if (one.text.empty() || is_in(name, told)) continue;
    one.exact = tokens_of(one.text);
    one.words = in_small_letters(one.exact);
    const std::string what = what_is_refused(one, exercise);
    if (what.empty()) continue;
    told.push_back(name);
    tally.wrong("the tool \"" + shortened(name) + "\" " + what + ": \"" +
                    shortened(trimmed(one.text)) + "\"",
                call.evidence);
  }
  if (tally.clean()) {
    Finding others = co_await takes_others(&probe, &exercise);
    if (others.verdict == Verdict::kPass) others = co_await takes_letters(&probe, &exercise);
    if (others.verdict != Verdict::kPass) co_return std::move(others);
  }
  co_return tally.finding("no tool was called with what its inputSchema allows");
}

constexpr ServerCheck kToolsRefusalsChecks[] = {
    {"tools.valid-arguments-taken", Eras::kBoth, SessionUse::kOpens, takes_what_its_schema_allows},
};

}  // namespace

ServerChecks tools_refusals_checks() { return kToolsRefusalsChecks; }

}  // namespace plumbline::conformance
