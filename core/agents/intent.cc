#include "core/agents/intent.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/agents/policy.h"
#include "core/agents/words.h"
#include "core/base/check.h"

namespace plumbline::agents {

namespace {

// Things that live outside the assistant: a request that names one needs a server.
constexpr std::array<std::string_view, 40> kOutsideThings = {
    "file",    "folder",   "ticket", "record",   "database", "table",    "email",   "message",
    "inbox",   "calendar", "event",  "meeting",  "contact",  "customer", "order",   "invoice",
    "account", "balance",  "device", "light",    "door",     "sensor",   "repo",    "issue",
    "branch",  "commit",   "log",    "server",   "document", "page",     "wiki",    "report",
    "photo",   "image",    "song",   "playlist", "weather",  "stock",    "channel", "backup"};

// Verbs that ask for something to be done or looked up by someone else.
constexpr std::array<std::string_view, 15> kRequestVerbs = {
    "list", "search", "get",    "show",    "greet",     "count", "check", "summarize",
    "read", "open",   "browse", "extract", "translate", "call",  "look"};

constexpr std::array<std::string_view, 3> kResourceWords = {"resource", "content", "contents"};

bool any_of(const std::vector<std::string>& words, const auto& wanted) {
  return std::ranges::any_of(wanted, [&](std::string_view word) { return contains(words, word); });
}

// names_a_file returns whether some word looks like a file name or a URI: "notes.md", "a://b".
bool names_a_file(std::string_view request) {
  if (request.find("://") != std::string_view::npos) return true;
  for (std::size_t dot = request.find('.'); dot != std::string_view::npos;
       dot = request.find('.', dot + 1)) {
    const auto letter = [&](std::size_t i) {
      return i < request.size() && std::isalnum(static_cast<unsigned char>(request[i])) != 0;
    };
    if (dot > 0 && letter(dot - 1) && letter(dot + 1) &&
        !std::isdigit(static_cast<unsigned char>(request[dot + 1]))) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string_view name_of(Intent intent) {
  switch (intent) {
    case Intent::kReadResource:
      return "read_resource";
    case Intent::kExecuteTool:
      return "execute_tool";
    case Intent::kUsePrompt:
      return "use_prompt";
    case Intent::kAnswerWithoutMcp:
      return "answer_without_mcp";
  }
  check(false, "unknown Intent");
  return {};
}

std::optional<CapabilityType> operation_type(Intent intent) {
  switch (intent) {
    case Intent::kReadResource:
      return CapabilityType::kResource;
    case Intent::kExecuteTool:
      return CapabilityType::kTool;
    case Intent::kUsePrompt:
      return CapabilityType::kPrompt;
    case Intent::kAnswerWithoutMcp:
      return std::nullopt;
  }
  check(false, "unknown Intent");
  return std::nullopt;
}

Intent classify_intent(std::string_view request) {
  const std::vector<std::string> words = content_words(request);
  if (contains(words, "prompt") || contains(words, "template")) return Intent::kUsePrompt;
  const bool outside = any_of(words, kOutsideThings) || names_a_file(request);
  const bool changes = !verb_risks(request).empty();
  if (changes)
    return outside || words.size() > 1 ? Intent::kExecuteTool : Intent::kAnswerWithoutMcp;
  const bool reading =
      contains(words, "read") || contains(words, "open") || any_of(words, kResourceWords);
  if (reading && (names_a_file(request) || any_of(words, kResourceWords))) {
    return Intent::kReadResource;
  }
  const bool asks = any_of(words, kRequestVerbs) || contains(words, "tool");
  if (outside || (asks && words.size() > 1)) return Intent::kExecuteTool;
  return Intent::kAnswerWithoutMcp;
}

}  // namespace plumbline::agents
