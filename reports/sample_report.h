// Reports for the tests of this folder.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/events/report.h"
#include "reports/faults.h"

namespace plumbline::reports {

inline Report odd_heading() {
  Report report;
  report.version = "0.1.0";
  report.command = "check server";
  report.target = Json({{"url", "http://127.0.0.1:3000/mcp?a=1&b=<2>"}, {"transport", "http"}});
  report.revision = "2025-11-25";
  report.seed = 18'446'744'073'709'551'615U;
  report.started = "2026-01-02T03:04:05Z";
  report.duration_ms = 61'812.25;
  return report;
}

inline CheckResult odd_pass() {
  CheckResult pass;
  pass.id = "lifecycle.initialize-first";
  pass.level = "MUST";
  pass.area = "lifecycle";
  pass.revision = "2025-11-25";
  pass.transport = "stdio";
  pass.title = "Nothing but initialize and ping is answered before the handshake";
  pass.spec = "basic/lifecycle#initialization";
  pass.duration_ms = 0.25;
  return pass;
}

inline CheckResult odd_fail() {
  CheckResult fail = odd_pass();
  fail.id = "lifecycle.version-negotiation";
  fail.verdict = Verdict::kFail;
  fail.title =
      "An unknown version is answered with one the server supports, whatever was asked for";
  fail.message =
      "asked for \"1.0.0\" & got <\"9.9\"> | `null`\n\nexpected one of 2024-11-05, 2025-03-26, "
      "2025-06-18, 2025-11-25; bytes \x01\x1b[31m\x7f \xff\xc3( end ]]> ```` @everyone";
  fail.evidence = {
      {3, "->", Json({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "initialize"}})},
      {12, "<-", Json({{"jsonrpc", "2.0"}, {"id", 1}, {"result", {{"text", "<a&b>\n`|\x02"}}}}),
       true},
      {12, "--", Json("closed")}};
  fail.reproduce =
      "plumbline check server --only lifecycle.version-negotiation --revision 2025-11-25 --url "
      "'http://127.0.0.1:3000/mcp?a=1&b=<2>'";
  fail.duration_ms = 1'234.5;
  return fail;
}

// odd_report has every verdict, every optional field with and without a value, and text that each
// format must escape: quotes, angle brackets, ampersands, newlines, control characters, bytes that
// are not UTF-8, pipes, backticks, wide and combining characters.
inline Report odd_report() {
  CheckResult warn;
  warn.id = "tools.list_changed";
  warn.verdict = Verdict::kWarn;
  warn.level = "SHOULD";
  warn.area = "tools & friends";
  warn.title = "List changes are announced";
  warn.message = "no notification within 2 s";
  warn.spec = "server/tools#list-changed";
  warn.evidence.assign(10, {5, "<-", Json::array({1, nullptr, 2.5})});
  warn.duration_ms = 2'000;

  CheckResult skip = warn;
  skip.id = "tools.pagination";
  skip.verdict = Verdict::kSkip;
  skip.title = "Pages are\nwalked";
  skip.message = "the server has | one page";
  skip.evidence.clear();
  skip.duration_ms = 0;

  CheckResult unsure;
  unsure.id = "工具.é\xcc\x81.\xf0\x9f\x98\x80";
  unsure.verdict = Verdict::kInconclusive;
  unsure.title = "";
  unsure.message = "the server died";
  unsure.reproduce = "plumbline check server --only 'x'";
  unsure.duration_ms = 59.6;

  CheckResult expected = odd_fail();
  expected.id = "lifecycle.known_bug";
  expected.verdict = Verdict::kExpectedFail;
  expected.transport = "";
  expected.title = "A *bold* _claim_ [link](x) # ~~gone~~ \\";
  expected.message = "accepted in the baseline";

  Report report = odd_heading();
  report.results = {odd_pass(), odd_fail(), warn, skip, unsure, expected};
  return report;
}

inline CheckResult finding_of(std::string id, Verdict verdict, std::string revision) {
  CheckResult result = odd_fail();
  result.id = std::move(id);
  result.verdict = verdict;
  result.revision = std::move(revision);
  return result;
}

// findings_report has two causes in two revisions, with what they bring about, warnings, skips, and
// a conversation of 100 messages.
inline Report findings_report() {
  Report report = odd_heading();
  report.revision = "";
  for (const char* revision : {"2025-06-18", "2025-11-25"}) {
    report.results.push_back(finding_of("http.origin-invalid-403", Verdict::kFail, revision));
    report.results.back().because = "http.origin-validated";
    report.results.push_back(finding_of("http.session-id", Verdict::kWarn, revision));
    report.results.push_back(finding_of("http.origin-validated", Verdict::kFail, revision));
    report.results.push_back(finding_of("lifecycle.initialize-first", Verdict::kPass, revision));
    report.results.push_back(finding_of("lifecycle.tasks", Verdict::kSkip, revision));
    report.results.push_back(finding_of("tasks.listed", Verdict::kSkip, revision));
    report.results.back().area = "tasks";
  }
  report.results.push_back(
      finding_of("lifecycle.version-negotiation", Verdict::kFail, "2025-11-25"));
  std::vector<Evidence>& said = report.results.back().evidence;
  said.clear();
  for (int i = 0; i < 50; ++i) {
    const std::string name = i == 40 ? "needle" : "echo";
    said.push_back(
        {i, "->", Json({{"id", i}, {"method", "tools/call"}, {"params", {{"name", name}}}})});
    said.push_back({i, "<-", Json({{"id", i}, {"result", {{"text", "<b>" + name}}}}), i == 49});
  }
  return report;
}

// sdk_report is findings_report of a server on an SDK, which makes one of its warnings.
inline Report sdk_report() {
  Report report = findings_report();
  BuiltWith sdk;
  sdk.name = "Acme SDK 2";
  sdk.revisions = {"2025-06-18", "2025-11-25"};
  sdk.habits = {{"http.session-id", "2025-06-18", report.results[1].transport, ""},
                {"http.session-id", "2025-11-25", report.results[1].transport, ""}};
  report.target = Json::object();
  add_built_with(report.target, sdk);
  return report;
}

// earlier_report is a report of the same subject before findings_report: something was better,
// something worse, something is new in the later one, and something gone.
inline Report earlier_report() {
  Report report = findings_report();
  report.started = "2025-12-31T00:00:00Z";
  report.results[2].verdict = Verdict::kPass;
  report.results[3].verdict = Verdict::kFail;
  report.results[4].verdict = Verdict::kPass;
  report.results.erase(report.results.begin() + 11);
  report.results.push_back(finding_of("lifecycle.was-here", Verdict::kWarn, "2025-11-25"));
  return report;
}

// long_report has `rows` results, as a run of the scenario library gives.
inline Report long_report(int rows) {
  Report report;
  report.version = "0.1.0";
  report.command = "run";
  report.target = nullptr;
  report.seed = 7;
  report.started = "2026-01-02T03:04:05Z";
  report.duration_ms = 812;
  const std::vector<std::string> names = {"happy-path", "opaque-pdf", "server-crashes-in-mid-call",
                                          "rate-limited", "approval-is-refused"};
  for (int row = 0; row < rows; ++row) {
    CheckResult result;
    result.id = names[static_cast<std::size_t>(row) % names.size()] + "-" + std::to_string(row);
    result.area = row < rows / 2 ? "basics" : row < rows - 3 ? "failures" : "regressions";
    result.title =
        "The assistant answers within its bounds and nothing happens twice, whatever "
        "the server does";
    result.title.resize(20 + static_cast<std::size_t>(row * 7 % 60));
    result.duration_ms = row * 1.7;
    if (row % 17 == 5) {
      result.verdict = Verdict::kFail;
      result.message =
          "final status is \"completed\", expected \"needs_review\"; the route was "
          "request_intake, intent_routing, connector_discovery, mcp_execution";
      result.reproduce = "plumbline run scenarios/library/basics/" + result.id + ".json --seed 7";
    }
    report.results.push_back(result);
  }
  return report;
}

}  // namespace plumbline::reports
