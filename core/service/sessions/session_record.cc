#include "core/service/sessions/session_record.h"

#include <algorithm>
#include <utility>

#include "core/json/json.h"

namespace plumbline::service {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::size_t kCodeLength = 8;

Duration milliseconds(std::int64_t ms) { return std::chrono::milliseconds(ms); }

}  // namespace

std::string new_code(const RandomBytes& random) {
  std::uint64_t bits = 0;
  for (const char byte : random(kCodeLength * 5 / 8)) {
    bits = bits << 8U | static_cast<unsigned char>(byte);
  }
  std::string code;
  for (std::size_t i = 0; i < kCodeLength; ++i, bits >>= 5U) code += kAlphabet[bits & 31U];
  return code;
}

bool is_code(std::string_view text) {
  return text.size() == kCodeLength && text.find_first_not_of(kAlphabet) == std::string_view::npos;
}

std::string write_session(const SessionRecord& record, const std::optional<ToolSet>& tools) {
  Json json = {{"format", 1},
               {"code", record.code},
               {"created_ms", milliseconds_of(record.created)},
               {"expires_ms", milliseconds_of(record.expires)}};
  if (tools) json["tools"] = tools->descriptions();
  return dump_json(json);
}

Result<SessionRecord> read_session(std::string_view text) {
  const Result<Json> json = parse_json(text);
  if (!json.ok()) return json.error();
  SessionRecord record;
  record.code = string_or(json.value(), "code", "");
  record.created = milliseconds(int_or(json.value(), "created_ms", 0));
  record.expires = milliseconds(int_or(json.value(), "expires_ms", 0));
  if (int_or(json.value(), "format", 0) != 1 || !is_code(record.code)) {
    return Error{ErrorCode::kInvalidInput, "what is kept is no session of format 1"};
  }
  if (const Json* const tools = find(json.value(), "tools")) {
    Result<ToolSet> read = ToolSet::read(*tools);
    if (!read.ok()) return read.error();
    record.tools = std::move(read).value();
  }
  return record;
}

}  // namespace plumbline::service
