#include "core/agents/operations/request/counted.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/agents/operations/request/codes.h"
#include "core/agents/operations/request/dated.h"
#include "core/agents/operations/request/typed.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

using CountedPiece = RequestText::Piece;

// How properties call the two ends of a time. "Check in" and "check out" are two words each.
constexpr WordTable kTimeBeginnings({Word{"after"}, Word{"arrival"}, Word{"begin"}, Word{"checkin"},
                                     Word{"from"}, Word{"since"}, Word{"start"}, Word{"starts"}});
constexpr WordTable kTimeEndings({Word{"before"}, Word{"checkout"}, Word{"end"}, Word{"ends"},
                                  Word{"return"}, Word{"to"}, Word{"until"}});
// A departure begins a journey, and ends a stay.
constexpr std::string_view kDeparture = "departure";

constexpr WordTable kPriceWords({Word{"amount"}, Word{"budget"}, Word{"cost"}, Word{"fare"},
                                 Word{"price"}, Word{"rent"}, Word{"salary"}});
constexpr WordTable kMostWords({Word{"max"}, Word{"maximum"}, Word{"most"}, Word{"to"},
                                Word{"upper"}});
constexpr WordTable kLeastWords({Word{"from"}, Word{"least"}, Word{"lower"}, Word{"min"},
                                 Word{"minimum"}});

// What stands directly before a number that is a bound.
constexpr WordTable kBelow({Word{"below"}, Word{"max"}, Word{"maximum"}, Word{"most"}, Word{"than"},
                            Word{"to"}, Word{"under"}});
constexpr WordTable kAbove({Word{"above"}, Word{"least"}, Word{"min"}, Word{"minimum"},
                            Word{"over"}, Word{"than"}});

// Who is counted by any of these is counted by all.
constexpr WordTable kPersons({Word{"adult"}, Word{"guest"}, Word{"passenger"}, Word{"people"},
                              Word{"person"}, Word{"traveler"}, Word{"traveller"}});

bool is_digits(std::string_view text) {
  return !text.empty() && is_digit(text.front()) && is_digit(text.back()) &&
         text.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool any_called(const Json& properties, std::string_view word) {
  return std::ranges::any_of(properties.items(), [&](const auto& property) {
    return contains(words_of(property.key()), word);
  });
}

bool is_beginning(const std::vector<std::string>& words, const Json& properties) {
  if (words.size() > 1 && words[0] == "check") return words[1] == "in";
  if (contains(words, kDeparture)) return any_called(properties, "return");
  return has_one_of(words, kTimeBeginnings);
}

bool is_ending(const std::vector<std::string>& words, const Json& properties) {
  if (words.size() > 1 && words[0] == "check") return words[1] == "out";
  if (contains(words, kDeparture)) return any_called(properties, "arrival");
  return has_one_of(words, kTimeEndings);
}

// is_for_dates returns whether a property says that it holds a date.
bool is_for_dates(const std::vector<std::string>& words, const Json& property) {
  const std::string told = lower_case(string_or(property, "description", ""));
  return takes_text(property) &&
         (contains(words, "date") || told.find("date") != std::string::npos ||
          told.find("yyyy") != std::string::npos || told.find("iso 8601") != std::string::npos ||
          string_or(property, "format", "").starts_with("date"));
}

// Money is a number that stands with a currency: "300 EUR", "$300", "300 euros".
struct Money {
  std::size_t at = 0;
  std::string digits;
  std::string code;
  std::optional<std::size_t> unit{};  // The piece that says which.
};

bool is_code(const CountedPiece& piece) {
  return !piece.quoted && piece.text.size() == 3 && std::ranges::all_of(piece.text, is_upper);
}

std::optional<Money> money_at(const RequestText& request, std::size_t at) {
  const std::vector<CountedPiece>& pieces = request.pieces();
  const CountedPiece& piece = pieces[at];
  if (piece.used || piece.quoted) return std::nullopt;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSigns = {
      {{"$", "USD"}, {"\xe2\x82\xac", "EUR"}, {"\xc2\xa3", "GBP"}}};
  for (const auto& [sign, code] : kSigns) {
    std::string_view digits = piece.text;
    if (digits.starts_with(sign)) digits.remove_prefix(sign.size());
    if (digits.ends_with(sign)) digits.remove_suffix(sign.size());
    if (digits.size() < piece.text.size() && is_digits(digits))
      return Money{at, std::string(digits), std::string(code)};
  }
  if (!is_digits(piece.text) || at + 1 == pieces.size()) return std::nullopt;
  const CountedPiece& next = pieces[at + 1];
  if (is_code(next)) return Money{at, std::string(piece.text), std::string(next.text), at + 1};
  const std::string_view code = currency_code(lower_case(next.text));
  if (code.empty()) return std::nullopt;
  return Money{at, std::string(piece.text), std::string(code), at + 1};
}

// bound_before returns -1 where a number at `at` is the most of something, 1 where it is the least,
// and 0 where nothing says so.
int bound_before(const RequestText& request, std::size_t at) {
  if (at == 0) return 0;
  const auto word = [&](std::size_t back) {
    return at >= back ? lower_case(request.pieces()[at - back].text) : std::string();
  };
  const std::string before = word(1);
  if (before == "than") {
    const std::string how = word(2);
    if (how == "less" || how == "fewer" || how == "cheaper") return -1;
    if (how != "more") return 0;
    return word(3) == "no" || word(3) == "not" ? -1 : 1;
  }
  if (before == "to") return word(2) == "up" ? -1 : 0;
  return kBelow.contains(before) ? -1 : kAbove.contains(before) ? 1 : 0;
}

// counted_by returns the folded words of what a property counts.
std::vector<std::string> counted_by(const std::string& name, const Json& property) {
  std::vector<std::string> out;
  const std::vector<std::string> told = words_of(string_or(property, "description", ""));
  for (std::size_t i = 0; i + 2 < told.size(); ++i) {
    if (told[i] == "number" && told[i + 1] == "of") out.push_back(fold(told[i + 2]));
  }
  const std::vector<std::string> words = words_of(name);
  if (words.size() == 1 && words[0].ends_with('s') && fold(words[0]) != words[0])
    out.push_back(fold(words[0]));
  if (contains(words, "length")) out.insert(out.end(), {"character", "char", "letter"});
  if (words.size() == 1 && words[0] == "rating") out.emplace_back("star");
  if (has_one_of(out, kPersons)) {
    for (const Word& person : kPersons.rows()) out.emplace_back(person.word);
  }
  return out;
}

// numbered_thing returns what a description of at most two words says that a number is of: favorite
// of "Favorite number (from the list)". Empty: it says no such thing.
std::string numbered_thing(const Json& property) {
  const std::string told = string_or(property, "description", "");
  const std::vector<std::string> words =
      words_of(std::string_view(told).substr(0, told.find_first_of("(.,;:")));
  const bool number = words.size() == 2 && (words[1] == "number" || words[1] == "index");
  return number ? fold(words[0]) : std::string();
}

// give_numbered gives a number behind a thing to the property that is described by it.
void give_numbered(Extraction& extraction, const std::string& name, const Json& property,
                   RequestText& request) {
  const std::string thing = numbered_thing(property);
  for (std::size_t i = 1; !thing.empty() && i < request.pieces().size(); ++i) {
    const CountedPiece& piece = request.pieces()[i];
    if (piece.used || piece.quoted || !is_digits(piece.text)) continue;
    const auto before = [&](std::size_t back) {
      return i >= back ? fold(lower_case(request.pieces()[i - back].text)) : std::string();
    };
    if (before(1) != thing && !(before(1) == "number" && before(2) == thing)) continue;
    std::optional<Json> value = typed(property, std::string(piece.text));
    if (!value) continue;
    request.take_piece(i);
    return extraction.give(name, std::move(*value), Provenance::kRequest);
  }
}

}  // namespace

void give_dates(Extraction& extraction, const Json& properties, RequestText& request) {
  constexpr WordTable kFrom(
      {Word{"after"}, Word{"beginning"}, Word{"from"}, Word{"since"}, Word{"starting"}});
  constexpr WordTable kUntil(
      {Word{"before"}, Word{"by"}, Word{"ending"}, Word{"till"}, Word{"until"}});
  const std::vector<SaidDate> dates = dates_in(request);
  if (dates.empty() || dates.size() > 2) return;
  const std::string first =
      only_open(extraction, properties, [&](const auto& words, const Json& property) {
        return is_beginning(words, properties) && is_for_dates(words, property);
      }).value_or("");
  const std::string second =
      only_open(extraction, properties, [&](const auto& words, const Json& property) {
        return is_ending(words, properties) && is_for_dates(words, property);
      }).value_or("");
  const auto give = [&](const std::string& name, const SaidDate& date) {
    if (name.empty()) return;
    for (std::size_t i = date.first; i < date.end; ++i) request.take_piece(i);
    extraction.give(name, date.text, Provenance::kRequest);
  };
  if (dates.size() == 1) {
    const SaidDate& date = dates.front();
    const std::string before =
        date.first == 0 ? "" : lower_case(request.pieces()[date.first - 1].text);
    if (kFrom.contains(before)) return give(first, date);
    if (kUntil.contains(before)) return give(second, date);
    if (date.end == date.first + 1) return;
    give(only_open(extraction, properties,
                   [](const auto& words, const Json& property) {
                     return takes_text(property) &&
                            (contains(words, "date") || contains(words, "day") ||
                             string_or(property, "format", "") == "date");
                   })
             .value_or(""),
         date);
    return;
  }
  if (first.empty() || second.empty() || first == second) return;
  if (!(dates[0].text < dates[1].text)) return;
  give(first, dates[0]);
  give(second, dates[1]);
}

void give_prices(Extraction& extraction, const Json& properties, RequestText& request) {
  for (std::size_t i = 1; i < request.pieces().size(); ++i) {
    const std::optional<Money> money = money_at(request, i);
    const int bound = money ? bound_before(request, i) : 0;
    if (bound == 0) continue;
    const std::string name =
        only_open(extraction, properties, [&](const auto& words, const Json& property) {
          return takes_number(property) && has_one_of(words, kPriceWords) &&
                 (bound < 0 ? has_one_of(words, kMostWords) : has_one_of(words, kLeastWords));
        }).value_or("");
    std::optional<Json> value =
        name.empty() ? std::nullopt : typed(properties.at(name), money->digits);
    if (!value) continue;
    request.take_piece(i);
    extraction.give(name, std::move(*value), Provenance::kRequest);
    const std::string currency =
        only_open(extraction, properties, [](const auto& words, const Json& property) {
          return takes_text(property) && !words.empty() && words.front() == "currency";
        }).value_or("");
    if (currency.empty()) continue;
    if (money->unit) request.take_piece(*money->unit);
    extraction.give(currency, money->code, Provenance::kRequest);
  }
}

void give_counted(Extraction& extraction, const Json& properties, RequestText& request) {
  for (const auto& [name, property] : properties.items()) {
    if (!is_open(extraction, name) || !takes_number(property)) continue;
    give_numbered(extraction, name, property, request);
    if (!is_open(extraction, name)) continue;
    const std::vector<std::string> counted = counted_by(name, property);
    for (std::size_t i = 0; i + 1 < request.pieces().size(); ++i) {
      const CountedPiece& piece = request.pieces()[i];
      if (piece.used || piece.quoted || piece.ends_sentence || !is_digits(piece.text)) continue;
      // "Page 3 results" are no three results.
      const std::string before = i == 0 ? "" : fold(lower_case(request.pieces()[i - 1].text));
      if (!before.empty() && properties.contains(before)) continue;
      std::size_t next = i + 1;
      const auto text = [&](std::size_t at) { return lower_case(request.pieces()[at].text); };
      if (text(next) == "most" && next + 1 < request.pieces().size()) ++next;  // "Most recent".
      const bool how =
          text(next) == "recent" || text(next) == "latest" || text(next).ends_with("est");
      if (how && next + 1 < request.pieces().size()) ++next;
      if (request.pieces()[next].quoted || !contains(counted, fold(text(next)))) continue;
      std::optional<Json> value = typed(property, std::string(piece.text));
      if (!value) continue;
      request.take_piece(i);
      extraction.give(name, std::move(*value), Provenance::kRequest);
      break;
    }
  }
}

}  // namespace plumbline::agents
