#include "cli/commands/mcp/finding_items.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "conformance/catalogue/examples.h"
#include "conformance/catalogue/records.h"
#include "conformance/quality/rules.h"
#include "core/json/shown/visible_text.h"
#include "reports/answers/answers.h"
#include "reports/answers/exchange.h"
#include "reports/answers/explanation.h"
#include "reports/answers/headline.h"
#include "reports/report_text.h"
#include "reports/text.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kMessageColumns = 500;
constexpr std::size_t kWireColumns = 500;
constexpr std::size_t kExampleColumns = 300;
constexpr std::size_t kWireLinesMax = 8;          // Of one finding,
constexpr std::size_t kWireBytesMax = 1U << 20U;  // of all.
constexpr std::size_t kLetterBytesMax = 4;

std::string_view name_of(reports::Whose whose) {
  return whose == reports::Whose::kYours ? "yours"
         : whose == reports::Whose::kSdk ? "sdk"
                                         : "excused";
}

void add_unless_empty(Json& item, const char* name, std::string text) {
  if (!text.empty()) item[name] = std::move(text);
}

Json said_in(const CheckResult& row) {
  Json said(Json::value_t::object);
  const reports::Exchange exchange = reports::exchange_of(row);
  add_unless_empty(said, "message", said_text(row.message, kMessageColumns));
  add_unless_empty(said, "sent", said_text(exchange.sent, kWireColumns));
  add_unless_empty(said, "got", said_text(exchange.got, kWireColumns));
  return said;
}

Json example_in(std::string_view id) {
  const conformance::Example* const example = conformance::example_of(id);
  if (example == nullptr || example->got.empty()) return nullptr;
  Json shown = {{"wrong_because", example->what},
                {"sent", reports::clip(example->sent, kExampleColumns)},
                {"wrong", reports::clip(example->got, kExampleColumns)}};
  Result<Json> change = parse_json(example->mend);
  if (!change.ok()) return shown;
  shown["change"] = std::move(change).value();
  if (!example->of.empty()) shown["change_of"] = example->of;
  return shown;
}

// mend_of returns how to mend it, where that is known; empty: it is not.
std::string mend_of(const CheckResult& row, const reports::Explanations& explanations) {
  std::string mend;
  for (const reports::ExplanationLine& line : explanations.of(row)) {
    if (line.label == "cause" || line.label == "fix" || line.label == "mend")
      mend += (mend.empty() ? "" : ". ") + line.text;
  }
  if (const auto* const quality = conformance::find_quality_rule(row.id)) {
    mend += (mend.empty() ? "" : ". ") + std::string(quality->advice);
  }
  return mend;
}

std::string why_of(const CheckResult& row) {
  if (const auto* const quality = conformance::find_quality_rule(row.id)) {
    return std::string(quality->why);
  }
  return std::string(conformance::why_it_matters(row.id));
}

// Items collects the findings of one report.
class Items {
 public:
  explicit Items(const Report& report) : explanations_(report) {}

  void add(const CheckResult& row, std::string_view whose, std::set<std::string> also) {
    if (out_.items.size() == kItemsMax) {
      out_.cut = true;
      return;
    }
    Json item(Json::value_t::object);
    item["id"] = row.id;
    item["verdict"] = plumbline::name_of(row.verdict);
    add_unless_empty(item, "whose", std::string(whose));
    add_unless_empty(item, "level", row.level);
    add_unless_empty(item, "where", reports::variant_of(row));
    item["rule"] = row.title;
    add_unless_empty(item, "why", why_of(row));
    add_unless_empty(item, "mend", mend_of(row, explanations_));
    add_unless_empty(item, "again", row.reproduce);
    if (!row.spec.empty()) item["spec"] = row.spec;
    also.erase(row.id);
    if (!also.empty()) item["follow"] = also;
    item["said"] = said_in(row);
    if (Json example = example_in(row.id); !example.is_null()) item["example"] = std::move(example);
    out_.items.push_back(std::move(item));
    out_.wire.push_back(wire_of(row));
  }

  ReportItems take() { return std::move(out_); }

 private:
  reports::Explanations explanations_;
  // wire_of returns the last lines of the evidence, as long as there is room for them.
  Json wire_of(const CheckResult& row) {
    Json lines = Json::array();
    const std::size_t skipped = row.evidence.size() - std::min(row.evidence.size(), kWireLinesMax);
    for (std::size_t i = skipped; i < row.evidence.size(); ++i) {
      const Evidence& line = row.evidence[i];
      std::string text = said_text(reports::evidence_text(line), kWireColumns);
      wire_bytes_ += text.size();
      if (wire_bytes_ > kWireBytesMax) break;
      lines.push_back(std::move(text));
    }
    return lines;
  }

  ReportItems out_;
  std::size_t wire_bytes_ = 0;
};

// escape_of returns how a letter is written that nobody would see.
std::string escape_of(std::uint32_t code) {
  std::array<char, 16> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), code, 16).ptr;
  return "\\u{" + std::string(text.data(), end) + "}";
}

}  // namespace

std::string said_text(std::string_view text, std::size_t columns) {
  std::string shown;
  while (!text.empty() && shown.size() < columns * kLetterBytesMax) {
    const Letter letter = first_letter(text);
    const std::string_view bytes = text.substr(0, letter.bytes);
    shown += hides_text(bytes) ? escape_of(letter.code) : std::string(bytes);
    text.remove_prefix(letter.bytes);
  }
  return shown.empty() ? shown : reports::clip(reports::one_line(shown), columns);
}

ReportItems items_of(const Report& report) {
  Items items(report);
  std::set<std::pair<std::string, std::string>> told;  // Servers and ids.
  for (const reports::Finding& finding : reports::answers_of(report).findings) {
    std::set<std::string> followers;
    for (const CheckResult* const row : finding.followers) {
      followers.insert(row->id);
      told.emplace(row->server, row->id);
    }
    told.emplace(finding.result->server, finding.result->id);
    items.add(*finding.result, name_of(finding.whose), std::move(followers));
  }
  const reports::Faults faults(report);
  for (const Verdict verdict : {Verdict::kWarn, Verdict::kInconclusive}) {
    for (const CheckResult& row : report.results) {
      if (row.verdict != verdict || !told.emplace(row.server, row.id).second) continue;
      items.add(row, faults.word_for(row), {});
    }
  }
  ReportItems out = items.take();
  out.verdict = plumbline::name_of(reports::overall_verdict(report));
  out.summary = reports::headline_of(report);
  return out;
}

}  // namespace plumbline::cli
