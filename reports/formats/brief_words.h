// What the brief console says of a finding or a warning in a few words.

#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/events/check_result.h"
#include "reports/answers/answers.h"

namespace plumbline::reports {

// rule_of returns the rule, without the note that it is derived: `explain` tells of that.
std::string rule_of(const CheckResult& result);

// asked_in says what was asked, where what was seen does not; else it is empty.
std::string asked_in(const CheckResult& result);

// where_of says in what a finding shows itself, newest revision first.
std::string where_of(const Finding& finding);

// followers_of lists the rules that a finding breaks along with its own; how many they are, where
// `counted_alone`. Empty: none.
std::string followers_of(const Finding& finding, bool counted_alone = false);

// cut leaves the first `shown` lines, the last of them with a mark that there was more.
void cut(std::vector<std::string>& lines, std::size_t shown, std::size_t columns);

// text_of_warning says what is wrong, and what was asked where the message begins with the answer.
std::string text_of_warning(const CheckResult& row);

// rank_of_warning has last what an SDK mostly decides, and of each first what the specification is
// strictest about.
std::pair<bool, std::size_t> rank_of_warning(const CheckResult& row);

}  // namespace plumbline::reports
