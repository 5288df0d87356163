#include "core/agents/operations/advice/said_days.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/agents/operations/request/dated.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/word_table.h"

namespace plumbline::agents {

namespace {

using std::chrono::day;
using std::chrono::last;
using std::chrono::month;
using std::chrono::months;
using std::chrono::year;
using std::chrono::year_month;
using std::chrono::year_month_day;

struct Unit {
  std::string_view word;
  double seconds;
};

constexpr double kHour = 3600;
constexpr double kDay = 24 * kHour;
constexpr WordTable kTimeUnits({Unit{"d", kDay},        Unit{"day", kDay},   Unit{"days", kDay},
                                Unit{"h", kHour},       Unit{"hour", kHour}, Unit{"hours", kHour},
                                Unit{"hr", kHour},      Unit{"hrs", kHour},  Unit{"m", 60},
                                Unit{"min", 60},        Unit{"mins", 60},    Unit{"minute", 60},
                                Unit{"minutes", 60},    Unit{"ms", 0.001},   Unit{"s", 1},
                                Unit{"sec", 1},         Unit{"second", 1},   Unit{"seconds", 1},
                                Unit{"secs", 1},        Unit{"w", 7 * kDay}, Unit{"week", 7 * kDay},
                                Unit{"weeks", 7 * kDay}});

// Before a unit they say that it is one.
constexpr WordTable kOfOne({Word{"last"}, Word{"next"}, Word{"past"}, Word{"previous"},
                            Word{"this"}});
constexpr WordTable kJoins({Word{"and"}, Word{"or"}, Word{"through"}, Word{"thru"}, Word{"till"},
                            Word{"to"}, Word{"until"}});

unsigned month_said(std::string_view word) {
  return static_cast<unsigned>(month_called(word, true));
}

bool is_year(std::string_view word) {
  return word.size() == 4 && std::ranges::all_of(word, is_digit) && word >= "1900" &&
         word <= "2999";
}

// DayReader goes through the words of a request, and notes the days that it finds.
class DayReader {
 public:
  DayReader(std::string_view request, const std::vector<SaidWord>& words)
      : request_(request), words_(words) {}

  std::vector<SaidDay> read() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string& word = words_[i].text;
      read_digits(i);
      if (const unsigned named = month_said(word); named != 0) read_month(i, month(named));
      if (word.size() == 2 && word[0] == 'q' && word[1] >= '1' && word[1] <= '4') read_quarter(i);
      if (is_year(word)) read_year(i);
    }
    return std::move(days_);
  }

 private:
  // add notes a day, said from the word `from` to the word `to`; what is no day is not noted.
  void add(year_month_day date, std::size_t from, std::size_t to) {
    if (date.ok()) days_.push_back({date, words_[from].begin, words_[to].end});
  }

  // add_whole notes the first day, the last, and the one behind it.
  void add_whole(year_month first, year_month end, std::size_t from, std::size_t to) {
    add(first / day(1), from, to);
    add(year_month_day(end / last), from, to);
    add((end + months(1)) / day(1), from, to);
  }

  // add_any notes the day of three numbers as people write it, day or month first.
  void add_any(int one, int two, int three, std::size_t from, std::size_t to) {
    constexpr int kYearMax = 2999, kDayMax = 31;
    const int year_said = std::max(one, three);
    if (two < 1 || two > kDayMax || std::min(one, three) > kDayMax || year_said > kYearMax) return;
    const auto day_of = [](int number) { return day(static_cast<unsigned>(number)); };
    const auto month_of = [](int number) { return month(static_cast<unsigned>(number)); };
    if (one >= 1900) {
      add(year(one) / month_of(two) / day_of(three), from, to);
    } else if (three >= 1900) {
      add(year(three) / month_of(two) / day_of(one), from, to);
      add(year(three) / month_of(one) / day_of(two), from, to);
    }
  }

  // joined returns whether only this sign stands between a word and the next.
  bool joined(std::size_t at, char sign) const {
    return at + 1 < words_.size() && words_[at].end + 1 == words_[at + 1].begin &&
           request_[words_[at].end] == sign;
  }

  void read_digits(std::size_t at) {
    const auto number = [&](std::size_t i) { return whole_number(words_[i].text).value_or(-1); };
    for (const char sign : {'-', '/'}) {
      if (!joined(at, sign) || !joined(at + 1, sign)) continue;
      // "2026-03-05T10:00" is one word behind the second sign.
      const std::string third = words_[at + 2].text.substr(0, words_[at + 2].text.find('t'));
      add_any(number(at), number(at + 1), whole_number(third).value_or(-1), at, at + 2);
    }
    const std::string& word = words_[at].text;
    const std::size_t first = word.find('.');
    const std::size_t second = first == word.npos ? word.npos : word.find('.', first + 1);
    if (second == word.npos) return;
    add_any(whole_number(word.substr(0, first)).value_or(-1),
            whole_number(word.substr(first + 1, second - first - 1)).value_or(-1),
            whole_number(word.substr(second + 1)).value_or(-1), at, at);
  }

  // day_at returns the day of a month that a word is; 0: it is none.
  unsigned day_at(std::size_t at) const {
    if (at >= words_.size()) return 0;
    const std::optional<int> number = whole_number(words_[at].text);
    return number && *number >= 1 && *number <= 31 ? static_cast<unsigned>(*number) : 0;
  }
  bool is(std::size_t at, std::string_view word) const {
    return at < words_.size() && words_[at].text == word;
  }
  bool joins(std::size_t at) const {
    return at < words_.size() && kJoins.contains(words_[at].text);
  }

  // year_near returns the year that stands next behind a word, or else before it.
  std::optional<year> year_near(std::size_t at) const {
    const auto is_one = [](const SaidWord& word) { return is_year(word.text); };
    const auto from = words_.begin() + static_cast<std::ptrdiff_t>(at);
    auto found = std::find_if(from, words_.end(), is_one);
    if (found == words_.end()) found = std::ranges::find_if(words_, is_one);
    if (found == words_.end()) return std::nullopt;
    return year(std::stoi(found->text));
  }

  void read_month(std::size_t at, month named) {
    const std::optional<year> of = year_near(at);
    if (!of) return;
    const year_month whole = *of / named;
    bool any = false;
    const auto note = [&](std::size_t where) {
      if (const unsigned number = day_at(where); number != 0) {
        add(whole / day(number), std::min(at, where), std::max(at, where));
        any = true;
      }
    };
    // "7 to 18 December", "the 5th of March", "5-7 March".
    std::size_t before = at;
    if (before > 0 && is(before - 1, "of")) --before;
    if (before > 0 && day_at(before - 1) != 0) {
      note(before - 1);
      if (before > 2 && joins(before - 2)) note(before - 3);
      if (before > 1 && joined(before - 2, '-')) note(before - 2);
    }
    // "March 5", "March the 5th to 9th", "March 5-9".
    std::size_t behind = at + 1;
    if (is(behind, "the")) ++behind;
    if (day_at(behind) != 0) {
      note(behind);
      if (joins(behind + 1) && month_said_at(behind + 3) == 0) note(behind + 2);
      if (joined(behind, '-')) note(behind + 1);
    }
    if (!any) add_whole(whole, whole, at, at);
  }
  unsigned month_said_at(std::size_t at) const {
    return at < words_.size() ? month_said(words_[at].text) : 0;
  }

  void read_quarter(std::size_t at) {
    const std::optional<year> of = year_near(at);
    if (!of) return;
    const auto first = static_cast<unsigned>(words_[at].text[1] - '1') * 3 + 1;
    add_whole(*of / month(first), *of / month(first + 2), at, at);
  }

  // read_year reads a year that is no part of a date.
  void read_year(std::size_t at) {
    const auto is_month = [](const SaidWord& word) { return month_said(word.text) != 0; };
    const auto is_dashed = [&](std::size_t i) { return joined(i, '-') || joined(i, '/'); };
    if (std::ranges::any_of(words_, is_month) || is_dashed(at) || (at > 0 && is_dashed(at - 1)))
      return;
    const year of(std::stoi(words_[at].text));
    add_whole(of / month(1), of / month(12), at, at);
  }

  std::string_view request_;
  const std::vector<SaidWord>& words_;
  std::vector<SaidDay> days_;
};

}  // namespace

std::vector<SaidDay> said_days(std::string_view request, const std::vector<SaidWord>& words) {
  return DayReader(request, words).read();
}

double seconds_of(std::string_view unit) {
  const Unit* const found = kTimeUnits.find(unit);
  return found != nullptr ? found->seconds : 0;
}

std::vector<SaidSpan> said_spans(const std::vector<SaidWord>& words) {
  std::vector<SaidSpan> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i].text;
    const std::size_t letters = word.find_first_not_of("0123456789.,");
    if (letters != 0 && letters != word.npos) {  // "30s"
      const std::optional<double> number = number_said(word.substr(0, letters));
      const double unit = seconds_of(word.substr(letters));
      if (number && unit > 0) out.push_back({*number * unit, words[i].begin, words[i].end});
    }
    if (i == 0) continue;
    const double unit = seconds_of(word);
    if (unit <= 0) continue;
    // "Half a minute", "half an hour"; "the last week" is one, and "the second" is no second.
    const std::string& before = words[i - 1].text;
    const bool half = i > 1 && words[i - 2].text == "half" && before.starts_with('a');
    const std::optional<double> number = half ? 0.5 : number_said(before);
    const std::size_t first = half ? i - 2 : number ? i - 1 : i;
    if (number || kOfOne.contains(before)) {
      out.push_back({number.value_or(1) * unit, words[first].begin, words[i].end});
    }
  }
  return out;
}

}  // namespace plumbline::agents
