#include "core/agents/operations/advice/said_words.h"

#include <cctype>

#include "core/agents/operations/request/dated.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/word_table.h"
#include "core/base/real_number.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

struct Number {
  std::string_view word;
  double number;
};

constexpr WordTable kNumbers(
    {Number{"a", 1},         Number{"an", 1},       Number{"dozen", 12},      Number{"eight", 8},
     Number{"eighty", 80},   Number{"eleven", 11},  Number{"fifteen", 15},    Number{"fifty", 50},
     Number{"five", 5},      Number{"forty", 40},   Number{"four", 4},        Number{"half", 0.5},
     Number{"hundred", 100}, Number{"nine", 9},     Number{"ninety", 90},     Number{"one", 1},
     Number{"seven", 7},     Number{"seventy", 70}, Number{"six", 6},         Number{"sixty", 60},
     Number{"ten", 10},      Number{"thirty", 30},  Number{"thousand", 1000}, Number{"three", 3},
     Number{"twelve", 12},   Number{"twenty", 20},  Number{"two", 2},         Number{"zero", 0}});

bool is_of_word(char sign) {
  return std::isalnum(static_cast<unsigned char>(sign)) != 0 ||
         static_cast<unsigned char>(sign) >= 0x80;
}

}  // namespace

std::vector<SaidWord> said_words(std::string_view request) {
  std::vector<SaidWord> out;
  for (std::size_t at = 0; at < request.size(); ++at) {
    if (!is_of_word(request[at])) continue;
    std::size_t end = at + 1;
    while (end < request.size()) {
      const bool joins = std::string_view(".,:").find(request[end]) != std::string_view::npos &&
                         is_digit(request[end - 1]) && end + 1 < request.size() &&
                         is_digit(request[end + 1]);
      if (!is_of_word(request[end]) && !joins) break;
      ++end;
    }
    out.push_back({lower_case(request.substr(at, end - at)), at, end});
    at = end;
  }
  return out;
}

std::optional<double> number_said(std::string_view word) {
  if (const Number* const number = kNumbers.find(word)) return number->number;
  if (const std::optional<int> number = whole_number(word)) return *number;
  std::string digits(word);
  std::erase(digits, ',');
  return digits.empty() || !is_digit(digits[0]) ? std::nullopt : read_real(digits);
}

}  // namespace plumbline::agents
