#include "reports/baseline.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/json/json.h"
#include "core/json/locate.h"
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

// Reader reads the parsed document; the first thing that is wrong ends it, with its place.
class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Result<Baseline> read(const Json& root) {
    const Json* const entries = find(root, "entries");
    if (entries == nullptr || !entries->is_array()) {
      return wrong(entries == nullptr ? "" : "/entries",
                   R"(expected {"entries": [{"id": ..., "reason": ...}]})");
    }
    if (const auto key = unknown_key(root, {"entries"})) {
      return wrong("/" + pointer_token(*key), "unknown key \"" + *key + "\", expected entries");
    }
    Baseline baseline;
    for (std::size_t i = 0; i < entries->size(); ++i) {
      Result<BaselineEntry> entry = read_entry((*entries)[i], "/entries/" + std::to_string(i));
      if (!entry.ok()) return entry.error();
      baseline.push_back(std::move(entry).value());
    }
    return baseline;
  }

 private:
  Error wrong(const std::string& pointer, const std::string& what) const {
    const Position at = locate(text_, pointer);
    return Error{ErrorCode::kInvalidInput, name_ + ":" + std::to_string(at.line) + ":" +
                                               std::to_string(at.column) + ": " + what};
  }

  static std::optional<std::string> unknown_key(const Json& object,
                                                const std::set<std::string>& known) {
    for (const auto& [key, unused] : object.items()) {
      if (!known.contains(key)) return key;
    }
    return std::nullopt;
  }

  Result<BaselineEntry> read_entry(const Json& json, const std::string& pointer) const {
    if (!json.is_object()) {
      return wrong(pointer,
                   std::string(type_name(json)) + ", expected an object with id and reason");
    }
    BaselineEntry entry;
    const std::map<std::string, std::string*> fields = {{"id", &entry.id},
                                                        {"server", &entry.server},
                                                        {"revision", &entry.revision},
                                                        {"transport", &entry.transport},
                                                        {"reason", &entry.reason},
                                                        {"link", &entry.link}};
    for (const auto& [key, value] : json.items()) {
      const auto field = fields.find(key);
      const std::string at = pointer + "/" + pointer_token(key);
      if (field == fields.end()) {
        return wrong(at, "unknown key \"" + key +
                             "\", expected id, server, revision, transport, reason or link");
      }
      if (!value.is_string() || value == "") {
        return wrong(at, key + " is " + (value == "" ? "empty" : std::string(type_name(value))) +
                             ", expected a string");
      }
      *field->second = value.get_ref<const std::string&>();
    }
    if (entry.id.empty()) return wrong(pointer, "no id, expected the id of a check or scenario");
    if (entry.reason.empty()) {
      return wrong(pointer, "no reason, expected why " + entry.id + " may fail");
    }
    return entry;
  }

  std::string_view text_;
  const std::string& name_;
};

}  // namespace

Result<Baseline> read_baseline(std::string_view text, const std::string& name) {
  Position at;
  const Result<Json> root = parse_json(text, {.comments = true, .duplicate_keys = false}, at);
  if (!root.ok()) {
    return Error{ErrorCode::kInvalidInput, name + ":" + std::to_string(at.line) + ":" +
                                               std::to_string(at.column) + ": " +
                                               root.error().message};
  }
  return Reader(text, name).read(root.value());
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
    row.verdict = Verdict::kExpectedFail;
    std::string message = entry->reason;
    if (!entry->link.empty()) message += " (" + entry->link + ")";
    if (!row.message.empty()) message += ": " + row.message;
    row.message = std::move(message);
  }
  return stale;
}

Baseline sdk_baseline(const Report& report) {
  const Faults faults(report);
  Baseline baseline;
  for (const CheckResult& row : report.results) {
    if (!faults.is_habit(row)) continue;
    std::string reason = "every server on " + faults.sdk_of(row)->name + " does so";
    baseline.push_back({row.id, row.server, row.revision, row.transport, std::move(reason), ""});
  }
  return baseline;
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
  for (const CheckResult& row : report.results) {
    if (!can_be_excused(row) || entry_for(update.baseline, row) != nullptr) continue;
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
