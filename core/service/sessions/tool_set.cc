#include "core/service/sessions/tool_set.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/base/text.h"

namespace plumbline::service {

namespace {

constexpr std::size_t kFaultsMax = 50;  // Told of one call.
// What a worker may say of a tool. An outputSchema would promise what nobody here checks.
constexpr auto kMembers = std::to_array<std::string_view>(
    {"name", "title", "description", "inputSchema", "annotations", "icons"});

Error wrong(std::string what) { return {ErrorCode::kInvalidInput, std::move(what)}; }

bool is_tool_name(std::string_view name) {
  return !name.empty() && name.size() <= kToolNameBytesMax && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
}

// is_shaped returns what is wrong with the members of a tool but its name and schema.
Status check_members(const Json& description, const std::string& name) {
  for (const auto& [member, value] : description.items()) {
    if (std::ranges::find(kMembers, member) == kMembers.end()) {
      return wrong("tool " + name + " has a member \"" + clipped(member, 64) +
                   "\", expected name, title, description, inputSchema, annotations, icons");
    }
    const bool text = member == "title" || member == "description";
    if (text && !value.is_string()) return wrong("tool " + name + ": " + member + " is no string");
    if (member == "annotations" && !value.is_object()) {
      return wrong("tool " + name + ": annotations is no object");
    }
    if (member == "icons" && !value.is_array()) {
      return wrong("tool " + name + ": icons is no array");
    }
  }
  return Done{};
}

}  // namespace

Json Tool::faults_of(const Json& arguments) const {
  Json faults = Json::array();
  for (const schema::Violation& violation : schema.validate_all(arguments, kFaultsMax)) {
    faults.push_back({{"path", violation.instance_pointer}, {"message", violation.message}});
  }
  return faults;
}

Result<Tool> read_tool(const Json& description) {
  if (!description.is_object()) {
    return wrong("a tool is " + std::string(type_name(description)) + ", expected an object");
  }
  std::string name = string_or(description, "name", "");
  if (!is_tool_name(name)) {
    return wrong("\"" + clipped(name, 64) +
                 "\" is no name of a tool, expected 1 to 128 of A-Z a-z 0-9 _ - .");
  }
  if (dump_json(description).size() > kToolBytesMax) {
    return Error{ErrorCode::kLimitReached,
                 "tool " + name + " has more than " + std::to_string(kToolBytesMax) + " bytes"};
  }
  const Status shaped = check_members(description, name);
  if (!shaped.ok()) return shaped.error();
  const Json* const input = plumbline::find(description, "inputSchema");
  if (input == nullptr || string_or(*input, "type", "") != "object") {
    return wrong("tool " + name + " has no inputSchema of \"type\": \"object\"");
  }
  schema::CompileOptions options;
  options.limits.steps_max = kToolStepsMax;
  Result<schema::Schema> compiled = schema::Schema::compile(*input, options);
  if (!compiled.ok()) {
    return wrong("tool " + name + ": inputSchema: " + compiled.error().message);
  }
  Result<std::vector<transport::ParamHeader>> mirrored = transport::param_headers_of(*input);
  if (!mirrored.ok()) return wrong("tool " + name + ": " + mirrored.error().message);
  return Tool{std::move(name), description, std::move(compiled).value(),
              std::move(mirrored).value()};
}

Result<ToolSet> ToolSet::read(const Json& descriptions) {
  if (!descriptions.is_array()) return wrong("tools is no array");
  if (descriptions.size() > kToolsMax) {
    return Error{ErrorCode::kLimitReached, std::to_string(descriptions.size()) +
                                               " tools, expected at most " +
                                               std::to_string(kToolsMax)};
  }
  ToolSet set;
  for (const Json& description : descriptions) {
    Result<Tool> tool = read_tool(description);
    if (!tool.ok()) return tool.error();
    if (set.find(tool.value().name) != nullptr) {
      return wrong("two tools are called " + tool.value().name);
    }
    set.tools_.push_back(std::move(tool).value());
  }
  return set;
}

const Tool* ToolSet::find(const std::string& name) const {
  const auto found = std::ranges::find(tools_, name, &Tool::name);
  return found == tools_.end() ? nullptr : &*found;
}

Result<ToolSet> ToolSet::with(const Json& descriptions) const {
  const Result<ToolSet> added = read(descriptions);
  if (!added.ok()) return added.error();
  Json all = Json::array();
  for (const Tool& tool : tools_) {
    if (added.value().find(tool.name) == nullptr) all.push_back(tool.description);
  }
  for (const Tool& tool : added.value().tools_) all.push_back(tool.description);
  return read(all);
}

ToolSet ToolSet::without(const std::string& name) const {
  Json rest = Json::array();
  for (const Tool& tool : tools_) {
    if (tool.name != name) rest.push_back(tool.description);
  }
  Result<ToolSet> left = read(rest);
  check(left.ok(), "a part of a set is none");
  return std::move(left).value();
}

std::vector<Json> ToolSet::descriptions() const {
  std::vector<Json> all;
  for (const Tool& tool : tools_) all.push_back(tool.description);
  return all;
}

}  // namespace plumbline::service
