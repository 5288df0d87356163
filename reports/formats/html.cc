#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/sha256.h"
#include "core/json/json.h"
#include "reports/answers/explanation.h"
#include "reports/answers/finding_prompt.h"
#include "reports/answers/headline.h"
#include "reports/answers/judged.h"
#include "reports/compare/comparison.h"
#include "reports/page_files.h"
#include "reports/report_text.h"
#include "reports/spec_link.h"
#include "reports/sweep_text.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

std::string_view page_file(std::string_view name) { return embedded_text(page_files(), name); }

// page_script returns the whole of it, which is one scope: what is used first stands first.
std::string page_script() {
  std::string script;
  for (const char* const part :
       {"dom.js", "keys.js", "data.js", "wire.js", "result.js", "findings.js", "page.js"}) {
    script += page_file(part);
  }
  return script;
}

// markup returns text for the inside of an element.
std::string markup(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else {
      out += c;
    }
  }
  return out;
}

// script_data returns JSON for the inside of a script element, which "</script" and "<!--" end or
// change. No < is left; in JSON it can only stand within a string.
std::string script_data(const Json& value) {
  std::string out;
  for (const char c : printable(dump_json(value))) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

// source_of returns the source expression of a content security policy that allows `text` alone.
std::string source_of(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::string_view kHex = "0123456789abcdef";
  Sha256 hash;
  hash.update(text);
  std::string out = "'sha256-";
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : hash.finish_hex()) {
    bits = (bits << 4U) | static_cast<std::uint32_t>(kHex.find(c));
    held += 4;
    if (held < 6) continue;
    held -= 6;
    out += kDigits[(bits >> static_cast<unsigned>(held)) & 63U];
  }
  out += kDigits[(bits << static_cast<unsigned>(6 - held)) & 63U];  // 256 bits are 42 digits and 4.
  return out + "='";
}

Json row_of(const CheckResult& result, const Report& report, const Explanations& explanations) {
  Json explained = Json::array();
  for (const ExplanationLine& line : explanations.of(result)) {
    explained.push_back({line.label, printable(line.text)});
  }
  Json evidence = Json::array();
  for (const Evidence& line : result.evidence) {
    evidence.push_back(
        {{"at_ms", line.at_ms}, {"dir", printable(line.direction)}, {"message", line.message}});
  }
  const bool to_mend = result.verdict == Verdict::kFail || result.verdict == Verdict::kWarn;
  const Faults& faults = explanations.faults();
  const BuiltWith* const sdk = faults.is_habit(result) ? faults.sdk_of(result) : nullptr;
  const std::string prompt = to_mend ? finding_prompt(result, report, explanations) : "";
  return Json({{"id", printable(result.id)},
               {"verdict", name_of(result.verdict)},
               {"level", printable(result.level)},
               {"area", printable(result.area)},
               {"server", printable(result.server)},
               {"revision", printable(result.revision)},
               {"transport", printable(result.transport)},
               {"title", printable(result.title)},
               {"message", printable(result.message)},
               {"because", printable(result.because)},
               {"sdk", printable(sdk != nullptr ? sdk->name : "")},
               {"explained", std::move(explained)},
               {"spec", printable(result.spec)},
               {"link", spec_link(result, report)},
               {"evidence", std::move(evidence)},
               {"reproduce", printable(result.reproduce)},
               {"prompt", prompt},
               {"time", result.duration_ms > 0 ? duration_text(result.duration_ms) : ""}});
}

// other_side_of names who spoke with plumbline.
std::string_view other_side_of(const Report& report) {
  if (report.command == "check gateway") return "gateway";
  if (report.command.ends_with("client")) return "client";
  if (find(report.target, "client") != nullptr) return "agent";
  return "server";
}

// about returns what stands below the headline.
Json about(const Report& report) {
  Json out = Json::array();
  for (const Judged& judged : judged_in(report)) {
    std::string text = naming_of(judged);
    for (const std::string& revision : judged.revisions) text += ", " + one_line(revision);
    if (!text.empty()) out.push_back(std::move(text));
  }
  if (!report.revision.empty()) out.push_back("revision " + one_line(report.revision));
  if (const std::string scope = scope_of(report); !scope.empty()) out.push_back(scope);
  if (!report.started.empty()) {
    out.push_back(one_line(report.started));
    out.push_back(duration_text(report.duration_ms));
  }
  out.push_back("version " + one_line(report.version));
  return out;
}

Json rows_of(const Report& report) {
  Json rows = Json::array();
  const Explanations explanations(report);
  for (const CheckResult& result : report.results) {
    rows.push_back(row_of(result, report, explanations));
  }
  return rows;
}

Json data_of(const Report& report) {
  Json tables = Json::array();
  Json facts = Json::array();
  if (report.sweep) {
    for (const CountTable& table : tables_of(*report.sweep)) {
      tables.push_back({{"heading", table.heading}, {"rows", table.rows}});
    }
    facts = facts_of(*report.sweep);
  }
  return Json({{"command", one_line(report.command)},
               {"subject", subject_of(report)},
               {"other", other_side_of(report)},
               {"revision", printable(report.revision)},
               {"summary", summary_text(summarize(report))},
               {"about", about(report)},
               {"facts", std::move(facts)},
               {"tables", std::move(tables)},
               {"results", rows_of(report)}});
}

// compared_data_of is data_of(after), with what each result was before, and those that are gone.
Json compared_data_of(const Report& before, const Report& after) {
  Json data = data_of(after);
  const Comparison comparison(before, after);
  for (std::size_t i = 0; i < after.results.size(); ++i) {
    const Difference& difference = comparison.of_after()[i];
    Json& row = data["results"][i];
    row["change"] = name_of(difference.change);
    if (difference.before != nullptr && difference.change != Change::kSame) {
      row["was"] = name_of(difference.before->verdict);
    }
  }
  Json& gone = data["gone"] = Json::array();
  const Explanations explanations(before);
  for (const Difference& difference : comparison.gone()) {
    Json row = row_of(*difference.before, before, explanations);
    row["change"] = name_of(difference.change);
    gone.push_back(std::move(row));
  }
  const std::string when = before.started.empty() ? "" : " of " + one_line(before.started);
  data["about"].push_back("compared with the report" + when + ": " +
                          summary_text(summarize(before)));
  return data;
}

// headline_markup puts the verdict before the headline, in its colour.
std::string headline_markup(const Report& report, const std::string& headline) {
  const Verdict overall = overall_verdict(report);
  const std::string tone =
      overall == Verdict::kSkip ? "skip-verdict" : std::string(name_of(overall));
  return "<span class=\"verdict " + tone + "\">" + std::string(name_of(overall)) + "</span> " +
         markup(headline);
}

std::string page_of(const Report& report, const Json& data) {
  const std::string_view style = page_file("page.css");
  const std::string script = page_script();
  const std::string headline = headline_of(report);
  const std::array<std::pair<std::string_view, std::string>, 6> parts = {
      {{"@CSP@", "default-src 'none'; style-src " + source_of(style) + "; script-src " +
                     source_of(script) + "; base-uri 'none'; form-action 'none'"},
       {"@TITLE@", markup(std::string(name_of(overall_verdict(report))) + ": " + headline +
                          " · plumbline " + report.command)},
       {"@STYLE@", std::string(style)},
       {"@HEADLINE@", headline_markup(report, headline)},
       {"@DATA@", script_data(data)},
       {"@SCRIPT@", script}}};
  std::string out;
  std::string_view rest = page_file("page.html");
  for (const auto& [mark, text] : parts) {
    const std::size_t at = rest.find(mark);
    check(at != std::string_view::npos, "the page lacks a mark, or has them in another order");
    out += std::string(rest.substr(0, at)) + text;
    rest.remove_prefix(at + mark.size());
  }
  return out + std::string(rest);
}

}  // namespace

std::string write_html(const Report& report) { return page_of(report, data_of(report)); }

std::string write_compared_html(const Report& before, const Report& after) {
  return page_of(after, compared_data_of(before, after));
}

}  // namespace plumbline::reports
