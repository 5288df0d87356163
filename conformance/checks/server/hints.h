// Hints say what the tools of a server do, where their listing does not: which take time, report,
// log, ask or change something, and which arguments work. They come from a vendor's file (--hint
// FILE) and from what is known of the official suite's fixtures; what they leave open is found by
// calling the tools (Probe::tool_that).

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/catalogue/finding.h"
#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::conformance {

// Shows is what a call of a tool shows, without which some rule cannot be put to the test.
enum class Shows : std::uint8_t {
  kTime,             // It takes a while.
  kProgress,         // It reports progress when asked to.
  kLogs,             // It logs.
  kFailure,          // It always fails, as a tool does: a result with isError.
  kNeedsCapability,  // It cannot do without a capability of the client.
  kToolsChange,      // It changes the list of tools; called again, it may change it back.
  kPromptsChange,    // Likewise.
  kResourcesChange,  // Likewise.
  kResourceUpdate,   // It changes a resource.
  kStreamEnd,        // It ends its stream of events before the answer.
  kTask,             // It becomes a task.
  kGuardedState,     // Its requestState decides what it may do.
  kQuestion,         // It asks its client for something.
  kPrivate,          // The second user may not call it.
  kUser,             // It says who its user is.
  kSecret,           // It needs a secret of its user.
  kOnce,             // What it does when its client has answered, it may do only once.
  kTaskBreaks,       // It becomes a task; what is asked about that fails inside the server.
};

// name_of returns it as a hint file has it: "time", "resource-update".
std::string_view name_of(Shows what);

struct Hint {
  std::optional<bool> call;       // Whether it may be called. Nothing: as its listing says.
  std::optional<Json> arguments;  // That work. Nothing: made from its inputSchema.
  std::set<Shows> shows;
  std::string resource;  // URI of what kResourceUpdate changes.
};

// PrivateCompletion is an argument whose values only the first user may see.
struct PrivateCompletion {
  Json params;  // Of completion/complete: what the first user is offered them for.
  std::vector<std::string> values;  // That are the first user's alone.
};

class Hints {
 public:
  // Named is the hint of one tool.
  struct Named {
    std::string tool;
    Hint hint;
  };

  // read reads a hint file: {"tools": {NAME: {"call": BOOL, "arguments": {...}, "shows": [WHAT...],
  // "resource": URI}}, "completions": [{"ref": {...}, "argument": {...}, "private": [VALUE...]}]},
  // all keys optional. kInvalidInput says in one line what is wrong and where.
  static Result<Hints> read(const Json& file);

  // of returns what is known of a tool; nullptr: nothing. What the vendor says goes first.
  const Hint* of(std::string_view tool) const;

  // disturbs returns whether a tool changes what is listed, or ends a stream.
  bool disturbs(std::string_view tool) const;

  // all returns every hint: the vendor's, then those of the official suite's fixtures.
  const std::vector<Named>& all() const { return all_; }

  // completions returns those that only the first user may see.
  const std::vector<PrivateCompletion>& completions() const { return completions_; }

  Hints();

 private:
  std::vector<Named> all_;
  std::vector<PrivateCompletion> completions_;
};

// needs skips a rule for which no tool shows `what`, and says that a hint could name one: for the
// reason kWantsHint.
Finding needs(Shows what);
inline constexpr std::string_view kWantsHint = "wants-hint";

}  // namespace plumbline::conformance
