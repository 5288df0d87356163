// What servers may do and few of them do, as data: each form is one tool whose definition, or whose
// answer, has it. A walk calls all of a group in turn, so that a form which nobody has thought of
// as a rule of its own is met all the same.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace plumbline::conformance {

// WalkForm is one form. `json` is what it adds to the definition of its tool, the result, the error
// or the notification that comes before the answer; of what HTTP carries it is empty.
struct WalkForm {
  std::string_view tool;
  const char* what;  // As messages name it.
  const char* json = "";
  std::string_view since = "";
  std::string_view until = "";  // The first revision without it; empty: none.
};

enum class WalkKind { kDefinition, kResult, kError, kNotice, kCarried };

struct WalkGroup {
  WalkKind kind;
  std::string_view rule;
  std::string_view scenario;
  std::span<const WalkForm> forms;
};

// The groups, in the order of WalkKind.
extern const WalkGroup kWalkGroups[];
inline constexpr std::size_t kWalkDefinitions = 31;
inline constexpr std::size_t kWalkResults = 26;
inline constexpr std::size_t kWalkErrors = 12;
inline constexpr std::size_t kWalkNotices = 9;
inline constexpr std::size_t kWalkCarried = 27;

}  // namespace plumbline::conformance
