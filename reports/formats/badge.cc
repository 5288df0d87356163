#include <string>
#include <string_view>

#include "reports/json_object.h"
#include "reports/report_text.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

std::string_view badge_color(const Summary& summary, std::int64_t judged) {
  if (summary.fail != 0) return "red";
  if (judged == 0 || summary.inconclusive != 0) return "lightgrey";
  if (summary.warn != 0) return "yellow";
  return summary.expected_fail != 0 ? "yellowgreen" : "brightgreen";
}

}  // namespace

std::string write_badge(const Report& report) {
  const Summary summary = summarize(report);
  const std::int64_t judged = applicable(summary);
  const bool is_check = report.command.starts_with("check");
  std::string label = is_check ? "MCP" : "plumbline";
  if (is_check && !report.revision.empty()) label += " " + one_line(report.revision);
  std::string out;
  JsonObject object(out, "{", ", ");
  object.raw("schemaVersion", "1");
  object.text("label", label);
  object.text("message", judged == 0 ? "nothing ran"
                                     : std::to_string(summary.pass) + " of " +
                                           std::to_string(judged) + " pass");
  object.text("color", std::string(badge_color(summary, judged)));
  return out + "}\n";
}

}  // namespace plumbline::reports
