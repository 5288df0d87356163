// Wrong peers for tools_refusals.cc.

#include <string>

#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

// schema_of returns the inputSchema of add_numbers in an answer to tools/list; nullptr: it is none.
Json* schema_of(Interceptor& interceptor, Json& message) {
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  Json* const tool = edit::in_list(list, "tools", "add_numbers");
  return tool == nullptr ? nullptr : &(*tool)["inputSchema"];
}

// argument returns what add_numbers was called with; null: nothing, or it is no such call.
Json argument(Interceptor& interceptor, const Json& message, const char* name) {
  const Json params = edit::params_asked(interceptor, message);
  const Json* const arguments = find(params, "arguments");
  const Json* const value = arguments == nullptr ? nullptr : find(*arguments, name);
  return value == nullptr ? Json() : *value;
}

void fail_instead(Json& message, std::string text) {
  Json failure = edit::text_result(std::move(text));
  failure["isError"] = true;
  edit::answer_instead(message, std::move(failure));
}

// spells_its_modes_otherwise lists them with capitals, and knows them in small letters.
void spells_its_modes_otherwise(Interceptor& interceptor, Json message) {
  if (Json* const schema = schema_of(interceptor, message)) {
    (*schema)["properties"]["mode"] = {{"type", "string"}, {"enum", {"Exact", "Rounded"}}};
    (*schema)["required"].push_back("mode");
  } else if (edit::is_of(interceptor, message, "add_numbers")) {
    const Json mode = argument(interceptor, message, "mode");
    fail_instead(message, mode.is_string() ? "Unknown mode " + mode.get<std::string>() + "."
                                           : std::string("A mode has to be given."));
  }
  interceptor.say(message);
}

// forgets_a_mode lists one that it does not know.
void forgets_a_mode(Interceptor& interceptor, Json message) {
  if (Json* const schema = schema_of(interceptor, message)) {
    (*schema)["properties"]["mode"] = {{"type", "string"}, {"enum", {"exact", "rounded"}}};
  } else if (const Json mode = argument(interceptor, message, "mode"); mode == "rounded") {
    fail_instead(message, "'rounded' is not a supported mode");
  } else if (!mode.is_null() && mode != "exact") {
    fail_instead(message, "A mode is a text.");
  }
  interceptor.say(message);
}

// looks_a_mode_up in a table in which one that it lists is missing.
void looks_a_mode_up(Interceptor& interceptor, Json message) {
  if (Json* const schema = schema_of(interceptor, message)) {
    (*schema)["properties"]["mode"] = {{"type", "string"}, {"enum", {"exact", "rounded"}}};
  } else if (const Json mode = argument(interceptor, message, "mode"); mode == "rounded") {
    fail_instead(message, "KeyError: 'rounded'");
  } else if (!mode.is_null() && mode != "exact") {
    fail_instead(message, "A mode is a text.");
  }
  interceptor.say(message);
}

// needs_what_is_optional wants a second number, which its schema does not require.
void needs_what_is_optional(Interceptor& interceptor, Json message) {
  if (Json* const schema = schema_of(interceptor, message)) {
    (*schema)["required"] = {"a"};
  } else if (edit::is_of(interceptor, message, "add_numbers") &&
             argument(interceptor, message, "b").is_null()) {
    fail_instead(message, "b is required");
  }
  interceptor.say(message);
}

// reads_as_kotlin_does fails without it as well, in the words of kotlinx.serialization.
void reads_as_kotlin_does(Interceptor& interceptor, Json message) {
  if (Json* const schema = schema_of(interceptor, message)) {
    (*schema)["required"] = {"a"};
  } else if (edit::is_of(interceptor, message, "add_numbers") &&
             argument(interceptor, message, "b").is_null()) {
    fail_instead(message,
                 "Field 'b' is required for type with serial name 'Sum', but it was missing");
  }
  interceptor.say(message);
}

// wants_another_type says that a number is a text, and refuses texts.
void wants_another_type(Interceptor& interceptor, Json message) {
  if (Json* const schema = schema_of(interceptor, message)) {
    (*schema)["properties"]["a"]["type"] = "string";
  } else if (argument(interceptor, message, "a").is_string()) {
    fail_instead(message, "a: expected number, received string");
  }
  interceptor.say(message);
}

// makes_no_choice has a mode with choices, and fails at each of them.
void makes_no_choice(Interceptor& interceptor, Json message) {
  if (Json* const schema = schema_of(interceptor, message)) {
    (*schema)["properties"]["mode"] = {{"type", "string"}, {"enum", {"exact", "rounded"}}};
    (*schema)["required"].push_back("mode");
  } else if (edit::is_of(interceptor, message, "add_numbers")) {
    const Json mode = argument(interceptor, message, "mode");
    const bool known = mode == "exact" || mode == "rounded";
    fail_instead(message, known ? "argument type mismatch" : "A mode has to be given.");
  }
  interceptor.say(message);
}

// has_no_constant for one of its choices.
void has_no_constant(Interceptor& interceptor, Json message) {
  if (Json* const schema = schema_of(interceptor, message)) {
    (*schema)["properties"]["mode"] = {{"type", "string"}, {"enum", {"exact", "rounded"}}};
  } else if (const Json mode = argument(interceptor, message, "mode"); mode == "rounded") {
    fail_instead(message, "No enum constant Mode.rounded");
  } else if (!mode.is_null() && mode != "exact") {
    fail_instead(message, "A mode is a text.");
  }
  interceptor.say(message);
}

// decodes_as_swift_does takes no whole number for a number.
void decodes_as_swift_does(Interceptor& interceptor, Json message) {
  if (argument(interceptor, message, "a").is_number_integer()) {
    const Json params = edit::params_asked(interceptor, message);
    fail_instead(message, "Decoding error. Received: " + dump_json(params["arguments"]));
  }
  interceptor.say(message);
}

// knows_its_own_alone refuses what its schema does not name, and lets be.
void knows_its_own_alone(Interceptor& interceptor, Json message) {
  if (Json* const schema = schema_of(interceptor, message)) {
    schema->erase("additionalProperties");
  } else if (!argument(interceptor, message, "plumbline_extra").is_null()) {
    fail_instead(message, "unknown argument: plumbline_extra");
  }
  interceptor.say(message);
}

// knows_ascii_alone fails over a name with other letters.
void knows_ascii_alone(Interceptor& interceptor, Json message) {
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(list, "tools", "greet")) {
    (*tool)["annotations"]["readOnlyHint"] = true;
  }
  const Json name = argument(interceptor, message, "name");
  const bool other = name.is_string() && dump_json(name).find("\u00e9") != std::string::npos;
  if (other && message.contains("result")) {
    edit::refuse_instead(message, -32000);
    message["error"]["message"] = "Internal tool error";
  }
  interceptor.say(message);
}

const Deviation kToolsRefusalsDeviations[] = {
    {.id = "tools.valid-arguments-taken",
     .revision = "2025-11-25",
     .what = "fails over letters beyond ASCII",
     .from_server = knows_ascii_alone},
    {.id = "tools.valid-arguments-taken",
     .revision = "2025-11-25",
     .what = "refuses what its schema does not name",
     .from_server = knows_its_own_alone},
    {.id = "tools.valid-arguments-taken",
     .revision = "2025-11-25",
     .what = "knows each value of an enum in another spelling alone",
     .from_server = spells_its_modes_otherwise},
    {.id = "tools.valid-arguments-taken",
     .revision = "2026-07-28",
     .what = "lists one value of an enum that it does not know",
     .from_server = forgets_a_mode},
    {.id = "tools.valid-arguments-taken",
     .revision = "2025-11-25",
     .what = "breaks down over a value of an enum that it lists",
     .from_server = looks_a_mode_up},
    {.id = "tools.valid-arguments-taken",
     .revision = "2025-11-25",
     .what = "needs an argument that its schema calls optional",
     .from_server = needs_what_is_optional},
    {.id = "tools.valid-arguments-taken",
     .revision = "2025-11-25",
     .what = "says in Kotlin's words that it needs what its schema calls optional",
     .from_server = reads_as_kotlin_does},
    {.id = "tools.valid-arguments-taken",
     .revision = "2025-11-25",
     .what = "has one type in its schema and another in its code",
     .from_server = wants_another_type},
    {.id = "tools.valid-arguments-taken",
     .revision = "2025-11-25",
     .what = "cannot make its own choice of a text",
     .from_server = makes_no_choice},
    {.id = "tools.valid-arguments-taken",
     .revision = "2026-07-28",
     .what = "has no constant for a choice",
     .from_server = has_no_constant},
    {.id = "tools.valid-arguments-taken",
     .revision = "2025-11-25",
     .what = "decodes whole numbers as no numbers",
     .from_server = decodes_as_swift_does},
};

}  // namespace

Deviations tools_refusals_deviations() { return kToolsRefusalsDeviations; }

}  // namespace plumbline::conformance
