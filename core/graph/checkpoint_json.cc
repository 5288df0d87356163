#include "core/graph/checkpoint_json.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumbline::graph {

namespace {

constexpr std::int64_t kFormat = 1;
constexpr std::array kOrigins = {Origin::kBeginning, Origin::kStep, Origin::kUpdate, Origin::kFork};

Error unfit(std::string message) { return {ErrorCode::kInvalidInput, std::move(message)}; }

// Reader takes the fields out of one object and keeps what is wrong with the first that does not
// fit. A field that is allowed to be missing is read by may().
class Reader {
 public:
  Reader(std::string_view what, const Json& json) : what_(what), json_(json) {
    if (!json.is_object()) refuse("is " + std::string(type_name(json)) + ", expected an object");
  }

  template <typename Value>
  void must(std::string_view key, Value& value) {
    const Json* const found = find(json_, key);
    if (found == nullptr) return refuse("has no \"" + std::string(key) + '"');
    read(key, *found, value);
  }

  template <typename Value>
  void may(std::string_view key, std::optional<Value>& value) {
    const Json* const found = find(json_, key);
    if (found != nullptr) read(key, *found, value.emplace());
  }

  // each reads what `of` makes of the items of an array.
  template <typename Item>
  void each(std::string_view key, std::vector<Item>& items, Result<Item> (*of)(const Json&)) {
    Json array;
    must(key, array);
    if (wrong_) return;
    if (!array.is_array()) return mistyped(key, array, "an array");
    for (const Json& json : array) {
      Result<Item> item = of(json);
      if (!item.ok()) {
        wrong_ = item.error();
        return;
      }
      items.push_back(std::move(item).value());
    }
  }

  void refuse(const std::string& why) {
    if (!wrong_) wrong_ = unfit("the saved " + std::string(what_) + ' ' + why);
  }

  const std::optional<Error>& wrong() const { return wrong_; }

 private:
  void read(std::string_view, const Json& json, Json& value) { value = json; }
  void read(std::string_view key, const Json& json, std::string& value) {
    const auto* const text = json.get_ptr<const std::string*>();
    if (text == nullptr) return mistyped(key, json, "a string");
    value = *text;
  }
  void read(std::string_view key, const Json& json, bool& value) {
    const auto* const truth = json.get_ptr<const bool*>();
    if (truth == nullptr) return mistyped(key, json, "true or false");
    value = *truth;
  }
  void read(std::string_view key, const Json& json, std::int64_t& value) {
    const std::optional<std::int64_t> number = as_int(json);
    if (!number || *number < 0) return mistyped(key, json, "a whole number from 0");
    value = *number;
  }

  void mistyped(std::string_view key, const Json& json, std::string_view expected) {
    refuse("has " + std::string(type_name(json)) + " as \"" + std::string(key) + "\", expected " +
           std::string(expected));
  }

  std::string_view what_;
  const Json& json_;
  std::optional<Error> wrong_;
};

template <typename Part>
Result<Part> read_whole(const Reader& reader, Part part) {
  if (reader.wrong()) return *reader.wrong();
  return part;
}

Result<std::string> text_from(const Json& json) {
  const auto* const text = json.get_ptr<const std::string*>();
  if (text == nullptr)
    return unfit("a saved name is " + std::string(type_name(json)) + ", expected a string");
  return *text;
}

Result<Question> question_from(const Json& json) {
  Question out;
  Reader reader("question", json);
  reader.must("key", out.key);
  reader.must("what", out.what);
  return read_whole(reader, std::move(out));
}

Result<Join> join_from(const Json& json) {
  Join out;
  Reader reader("join", json);
  reader.must("node", out.node);
  reader.each("arrived", out.arrived, text_from);
  return read_whole(reader, std::move(out));
}

}  // namespace

namespace internal {

Json versioned(std::int64_t version, Json value) {
  Json out = Json::object();
  out["version"] = version;
  out["value"] = std::move(value);
  return out;
}

Result<Json> unversioned(std::int64_t version, const Json& saved) {
  std::int64_t found = 0;
  Json value;
  Reader reader("state", saved);
  reader.must("version", found);
  reader.must("value", value);
  if (!reader.wrong() && found != version) {
    reader.refuse("has version " + std::to_string(found) + ", expected " + std::to_string(version));
  }
  if (reader.wrong()) return *reader.wrong();
  return value;
}

}  // namespace internal

Json to_json(const Note& note) {
  Json out = Json::object();
  out["node"] = note.node;
  out["what"] = note.what;
  out["answers"] = note.answers;
  return out;
}

Result<Json> to_json(const Branch<SavedState>& branch) {
  Json out = Json::object();
  out["key"] = branch.key;
  out["node"] = branch.node;
  out["steps"] = branch.steps;
  if (branch.input) out["input"] = *branch.input;
  if (branch.update) out["update"] = branch.update->json();
  if (branch.nested.has_value()) {
    Result<Json> nested = branch.nested.json();
    if (!nested.ok()) return nested.error();
    out["nested"] = std::move(nested).value();
  }
  Json& questions = out["questions"] = Json::array();
  for (const Question& question : branch.questions) {
    Json& asked = questions.emplace_back(Json::object());
    asked["key"] = question.key;
    asked["what"] = question.what;
  }
  Json& notes = out["notes"] = Json::array();
  for (const Note& note : branch.notes) notes.push_back(to_json(note));
  return out;
}

Result<Json> to_json(const Snapshot<SavedState>& snapshot) {
  Json out = Json::object();
  out["state"] = snapshot.state.json();
  out["route"] = snapshot.route;
  out["steps"] = snapshot.steps;
  Json& branches = out["branches"] = Json::array();
  for (const Branch<SavedState>& branch : snapshot.branches) {
    Result<Json> json = to_json(branch);
    if (!json.ok()) return json.error();
    branches.push_back(std::move(json).value());
  }
  Json& joins = out["joins"] = Json::array();
  for (const Join& join : snapshot.joins) {
    Json& begun = joins.emplace_back(Json::object());
    begun["node"] = join.node;
    begun["arrived"] = join.arrived;
  }
  return out;
}

Result<Json> to_json(const Checkpoint<SavedState>& kept) {
  Result<Json> at = to_json(kept.at);
  if (!at.ok()) return at;
  Json out = Json::object();
  out["format"] = kFormat;
  out["at"] = std::move(at).value();
  out["step"] = kept.step;
  out["origin"] = name_of(kept.origin);
  if (kept.parent) out["parent"] = *kept.parent;
  if (!kept.parent_thread.empty()) out["parent_thread"] = kept.parent_thread;
  return out;
}

Result<Note> note_from(const Json& json) {
  Note out;
  Reader reader("note", json);
  reader.must("node", out.node);
  reader.must("what", out.what);
  reader.must("answers", out.answers);
  return read_whole(reader, std::move(out));
}

Result<Branch<SavedState>> branch_from(const Json& json) {
  Branch<SavedState> out;
  std::optional<Json> update;
  std::optional<Json> nested;
  Reader reader("branch", json);
  reader.must("key", out.key);
  reader.must("node", out.node);
  reader.must("steps", out.steps);
  reader.may("input", out.input);
  reader.may("update", update);
  reader.may("nested", nested);
  reader.each("questions", out.questions, question_from);
  reader.each("notes", out.notes, note_from);
  if (update) out.update.emplace(std::move(*update));
  if (nested) out.nested = Nested(std::move(*nested));
  return read_whole(reader, std::move(out));
}

Result<Snapshot<SavedState>> snapshot_from(const Json& json) {
  Json state;
  Reader reader("run", json);
  reader.must("state", state);
  Snapshot<SavedState> out{SavedState(std::move(state))};
  reader.must("steps", out.steps);
  reader.each("route", out.route, text_from);
  reader.each("branches", out.branches, branch_from);
  reader.each("joins", out.joins, join_from);
  return read_whole(reader, std::move(out));
}

Result<Checkpoint<SavedState>> checkpoint_from(const Json& json) {
  std::int64_t format = 0;
  Json at;
  std::string origin;
  std::optional<std::string> parent_thread;
  Reader reader("checkpoint", json);
  reader.must("format", format);
  if (!reader.wrong() && format != kFormat) {
    reader.refuse("has format " + std::to_string(format) + ", expected " + std::to_string(kFormat));
  }
  reader.must("at", at);
  if (reader.wrong()) return *reader.wrong();
  Result<Snapshot<SavedState>> snapshot = snapshot_from(at);
  if (!snapshot.ok()) return snapshot.error();
  Checkpoint<SavedState> out{std::move(snapshot).value()};
  reader.must("step", out.step);
  reader.must("origin", origin);
  reader.may("parent", out.parent);
  reader.may("parent_thread", parent_thread);
  out.parent_thread = parent_thread.value_or("");
  const std::optional<Origin> why = [&]() -> std::optional<Origin> {
    for (const Origin known : kOrigins) {
      if (name_of(known) == origin) return known;
    }
    return std::nullopt;
  }();
  if (!why) reader.refuse("has an unknown \"origin\"");
  out.origin = why.value_or(Origin::kBeginning);
  return read_whole(reader, std::move(out));
}

}  // namespace plumbline::graph
