#include "conformance/catalogue/binding.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>

#include "conformance/catalogue/mentions.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kTextMax = 2'000;  // Letters of a failure that are read.

// In small letters, by whose reader of JSON or of arguments says it.
constexpr auto kOfBinders = std::to_array<std::string_view>({
    // Java and Kotlin: reflection, enums, Jackson, Gson, Spring, kotlinx.serialization.
    "argument type mismatch",
    "cannot be cast to",
    "no enum constant",
    "cannot deserialize value of type",
    "cannot construct instance of",
    "cannot coerce",
    "failed to convert",
    "no converter found capable of converting",
    "does not contain element with name",
    // Swift.
    "decoding error",
    "decodingerror",
    "typemismatch",
    "keynotfound",
    "valuenotfound",
    "datacorrupted",
    "because it isn't in the correct format",
    "because it isn\u2019t in the correct format",
    // Rust: serde.
    "invalid type: ",
    "invalid value: ",
    "unknown variant",
    // Go: encoding/json, mapstructure.
    "cannot unmarshal",
    "got unconvertible type",
    // .NET.
    "could not be converted to",
    "cannot be converted to type",
    "cannot get the value of a token type",
    "requires an element of type",
    // Python: Pydantic, jsonschema, a function of other names.
    "input should be",
    "is not of type",
    "got an unexpected keyword argument",
    // JavaScript and TypeScript: zod, Ajv.
    "invalid_type",
    "invalid_enum_value",
    "invalid enum value",
    "invalid option: expected one of",
    "must be equal to one of the allowed values",
    // PHP, Dart.
    "must be of type",
    "is not a valid backing value for enum",
    "is not a subtype of type",
});

// By these alone it is arguments that are meant.
constexpr auto kOfArguments = std::to_array<std::string_view>(
    {"failed to deserialize parameters", "failed to deserialize arguments",
     "failed to unmarshal arguments", "failed to bind arguments"});

// What a text has that is about an answer which the tool was given by somebody else, or has made.
constexpr auto kOfTheirAnswers = std::to_array<std::string_view>(
    {"response", "responses", "reply", "upstream", "api", "http", "https", "status", "output",
     "structured", "result", "results", "returned", "fetched", "config", "database"});

// Words of those who say it: a parameter that is called so is named in quotes alone.
constexpr auto kOwnWords = std::to_array<std::string_view>(
    {"value",  "type",     "name",  "data",   "input",   "field",   "object",  "number",
     "string", "integer",  "array", "list",   "boolean", "key",     "path",    "line",
     "column", "position", "text",  "format", "source",  "element", "options", "constant",
     "class",  "enum",     "valid", "index",  "json",    "token",   "instance"});

// stands_as_word returns whether `word` is in `text` with no letter or digit beside it.
bool stands_as_word(std::string_view text, std::string_view word) {
  const auto is_letter = [&](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size())) return true;
  }
  return false;
}

bool is_named(std::string_view text, const std::string& name) {
  for (const char quote : {'"', '\'', '`'}) {
    if (mentions(text, quote + name + quote)) return true;
  }
  const bool own = std::ranges::find(kOwnWords, lower_case(name)) != kOwnWords.end();
  return name.size() > 1 && !own && stands_as_word(text, name);
}

}  // namespace

bool tells_of_binding(std::string_view text, const Json& arguments) {
  const std::string low = lower_case(text.substr(0, kTextMax));
  if (!mentions_any(low, kOfBinders) && !mentions_any(low, kOfArguments)) return false;
  return std::ranges::none_of(kOfTheirAnswers, [&](std::string_view word) {
    return stands_as_word(low, word) && !arguments.contains(std::string(word));
  });
}

bool refuses_to_bind(std::string_view text, const Json& arguments,
                     const std::function<bool(const std::string& name)>& is_choice) {
  if (!arguments.is_object() || arguments.empty() || !tells_of_binding(text, arguments)) {
    return false;
  }
  const std::string_view read = text.substr(0, kTextMax);
  const std::string low = lower_case(read);
  bool plain = true;
  for (const auto& [name, value] : arguments.items()) {
    const bool is = value.is_number() || value.is_boolean() || is_choice(name);
    if (is && is_named(read, name)) return true;
    plain = plain && is;
  }
  const bool of_arguments =
      mentions_any(low, kOfArguments) || mentions(low, "argument type mismatch");
  return plain && of_arguments;
}

}  // namespace plumbline::conformance
