#include <algorithm>
#include <string>
#include <string_view>

#include "conformance/quality/checks.h"
#include "conformance/quality/rules.h"
#include "conformance/quality/tokens.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// said_in returns the texts of an answer, joined.
std::string said_in(const Json& answer) {
  if (const Json* const error = find(answer, "error")) return string_or(*error, "message", "");
  std::string said;
  const Json* const content = at_pointer(answer, "/result/content");
  if (content == nullptr || !content->is_array()) return said;
  for (const Json& block : *content) said += string_or(block, "text", "") + "\n";
  return said;
}

bool failed(const Json& answer) {
  const Json* const result = find(answer, "result");
  return find(answer, "error") != nullptr || (result && bool_or(*result, "isError", false));
}

// missing_argument returns one that the tool requires and the call has not; empty: there is none.
std::string missing_argument(const OfferedTool& tool, const Json& arguments) {
  for (const Argument& argument : tool.arguments) {
    const bool left_out = argument.depth == 1 && argument.required;
    if (left_out && find(arguments, argument.name) == nullptr) return argument.name;
  }
  return {};
}

bool reads_like_an_error(std::string_view said) {
  const std::string small = lower_case(trimmed(said).substr(0, 40));
  for (const std::string_view begins : {"error:", "error -", "error executing", "exception:",
                                        "traceback (most", "failed to ", "\xE2\x9D\x8C"}) {
    if (small.starts_with(begins)) return true;
  }
  return false;
}

}  // namespace

void check_answers(const Reading& read, const Around&, Notes& notes) {
  const double longest = find_quality_rule("quality.result-large")->limit;
  for (const SeenAnswer& seen : read.offer.answers) {
    const std::string said = said_in(seen.answer);
    const std::int64_t tokens = tokens_of(said);
    if (static_cast<double>(tokens) > longest) {
      notes.add("quality.result-large", seen.tool, grouped(tokens) + " tokens");
    }
    if (!failed(seen.answer)) {
      if (reads_like_an_error(said)) notes.add("quality.error-as-success", seen.tool, "");
      continue;
    }
    const OfferedTool* const tool = read.tool(seen.tool);
    const std::string missing = tool ? missing_argument(*tool, seen.arguments) : "";
    if (missing.empty() || said.find(missing) != std::string::npos) continue;
    notes.add("quality.error-helps", seen.tool, missing + " was missing");
  }
  for (const char* const id :
       {"quality.result-large", "quality.error-as-success", "quality.error-helps"}) {
    notes.looked(id, read.offer.answers.size());
  }
}

}  // namespace plumbline::conformance
