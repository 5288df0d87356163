#include "conformance/quality/checks.h"

#include <algorithm>
#include <array>

#include "conformance/quality/rules.h"
#include "core/base/check.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kItemBytes = 200;    // Of a name that somebody else chose.
constexpr std::size_t kWhatBytes = 1'200;  // Of what is said about it.

}  // namespace

void Notes::add(std::string_view id, std::string_view item, std::string_view what, bool sure) {
  check(find_quality_rule(id) != nullptr, "a rule that rules.tsv has");
  notes_[std::string(id)].push_back({clipped(item, kItemBytes), clipped(what, kWhatBytes), sure});
}

const std::vector<Note>& Notes::of(std::string_view id) const {
  static const std::vector<Note> kNone;
  const auto found = notes_.find(id);
  return found == notes_.end() ? kNone : found->second;
}

std::size_t Notes::looked_at(std::string_view id, std::size_t otherwise) const {
  const auto found = looked_.find(id);
  return found == looked_.end() ? otherwise : found->second;
}

void check_beside(const Reading& read, const Around& around, Notes& notes) {
  for (const OfferedTool& tool : read.tools) {
    const auto other = std::ranges::find(around.other_tools, tool.name);
    if (other == around.other_tools.end()) continue;
    const auto place = static_cast<std::size_t>(other - around.other_tools.begin());
    notes.add("quality.collision", tool.name, "as in " + around.owner_of(place));
  }
}

std::span<const QualityPart> quality_parts() {
  static constexpr auto kParts = std::to_array<QualityPart>({{"names", check_names},
                                                             {"descriptions", check_descriptions},
                                                             {"schemas", check_schemas},
                                                             {"behaviour", check_behaviour},
                                                             {"cost", check_cost},
                                                             {"confusion", check_confusion},
                                                             {"answers", check_answers},
                                                             {"hosts", check_hosts},
                                                             {"safety", check_safety},
                                                             {"beside", check_beside}});
  return kParts;
}

}  // namespace plumbline::conformance
