// The names of a request that stand beside what they are the names of.

#include <algorithm>
#include <cctype>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/request/request_text.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

// Words that people use as names of one of many.
constexpr WordTable kUsualNames({Word{"default"}, Word{"dev"}, Word{"develop"}, Word{"general"},
                                 Word{"latest"}, Word{"local"}, Word{"main"}, Word{"master"},
                                 Word{"origin"}, Word{"prod"}, Word{"production"}, Word{"public"},
                                 Word{"random"}, Word{"root"}, Word{"staging"}, Word{"test"},
                                 Word{"trunk"}, Word{"upstream"}});

// Behind a thing they say what of it is meant, or when, and do not name it.
constexpr WordTable kNoNames(
    {Word{"again"},    Word{"api"},         Word{"content"}, Word{"contents"}, Word{"count"},
     Word{"data"},     Word{"description"}, Word{"detail"},  Word{"details"},  Word{"down"},
     Word{"entries"},  Word{"entry"},       Word{"file"},    Word{"files"},    Word{"first"},
     Word{"history"},  Word{"id"},          Word{"ids"},     Word{"info"},     Word{"information"},
     Word{"item"},     Word{"items"},       Word{"list"},    Word{"log"},      Word{"logs"},
     Word{"member"},   Word{"members"},     Word{"name"},    Word{"names"},    Word{"now"},
     Word{"number"},   Word{"off"},         Word{"online"},  Word{"only"},     Word{"owner"},
     Word{"page"},     Word{"pages"},       Word{"record"},  Word{"records"},  Word{"report"},
     Word{"result"},   Word{"results"},     Word{"schema"},  Word{"setting"},  Word{"settings"},
     Word{"size"},     Word{"sizes"},       Word{"state"},   Word{"stats"},    Word{"status"},
     Word{"summary"},  Word{"text"},        Word{"title"},   Word{"today"},    Word{"tomorrow"},
     Word{"tool"},     Word{"tools"},       Word{"type"},    Word{"types"},    Word{"url"},
     Word{"usage"},    Word{"value"},       Word{"values"},  Word{"version"},  Word{"versions"},
     Word{"yesterday"}});

constexpr WordTable kPlacing({Word{"do"}, Word{"does"}, Word{"from"}, Word{"has"}, Word{"in"},
                              Word{"inside"}, Word{"into"}, Word{"of"}, Word{"on"}, Word{"onto"},
                              Word{"to"}, Word{"under"}, Word{"within"}});

// A thing ends before one of these.
constexpr WordTable kBehindThings(
    {Word{"about"},   Word{"after"},   Word{"among"},   Word{"and"},     Word{"are"},
     Word{"around"},  Word{"as"},      Word{"at"},      Word{"because"}, Word{"before"},
     Word{"behind"},  Word{"between"}, Word{"by"},      Word{"called"},  Word{"can"},
     Word{"contain"}, Word{"during"},  Word{"for"},     Word{"from"},    Word{"has"},
     Word{"have"},    Word{"if"},      Word{"in"},      Word{"inside"},  Word{"into"},
     Word{"is"},      Word{"like"},    Word{"named"},   Word{"near"},    Word{"not"},
     Word{"of"},      Word{"on"},      Word{"onto"},    Word{"or"},      Word{"over"},
     Word{"per"},     Word{"please"},  Word{"should"},  Word{"since"},   Word{"than"},
     Word{"that"},    Word{"then"},    Word{"through"}, Word{"titled"},  Word{"to"},
     Word{"until"},   Word{"upon"},    Word{"using"},   Word{"via"},     Word{"was"},
     Word{"were"},    Word{"when"},    Word{"where"},   Word{"which"},   Word{"will"},
     Word{"with"},    Word{"without"}});

bool is_word(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_lower(lower(c)); });
}

// is_no_word returns whether a piece is a name by its form: with digits or marks inside.
bool is_no_word(const RequestText::Piece& piece) {
  const std::string_view text = piece.text;
  if (text.find('=') != text.npos || text.find("://") != text.npos) return false;
  return std::ranges::any_of(text, is_digit) ||
         text.find_first_of("-_:.@/") != std::string_view::npos;
}

}  // namespace

bool RequestText::ends_thing(std::size_t index) const {
  if (index + 1 >= pieces_.size() || pieces_[index].ends_sentence || pieces_[index].end == ',')
    return true;
  const Piece& next = pieces_[index + 1];
  return next.quoted || kBehindThings.contains(lower_case(next.text));
}

std::optional<std::string> RequestText::named_as(std::string_view thing,
                                                 const std::vector<std::string>& no_names,
                                                 bool made, bool any) {
  const std::string folded = fold(thing);
  const auto is_other_word = [&](const std::string& word) {
    return is_empty_word(word) || kBehindThings.contains(word) || kNoNames.contains(word) ||
           contains(no_names, fold(word));
  };
  const auto is_usual_name = [&](std::size_t i) {
    const std::string word = lower_case(pieces_[i].text);
    return !pieces_[i].used && !pieces_[i].quoted && !contains(no_names, fold(word)) &&
           (is_no_word(pieces_[i]) || kUsualNames.contains(word));
  };
  const auto is_placing = [&](std::size_t i) {
    return !pieces_[i].quoted && kPlacing.contains(lower_case(pieces_[i].text));
  };
  const auto is_name = [&](std::size_t i, bool any_word) {
    const Piece& piece = pieces_[i];
    if (piece.used || piece.quoted) return false;
    if (is_usual_name(i)) return true;
    const std::string word = lower_case(piece.text);
    if (!is_word(piece.text) || is_other_word(word)) return false;
    return any_word || !is_common_word(word);
  };
  for (std::size_t i = 1; i < pieces_.size(); ++i) {
    const std::string word = lower_case(pieces_[i].text);
    const bool plural = word.ends_with('s') && fold(word) != word && word != thing;
    if (pieces_[i].quoted || plural || fold(word) != folded) continue;
    if (!made && is_marker(i - 1, {"a", "an", "new"})) continue;
    const std::size_t next = i + 1;
    const bool follows =
        next < pieces_.size() && !pieces_[i].ends_sentence && pieces_[i].end != ',';
    if (follows && is_marker(next, {"called", "named", "titled"}) && next + 1 < pieces_.size() &&
        !pieces_[next + 1].used) {
      return pieces_[next + 1].quoted ? take(next + 1) : take_capitalised(next + 1);
    }
    if (follows && pieces_[next].quoted && !pieces_[next].used) return take(next);
    const bool article = i > 0 && is_article(i - 1);
    const std::size_t before = article ? 2 : 1;
    const bool placed = i >= before && is_placing(i - before);
    const bool ordered = i == 1 && !article;  // "Describe table users".
    // "Delete the list Groceries": a capital makes a name of any word.
    const bool capital = made && follows && (article || ordered) && is_capitalised(next);
    if (capital) return take_capitalised(next);
    if (follows && ends_thing(next) && is_name(next, any || placed || ordered)) return take(next);
    if (i > 1 && (is_article(i - 2) || is_placing(i - 2)) && is_usual_name(i - 1)) {
      return take(i - 1);
    }
    // "In the acme workspace".
    const bool in_it = i > 2 && is_article(i - 2) && is_placing(i - 3);
    if (in_it && is_name(i - 1, false) && !is_verb(fold(word))) return take(i - 1);
  }
  return std::nullopt;
}

}  // namespace plumbline::agents
