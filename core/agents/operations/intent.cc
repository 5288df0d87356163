#include "core/agents/operations/intent.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/agents/operations/request/request_text.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/check.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

constexpr WordTable kResourceWords({Word{"content"}, Word{"contents"}, Word{"resource"}});

// A courtesy opens with one of these, and goes on with these or those.
constexpr WordTable kCourtesies({Word{"bye"},     Word{"cheers"}, Word{"congratulations"},
                                 Word{"cool"},    Word{"good"},   Word{"goodbye"},
                                 Word{"great"},   Word{"hello"},  Word{"help"},
                                 Word{"hey"},     Word{"hi"},     Word{"nice"},
                                 Word{"no"},      Word{"ok"},     Word{"okay"},
                                 Word{"perfect"}, Word{"please"}, Word{"sorry"},
                                 Word{"thank"},   Word{"thanks"}, Word{"welcome"},
                                 Word{"well"},    Word{"yes"}});

constexpr WordTable kMoreOfThem(
    {Word{"a"},     Word{"afternoon"}, Word{"again"},   Word{"all"},      Word{"are"},
     Word{"day"},   Word{"done"},      Word{"evening"}, Word{"everyone"}, Word{"for"},
     Word{"how"},   Word{"i"},         Word{"job"},     Word{"me"},       Word{"morning"},
     Word{"much"},  Word{"night"},     Word{"so"},      Word{"there"},    Word{"time"},
     Word{"today"}, Word{"very"},      Word{"work"},    Word{"you"},      Word{"your"}});

// Questions about the assistant itself, word by word.
constexpr std::array kAboutItself = std::to_array<std::string_view>(
    {"how are you", "how are you today", "what are you", "what can you do",
     "what can you do for me", "what do you do", "what is your name", "what s your name",
     "who are you", "who made you"});

template <std::size_t N>
bool any_of(const std::vector<std::string>& words, const WordTable<Word, N>& wanted) {
  return std::ranges::any_of(words, [&](const auto& word) { return wanted.contains(word); });
}

// joined returns the words of a request with one space between them.
std::string joined(std::string_view request) {
  std::string out;
  for (WordReader reader(request); reader.next();) {
    if (!out.empty()) out += ' ';
    out += reader.word();
  }
  return out;
}

// gives_a_prompt returns whether the request says what a prompt is to be: 'with the prompt "a
// cat"'.
bool gives_a_prompt(std::string_view request) {
  const RequestText text(request);
  const std::vector<RequestText::Piece>& pieces = text.pieces();
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    const bool named = !pieces[i].quoted && lower_case(pieces[i].text).starts_with("prompt");
    if (named && pieces[i + 1].quoted) return true;
  }
  return false;
}

// names_a_file returns whether some word looks like a path or a URI: "notes.md", "a://b".
bool names_a_file(std::string_view request) {
  RequestText text(request);
  return text.uri() || text.path();
}

// asks_nothing returns whether nothing is asked of a server: a courtesy, or a question about the
// assistant. Whatever else somebody wants to know, it has no knowledge of its own to answer by.
bool asks_nothing(std::string_view request) {
  const std::string words = joined(request);
  if (std::ranges::find(kAboutItself, words) != kAboutItself.end()) return true;
  WordReader reader(request);
  if (!reader.next()) return true;
  bool courteous = kCourtesies.contains(reader.word());
  while (courteous && reader.next()) {
    courteous = kCourtesies.contains(reader.word()) || kMoreOfThem.contains(reader.word());
  }
  return courteous;
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

std::optional<connector::CapabilityType> operation_type(Intent intent) {
  switch (intent) {
    case Intent::kReadResource:
      return connector::CapabilityType::kResource;
    case Intent::kExecuteTool:
      return connector::CapabilityType::kTool;
    case Intent::kUsePrompt:
      return connector::CapabilityType::kPrompt;
    case Intent::kAnswerWithoutMcp:
      return std::nullopt;
  }
  check(false, "unknown Intent");
  return std::nullopt;
}

Intent classify_intent(std::string_view request) {
  if (asks_nothing(request)) return Intent::kAnswerWithoutMcp;
  const std::vector<std::string> words = content_words(request);
  const bool changes = !deed_of(request).risks.empty();
  if ((contains(words, "prompt") && !gives_a_prompt(request)) ||
      (contains(words, "template") && !changes)) {
    return Intent::kUsePrompt;
  }
  const bool resource = any_of(words, kResourceWords);
  const bool reading = contains(words, "read") || contains(words, "open") || resource;
  if (!changes && reading && (resource || names_a_file(request))) return Intent::kReadResource;
  return Intent::kExecuteTool;
}

}  // namespace plumbline::agents
