#include "conformance/checks/server/promises/made/undone_said.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kWordsOfSentence = 3;
constexpr std::array<std::string_view, 9> kFreeing = {
    "free", "frees", "freed", "available", "released", "releases", "restores", "restored", "back"};
constexpr std::array<std::string_view, 9> kNotSo = {
    "not", "never", "no", "without", "unless", "cannot", "half", "partly", "except"};
constexpr std::array<std::string_view, 4> kRightThen = {"at once", "immediately", "right away",
                                                        "instantly"};
constexpr std::array<std::string_view, 36> kLater = {
    "after",    "later",     "within",    "until",      "when",    "once",
    "if",       "unless",    "soon",      "eventually", "minute",  "minutes",
    "hour",     "hours",     "day",       "days",       "week",    "weeks",
    "tomorrow", "tonight",   "midnight",  "nightly",    "delay",   "delayed",
    "grace",    "period",    "gradually", "pending",    "only",    "may",
    "approved", "confirmed", "reviewed",  "morning",    "seconds", "scheduled"};
constexpr std::array<std::string_view, 5> kFreeThings = {"free", "available", "spare", "vacant",
                                                         "stock"};
constexpr std::array<std::string_view, 8> kLeftOver = {"free",    "left",  "available", "remaining",
                                                       "remains", "spare", "vacant",    "stock"};
constexpr std::array<std::string_view, 15> kAllowances = {
    "quota",    "rate", "limit", "limits", "call",  "calls", "request", "requests",
    "attempts", "try",  "tries", "today",  "daily", "uses",  "tokens"};
constexpr std::array<std::string_view, 8> kNaming = {"id",   "ids",   "number",    "numbers",
                                                     "code", "codes", "reference", "references"};
constexpr std::array<std::string_view, 3> kNever = {"never", "not", "no"};
constexpr std::array<std::string_view, 8> kOnceMore = {"twice",  "again",    "reuse",  "reused",
                                                       "reuses", "recycled", "second", "re-used"};
constexpr std::array<std::string_view, 15> kOfCaller = {
    "call", "calls", "you",    "do",     "don",    "must", "should", "may",
    "can",  "use",   "please", "cannot", "caller", "send", "than"};

bool promises_at_once(const Sentence& one) { return mentions_any(one.low, kRightThen); }

bool tells_when(const Json& tool) {
  return std::ranges::any_of(
      sentences_in(string_or(tool, "description", "")),
      [](const Sentence& one) { return says_word(one, kLater) && !promises_at_once(one); });
}

}  // namespace

FreeingPromise freeing_promise(const Json& maker, const Json& undoer) {
  const bool later = tells_when(maker) || tells_when(undoer);
  for (const Sentence& one : sentences_in(string_or(undoer, "description", ""))) {
    const bool frees = says_word(one, kFreeing) && !says_word(one, kNotSo);
    const std::string about =
        string_or(undoer, "name", "") + " " + string_or(undoer, "description", "");
    if (frees && (promises_at_once(one) || !later)) return {one.text, lower_case(about)};
  }
  return {};
}

bool speaks_of(const FreeingPromise& promise, const std::string& member) {
  const std::vector<std::string> words = words_of(member);
  if (has_word(words, kAllowances)) return false;
  if (has_word(words, kFreeThings)) return true;
  return std::ranges::any_of(words, [&](const std::string& word) {
    const bool counts = std::ranges::find(kLeftOver, word) != kLeftOver.end();
    return !counts && word.size() > 2 && promise.about.find(singular(word)) != std::string::npos;
  });
}

bool tells_of_later(const Json& answer) {
  bool tells = false;
  each_object(answer, [&](const Json& object) {
    for (const Json& value : object) {
      if (!value.is_string()) continue;
      for (const Sentence& one : sentences_in(value.get_ref<const std::string&>())) {
        tells = tells || (one.names.size() >= kWordsOfSentence && says_word(one, kLater));
      }
    }
  });
  return tells;
}

bool says_ids_once(const Json& tool) {
  return std::ranges::any_of(sentences_in(string_or(tool, "description", "")),
                             [](const Sentence& one) {
                               return says_word(one, kNaming) && says_word(one, kNever) &&
                                      says_word(one, kOnceMore) && !says_word(one, kOfCaller);
                             });
}

}  // namespace plumbline::conformance
