#include "core/agents/operations/intent.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/agents/operations/request_text.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/check.h"

namespace plumbline::agents {

namespace {

// Things that live outside the assistant: a request that names one needs a server. Folded.
constexpr WordTable kOutsideThings(
    {Word{"account"},      Word{"alarm"},       Word{"alert"},    Word{"backup"},
     Word{"balance"},      Word{"branch"},      Word{"bug"},      Word{"build"},
     Word{"calendar"},     Word{"camera"},      Word{"channel"},  Word{"charge"},
     Word{"comment"},      Word{"commit"},      Word{"contact"},  Word{"container"},
     Word{"customer"},     Word{"dashboard"},   Word{"database"}, Word{"deployment"},
     Word{"device"},       Word{"document"},    Word{"door"},     Word{"email"},
     Word{"entity"},       Word{"event"},       Word{"file"},     Word{"folder"},
     Word{"forecast"},     Word{"image"},       Word{"inbox"},    Word{"incident"},
     Word{"invoice"},      Word{"issue"},       Word{"lamp"},     Word{"lead"},
     Word{"light"},        Word{"link"},        Word{"log"},      Word{"meeting"},
     Word{"message"},      Word{"metric"},      Word{"node"},     Word{"note"},
     Word{"notification"}, Word{"observation"}, Word{"order"},    Word{"page"},
     Word{"payment"},      Word{"photo"},       Word{"pipeline"}, Word{"playlist"},
     Word{"pull"},         Word{"record"},      Word{"refund"},   Word{"release"},
     Word{"reminder"},     Word{"repo"},        Word{"report"},   Word{"sale"},
     Word{"sensor"},       Word{"server"},      Word{"sheet"},    Word{"slide"},
     Word{"song"},         Word{"spreadsheet"}, Word{"stock"},    Word{"storage"},
     Word{"subscription"}, Word{"table"},       Word{"task"},     Word{"thermostat"},
     Word{"thread"},       Word{"ticket"},      Word{"timezone"}, Word{"todo"},
     Word{"url"},          Word{"weather"},     Word{"webpage"},  Word{"website"},
     Word{"wiki"},         Word{"workflow"}});

// Verbs that ask for something to be looked up or worked out by someone else. Folded.
constexpr WordTable kRequestVerbs(
    {Word{"analyze"}, Word{"browse"},    Word{"calculate"}, Word{"call"},     Word{"check"},
     Word{"compare"}, Word{"convert"},   Word{"count"},     Word{"describe"}, Word{"download"},
     Word{"echo"},    Word{"extract"},   Word{"get"},       Word{"greet"},    Word{"inspect"},
     Word{"list"},    Word{"look"},      Word{"open"},      Word{"read"},     Word{"search"},
     Word{"show"},    Word{"summarize"}, Word{"translate"}, Word{"validate"}});

constexpr WordTable kResourceWords({Word{"content"}, Word{"contents"}, Word{"resource"}});

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

constexpr WordTable kPleasantries({Word{"bye"}, Word{"cheers"}, Word{"congratulations"},
                                   Word{"cool"}, Word{"goodbye"}, Word{"great"}, Word{"nice"},
                                   Word{"sorry"}, Word{"thank"}, Word{"thanks"}, Word{"welcome"}});

// What the assistant can make of words alone.
constexpr WordTable kMadeOfWords({Word{"essay"}, Word{"haiku"}, Word{"joke"}, Word{"limerick"},
                                  Word{"poem"}, Word{"rhyme"}, Word{"riddle"}, Word{"slogan"}});

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

bool opens_with(std::string_view words, std::string_view phrase) {
  return words.starts_with(phrase) &&
         (words.size() == phrase.size() || words[phrase.size()] == ' ');
}

// names_a_file returns whether some word looks like a path or a URI: "notes.md", "a://b".
bool names_a_file(std::string_view request) {
  RequestText text(request);
  return text.uri() || text.path();
}

// is_small_talk returns whether nothing but words is asked for: a courtesy, a question about the
// world in general, a joke.
bool is_small_talk(std::string_view words, const std::vector<std::string>& content,
                   const Deed& deed) {
  if (words.empty()) return true;
  const bool general = std::ranges::any_of(
      kGeneralOpenings, [&](std::string_view phrase) { return opens_with(words, phrase); });
  if (general) return true;
  const bool courteous = kPleasantries.contains(words.substr(0, words.find(' ')));
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
  const std::vector<std::string> words = content_words(request);
  const Deed deed = deed_of(request);
  const bool changes = !deed.risks.empty();
  if (contains(words, "prompt") || (contains(words, "template") && !changes)) {
    return Intent::kUsePrompt;
  }
  const bool file = names_a_file(request);
  const std::string spoken = joined(request);
  if (!file && is_small_talk(spoken, words, deed)) return Intent::kAnswerWithoutMcp;
  const bool outside = file || any_of(words, kOutsideThings);
  if (changes) {
    return outside || words.size() > 1 ? Intent::kExecuteTool : Intent::kAnswerWithoutMcp;
  }
  const bool resource = any_of(words, kResourceWords);
  const bool reading = contains(words, "read") || contains(words, "open") || resource;
  if (reading && (file || resource)) return Intent::kReadResource;
  const bool asks =
      any_of(words, kRequestVerbs) || contains(words, "tool") || opens_with(spoken, "what time");
  if (outside || (asks && words.size() > 1)) return Intent::kExecuteTool;
  return Intent::kAnswerWithoutMcp;
}

}  // namespace plumbline::agents
