#include "reports/effort.h"

#include <utility>

#include "reports/text.h"

namespace plumbline::reports {

void add_effort(Json& effort, const Json& more) {
  if (!effort.is_object()) effort = Json(Json::value_t::object);
  if (!more.is_object()) return;
  for (const auto& [name, value] : more.items()) {
    if (value.is_object()) add_effort(effort[name], value);
    if (value.is_number()) effort[name] = int_or(effort, name, 0) + int_or(more, name, 0);
  }
}

std::string effort_text(const Report& report) {
  const Json* const effort = find(report.target, kEffort);
  if (effort == nullptr) return "";
  std::string text;
  const std::int64_t starts = int_or(*effort, "starts", 0);
  if (starts != 0) text = "started " + std::to_string(starts) + " times";
  constexpr std::pair<const char*, const char*> kParts[] = {
      {"openings", " openings"},
      {"answers", " answers"},
      {"silences", " answers that did not come"},
      {"listening", " times of listening for what should not come"}};
  for (const auto& [name, words] : kParts) {
    const Json* const part = find(*effort, name);
    if (part == nullptr || int_or(*part, "times", 0) == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(int_or(*part, "times", 0)) + words + " " +
            duration_text(static_cast<double>(int_or(*part, "ms", 0)));
  }
  return text.empty() ? "" : "waited, much of it side by side: " + text;
}

}  // namespace plumbline::reports
