#include "core/agents/operations/arguments/by_form.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/request/filters.h"
#include "core/agents/operations/request/typed.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

using FormedPiece = RequestText::Piece;

constexpr WordTable kOwners({Word{"group"}, Word{"namespace"}, Word{"org"}, Word{"organization"},
                             Word{"owner"}, Word{"workspace"}});
constexpr WordTable kOwned({Word{"project"}, Word{"repo"}, Word{"repository"}});
constexpr WordTable kSenders({Word{"from"}, Word{"reply"}, Word{"sender"}});
constexpr WordTable kFilesToo({Word{"directory"}, Word{"file"}, Word{"folder"}, Word{"path"}});

bool is_name_char(char c) {
  return is_lower(lower(c)) || is_digit(c) || c == '-' || c == '_' || c == '.';
}

// slash_of returns where the one slash of "acme/webshop" stands; 0 where it is none of this form.
std::size_t slash_of(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == text.npos || slash == 0 || slash + 1 == text.size()) return 0;
  const std::string_view owner = text.substr(0, slash);
  const std::string_view owned = text.substr(slash + 1);
  const bool named = std::ranges::all_of(owner, is_name_char) &&
                     std::ranges::all_of(owned, is_name_char) && is_lower(lower(owner.front()));
  return named ? slash : 0;
}

// give_owned gives both parts of "acme/webshop" to the two properties for an owner and what it
// owns.
void give_owned(Extraction& extraction, const Json& properties, RequestText& request) {
  const auto open_of = [&](const auto& names) {
    return only_open(extraction, properties, [&](const auto& words, const Json& property) {
      return takes_text(property) && has_one_of(words, names);
    });
  };
  const std::optional<std::string> owner = open_of(kOwners);
  const std::optional<std::string> owned = open_of(kOwned);
  if (!owner || !owned || *owner == *owned) return;
  const bool places = std::ranges::any_of(properties.items(), [](const auto& property) {
    return has_one_of(words_of(property.key()), kFilesToo);
  });
  if (places) return;  // It may be the path of a file.
  for (std::size_t i = 1; i < request.pieces().size(); ++i) {
    const FormedPiece& piece = request.pieces()[i];
    const std::size_t slash = piece.used || piece.quoted ? 0 : slash_of(piece.text);
    if (slash == 0) continue;
    const std::string both = request.take_piece(i);
    extraction.give(*owner, both.substr(0, slash), Provenance::kRequest);
    extraction.give(*owned, both.substr(slash + 1), Provenance::kRequest);
    return;
  }
}

// left_out_of returns the mark before a value that a description says to leave out: "r/" of
// "without r/ prefix". Empty: there is none.
std::string left_out_of(const Json& schema) {
  const std::vector<std::string_view> leads = {"without the ", "without "};
  const std::string told = string_or(schema, "description", "");
  for (const std::string_view lead : leads) {
    const std::size_t at = told.find(lead);
    if (at == told.npos) continue;
    std::string mark =
        told.substr(at + lead.size(), told.find(' ', at + lead.size()) - at - lead.size());
    std::erase_if(mark, [](char c) { return c == '"' || c == '\'' || c == '`'; });
    // A sign alone may belong to the value: "/" of a path, "-" of a number.
    const bool sign = mark == "@" || mark == "#" || mark == "$";
    const bool form = mark.size() > 1 && mark.size() < 4 && !is_lower(lower(mark.back())) &&
                      !is_digit(mark.back());
    return sign || form ? mark : std::string();
  }
  return {};
}

// give_without_mark gives "news" of "r/news" to the property that wants it without "r/".
void give_without_mark(Extraction& extraction, const Json& properties, RequestText& request) {
  for (const auto& [name, property] : properties.items()) {
    const std::string mark = takes_text(property) ? left_out_of(property) : std::string();
    if (mark.empty() || !is_open(extraction, name)) continue;
    for (std::size_t i = 1; i < request.pieces().size(); ++i) {
      const FormedPiece& piece = request.pieces()[i];
      const bool marked = !piece.used && !piece.quoted && piece.text.size() > mark.size() &&
                          lower_case(piece.text.substr(0, mark.size())) == mark;
      if (!marked) continue;
      extraction.give(name, request.take_piece(i).substr(mark.size()), Provenance::kRequest);
      break;
    }
  }
}

// give_sides gives two paths to the properties for one here and one there, by what the tool does:
// "download /var/log/a from web1 to /tmp/a" says first what is there.
void give_sides(Extraction& extraction, const Json& properties,
                const connector::Capability& capability, RequestText& request) {
  const auto open_of = [&](std::string_view side) {
    return only_open(extraction, properties, [&](const auto& words, const Json& property) {
      return takes_text(property) && contains(words, side) &&
             (contains(words, "path") || contains(words, "file"));
    });
  };
  const std::optional<std::string> here = open_of("local");
  const std::optional<std::string> there = open_of("remote");
  const std::vector<std::string> name = words_of(capability.name);
  const bool fetches = contains(name, "download") || contains(name, "get");
  const bool sends = contains(name, "upload") || contains(name, "put");
  if (!here || !there || fetches == sends) return;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < request.pieces().size(); ++i) {
    if (!request.pieces()[i].used && is_path(request.pieces()[i].text)) places.push_back(i);
  }
  if (places.size() != 2) return;
  const auto is_target = [&](std::size_t at) {
    const std::string before = at == 0 ? "" : lower_case(request.pieces()[at - 1].text);
    return before == "to" || before == "into" || before == "as";
  };
  if (is_target(places[0]) == is_target(places[1])) return;
  if (is_target(places[0])) std::swap(places[0], places[1]);
  const std::string first = request.take_piece(places[0]);
  const std::string second = request.take_piece(places[1]);
  extraction.give(fetches ? *there : *here, first, Provenance::kRequest);
  extraction.give(fetches ? *here : *there, second, Provenance::kRequest);
}

// give_new_name gives the old and the new name to a tool that takes both: "rename Work to Office".
void give_new_name(Extraction& extraction, const Json& properties, RequestText& request) {
  constexpr WordTable kNames({Word{"name"}, Word{"title"}});
  const auto open_of = [&](bool is_new) {
    return only_open(extraction, properties, [&](const auto& words, const Json& property) {
      return takes_text(property) && find(property, "enum") == nullptr && !words.empty() &&
             kNames.contains(words.back()) && (words.front() == "new") == is_new &&
             (words.size() == 1 || is_new || words.front() == "old" || words.front() == "current");
    });
  };
  if (request.pieces().empty() || lower_case(request.pieces().front().text) != "rename") return;
  const std::optional<std::string> before = open_of(false);
  const std::optional<std::string> after = open_of(true);
  if (before && after) give_both(extraction, *before, *after, request);
}

// give_told_field gives a quotation to the property that the request says it stands in: 'the
// products with "hoodie" in their title'.
void give_told_field(Extraction& extraction, const Json& properties, RequestText& request) {
  constexpr WordTable kOwn({Word{"its"}, Word{"the"}, Word{"their"}});
  for (std::size_t i = 1; i + 3 < request.pieces().size(); ++i) {
    const std::vector<FormedPiece>& pieces = request.pieces();
    const bool said = pieces[i].quoted && !pieces[i].used &&
                      lower_case(pieces[i + 1].text) == "in" &&
                      kOwn.contains(lower_case(pieces[i + 2].text)) && !pieces[i + 3].quoted;
    if (!said) continue;
    const std::string field = fold(lower_case(pieces[i + 3].text));
    const std::optional<std::string> name =
        only_open(extraction, properties, [&](const auto& words, const Json& property) {
          return takes_text(property) && find(property, "enum") == nullptr &&
                 contains(words, field);
        });
    if (name) extraction.give(*name, request.take_piece(i), Provenance::kRequest);
  }
}

// give_name_of_listed gives the name by which many are narrowed to the one property for it: "list
// the dashboards named "Checkout"".
void give_name_of_listed(Extraction& extraction, const Json& properties,
                         const connector::Capability& capability, RequestText& request) {
  if (!is_list(capability)) return;
  const std::optional<std::string> name =
      only_open(extraction, properties, [](const auto& words, const Json& property) {
        return takes_text(property) && find(property, "enum") == nullptr && words.size() == 1 &&
               (words.front() == "name" || words.front() == "title");
      });
  if (!name) return;
  std::optional<std::string> said = request.value_after({"called", "named", "titled"});
  if (said) extraction.give(*name, std::move(*said), Provenance::kRequest);
}

// is_value_here returns whether a piece is no word of a sentence, but a value.
bool is_value_here(const FormedPiece& piece) {
  return !piece.used && (piece.quoted || std::ranges::any_of(piece.text, is_digit) ||
                         is_upper(piece.text.front()) ||
                         piece.text.find_first_of("@:_") != std::string_view::npos);
}

bool is_plain_text(const Json& property) {
  return takes_text(property) && find(property, "enum") == nullptr;
}

// give_spelled gives what stands behind all words of a property's name, where there are several:
// "first name Jane" to firstName.
void give_spelled(Extraction& extraction, const Json& properties, RequestText& request) {
  constexpr WordTable kBetween({Word{"as"}, Word{"is"}, Word{"of"}, Word{"to"}});
  for (const auto& [name, property] : properties.items()) {
    const std::vector<std::string> words = words_of(name);
    if (words.size() < 2 || !is_open(extraction, name) || !is_plain_text(property)) continue;
    const std::vector<FormedPiece>& pieces = request.pieces();
    for (std::size_t i = 0; i + words.size() < pieces.size(); ++i) {
      bool spelled = true;
      for (std::size_t w = 0; w < words.size() && spelled; ++w) {
        const FormedPiece& piece = pieces[i + w];
        spelled = !piece.quoted && !piece.ends_sentence && lower_case(piece.text) == words[w];
      }
      std::size_t at = i + words.size();
      if (!spelled) continue;
      if (at + 1 < pieces.size() && kBetween.contains(lower_case(pieces[at].text))) ++at;
      if (!is_value_here(pieces[at])) continue;
      std::optional<Json> value = typed(property, std::string(pieces[at].text));
      if (!value) continue;
      request.take_piece(at);
      extraction.give(name, std::move(*value), Provenance::kRequest);
      break;
    }
  }
}

// give_marked gives what something is marked with to the property for such marks: "tagged env:prod"
// to tags.
void give_marked(Extraction& extraction, const Json& properties, RequestText& request) {
  for (const auto& [name, property] : properties.items()) {
    const std::vector<std::string> words = words_of(name);
    const bool many = type_of(property) == "array";
    const bool named = words.size() == 1 && fold(words.front()) == "name";
    if (words.size() != 1 || named || !is_open(extraction, name)) continue;
    if (!many && !is_plain_text(property)) continue;
    const std::vector<FormedPiece>& pieces = request.pieces();
    for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
      const std::string word = lower_case(pieces[i].text);
      const bool marked =
          !pieces[i].quoted && word.ends_with("ed") && is_form_of(word, fold(words.front()));
      const std::string next = lower_case(pieces[i + 1].text);
      const std::size_t at = i + (next == "with" || next == "as" ? 2 : 1);
      if (!marked || at >= pieces.size() || pieces[at].used) continue;
      if (!is_value_here(pieces[at]) && (is_empty_word(next) || pieces[at].text.empty())) continue;
      std::optional<Json> value = typed(property, std::string(pieces[at].text));
      if (!value) continue;
      request.take_piece(at);
      extraction.give(name, std::move(*value), Provenance::kRequest);
      break;
    }
  }
}

// give_maker gives who made what is listed to the one property for that: "the books by Tolkien".
void give_maker(Extraction& extraction, const Json& properties,
                const connector::Capability& capability, RequestText& request) {
  constexpr WordTable kMadeBy(
      {Word{"artist"}, Word{"author"}, Word{"creator"}, Word{"director"}, Word{"writer"}});
  if (!is_list(capability)) return;
  const std::optional<std::string> name =
      only_open(extraction, properties, [&](const auto& words, const Json& property) {
        return is_plain_text(property) && has_one_of(words, kMadeBy);
      });
  if (!name) return;
  std::optional<std::string> said = request.value_after({"by"});
  if (said) extraction.give(*name, std::move(*said), Provenance::kRequest);
}

// give_code gives what is quoted behind "run" and the like to the one property that takes code.
void give_code(Extraction& extraction, const Json& properties, RequestText& request) {
  constexpr WordTable kRuns(
      {Word{"eval"}, Word{"evaluate"}, Word{"exec"}, Word{"execute"}, Word{"run"}});
  constexpr WordTable kCodes({Word{"code"}, Word{"command"}, Word{"expression"}, Word{"script"},
                              Word{"sql"}, Word{"statement"}});
  const std::vector<FormedPiece>& pieces = request.pieces();
  if (pieces.size() < 2 || !pieces[1].quoted || pieces[1].used) return;
  if (pieces[0].quoted || !kRuns.contains(lower_case(pieces[0].text))) return;
  const std::optional<std::string> name =
      only_open(extraction, properties, [&](const auto& words, const Json& property) {
        return words.size() == 1 && kCodes.contains(words.front()) && is_plain_text(property);
      });
  if (name) extraction.give(*name, request.take_piece(1), Provenance::kRequest);
}

}  // namespace

void give_by_form(Extraction& extraction, const Json& properties,
                  const connector::Capability& capability, RequestText& request) {
  give_code(extraction, properties, request);
  give_without_mark(extraction, properties, request);
  give_owned(extraction, properties, request);
  give_sides(extraction, properties, capability, request);
  give_new_name(extraction, properties, request);
  give_told_field(extraction, properties, request);
  give_spelled(extraction, properties, request);
  give_marked(extraction, properties, request);
  give_name_of_listed(extraction, properties, capability, request);
  give_maker(extraction, properties, capability, request);
}

void give_both(Extraction& extraction, const std::string& first, const std::string& second,
               RequestText& request) {
  std::optional<std::pair<std::string, std::string>> said = request.pair();
  if (!said) return;
  extraction.give(first, std::move(said->first), Provenance::kRequest);
  extraction.give(second, std::move(said->second), Provenance::kRequest);
}

void give_left_address(Extraction& extraction, const Json& properties, RequestText& request) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < request.pieces().size(); ++i) {
    const FormedPiece& piece = request.pieces()[i];
    const std::size_t sign = piece.text.find('@');
    const bool address =
        sign != piece.text.npos && sign > 0 && piece.text.find('.', sign) != piece.text.npos;
    if (piece.used || !address) continue;
    if (found) return;
    found = i;
  }
  if (!found) return;
  const bool sends = *found > 0 && lower_case(request.pieces()[*found - 1].text) == "from";
  const auto is_for_it = [&](const auto& words, const Json& property) {
    return (sends || !has_one_of(words, kSenders)) && takes_text(property) &&
           find(property, "enum") == nullptr && !words.empty() && words.size() < 3 &&
           (words.back() == "email" ||
            (sends && words.size() == 1 && (words.front() == "sender" || words.front() == "from")));
  };
  const std::optional<std::string> name =
      properties.contains("email") && is_open(extraction, "email")
          ? std::optional<std::string>("email")
          : only_open(extraction, properties, is_for_it);
  if (name) extraction.give(*name, request.take_piece(*found), Provenance::kRequest);
}

}  // namespace plumbline::agents
