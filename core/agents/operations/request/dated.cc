#include "core/agents/operations/request/dated.h"

#include <algorithm>
#include <charconv>

#include "core/agents/policy/letters.h"
#include "core/agents/policy/word_table.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

struct Month {
  std::string_view word;
  int number;
};

constexpr WordTable kMonths({Month{"april", 4}, Month{"august", 8}, Month{"december", 12},
                             Month{"february", 2}, Month{"january", 1}, Month{"july", 7},
                             Month{"june", 6}, Month{"march", 3}, Month{"may", 5},
                             Month{"november", 11}, Month{"october", 10}, Month{"september", 9}});

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

// written_date returns the date of these three words, in any of the two orders of people.
std::optional<std::string> written_date(std::string_view one, std::string_view two,
                                        std::string_view three) {
  const bool month_first = month_number(one).has_value();
  const std::optional<int> month = month_number(month_first ? one : two);
  const std::optional<int> day = whole_number(month_first ? two : one);
  const std::optional<int> year = whole_number(three);
  if (!month || !day || !year || *day < 1 || *day > 31 || *year < 1900 || *year > 2999)
    return std::nullopt;
  return std::to_string(*year) + '-' + two_digits(*month) + '-' + two_digits(*day);
}

}  // namespace

bool is_date(std::string_view text) {
  return text.size() >= 10 && text[4] == '-' && text[7] == '-' && is_digit(text[0]) &&
         is_digit(text[3]) && is_digit(text[5]) && is_digit(text[8]) && is_digit(text[9]);
}

int month_called(std::string_view word, bool shortened) {
  if (const Month* const month = kMonths.find(word)) return month->number;
  for (const Month& month : kMonths.rows()) {
    const bool same = word == month.word.substr(0, 3) || (word == "sept" && month.number == 9);
    if (shortened && same) return month.number;
  }
  return 0;
}

std::optional<int> month_number(std::string_view word) {
  if (word.empty() || !is_upper(word.front())) return std::nullopt;  // "May", not "may".
  const int month = month_called(lower_case(word), false);
  return month != 0 ? std::optional(month) : std::nullopt;
}

std::optional<int> whole_number(std::string_view text) {
  for (const std::string_view ending : {"st", "nd", "rd", "th"}) {
    if (text.size() > 2 && text.ends_with(ending)) text.remove_suffix(2);
  }
  int number = 0;
  const auto [stop, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = failed == std::errc() && stop == text.data() + text.size();
  return whole && !text.empty() && is_digit(text.front()) ? std::optional(number) : std::nullopt;
}

std::vector<SaidDate> dates_in(const RequestText& request) {
  std::vector<SaidDate> out;
  const std::vector<RequestText::Piece>& pieces = request.pieces();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].used) continue;
    if (is_date(pieces[i].text)) out.push_back({std::string(pieces[i].text), i, i + 1});
    const bool plain = i + 2 < pieces.size() &&
                       std::all_of(pieces.begin() + static_cast<std::ptrdiff_t>(i),
                                   pieces.begin() + static_cast<std::ptrdiff_t>(i + 3),
                                   [](const auto& one) { return !one.quoted && !one.used; });
    if (!plain) continue;
    const std::optional<std::string> written =
        written_date(pieces[i].text, pieces[i + 1].text, pieces[i + 2].text);
    if (written) out.push_back({*written, i, i + 3});
  }
  return out;
}

std::optional<std::string> date_of(std::string_view text) {
  const RequestText words(text);
  const std::vector<SaidDate> dates = dates_in(words);
  const bool whole = dates.size() == 1 && dates.front().end == words.pieces().size();
  return whole && dates.front().first == 0 ? std::optional(dates.front().text) : std::nullopt;
}

}  // namespace plumbline::agents
