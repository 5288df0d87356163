// Dates of a request.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/request/request_text.h"

namespace plumbline::agents {

// is_date returns whether a word is a date as machines write it: "2026-03-05".
bool is_date(std::string_view text);

// month_called returns 10 for "october" and, where `shortened`, for "oct" as well; 0: no month is
// called so. `word` is in lower case.
int month_called(std::string_view word, bool shortened);

// month_number returns 10 for "October", nothing for what is no month.
std::optional<int> month_number(std::string_view word);

// whole_number returns the number that a word is, with the ending of an ordinal or without: "5",
// "5th". Nothing for other words.
std::optional<int> whole_number(std::string_view word);

// SaidDate is a date that stands in a request, in the pieces from `first` to before `end`.
struct SaidDate {
  std::string text;  // As machines write it.
  std::size_t first = 0;
  std::size_t end = 0;
};

// dates_in returns the dates that nothing has taken: "2026-03-05", "March 5, 2026", "5 March 2026".
std::vector<SaidDate> dates_in(const RequestText& request);

// date_of returns the date that `text` is, as machines write it: "2026-03-05" of "March 5, 2026".
std::optional<std::string> date_of(std::string_view text);

}  // namespace plumbline::agents
