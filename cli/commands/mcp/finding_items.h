// What a report found, as the items that a caller of `plumbline mcp` pages through: each says what
// happened, what the rule wants, how to mend it, and how to see it again.
//
// What the judged server said, and what quotes it, stands in members of "said" alone: clipped, and
// without characters that hide something. All other words are Plumbline's, or of the person who
// started it.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/report.h"
#include "core/json/json.h"

namespace plumbline::cli {

// ReportItems is a report, ready to be paged through.
struct ReportItems {
  std::string verdict;      // "pass", "fail", "inconclusive", "skip".
  std::string summary;      // In a sentence.
  std::vector<Json> items;  // The heaviest first: failures of one's own, of the SDK, warnings.
  std::vector<Json> wire;   // Of each item the lines of the wire log that it rests on.
  bool cut = false;         // There were more than kItemsMax.
};

inline constexpr std::size_t kItemsMax = 500;

ReportItems items_of(const Report& report);

// said_text returns what a server said as a caller is shown it: one line of at most `columns`.
std::string said_text(std::string_view text, std::size_t columns);

}  // namespace plumbline::cli
