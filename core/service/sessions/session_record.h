// SessionRecord is what is kept of a session: everything that a restart must not lose.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/random_bytes.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/service/sessions/tool_set.h"

namespace plumbline::service {

struct SessionRecord {
  std::string code;
  Duration created{};  // Since 1970, as all times here.
  Duration expires{};
  std::optional<ToolSet> tools;  // Its own; nothing: those that every session begins with.
  std::int64_t version = 0;      // In the store.
};

// new_code returns a code of 8 characters A-Z2-7, 40 bits of `random`.
std::string new_code(const RandomBytes& random);

// is_code returns whether `text` has the form of one.
bool is_code(std::string_view text);

// write_session and read_session are the two ways between a record and its text, with `tools` in
// place of its own. kInvalidInput: it is none.
std::string write_session(const SessionRecord& record, const std::optional<ToolSet>& tools);
Result<SessionRecord> read_session(std::string_view text);

}  // namespace plumbline::service
