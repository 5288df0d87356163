// What the Markdown writers share.

#pragma once

#include <string>
#include <string_view>

#include "core/events/report.h"

namespace plumbline::reports {

// inline_markdown returns text that Markdown shows as it is, also in a table cell.
std::string inline_markdown(std::string_view text);

// fenced returns a code block whose fence is longer than any run of backticks inside.
std::string fenced(std::string_view language, std::string_view text);

// icon returns the sign of a verdict.
std::string_view icon(Verdict verdict);

// write_checks_markdown is write_markdown for a report of checks: at most 8 KB, however much there
// is to tell.
std::string write_checks_markdown(const Report& report);

}  // namespace plumbline::reports
