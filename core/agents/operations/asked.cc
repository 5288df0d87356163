#include "core/agents/operations/asked.h"

#include <algorithm>
#include <utility>

#include "core/agents/operations/fit/offered.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/policy.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

bool is_one_letter(char c) { return is_lower(lower(c)); }

// without_quotes returns the request without what stands in double quotes: that is to be given to
// somebody, and not to be done.
std::string without_quotes(std::string_view request) {
  std::string out;
  bool quoted = false;
  for (const char c : request) {
    if (c == '"') quoted = !quoted;
    if (!quoted && c != '"') out += c;
  }
  // An open quote quotes nothing.
  return quoted ? std::string(request) : out;
}

// without_names returns the request also without words with marks inside: "deploy-shop" is the name
// of something, and nothing to be done.
std::string without_names(std::string_view request) {
  std::string out;
  bool first = true;
  const std::string plain = without_quotes(request);
  for (std::string_view rest = plain; !rest.empty(); first = false) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    const std::size_t mark = word.find_first_of("-_.:/=");
    const bool inside = mark != word.npos && mark > 0 && mark + 1 < word.size();
    if (first || !inside) out += std::string(word) + ' ';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

// opens_with_many returns whether a request begins with things that may be a verb in the singular:
// "emails of May".
bool opens_with_many(std::string_view request) {
  WordReader reader(request);
  bool found = reader.next();
  while (found && is_empty_word(reader.word())) found = reader.next();
  if (!found || !reader.word().ends_with('s')) return false;
  const std::string folded = fold(reader.word());
  return folded != reader.word() && plain_verb(folded) != nullptr;
}

// add_told adds the words by which it is told how something is, where that is all that is asked:
// "how far is it". What a file is like is told by what is called after files.
void add_told(Asked& asked) {
  for (const Wish::Demand& demand : asked.wish.demands) {
    for (const std::string& so : demand.so) {
      for (std::string& word : told_by(so)) {
        if (!contains(asked.words, word)) asked.words.push_back(std::move(word));
      }
    }
  }
}

// add_joined adds words that a name with capitals inside may be written as: "mesh" of "MeSH".
void add_joined(Asked& asked) {
  for (const RequestText::Piece& piece : asked.values.pieces()) {
    if (piece.quoted || !std::ranges::all_of(piece.text, is_one_letter)) continue;
    const bool inside = std::ranges::any_of(piece.text.substr(1), is_upper);
    const bool mixed =
        inside && std::ranges::any_of(piece.text, [](char c) { return !is_upper(c); });
    std::string word = lower_case(piece.text);
    if (mixed && !contains(asked.words, word)) asked.words.push_back(std::move(word));
  }
}

}  // namespace

Asked asked_by(std::string_view request, Intent intent) {
  Asked asked{request, RequestText(request), wish_of(request), content_words(request)};
  RequestText values = asked.values;
  const bool names_a_file = values.path().has_value();
  if (names_a_file && !contains(asked.words, "file")) asked.words.emplace_back("file");
  if (values.uri() && !contains(asked.words, "url")) asked.words.emplace_back("url");
  for (const Wish::Demand& demand : asked.wish.demands) {
    if (!demand.verb.empty() && !contains(asked.words, demand.verb) && demand.verb != "count") {
      asked.words.push_back(demand.verb);  // "Delete" of "get rid of".
    }
    if (demand.chains.empty()) continue;
    const std::string& wanted = demand.chains.front().front().back();
    if (!contains(asked.words, wanted)) asked.words.push_back(wanted);
  }
  if (!names_a_file) add_told(asked);
  add_joined(asked);
  const bool looks_up = lower_case(request).find("look up ") != std::string::npos;
  if (looks_up && !contains(asked.words, "search")) asked.words.emplace_back("search");
  asked.changes = !opens_with_many(request) && !verb_risks(without_names(request)).empty() &&
                  !asked.wish.reckons;
  if (asked.wish.parted_changes) asked.changes = *asked.wish.parted_changes;
  asked.intent = intent;
  return asked;
}

}  // namespace plumbline::agents
