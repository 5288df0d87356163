// The threads of the tools that `agents serve` keeps, for `thread list` and `thread show`.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/threads.h"
#include "core/agents/supervisor/threads/thread_book.h"

namespace plumbline::cli {

using agents::supervisor::KeptThread;

// thread_status says how far the last call of a thread has come: "ended", "continues" (its workflow
// waits for the caller's next step), "waits" (for a person) or "unfinished".
std::string_view thread_status(const KeptThread& thread);

// first_words returns what the thread began with, in one line.
std::string first_words(const KeptThread& thread);

// to_json returns what the commands show of a thread, without what was said in it.
Json to_json(const KeptThread& thread);

// transcript returns all that was said in the thread, as Markdown.
std::string transcript(const KeptThread& thread);

}  // namespace plumbline::cli
