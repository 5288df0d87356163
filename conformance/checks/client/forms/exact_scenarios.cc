// Calls as they were given: spec, server/tools, Calling Tools.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "conformance/checks/client/forms/exact_arguments.h"
#include "conformance/checks/client/script_kit.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// The tool that has two optional properties more, of which nothing is said.
constexpr std::string_view kWithOptional = "exact_some";
// Tools whose properties say nothing of their types, and name text beside another type.
constexpr std::string_view kOfAnyType = "exact_any";
constexpr std::string_view kOfSeveralTypes = "exact_several";
constexpr std::string_view kOddName = "exact-Name.of_2";

// ExactCalls says in the context what to call with: a kind of value in each tool.
class ExactCalls final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools.clear();
    const Json told = context();
    for (const Json& call : *find(told, "toolCalls")) {
      Json tool = bare_tool(string_or(call, "name", ""));
      Json& schema = tool["inputSchema"];
      schema["required"] = Json::array();
      const Json& arguments = call["arguments"];
      for (auto item = arguments.begin(); item != arguments.end(); ++item) {
        schema["properties"][item.key()] = schema_of(string_or(call, "name", ""), *item);
        schema["required"].push_back(item.key());
      }
      if (string_or(tool, "name", "") == kWithOptional) {
        schema["properties"]["unset"]["type"] = "string";
        schema["properties"]["limit"]["type"] = "integer";
      }
      peer.offer.tools.push_back(std::move(tool));
    }
  }

  Json context() const override {
    // A number that JavaScript cannot tell from another is the same as that one: see difference().
    return json_of(R"json({"toolCalls": [
        {"name": "exact_texts", "arguments": {"mark": "plumbline-exact", "empty": "", "blank": " ",
            "number": "42", "truth": "true", "none": "null", "object": "{\"a\": 1}", "list": "[]",
            "lines": "one\r\n\ttwo\n", "quotes": "\"'`\\ \\n %20 +&?",
            "foreign": "Zu\u0308rich \u2028 \uFEFF\u4E16\u754C \uD83D\uDE80"}},
        {"name": "exact_numbers", "arguments": {"mark": "plumbline-exact", "zero": 0, "one": 1,
            "below": -1, "float": 0.1, "small": 1.5e-7, "large": 1e300, "int32": 2147483648,
            "safe": 9007199254740991, "beyond": 9007199254740993, "no": false}},
        {"name": "exact_lists", "arguments": {"mark": "plumbline-exact", "empty": [],
            "mixed": [0, "", false, null, {}, []], "deep": [[[["a"]]], [[]]], "one": ["alone"]}},
        {"name": "exact_objects", "arguments": {"mark": "plumbline-exact", "empty": {},
            "deep": {"": "no name", "a b": {"c": {"d": [{"e": ""}]}}, "list": [], "none": null},
            "outer": {"mark": "inside", "arguments": {"name": "x"}}}},
        {"name": "exact_nothing", "arguments": {"mark": "plumbline-exact", "none": null}},
        {"name": "exact_any", "arguments": {"mark": "plumbline-exact", "number": 42, "truth": true,
            "none": null, "object": {"a": [1]}, "list": [1, "2"], "text": "42"}},
        {"name": "exact_several", "arguments": {"mark": "plumbline-exact", "number": 42,
            "truth": true, "object": {"a": [1]}, "list": [1, "2"], "text": "42"}},
        {"name": "exact_some", "arguments": {"mark": "plumbline-exact", "set": "one"}},
        {"name": "exact-Name.of_2", "arguments": {"mark": "plumbline-exact"}}]})json");
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("tools.call-arguments-exact", finding(record));
    verdicts.say("tools.call-name-exact", names(record));
  }

 private:
  // schema_of lets in the value, and in some tools those of other types as well.
  static Json schema_of(const std::string& tool, const Json& value) {
    if (tool == kOfAnyType) return Json::object();
    const Json type = type_of(value);
    if (tool != kOfSeveralTypes || value.is_string()) return type;
    Json schema(Json::value_t::object);
    Json text(Json::value_t::object);
    text["type"] = "string";
    schema["anyOf"] = Json::array({text, type});
    return schema;
  }

  static Json type_of(const Json& value) {
    Json schema(Json::value_t::object);
    schema["type"] = value.is_string()    ? "string"
                     : value.is_boolean() ? "boolean"
                     : value.is_number()  ? "number"
                     : value.is_array()   ? "array"
                     : value.is_object()  ? "object"
                                          : "null";
    return schema;
  }

  // names holds each call to the names that were listed.
  Finding names(const Record& record) const {
    const std::vector<const Heard*> calls = record.requests("tools/call");
    if (calls.empty()) return never_came(record, "called a tool");
    const Json told = context();
    std::string listed;
    for (const Json& one : *find(told, "toolCalls")) {
      listed += (listed.empty() ? "" : ", ") + string_or(one, "name", "");
    }
    for (const Heard* const call : calls) {
      const std::string name = call->param("name");
      const bool known = std::ranges::any_of(*find(told, "toolCalls"), [&](const Json& one) {
        return string_or(one, "name", "") == name;
      });
      if (known) continue;
      return at(record, *call,
                broken("it called a tool by the name \"" + clipped(name) +
                       "\", and those that are listed are " + listed +
                       ": names are handed back as they are, whatever they are shown as"));
    }
    if (record.called(kOddName) != nullptr) return passes();
    return not_for_it("it did not call " + std::string(kOddName));
  }

  Finding finding(const Record& record) const {
    const std::vector<const Heard*> calls = record.requests("tools/call");
    if (calls.empty()) return never_came(record, "called a tool");
    bool follows = false;
    for (const Heard* const call : calls) follows |= is_marked(*call, "plumbline-exact");
    if (!follows) {
      return not_for_it(
          "it calls with arguments of its own, not with those of MCP_CONFORMANCE_CONTEXT");
    }
    const Json told = context();
    for (const Json& expected : *find(told, "toolCalls")) {
      const Heard* const call = record.called(string_or(expected, "name", ""));
      if (call == nullptr) continue;  // It may refuse what it does not like.
      const std::string wrong = difference_of(*call, expected["arguments"]);
      if (!wrong.empty()) return at(record, *call, broken(wrong));
    }
    return passes();
  }
};

constexpr std::string_view kExactCallsIds[] = {"tools.call-arguments-exact",
                                               "tools.call-name-exact"};

constexpr ClientScenario kExactScenarios[] = {
    {"tools_call", "exact-calls", Eras::kBoth, Over::kAny, "", kExactCallsIds,
     make_script<ExactCalls>},
};

}  // namespace

ClientScenarios exact_scenarios() { return kExactScenarios; }

}  // namespace plumbline::conformance
