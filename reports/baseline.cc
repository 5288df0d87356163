#include "reports/baseline.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "core/json/json.h"
#include "core/json/locate.h"
#include "core/json/object_reader.h"
#include "reports/faults.h"
#include "reports/json_object.h"
#include "reports/report_text.h"
#include "reports/text.h"

namespace plumbline::reports {
namespace {

constexpr std::string_view kRecorded = "recorded by --update-baseline";

bool lists(const BaselineEntry& entry, const CheckResult& row) {
  return entry.id == row.id && (entry.server.empty() || entry.server == row.server) &&
         (entry.revision.empty() || entry.revision == row.revision) &&
         (entry.transport.empty() || entry.transport == row.transport);
}

bool can_be_excused(const CheckResult& row) {
  return row.verdict == Verdict::kFail || row.verdict == Verdict::kWarn;
}

// excuse makes `row` an expected failure, for a reason that readers see in front of its message.
void excuse(CheckResult& row, std::string reason) {
  row.verdict = Verdict::kExpectedFail;
  if (!row.message.empty()) reason += ": " + row.message;
  row.message = std::move(reason);
}

const BaselineEntry* entry_for(const Baseline& baseline, const CheckResult& row) {
  const auto found = std::ranges::find_if(
      baseline, [&row](const BaselineEntry& entry) { return lists(entry, row); });
  return found == baseline.end() ? nullptr : &*found;
}

// is_stale returns whether rows of `entry` were judged and all of those passed.
bool is_stale(const BaselineEntry& entry, const Report& report) {
  bool passed = false;
  for (const CheckResult& row : report.results) {
    if (!lists(entry, row) || row.verdict == Verdict::kSkip) continue;
    if (row.verdict != Verdict::kPass) return false;
    passed = true;
  }
  return passed;
}

BaselineEntry read_entry(const Json& json, std::string pointer, std::optional<Problem>& problem) {
  ObjectReader fields(json, std::move(pointer), "an entry", problem);
  BaselineEntry entry;
  if (fields.require("id", "the id of a check or scenario")) {
    entry.id = fields.string("id").value_or("");
  }
  entry.server = fields.string("server").value_or("");
  entry.revision = fields.string("revision").value_or("");
  entry.transport = fields.string("transport").value_or("");
  if (fields.require("reason", "why " + entry.id + " may fail")) {
    entry.reason = fields.string("reason").value_or("");
  }
  entry.link = fields.string("link").value_or("");
  fields.finish();
  return entry;
}

Baseline read_entries(const Json& root, std::optional<Problem>& problem) {
  ObjectReader fields(root, "", "a baseline", problem);
  Baseline baseline;
  if (fields.require("entries", R"({"entries": [{"id": ..., "reason": ...}]})")) {
    const Json* const entries = fields.array("entries");
    for (std::size_t i = 0; entries != nullptr && i < entries->size(); ++i) {
      baseline.push_back(read_entry((*entries)[i], "/entries/" + std::to_string(i), problem));
    }
  }
  fields.finish();
  return baseline;
}

}  // namespace

Result<Baseline> read_baseline(std::string_view text, const std::string& name) {
  const auto wrong = [&](Position at, const std::string& what) {
    const std::string place = std::to_string(at.line) + ":" + std::to_string(at.column);
    return Error{ErrorCode::kInvalidInput, name + ":" + place + ": " + what, "file.where"};
  };
  Position at;
  const Result<Json> root = parse_json(text, {.comments = true, .duplicate_keys = false}, at);
  if (!root.ok()) return wrong(at, root.error().message);
  std::optional<Problem> problem;
  Baseline baseline = read_entries(root.value(), problem);
  if (problem) return wrong(locate(text, problem->pointer), problem->message);
  return baseline;
}

std::string write_baseline(const Baseline& baseline) {
  std::string out = "{\n  \"entries\": [";
  for (const BaselineEntry& entry : baseline) {
    out += &entry == baseline.data() ? "\n    " : ",\n    ";
    JsonObject object(out, "{", ", ");
    object.text("id", entry.id);
    if (!entry.server.empty()) object.text("server", entry.server);
    if (!entry.revision.empty()) object.text("revision", entry.revision);
    if (!entry.transport.empty()) object.text("transport", entry.transport);
    object.text("reason", entry.reason);
    if (!entry.link.empty()) object.text("link", entry.link);
    out += '}';
  }
  return out + (baseline.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

Baseline apply_baseline(const Baseline& baseline, Report& report) {
  Baseline stale;
  std::ranges::copy_if(baseline, std::back_inserter(stale),
                       [&report](const BaselineEntry& entry) { return is_stale(entry, report); });
  for (CheckResult& row : report.results) {
    const BaselineEntry* const entry = can_be_excused(row) ? entry_for(baseline, row) : nullptr;
    if (entry == nullptr) continue;
    excuse(row, entry->reason + (entry->link.empty() ? "" : " (" + entry->link + ")"));
  }
  return stale;
}

std::size_t excuse_sdk(Report& report) {
  const Faults faults(report);
  std::size_t excused = 0;
  for (CheckResult& row : report.results) {
    if (row.verdict != Verdict::kFail || !faults.is_habit(row)) continue;
    const BuiltWith& sdk = *faults.sdk_of(row);
    excuse(row, "every server on " + sdk.name + " does this (last seen in " + sdk.seen + ")");
    ++excused;
  }
  return excused;
}

void excuse_older(Report& report) {
  std::map<std::string, std::string> newest;
  for (const CheckResult& row : report.results) {
    std::string& known = newest[row.server];
    if (row.verdict != Verdict::kSkip) known = std::max(known, row.revision);
  }
  for (CheckResult& row : report.results) {
    const bool older = !row.revision.empty() && row.revision < newest[row.server];
    if (row.verdict != Verdict::kFail || !older) continue;
    excuse(row, "--fail-on newest does not count revisions before " + newest[row.server]);
  }
}

std::vector<std::string> stale_in(const Report& report) {
  std::vector<std::string> names;
  const Json* const list = find(report.target, kStale);
  if (list == nullptr || !list->is_array()) return names;
  for (const Json& each : *list) {
    if (each.is_string()) names.push_back(each.get<std::string>());
  }
  return names;
}

BaselineUpdate update_baseline(const Baseline& baseline, const Report& report) {
  BaselineUpdate update;
  for (const BaselineEntry& entry : baseline) {
    if (is_stale(entry, report)) {
      ++update.dropped;
    } else {
      update.baseline.push_back(entry);
    }
  }
  const Faults faults(report);
  for (const CheckResult& row : report.results) {
    if (!can_be_excused(row) || faults.is_habit(row)) continue;
    if (entry_for(update.baseline, row) != nullptr) continue;
    update.baseline.push_back(
        {row.id, row.server, row.revision, row.transport, std::string(kRecorded), ""});
    ++update.added;
  }
  return update;
}

std::string describe_entry(const BaselineEntry& entry) {
  CheckResult row;
  row.server = entry.server;
  row.revision = entry.revision;
  row.transport = entry.transport;
  const std::string variant = variant_of(row);
  return one_line(entry.id) + (variant.empty() ? "" : " (" + variant + ")");
}

}  // namespace plumbline::reports
