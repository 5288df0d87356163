#include "conformance/catalogue/causes.h"

#include <algorithm>

#include "conformance/catalogue/records.h"

namespace plumbline::conformance {

namespace {

// Rules about every message: where another rule fails for the same message that was told or asked,
// it says better what is wrong with it.
constexpr std::string_view kOfEveryMessage[] = {"schema.messages-validate"};

// judged_in returns the message that a row is about, if that is a notification or a request; null:
// none. A list has room for more than one mistake.
const Json* judged_in(const CheckResult& row) {
  const auto found = std::ranges::find_if(row.evidence, &Evidence::judged);
  if (found == row.evidence.end() || find(found->message, "method") == nullptr) return nullptr;
  return &found->message;
}

// specific_cause returns the rule that fails for the very message that `row` is about; empty: none.
std::string_view specific_cause(const std::vector<CheckResult>& rows, const CheckResult& row) {
  const Json* const judged = judged_in(row);
  if (judged == nullptr) return {};
  const auto found = std::ranges::find_if(rows, [&](const CheckResult& other) {
    const Json* const its = judged_in(other);
    return other.id != row.id && other.verdict == Verdict::kFail && its != nullptr &&
           *its == *judged && other.revision == row.revision && other.server == row.server;
  });
  return found == rows.end() ? std::string_view() : std::string_view(found->id);
}

}  // namespace

std::string_view cause_of(std::string_view id) {
  const RuleRecord* const record = find_record(id);
  return record == nullptr ? std::string_view() : record->cause;
}

void name_causes(std::vector<CheckResult>& rows) {
  for (CheckResult& row : rows) {
    if (row.verdict == Verdict::kFail &&
        std::ranges::find(kOfEveryMessage, row.id) != std::end(kOfEveryMessage)) {
      row.because = specific_cause(rows, row);
      continue;
    }
    const std::string_view cause = cause_of(row.id);
    if (row.verdict != Verdict::kFail || cause.empty()) continue;
    const bool broken = std::ranges::any_of(rows, [&](const CheckResult& other) {
      return other.id == cause && other.verdict == Verdict::kFail &&
             other.revision == row.revision && other.server == row.server;
    });
    if (broken) row.because = cause;
  }
}

}  // namespace plumbline::conformance
