#include <string>

#include "conformance/quality/checks.h"
#include "conformance/quality/rules.h"
#include "conformance/quality/tokens.h"

namespace plumbline::conformance {

namespace {

bool exceeds(std::int64_t tokens, std::string_view id) {
  return static_cast<double>(tokens) > find_quality_rule(id)->limit;
}

}  // namespace

void check_cost(const Reading& read, const Around&, Notes& notes) {
  if (exceeds(read.tokens, "quality.list-cost")) {
    notes.add("quality.list-cost", "", grouped(read.tokens) + " tokens");
  }
  for (const OfferedTool& tool : read.tools) {
    if (!exceeds(tool.tokens, "quality.tool-cost")) continue;
    notes.add("quality.tool-cost", tool.name, grouped(tool.tokens) + " tokens");
  }
  if (exceeds(read.instructions_tokens, "quality.instructions-cost")) {
    notes.add("quality.instructions-cost", "", grouped(read.instructions_tokens) + " tokens");
  }
  notes.looked("quality.list-cost", 1);
  notes.looked("quality.instructions-cost", 1);
}

}  // namespace plumbline::conformance
