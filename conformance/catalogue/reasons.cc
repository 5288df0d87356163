#include "conformance/catalogue/reasons.h"

#include <map>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"

namespace plumbline::conformance {

std::string_view why_it_matters(std::string_view id) {
  static const std::map<std::string_view, std::string_view> kReasons = [] {
    std::map<std::string_view, std::string_view> reasons;
    Columns columns(table_text("reasons.tsv"));
    while (columns.next_line()) {
      const std::string_view rule = columns.next();
      reasons[rule] = columns.next();
    }
    return reasons;
  }();
  const auto found = kReasons.find(id);
  return found == kReasons.end() ? std::string_view() : found->second;
}

}  // namespace plumbline::conformance
