// The days and spans of time that a request says.

#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/agents/operations/advice/said_words.h"

namespace plumbline::agents {

// SaidDay is a day that a request names, or with which a month, a quarter or a year that it names
// begins or ends, or before which one ends.
struct SaidDay {
  std::chrono::year_month_day day;
  std::size_t begin = 0;  // Where it is said.
  std::size_t end = 0;
};

// said_days returns them: "2026-03-05", "30.11.2026", "March 5, 2026", "from 7 to 18 December
// 2026", "in October 2026", "Q3 2026". A day without a year is of the year that stands nearest; it
// is none where the request names no year.
std::vector<SaidDay> said_days(std::string_view request, const std::vector<SaidWord>& words);

// SaidSpan is how long something lasts: "two days", "half a minute", "30s".
struct SaidSpan {
  double seconds = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<SaidSpan> said_spans(const std::vector<SaidWord>& words);

// seconds_of returns how long a unit is, by its name or sign: 60 of "minutes" and "min". 0: none.
double seconds_of(std::string_view unit);

}  // namespace plumbline::agents
