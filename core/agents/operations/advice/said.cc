#include "core/agents/operations/advice/said.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/agents/operations/request/codes.h"
#include "core/agents/operations/request/dated.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/word_table.h"
#include "core/base/doors/wall_clock.h"
#include "core/base/real_number.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

constexpr std::size_t kMadeWordsMax = 12;

bool is_wordy(char sign) {
  return is_digit(sign) || is_lower(sign) || static_cast<unsigned char>(sign) >= 0x80;
}

// has_form returns whether digits stand wherever `form` has a 0, and its signs elsewhere.
bool has_form(std::string_view text, std::string_view form) {
  if (text.size() != form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '0' ? !is_digit(text[i]) : text[i] != form[i]) return false;
  }
  return true;
}

// without_marks returns a text with a space for each sign that may stand within a number.
std::string without_marks(std::string_view text) {
  std::string out(text);
  for (char& sign : out) {
    if (sign == '.' || sign == ',' || sign == ':') sign = ' ';
  }
  return out;
}

// is_key_in returns whether a word names what stands behind it: "status" in "status:error".
bool is_key_in(std::string_view text, const std::string& word) {
  return text.find(word + ':') != text.npos || text.find(word + '=') != text.npos;
}

bool is_same(double one, double other) {
  return std::abs(one - other) <= 1e-14 * std::max(1.0, std::abs(one));
}

}  // namespace

Said::Said(std::string_view request)
    : request_(request),
      lower_(lower_case(request)),
      words_(said_words(request)),
      days_(said_days(request_, words_)),
      spans_(said_spans(words_)) {}

bool Said::says(std::string& text) {
  const std::string wanted = lower_case(text);
  if (wanted.empty()) return false;
  std::string found;
  for (std::size_t at = lower_.find(wanted); at != std::string::npos;
       at = lower_.find(wanted, at + 1)) {
    const std::size_t end = at + wanted.size();
    const bool begins = at == 0 || !is_wordy(lower_[at - 1]) || !is_wordy(lower_[at]);
    const bool ends = end == lower_.size() || !is_wordy(lower_[end]) || !is_wordy(lower_[end - 1]);
    if (!begins || !ends) continue;
    const std::string here = request_.substr(at, wanted.size());
    if (found.empty() || here == text) found = here;
    use(at, end);
  }
  if (found.empty()) return false;
  text = std::move(found);
  return true;
}

bool Said::means(std::string_view text) {
  const std::optional<double> number =
      std::ranges::all_of(text, is_digit) ? read_real(std::string(text)) : std::nullopt;
  return means_moment(text) || means_span(text) || means_code(text) || (number && counts(*number));
}

bool Said::counts(double number) {
  bool said = false;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const SaidWord& word = words_[i];
    const std::optional<double> one = number_said(word.text);
    if (!one || word.text.starts_with('a')) continue;
    const char before = word.begin > 0 ? request_[word.begin - 1] : ' ';
    const bool minus = before == '-' && is_same(-*one, number);  // A minus, or "10-20".
    const std::string_view behind = std::string_view(request_).substr(word.end);
    const bool percent = behind.starts_with('%') || behind.starts_with(" %") ||
                         (i + 1 < words_.size() && words_[i + 1].text == "percent");
    if (!is_same(*one, number) && !minus && !(percent && is_same(*one / 100, number))) continue;
    use(word);
    said = true;
  }
  if (said || counts_span(number)) return true;
  constexpr double kSecondsMin = 1e8, kSecondsMax = 4.2e9;  // From 1973 on, to 2103.
  const double seconds = number > kSecondsMax ? number / 1000 : number;
  if (seconds < kSecondsMin || seconds > kSecondsMax) return false;
  return means_moment(rfc3339(std::chrono::seconds(static_cast<std::int64_t>(seconds))));
}

bool Said::counts_span(double number) {
  bool said = false;
  for (const SaidSpan& span : spans_) {
    for (const char* const unit : {"ms", "s", "m", "h", "d", "w"}) {
      if (!is_same(span.seconds / seconds_of(unit), std::abs(number))) continue;
      use(span.begin, span.end);
      said = true;
    }
  }
  return said;
}

bool Said::says_day(std::chrono::year_month_day wanted) {
  bool said = false;
  for (const SaidDay& one : days_) {
    if (one.day != wanted) continue;
    use(one.begin, one.end);
    said = true;
  }
  // The year may stand apart.
  for (const SaidWord& word : words_) {
    if (said && word.text == std::to_string(static_cast<int>(wanted.year()))) use(word);
  }
  return said;
}

// says_time returns whether a time of day is said, "14:00" as "2 pm" too, or is where a day begins
// or ends.
bool Said::says_time(std::string_view hour, std::string_view minute) {
  const int hours = whole_number(hour).value_or(-1);
  bool said = false;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::string& word = words_[i].text;
    const std::size_t digits = std::min(word.find_first_not_of("0123456789:"), word.size());
    const std::size_t colon = std::min(word.find(':'), digits);
    const std::string_view minutes =
        colon < digits ? std::string_view(word).substr(colon + 1, 2) : std::string_view("00");
    std::string_view half = std::string_view(word).substr(digits);
    const bool apart = half.empty() && i + 1 < words_.size() &&
                       (words_[i + 1].text == "am" || words_[i + 1].text == "pm");
    if (apart) half = words_[i + 1].text;
    const int number = whole_number(word.substr(0, colon)).value_or(-1);
    const bool twelve = half == "am" || half == "pm";
    if (number < 0 || minutes != minute || (!twelve && colon == digits && half != "h")) continue;
    if ((twelve ? number % 12 + (half == "pm" ? 12 : 0) : number) != hours) continue;
    use(words_[i].begin, words_[i + (apart ? 1 : 0)].end);
    said = true;
  }
  const bool whole_day = (hours == 0 && minute == "00") || (hours == 23 && minute == "59");
  const bool noon = hours == 12 && minute == "00" && lower_.find("noon") != std::string::npos;
  return said || whole_day || noon;
}

bool Said::means_moment(std::string_view text) {
  if (text.size() < 10 || !has_form(text.substr(0, 10), "0000-00-00")) return false;
  const auto number = [&](std::size_t at, std::size_t size) {
    return static_cast<unsigned>(whole_number(text.substr(at, size)).value_or(0));
  };
  const std::chrono::year_month_day wanted(std::chrono::year(static_cast<int>(number(0, 4))),
                                           std::chrono::month(number(5, 2)),
                                           std::chrono::day(number(8, 2)));
  std::string_view rest = text.substr(10);
  if (rest.empty()) return says_day(wanted);
  if (rest.size() < 6 || (rest[0] != 'T' && rest[0] != ' ') ||
      !has_form(rest.substr(1, 5), "00:00"))
    return false;
  const std::string_view hour = rest.substr(1, 2);
  const std::string_view minute = rest.substr(4, 2);
  rest.remove_prefix(6);
  const bool ends_day = hour == "23" && minute == "59";
  for (const std::string_view seconds : {":00.000", ":00", ":59.999", ":59"}) {
    if (!rest.starts_with(seconds) || (seconds[1] == '5' && !ends_day)) continue;
    rest.remove_prefix(seconds.size());
    break;
  }
  const bool zone = rest.empty() || rest == "Z" || rest == "+00:00" ||
                    (has_form(rest.substr(1), "00:00") && lower_.find(rest) != std::string::npos);
  return zone && says_day(wanted) && says_time(hour, minute);
}

bool Said::means_span(std::string_view text) {
  const std::size_t letters = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::optional<double> number =
      letters > 0 ? read_real(std::string(text.substr(0, letters))) : std::nullopt;
  const double unit = seconds_of(text.substr(letters));
  if (!number || unit <= 0) return false;
  bool said = false;
  for (const SaidSpan& span : spans_) {
    if (!is_same(span.seconds, *number * unit)) continue;
    use(span.begin, span.end);
    said = true;
  }
  return said;
}

bool Said::means_code(std::string_view text) {
  constexpr WordTable kMe({Word{"i"}, Word{"me"}, Word{"mine"}, Word{"my"}, Word{"myself"}});
  const std::string wanted = lower_case(text);
  const bool me = wanted == "me" || wanted == "@me" || wanted == "self";
  bool said = false;
  for (const SaidWord& word : words_) {
    if (!(me && kMe.contains(word.text)) && !is_code_of(wanted, word.text)) continue;
    use(word);
    said = true;
  }
  return said;
}

bool Said::makes_up(std::string_view text, std::string_view told) {
  const bool place = text.find('@') != text.npos || text.find("://") != text.npos ||
                     std::string_view("/~.").find(text.empty() ? '/' : text[0]) != text.npos;
  const bool date = has_form(text.substr(0, 10), "0000-00-00");  // A day is said, or is not.
  const std::vector<SaidWord> parts = said_words(without_marks(text));
  if (place || date || parts.size() < 2 || parts.size() > kMadeWordsMax) return false;
  const std::vector<SaidWord> own = said_words(without_marks(told));
  const bool in_order = text.find(' ') != text.npos;
  std::vector<const SaidWord*> found;
  auto from = words_.begin();
  for (const SaidWord& part : parts) {
    const auto word = std::find_if(in_order ? from : words_.begin(), words_.end(),
                                   [&](const SaidWord& one) { return one.text == part.text; });
    if (word != words_.end()) {
      found.push_back(&*word);
      from = word + 1;
    } else if (std::ranges::find(own, part.text, &SaidWord::text) == own.end() ||
               !is_key_in(lower_case(text), part.text)) {
      return false;
    }
  }
  if (2 * found.size() < parts.size()) return false;
  for (const SaidWord* const word : found) use(*word);
  return true;
}

bool Said::leaves(std::string_view piece) const {
  const std::size_t at = request_.find(piece);
  if (at == std::string::npos) return true;
  const auto is_used = [&](std::size_t begin, std::size_t end) {
    return std::ranges::any_of(
        used_, [&](const auto& one) { return one.first <= begin && end <= one.second; });
  };
  if (piece.find("://") != piece.npos) {  // An id that stands in an address is taken from it.
    const auto is_inside = [&](const auto& one) {
      return one.first >= at && one.second <= at + piece.size();
    };
    // What stands elsewhere as well may have been meant there.
    return std::ranges::none_of(used_, [&](const auto& one) {
      const std::string word = request_.substr(one.first, one.second - one.first);
      return is_inside(one) && std::ranges::none_of(used_, [&](const auto& other) {
               return !is_inside(other) &&
                      request_.substr(other.first, other.second - other.first) == word;
             });
    });
  }
  return std::ranges::any_of(said_words(piece), [&](const SaidWord& word) {
    const bool ending = word.begin > 0 && piece[word.begin - 1] == '\'';  // "AMD's"
    return !ending && !is_used(at + word.begin, at + word.end);
  });
}

}  // namespace plumbline::agents
