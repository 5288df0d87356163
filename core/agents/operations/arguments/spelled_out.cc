#include "core/agents/operations/arguments/spelled_out.h"

#include <algorithm>

#include "core/agents/operations/request/request_text.h"
#include "core/agents/policy/word_table.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

// What stands behind one of these is a name, or what somebody is told, up to the end of a sentence.
constexpr WordTable kNamingWords({Word{"called"}, Word{"entitled"}, Word{"named"}, Word{"reading"},
                                  Word{"saying"}, Word{"says"}, Word{"titled"}});

// opens_name returns whether what is behind a piece stays as it is.
bool opens_name(const RequestText::Piece& piece, bool renames) {
  if (piece.quoted) return false;
  const std::string word = lower_case(piece.text);
  return kNamingWords.contains(word) || word.ends_with(':') ||
         (renames && (word == "as" || word == "into" || word == "to"));
}

}  // namespace

std::string spelled_out(std::string_view request) {
  const RequestText text(request);
  const bool renames = !text.pieces().empty() && lower_case(text.pieces().front().text) == "rename";
  std::string out;
  std::size_t done = 0;
  bool named = false;
  for (const RequestText::Piece& piece : text.pieces()) {
    const auto form = std::ranges::find(kLongForms, piece.text, &LongForm::brief);
    if (form != kLongForms.end() && !piece.quoted && !named) {
      const auto begin = static_cast<std::size_t>(piece.text.data() - request.data());
      out += request.substr(done, begin - done);
      out += form->whole;
      done = begin + piece.text.size();
    }
    named = (named || opens_name(piece, renames)) && !(piece.ends_sentence && piece.end != ',');
  }
  out += request.substr(done);
  return out;
}

}  // namespace plumbline::agents
