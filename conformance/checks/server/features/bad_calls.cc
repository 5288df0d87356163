#include "conformance/checks/server/features/bad_calls.h"

#include <iterator>
#include <string_view>
#include <utility>

#include "core/base/wait.h"
#include "core/schema/schema.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kBadlyCalledMax = 6;
constexpr std::size_t kWrongOfAKind = 3;  // Of a kind, that are made wrong one after the other.

Json of_no_type(std::string_view type) {
  if (type == "string") return Json::object();
  return "plumbline";
}

bool is_plain_type(const Json& property) {
  const Json* const type = find(property, "type");
  return type != nullptr && type->is_string() && find(property, "anyOf") == nullptr &&
         find(property, "oneOf") == nullptr && find(property, "allOf") == nullptr;
}

// candidates_for returns calls that are wrong in one way, at most `each` of a kind.
std::vector<BadCall> candidates_for(const Json& good, const Json& schema, std::size_t each) {
  std::vector<BadCall> calls;
  const Json* const required = find(schema, "required");
  std::size_t left_out = 0;
  for (const Json& one : required != nullptr && required->is_array() ? *required : Json::array()) {
    if (!one.is_string() || left_out++ == each) break;
    const std::string name = one.get_ref<const std::string&>();
    calls.push_back({good, "without the required \"" + name + "\"", false});
    calls.back().params["arguments"].erase(name);
  }
  const Json* const properties = find(schema, "properties");
  if (properties != nullptr && properties->is_object()) {
    std::size_t mistyped = 0;
    for (const auto& [name, property] : properties->items()) {
      if (!is_plain_type(property)) continue;
      if (mistyped++ == each) break;
      const std::string type = string_or(property, "type", "");
      const Json wrong = of_no_type(type);
      calls.push_back(
          {good, "with " + dump_json(wrong) + " for \"" + name + "\", of the type " + type, false});
      calls.back().params["arguments"][name] = wrong;
    }
  }
  calls.push_back({good, "with an argument that its inputSchema does not allow", true});
  calls.back().params["arguments"]["plumbline_extra"] = 1;
  return calls;
}

// good_params returns the params of the first call of a tool that went well, or of one that may.
Json good_params(Probe& probe, const Exercise& exercise, const Json& tool) {
  for (const Call* const call : exercise.completed("tools/call")) {
    const bool same = string_or(call->params, "name", "") == string_or(tool, "name", "");
    if (same && call->first && !bool_or(*call->complete(), "isError", false)) return call->params;
  }
  return probe.call_params(tool);
}

}  // namespace

std::string about_something_else(const std::string& tool, const std::string& reason) {
  return "the tool \"" + tool + "\" fails for another reason than its arguments: " + reason;
}

std::vector<BadCall> bad_calls(Probe& probe, const Json& tool, const Json& good) {
  const Json* const input = find(tool, "inputSchema");
  if (input == nullptr) return {};
  Measured& measured = probe.measured();
  const Result<schema::Schema> schema = measured.compile(*input);
  if (!schema.ok()) return {};
  const Json* const arguments = find(good, "arguments");
  if (arguments == nullptr) return {};
  if (measured.violation(schema.value(), *arguments) || !measured.decides()) return {};
  std::vector<BadCall> calls = candidates_for(good, *input, probe.as_many(kWrongOfAKind));
  std::erase_if(calls, [&](const BadCall& call) {
    return !measured.violation(schema.value(), call.params["arguments"]);
  });
  return calls;
}

Task<std::vector<BadCall>> calls_to_refuse(Probe& probe, const char* having) {
  const Exercise& exercise = *co_await probe.exercise();
  std::vector<BadCall> all;
  std::size_t tools = 0;
  for (const Json& tool : probe.survey().tools.items) {
    if (tools == kBadlyCalledMax || !probe.measured().decides()) break;
    if (!probe.may_call(tool) || (having != nullptr && find(tool, having) == nullptr)) continue;
    co_await Sleep(probe.loop(), probe.loop().now());
    std::vector<BadCall> calls = bad_calls(probe, tool, good_params(probe, exercise, tool));
    tools += calls.empty() ? 0 : 1;
    all.insert(all.end(), std::make_move_iterator(calls.begin()),
               std::make_move_iterator(calls.end()));
  }
  co_return std::move(all);
}

}  // namespace plumbline::conformance
