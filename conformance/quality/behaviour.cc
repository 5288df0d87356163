#include <algorithm>
#include <string>

#include "conformance/quality/checks.h"
#include "conformance/quality/rules.h"
#include "conformance/quality/verbs.h"

namespace plumbline::conformance {

void check_behaviour(const Reading& read, const Around&, Notes& notes) {
  for (const OfferedTool& tool : read.tools) {
    const auto reads = tool.hint("readOnlyHint");
    if (!reads) notes.add("quality.annotations-missing", tool.name, "");
    if (reads == true && tool.hint("destructiveHint") == true) {
      notes.add("quality.annotations-contradict", tool.name, "read-only and destructive");
    } else if (reads == true && !tool.words.empty() && destroys(tool.words.front())) {
      notes.add("quality.annotations-contradict", tool.name, "read-only, by its annotation");
    }
    if (find(*tool.item, "outputSchema") == nullptr) {
      notes.add("quality.output-schema-missing", tool.name, "");
    }
  }
  const double many = find_quality_rule("quality.instructions-missing")->limit;
  if (static_cast<double>(read.tools.size()) > many && read.offer.instructions.empty()) {
    notes.add("quality.instructions-missing", "", std::to_string(read.tools.size()) + " tools");
  }
  notes.looked("quality.instructions-missing", 1);
}

}  // namespace plumbline::conformance
