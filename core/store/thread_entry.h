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
  Duration at{};  // Since 1970.
  std::variant<Step, Branch, graph::Note> what;
};

// The names of what an entry may be.
inline constexpr std::string_view kStepEntry = "step";
inline constexpr std::string_view kBranchEntry = "branch";
inline constexpr std::string_view kNoteEntry = "note";

// entry_text returns the record of an entry of `kind`, without the secrets that `redactor` (may be
// null) knows.
std::string entry_text(std::string_view kind, Json what, std::int64_t writer, Duration at,
                       const Redactor* redactor);

// entry_of reads one. kInvalidInput says what is wrong with it, and of which step it is.
Result<ThreadEntry> entry_of(const Record& record);

// add puts what came later onto its step. kInvalidInput: the step has no such branch.
Status add(const ThreadEntry& later, ThreadEntry::Step& step);

// redact_texts takes secrets out of every string of `value`.
void redact_texts(Json& value, const Redactor& redactor);

}  // namespace plumbline::store
