#include "core/agents/command_line/run/command_result.h"

#include <array>
#include <utility>

namespace plumbline::agents::command_line {

namespace {

constexpr std::array<std::string_view, 4> kStatusNames = {"success", "error", "blocked", "timeout"};

// as_utf8 goes through JSON, which replaces what is none.
Json as_utf8(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

std::string_view name_of(CommandStatus status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}

Json to_json(const CommandResult& result) {
  Json json = {{"command", result.command},     {"status", name_of(result.status)},
               {"stdout", as_utf8(result.out)}, {"stderr", as_utf8(result.err)},
               {"return_code", nullptr},        {"duration_ms", result.duration_ms},
               {"truncated", result.truncated}};
  if (result.return_code) json["return_code"] = *result.return_code;
  if (!result.error.empty()) json["error"] = as_utf8(result.error);
  if (result.outcome_unknown) json["outcome"] = "unknown";
  return json;
}

std::optional<CommandResult> result_from_json(const Json& json) {
  CommandResult result;
  const std::optional<std::string> command = find_string(json, "command");
  const std::optional<std::string> status = find_string(json, "status");
  if (!command || !status) return std::nullopt;
  std::size_t at = 0;
  while (at < kStatusNames.size() && kStatusNames[at] != *status) ++at;
  if (at == kStatusNames.size()) return std::nullopt;
  result.command = *command;
  result.status = static_cast<CommandStatus>(at);
  result.out = string_or(json, "stdout", "");
  result.err = string_or(json, "stderr", "");
  if (const auto code = find_int(json, "return_code")) result.return_code = static_cast<int>(*code);
  result.duration_ms = int_or(json, "duration_ms", 0);
  result.truncated = bool_or(json, "truncated", false);
  result.error = string_or(json, "error", "");
  result.outcome_unknown = string_or(json, "outcome", "") == "unknown";
  return result;
}

}  // namespace plumbline::agents::command_line
