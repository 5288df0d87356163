// Where this user's programs keep what they remember between two runs.

#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/base/result.h"
#include "core/os/files/path_names.h"

namespace plumbline::cli {

// state_folder returns "plumbline" below XDG_STATE_HOME, or below ~/.local/state. It may be missing
// on the disk. kInvalidInput: neither XDG_STATE_HOME nor HOME is an absolute path.
inline Result<std::string> state_folder(std::optional<std::string> state_home,
                                        std::optional<std::string> home) {
  if (state_home && os::is_absolute_path(*state_home)) return *std::move(state_home) + "/plumbline";
  if (home && os::is_absolute_path(*home)) return *std::move(home) + "/.local/state/plumbline";
  return Error{ErrorCode::kInvalidInput, "neither XDG_STATE_HOME nor HOME is an absolute path"};
}

}  // namespace plumbline::cli
