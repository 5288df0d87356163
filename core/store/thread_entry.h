// A ThreadEntry is one record of a thread: a step, what came of a branch of the latest step, or a
// note on it.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/doors/record_store.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/graph/checkpoint.h"
#include "core/graph/saved_state.h"
#include "core/json/json.h"
#include "core/json/redactor.h"

namespace plumbline::store {

struct ThreadEntry {
  using Step = graph::Checkpoint<graph::SavedState>;
  using Branch = graph::Branch<graph::SavedState>;

  std::int64_t version = 0;
  std::int64_t writer = 0;
  Duration at{};         // Since 1970.
  bool altered = false;  // Secrets were taken out of it when it was kept.
  std::variant<Step, Branch, graph::Note> what;
};

// The names of what an entry may be.
inline constexpr std::string_view kStepEntry = "step";
inline constexpr std::string_view kBranchEntry = "branch";
inline constexpr std::string_view kNoteEntry = "note";

// EntryText is the record of an entry as it is kept, and what it was before secrets were taken out
// of it; empty: there were none.
struct EntryText {
  std::string kept;
  std::string exact;
};

// entry_text returns the record of an entry of `kind`, without the secrets that `redactor` (may be
// null) finds. It says of itself whether there were any.
EntryText entry_text(std::string_view kind, Json what, std::int64_t writer, Duration at,
                     const Redactor* redactor);

// entry_of reads one. kInvalidInput says what is wrong with it, and of which step it is.
Result<ThreadEntry> entry_of(const Record& record);

// add puts what came later onto its step. kInvalidInput: the step has no such branch.
Status add(const ThreadEntry& later, ThreadEntry::Step& step);

// redact_kept takes the secrets out of what is about to be kept, and says in its member "altered"
// whether there were any. `redactor` may be null.
bool redact_kept(Json& value, const Redactor* redactor);

// is_altered returns whether redact_kept has found any.
bool is_altered(const Json& kept);

}  // namespace plumbline::store
