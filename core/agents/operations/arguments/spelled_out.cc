#include "core/agents/operations/arguments/spelled_out.h"

#include <algorithm>

#include "core/agents/operations/request/request_text.h"
#include "core/agents/policy/word_table.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

struct Hasty {
  std::string_view word;
  std::string_view whole;
};

// What stands behind one of these is a name, or what somebody is told, up to the end of a sentence.
constexpr WordTable kNamingWords({Word{"called"}, Word{"entitled"}, Word{"named"}, Word{"reading"},
                                  Word{"saying"}, Word{"says"}, Word{"titled"}});

// As people write in haste. In lower case.
constexpr WordTable kHastyForms({
    Hasty{"dont", "don't"},
    Hasty{"gimme", "give me"},
    Hasty{"hows", "how is"},
    Hasty{"lemme", "let me"},
    Hasty{"pls", "please"},
    Hasty{"plz", "please"},
    Hasty{"thx", "thanks"},
    Hasty{"wanna", "want to"},
    Hasty{"whats", "what is"},
    Hasty{"wheres", "where is"},
    Hasty{"whos", "who is"},
    Hasty{"wtf", "what"},
});

// whole_of returns what a word is short for; empty where it is short for nothing.
std::string_view whole_of(std::string_view word) {
  const auto form = std::ranges::find(kLongForms, word, &LongForm::brief);
  if (form != kLongForms.end()) return form->whole;
  const Hasty* const hasty = kHastyForms.find(lower_case(word));
  return hasty != nullptr ? hasty->whole : std::string_view();
}

// counted returns the number with what is counted, of "first line" and "last row"; empty where a
// piece ends no such words. Tools take a number of them.
std::string_view counted(const std::vector<RequestText::Piece>& pieces, std::size_t at) {
  constexpr WordTable kEnds({Word{"first"}, Word{"last"}, Word{"top"}});
  if (at == 0 || pieces[at - 1].quoted || pieces[at - 1].ends_sentence) return {};
  if (!kEnds.contains(lower_case(pieces[at - 1].text))) return {};
  const std::string thing = lower_case(pieces[at].text);
  return thing == "line" ? "1 lines" : thing == "row" ? "1 rows" : "";
}

// opens_name returns whether what is behind a piece stays as it is.
bool opens_name(const RequestText::Piece& piece, bool renames) {
  if (piece.quoted) return false;
  const std::string word = lower_case(piece.text);
  return kNamingWords.contains(word) || word.ends_with(':') ||
         (renames && (word == "as" || word == "into" || word == "to"));
}

// makes_new returns whether a request says no more than what is to be there: 'new list called "A"'.
bool makes_new(const RequestText& text) {
  constexpr std::size_t kThingWordsMax = 3;
  const std::vector<RequestText::Piece>& pieces = text.pieces();
  if (pieces.size() < 4 || pieces.front().quoted || lower_case(pieces.front().text) != "new")
    return false;
  for (std::size_t i = 1; i <= kThingWordsMax && i + 1 < pieces.size(); ++i) {
    if (pieces[i].quoted || pieces[i].ends_sentence) return false;
    const std::string next = lower_case(pieces[i + 1].text);
    if (next == "called" || next == "named" || next == "titled") return i + 2 < pieces.size();
  }
  return false;
}

}  // namespace

std::string spelled_out(std::string_view request) {
  const RequestText text(request);
  const bool renames = !text.pieces().empty() && lower_case(text.pieces().front().text) == "rename";
  std::string out = makes_new(text) ? "create a " : "";
  std::size_t done = 0;
  bool named = false;
  for (std::size_t i = 0; i < text.pieces().size(); ++i) {
    const RequestText::Piece& piece = text.pieces()[i];
    const bool stays = piece.quoted || named;
    std::string_view whole = stays ? "" : whole_of(piece.text);
    if (!stays && whole.empty()) whole = counted(text.pieces(), i);
    if (!whole.empty()) {
      const auto begin = static_cast<std::size_t>(piece.text.data() - request.data());
      out += request.substr(done, begin - done);
      out += whole;
      done = begin + piece.text.size();
    }
    named = (named || opens_name(piece, renames)) && !(piece.ends_sentence && piece.end != ',');
  }
  out += request.substr(done);
  return out;
}

}  // namespace plumbline::agents
