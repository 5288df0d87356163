#include "core/agents/operations/operations_state.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/check.h"

namespace plumbline::agents {

namespace {

std::string_view name_of(connector::Drift drift) {
  switch (drift) {
    case connector::Drift::kNone:
      return "none";
    case connector::Drift::kOtherVersion:
      return "other_version";
    case connector::Drift::kNew:
      return "new";
    case connector::Drift::kChanged:
      return "changed";
  }
  check(false, "unknown Drift");
  return {};
}

template <typename Enum>
constexpr Enum kLast{};
template <>
constexpr Intent kLast<Intent> = Intent::kAnswerWithoutMcp;
template <>
constexpr connector::CapabilityType kLast<connector::CapabilityType> =
    connector::CapabilityType::kPrompt;
template <>
constexpr connector::Drift kLast<connector::Drift> = connector::Drift::kChanged;
template <>
constexpr Risk kLast<Risk> = Risk::kDenied;
template <>
constexpr Provenance kLast<Provenance> = Provenance::kSchemaDefault;
template <>
constexpr Validation::Decision kLast<Validation::Decision> = Validation::Decision::kUnusable;
template <>
constexpr Invocation::Next kLast<Invocation::Next> = Invocation::Next::kReview;
template <>
constexpr mcp::Failure::Kind kLast<mcp::Failure::Kind> = mcp::Failure::Kind::kRefused;

// The fields of every part of the state, each named once for writing and reading: `archive` is a
// Writer, and the part is const, or a Reader.
template <typename Part, typename Wanted>
concept Some = std::same_as<std::remove_const_t<Part>, Wanted>;

void fields(auto& archive, Some<connector::Capability> auto& part) {
  archive("type", part.type);
  archive("server", part.server);
  archive("name", part.name);
  archive("title", part.title);
  archive("description", part.description);
  archive("uri", part.uri);
  archive("mime_type", part.mime_type);
  archive("input_schema", part.input_schema);
  archive("output_schema", part.output_schema);
  archive("annotations", part.annotations);
  archive("as_task", part.as_task);
  archive("drift", part.drift);
  archive("flaws", part.flaws);
}

void fields(auto& archive, Some<connector::ServerManifest> auto& part) {
  archive("server", part.server);
  archive("name", part.name);
  archive("version", part.version);
  archive("revision", part.revision);
  archive("capabilities", part.capabilities);
}

void fields(auto& archive, Some<connector::Manifest> auto& part) {
  archive("servers", part.servers);
}

void fields(auto& archive, Some<connector::CapabilityRef> auto& part) {
  archive("server", part.server);
  archive("capability", part.capability);
}

void fields(auto& archive, Some<Candidate> auto& part) {
  archive("ref", part.ref);
  archive("score", part.score);
  archive("tried", part.tried);
}

void fields(auto& archive, Some<Selection> auto& part) {
  archive("ref", part.ref);
  archive("reason", part.reason);
}

void fields(auto& archive, Some<Assessment> auto& part) {
  archive("risks", part.risks);
  archive("allowed_by_name", part.allowed_by_name);
  archive("changes_the_world", part.changes_the_world);
}

void fields(auto& archive, Some<ArgumentSource> auto& part) {
  archive("name", part.name);
  archive("provenance", part.provenance);
}

void fields(auto& archive, Some<Extraction> auto& part) {
  archive("arguments", part.arguments);
  archive("sources", part.sources);
  archive("missing", part.missing);
}

void fields(auto& archive, Some<Validation> auto& part) {
  archive("decision", part.decision);
  archive("assessment", part.assessment);
  archive("extraction", part.extraction);
  archive("reason", part.reason);
  archive("approvable", part.approvable);
  archive("approved", part.approved);
  archive("approval_id", part.approval_id);
}

void fields(auto& archive, Some<connector::McpRequest> auto& part) {
  archive("server", part.server);
  archive("method", part.method);
  archive("params", part.params);
  archive("as_task", part.as_task);
}

void fields(auto& archive, Some<mcp::Failure> auto& part) {
  archive("kind", part.kind);
  archive("code", part.code);
  archive("message", part.message);
  archive("data", part.data);
}

void fields(auto& archive, Some<Invocation> auto& part) {
  archive("result", part.result);
  archive("failure", part.failure);
  archive("next", part.next);
  archive("attempts", part.attempts);
  archive("in_doubt", part.in_doubt);
}

void fields(auto& archive, Some<ContextUpdate> auto& part) {
  archive("kind", part.kind);
  archive("text", part.text);
  archive("item_count", part.item_count);
}

// What a state and an update of it have both.
void shared_fields(auto& archive, auto& part) {
  archive("input", part.input);
  archive("intent", part.intent);
  archive("operation_type", part.operation_type);
  archive("capability_manifest", part.capability_manifest);
  archive("candidate_capabilities", part.candidate_capabilities);
  archive("selected_capability", part.selected_capability);
  archive("capability_validation", part.capability_validation);
  archive("mcp_request", part.mcp_request);
  archive("mcp_result", part.mcp_result);
  archive("context_update", part.context_update);
  archive("fallback_reason", part.fallback_reason);
  archive("needs_human_review", part.needs_human_review);
  archive("errors", part.errors);
  archive("final_output", part.final_output);
}

void fields(auto& archive, Some<OperationsState> auto& part) {
  shared_fields(archive, part);
  archive("server_preferences", part.server_preferences);
}

void fields(auto& archive, Some<OperationsState::Update> auto& part) {
  shared_fields(archive, part);
}

// Writer makes an object of a part. Enums go by their names; what is optional is an array of none
// or one, for a JSON null is something else than nothing.
class Writer {
 public:
  template <typename Part>
  static Json write(const Part& part) {
    Writer writer;
    fields(writer, part);
    return std::move(writer.out_);
  }

  template <typename Value>
  void operator()(const char* key, const Value& value) {
    out_[key] = json_of(value);
  }

 private:
  template <typename Value>
  static Json json_of(const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
      return Json(name_of(value));
    } else if constexpr (std::is_arithmetic_v<Value> || std::same_as<Value, std::string> ||
                         std::same_as<Value, Json>) {
      return Json(value);
    } else {
      return write(value);
    }
  }
  template <typename Item>
  static Json json_of(const std::vector<Item>& items) {
    Json out = Json::array();
    for (const Item& item : items) out.push_back(json_of(item));
    return out;
  }
  template <typename Value>
  static Json json_of(const std::optional<Value>& value) {
    Json out = Json::array();
    if (value) out.push_back(json_of(*value));
    return out;
  }

  Json out_ = Json::object();
};

// Reader fills a part from what a Writer made, and keeps the first field that does not fit.
class Reader {
 public:
  Reader(const Json& in, std::string& wrong) : in_(in), wrong_(wrong) {}

  template <typename Value>
  void operator()(const char* key, Value& value) {
    const Json* const json = find(in_, key);
    if ((json == nullptr || !read(*json, value)) && wrong_.empty()) wrong_ = key;
  }

 private:
  bool read(const Json& json, Json& value) {
    value = json;
    return true;
  }
  bool read(const Json& json, std::string& value) {
    const auto* const text = json.get_ptr<const std::string*>();
    if (text != nullptr) value = *text;
    return text != nullptr;
  }
  bool read(const Json& json, bool& value) {
    const auto* const truth = json.get_ptr<const bool*>();
    if (truth != nullptr) value = *truth;
    return truth != nullptr;
  }
  template <std::integral Number>
  bool read(const Json& json, Number& value) {
    const std::optional<std::int64_t> number = as_int(json);
    if (number) value = static_cast<Number>(*number);
    return number && std::in_range<Number>(*number);
  }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  bool read(const Json& json, Enum& value) {
    for (int i = 0; i <= static_cast<int>(kLast<Enum>); ++i) {
      value = static_cast<Enum>(i);
      if (json == name_of(value)) return true;
    }
    return false;
  }
  template <typename Item>
  bool read(const Json& json, std::vector<Item>& items) {
    if (!json.is_array()) return false;
    items.clear();
    for (const Json& item : json) {
      if (!read(item, items.emplace_back())) return false;
    }
    return true;
  }
  template <typename Value>
  bool read(const Json& json, std::optional<Value>& value) {
    if (!json.is_array() || json.size() > 1) return false;
    value.reset();
    return json.empty() || read(json.front(), value.emplace());
  }
  template <typename Part>
  requires std::is_class_v<Part>
  bool read(const Json& json, Part& part) {
    Reader reader(json, wrong_);
    fields(reader, part);
    return wrong_.empty();
  }

  const Json& in_;
  std::string& wrong_;
};

bool names(const connector::Manifest& manifest, connector::CapabilityRef ref) {
  return ref.server < manifest.servers.size() &&
         ref.capability < manifest.servers[ref.server].capabilities.size();
}

// refers_well returns whether whatever the state refers to is there.
bool refers_well(const OperationsState& state) {
  for (const Candidate& candidate : state.candidate_capabilities) {
    if (!names(state.capability_manifest, candidate.ref)) return false;
  }
  return !state.selected_capability ||
         names(state.capability_manifest, state.selected_capability->ref);
}

Error unreadable(std::string_view what, const std::string& wrong) {
  return {ErrorCode::kInvalidInput, "the saved " + std::string(what) +
                                        " of the operations assistant has no good \"" + wrong +
                                        '"'};
}

}  // namespace

Json OperationsState::to_json() const { return Writer::write(*this); }

Result<OperationsState> OperationsState::from_json(const Json& saved) {
  OperationsState state;
  std::string wrong;
  Reader reader(saved, wrong);
  fields(reader, state);
  if (wrong.empty() && !refers_well(state)) wrong = "ref";
  if (wrong.empty()) return state;
  return unreadable("state", wrong);
}

Json OperationsState::Update::to_json() const { return Writer::write(*this); }

Result<OperationsState::Update> OperationsState::Update::from_json(const Json& saved) {
  Update update;
  std::string wrong;
  Reader reader(saved, wrong);
  fields(reader, update);
  if (wrong.empty()) return update;
  return unreadable("update", wrong);
}

}  // namespace plumbline::agents
