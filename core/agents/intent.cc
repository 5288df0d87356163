#include "core/agents/intent.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/agents/request_text.h"
#include "core/agents/verbs.h"
#include "core/agents/words.h"
#include "core/base/check.h"

namespace plumbline::agents {

namespace {

// Things that live outside the assistant: a request that names one needs a server. Sorted, folded.
constexpr std::array kOutsideThings = std::to_array<std::string_view>(
    {"account",  "alarm",      "alert",        "backup",      "balance",  "branch",       "bug",
     "build",    "calendar",   "camera",       "channel",     "charge",   "comment",      "commit",
     "contact",  "container",  "customer",     "dashboard",   "database", "deployment",   "device",
     "document", "door",       "email",        "entity",      "event",    "file",         "folder",
     "forecast", "image",      "inbox",        "incident",    "invoice",  "issue",        "lamp",
     "lead",     "light",      "link",         "log",         "meeting",  "message",      "metric",
     "node",     "note",       "notification", "observation", "order",    "page",         "payment",
     "photo",    "pipeline",   "playlist",     "pull",        "record",   "refund",       "release",
     "reminder", "repo",       "report",       "sale",        "sensor",   "server",       "sheet",
     "slide",    "song",       "spreadsheet",  "stock",       "storage",  "subscription", "table",
     "task",     "thermostat", "thread",       "ticket",      "timezone", "todo",         "url",
     "weather",  "webpage",    "website",      "wiki",        "workflow"});
static_assert(std::ranges::is_sorted(kOutsideThings));

// Verbs that ask for something to be looked up or worked out by someone else. Sorted, folded.
constexpr std::array kRequestVerbs = std::to_array<std::string_view>(
    {"analyze", "browse", "calculate", "call",      "check",     "compare",
     "convert", "count",  "describe",  "download",  "echo",      "extract",
     "get",     "greet",  "inspect",   "list",      "look",      "open",
     "read",    "search", "show",      "summarize", "translate", "validate"});
static_assert(std::ranges::is_sorted(kRequestVerbs));

constexpr std::array kResourceWords =
    std::to_array<std::string_view>({"content", "contents", "resource"});

// How people begin a question about the world in general, or end a conversation, word by word.
constexpr std::array kGeneralOpenings = std::to_array<std::string_view>({"how do i",
                                                                         "how do you",
                                                                         "how do we",
                                                                         "how does",
                                                                         "how can i",
                                                                         "how should i",
                                                                         "how would i",
                                                                         "how to",
                                                                         "what is a",
                                                                         "what is an",
                                                                         "what s a",
                                                                         "what s an",
                                                                         "what is the meaning",
                                                                         "what is the difference",
                                                                         "what does it mean",
                                                                         "explain what",
                                                                         "explain how",
                                                                         "explain why",
                                                                         "define",
                                                                         "why is a",
                                                                         "why do",
                                                                         "who are you",
                                                                         "what are you",
                                                                         "what can you do"});

constexpr std::array kPleasantries =
    std::to_array<std::string_view>({"bye", "cheers", "congratulations", "cool", "goodbye", "great",
                                     "nice", "sorry", "thank", "thanks", "welcome"});

// What the assistant can make of words alone.
constexpr std::array kMadeOfWords = std::to_array<std::string_view>(
    {"essay", "haiku", "joke", "limerick", "poem", "riddle", "rhyme", "slogan"});

bool any_of(const std::vector<std::string>& words, const auto& wanted) {
  return std::ranges::any_of(wanted, [&](std::string_view word) { return contains(words, word); });
}

bool opens_with(const std::vector<std::string>& words, std::string_view phrase) {
  const std::vector<std::string> opening = words_of(phrase);
  return words.size() >= opening.size() &&
         std::equal(opening.begin(), opening.end(), words.begin());
}

// names_a_file returns whether some word looks like a path or a URI: "notes.md", "a://b".
bool names_a_file(std::string_view request) {
  RequestText text(request);
  return text.uri() || text.path();
}

// is_small_talk returns whether nothing but words is asked for: a courtesy, a question about the
// world in general, a joke.
bool is_small_talk(std::string_view request, const std::vector<std::string>& content,
                   const Deed& deed) {
  const std::vector<std::string> words = words_of(request);
  if (words.empty()) return true;
  const bool general = std::ranges::any_of(
      kGeneralOpenings, [&](std::string_view phrase) { return opens_with(words, phrase); });
  if (general) return true;
  const bool courteous = any_of({words.front()}, kPleasantries);
  if (courteous && !deed.reads && deed.risks.empty()) return true;
  const auto only_written = [](Risk risk) { return risk == Risk::kUpdatesRecords; };
  return any_of(content, kMadeOfWords) && std::ranges::all_of(deed.risks, only_written);
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
  const Deed deed = deed_of(request);
  const bool changes = !deed.risks.empty();
  if (contains(words, "prompt") || (contains(words, "template") && !changes)) {
    return Intent::kUsePrompt;
  }
  const bool file = names_a_file(request);
  if (!file && is_small_talk(request, words, deed)) return Intent::kAnswerWithoutMcp;
  const bool outside = file || any_of(words, kOutsideThings);
  if (changes) {
    return outside || words.size() > 1 ? Intent::kExecuteTool : Intent::kAnswerWithoutMcp;
  }
  const bool resource = any_of(words, kResourceWords);
  const bool reading = contains(words, "read") || contains(words, "open") || resource;
  if (reading && (file || resource)) return Intent::kReadResource;
  const bool asks = any_of(words, kRequestVerbs) || contains(words, "tool") ||
                    opens_with(words_of(request), "what time");
  if (outside || (asks && words.size() > 1)) return Intent::kExecuteTool;
  return Intent::kAnswerWithoutMcp;
}

}  // namespace plumbline::agents
