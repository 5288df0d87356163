// What a request says, in the forms in which tools take it.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/agents/operations/advice/said_days.h"
#include "core/agents/operations/advice/said_words.h"

namespace plumbline::agents {

// Said tells whether a value rests on a request, and remembers the words on which one did.
class Said {
 public:
  explicit Said(std::string_view request);

  std::string_view request() const { return request_; }

  // says returns whether a text stands in the request, in whole words and in any case; the text
  // becomes as it is written there.
  bool says(std::string& text);

  // means returns whether a text is what the request says in another form: a day or a moment
  // ("2026-12-07" of "7 December 2026"), a span ("48h"), a number, a code ("es" of "Spanish"), or
  // who asks ("me" of "my").
  bool means(std::string_view text);

  // counts returns whether a number is said: 1500 by "1,500", 0.2 by "20 %", 48 by "two days", the
  // seconds since 1970 by a moment.
  bool counts(double number);

  // makes_up returns whether a text is made of words of the request and signs between them,
  // "Expenses!12:15"; `told`, what a tool says of it, may give names of what stands behind them,
  // "status" of "status:error". A text with a space keeps the words in their order. No address, no
  // path and no date is made so.
  bool makes_up(std::string_view text, std::string_view told);

  // leaves returns whether no value has rested on the words of `piece`, which stands in the
  // request.
  bool leaves(std::string_view piece) const;

 private:
  bool means_moment(std::string_view text);
  bool means_span(std::string_view text);
  bool means_code(std::string_view text);
  bool counts_span(double number);
  bool says_time(std::string_view hour, std::string_view minute);
  bool says_day(std::chrono::year_month_day wanted);
  void use(std::size_t begin, std::size_t end) { used_.emplace_back(begin, end); }
  void use(const SaidWord& word) { use(word.begin, word.end); }

  std::string request_;
  std::string lower_;
  std::vector<SaidWord> words_;
  std::vector<SaidDay> days_;
  std::vector<SaidSpan> spans_;
  std::vector<std::pair<std::size_t, std::size_t>> used_;
};

}  // namespace plumbline::agents
