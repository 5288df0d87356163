#include "cli/commands/thread/tool_threads.h"

#include <algorithm>
#include <chrono>

#include "core/base/text.h"

namespace plumbline::cli {

namespace {

using agents::supervisor::CallStatus;

std::string words_of_call(const KeptThread& thread) {
  return string_or(thread.call, "prompt", string_or(thread.call, "step", ""));
}

}  // namespace

std::string_view thread_status(const KeptThread& thread) {
  if (thread.status == CallStatus::kAsking) return "waits";
  if (thread.status == CallStatus::kWorking) return "unfinished";
  return thread.question.empty() ? "ended" : "continues";
}

std::string first_words(const KeptThread& thread) {
  constexpr std::size_t kShownBytes = 100;
  const auto& turns = thread.conversation.conversation_turns;
  const std::string tool = turns.empty() ? thread.tool : string_or(turns.front(), "tool", "");
  std::string text =
      turns.empty() ? words_of_call(thread) : string_or(turns.front(), "content", "");
  std::ranges::replace(text, '\n', ' ');
  return tool + ": " + clipped(text, kShownBytes);
}

Json to_json(const KeptThread& thread) {
  Json out = {{"thread", thread.id()},
              {"kind", "tools"},
              {"status", thread_status(thread)},
              {"tool", thread.tool},
              {"calls", thread.calls},
              {"changed", rfc3339(std::chrono::milliseconds(thread.used_ms))},
              {"request", first_words(thread)}};
  if (thread.conversation.parent_thread_id) {
    out["parent_thread_id"] = *thread.conversation.parent_thread_id;
  }
  if (!thread.owner.empty()) out["owner"] = thread.owner;
  return out;
}

std::string transcript(const KeptThread& thread) {
  std::string out;
  for (const Json& turn : thread.conversation.conversation_turns) {
    const bool own = string_or(turn, "role", "") == "assistant";
    const std::string model = string_or(turn, "model", "");
    out += "## " + string_or(turn, "tool", "") + (own ? ", answered" : ", asked") +
           (own && !model.empty() ? " by " + model : "") + "\n\n" + string_or(turn, "content", "") +
           "\n\n";
  }
  if (thread.status != CallStatus::kAnswered) {
    out +=
        "## " + thread.tool + ", asked and not answered yet\n\n" + words_of_call(thread) + "\n\n";
  }
  return out;
}

}  // namespace plumbline::cli
