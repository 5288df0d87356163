#include "core/model/message_json.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/base/check.h"

namespace plumbline::model {

namespace {

constexpr std::array kRoles = {Role::kSystem, Role::kUser, Role::kAssistant, Role::kTool};

Error wrong_member(std::string_view what) {
  return {ErrorCode::kInvalidInput, "a kept message has no " + std::string(what)};
}

// each reads the elements of the array `key`, which may be missing; false: one is wrong.
bool each(const Json& json, std::string_view key, auto&& read) {
  const Json* const array = find(json, key);
  if (array == nullptr) return true;
  return array->is_array() && std::ranges::all_of(*array, read);
}

}  // namespace

std::string_view name_of(Role role) {
  switch (role) {
    case Role::kSystem:
      return "system";
    case Role::kUser:
      return "user";
    case Role::kAssistant:
      return "assistant";
    case Role::kTool:
      return "tool";
  }
  check(false, "unknown Role");
  return {};
}

Json to_json(const Message& message) {
  Json out = {{"role", name_of(message.role)}, {"content", message.text}};
  for (const Media& media : message.media) {
    out["media"].push_back({{"mimeType", media.mime_type}, {"data", media.data_base64}});
  }
  for (const ToolCall& call : message.tool_calls) {
    out["toolCalls"].push_back(
        {{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
  }
  if (!message.tool_call_id.empty()) out["toolCallId"] = message.tool_call_id;
  if (message.is_error) out["isError"] = true;
  return out;
}

Result<Message> message_of(const Json& json) {
  Message out;
  const std::string role = string_or(json, "role", "");
  const auto known = std::ranges::find(kRoles, role, [](Role one) { return name_of(one); });
  if (known == kRoles.end()) return wrong_member("role");
  out.role = *known;
  const std::optional<std::string> text = find_string(json, "content");
  if (!text) return wrong_member("content");
  out.text = *text;
  const bool media = each(json, "media", [&out](const Json& one) {
    const auto type = find_string(one, "mimeType");
    const auto data = find_string(one, "data");
    if (type && data) out.media.push_back({*type, *data});
    return type && data;
  });
  if (!media) return wrong_member("media of a type and data");
  const bool calls = each(json, "toolCalls", [&out](const Json& one) {
    const auto id = find_string(one, "id");
    const auto name = find_string(one, "name");
    const auto arguments = find_string(one, "arguments");
    if (id && name && arguments) out.tool_calls.push_back({*id, *name, *arguments});
    return id && name && arguments;
  });
  if (!calls) return wrong_member("toolCalls of an id, a name and arguments");
  out.tool_call_id = string_or(json, "toolCallId", "");
  out.is_error = bool_or(json, "isError", false);
  return out;
}

}  // namespace plumbline::model
