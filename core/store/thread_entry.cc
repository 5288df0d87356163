#include "core/store/thread_entry.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/graph/checkpoint_json.h"

namespace plumbline::store {

namespace {

constexpr std::int64_t kEntryFormat = 1;
constexpr const char* kAltered = "altered";

Error unreadable(const Record& record, const std::string& why) {
  return {ErrorCode::kInvalidInput, "record " + std::to_string(record.version) + ": " + why};
}

template <typename Part>
Status take(Result<Part> part, ThreadEntry& entry) {
  if (!part.ok()) return part.error();
  entry.what = std::move(part).value();
  return Done{};
}

// read_what reads what the entry is: `json` has one of the three.
Status read_what(const Json& json, ThreadEntry& entry) {
  if (const Json* const step = find(json, kStepEntry)) {
    return take(graph::checkpoint_from(*step), entry);
  }
  if (const Json* const branch = find(json, kBranchEntry)) {
    return take(graph::branch_from(*branch), entry);
  }
  if (const Json* const note = find(json, kNoteEntry)) return take(graph::note_from(*note), entry);
  return Error{ErrorCode::kInvalidInput, "it is neither a step nor what came of one"};
}

}  // namespace

bool redact_kept(Json& value, const Redactor* redactor) {
  if (redactor == nullptr || redactor->is_clean(value)) return false;
  redactor->redact(value);
  value[kAltered] = true;
  return true;
}

bool is_altered(const Json& kept) { return bool_or(kept, kAltered, false); }

EntryText entry_text(std::string_view kind, Json what, std::int64_t writer, Duration at,
                     const Redactor* redactor) {
  Json entry = Json::object();
  entry["format"] = kEntryFormat;
  entry["at_ms"] = milliseconds_of(at);
  entry["writer"] = writer;
  entry[std::string(kind)] = std::move(what);
  EntryText text;
  const bool clean = redactor == nullptr || redactor->is_clean(entry);
  if (!clean) {
    text.exact = dump_json(entry);
    redact_kept(entry, redactor);
  }
  text.kept = dump_json(entry);
  return text;
}

Result<ThreadEntry> entry_of(const Record& record) {
  const Result<Json> json = parse_json(record.value);
  if (!json.ok()) return unreadable(record, json.error().message);
  const std::int64_t format = int_or(json.value(), "format", 0);
  if (format != kEntryFormat) {
    return unreadable(record, "it is of format " + std::to_string(format) +
                                  ", and this program knows " + std::to_string(kEntryFormat));
  }
  ThreadEntry entry{record.version, int_or(json.value(), "writer", 0),
                    std::chrono::milliseconds(int_or(json.value(), "at_ms", 0)), false,
                    graph::Note()};
  entry.altered = is_altered(json.value());
  const Status read = read_what(json.value(), entry);
  if (read.ok()) return entry;
  const Json* const step = find(json.value(), kStepEntry);
  const std::optional<std::int64_t> number = step ? find_int(*step, "step") : std::nullopt;
  const std::string where = number ? "step " + std::to_string(*number) + ": " : "";
  return unreadable(record, where + read.error().message);
}

Status add(const ThreadEntry& later, ThreadEntry::Step& step) {
  const auto* const branch = std::get_if<ThreadEntry::Branch>(&later.what);
  const auto* const note = std::get_if<graph::Note>(&later.what);
  check(branch != nullptr || note != nullptr, "a step is not added to a step");
  const std::string_view key =
      branch ? std::string_view(branch->key) : graph::branch_of(note->node);
  const auto place = std::ranges::find(step.at.branches, key,
                                       [](const auto& one) { return std::string_view(one.key); });
  if (place == step.at.branches.end()) {
    return Error{ErrorCode::kInvalidInput, "record " + std::to_string(later.version) + ": step " +
                                               std::to_string(step.step) + " has no branch '" +
                                               std::string(key) + "'"};
  }
  if (branch != nullptr) {
    *place = *branch;
  } else {
    place->notes.push_back(*note);
  }
  step.version = {later.version, later.writer};
  return Done{};
}

}  // namespace plumbline::store
