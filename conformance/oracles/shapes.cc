#include "conformance/oracles/shapes.h"

#include <array>
#include <utility>
#include <vector>

#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/oracles/rules.h"
#include "conformance/oracles/shape_files.h"
#include "core/base/check.h"

namespace plumbline::conformance {

namespace {

// Key is a key of the table, taken apart.
struct Key {
  std::string name;
  bool needed = false;
  bool holds = true;  // In the revision at hand.
};

Key key_of(std::string_view text, std::string_view revision) {
  Key key;
  const std::size_t at = text.rfind('@');
  if (at != std::string_view::npos) {
    const std::string_view range = text.substr(at + 1);
    const std::size_t dots = range.find("..");
    const std::string_view since = range.substr(0, dots);
    const std::string_view until = dots == std::string_view::npos ? "" : range.substr(dots + 2);
    key.holds = since <= revision && (until.empty() || revision <= until);
    text = text.substr(0, at);
  }
  key.needed = text.ends_with('!');
  if (key.needed) text.remove_suffix(1);
  key.name = std::string(text);
  return key;
}

// Translator turns shapes into JSON Schema.
class Translator {
 public:
  explicit Translator(std::string_view revision) : revision_(revision) {}

  Json shape(const Json& written) const {
    if (written.is_string()) return words(written.get_ref<const std::string&>());
    return written.is_array() ? alternatives(written) : object(written);
  }

 private:
  Json words(std::string_view text) const {
    const std::size_t bar = text.find('|');
    if (bar != std::string_view::npos) {
      Json schema(Json::value_t::object);
      schema["anyOf"].push_back(words(text.substr(0, bar)));
      schema["anyOf"].push_back(words(text.substr(bar + 1)));
      return schema;
    }
    Json schema(Json::value_t::object);
    if (text == "any") return schema;
    if (text.ends_with("[]")) {
      schema["type"] = "array";
      schema["items"] = words(text.substr(0, text.size() - 2));
    } else if (text.starts_with('{')) {
      schema["type"] = "object";
      schema["additionalProperties"] = words(text.substr(1, text.size() - 2));
    } else if (text.starts_with('#')) {
      schema["$ref"] = "#/$defs/" + std::string(text.substr(1));
    } else if (text.starts_with('\'')) {
      schema["const"] = text.substr(1, text.size() - 2);
    } else if (text == "count") {
      schema["type"] = "integer";
      schema["minimum"] = 0;
    } else if (text == "fraction") {
      schema["type"] = "number";
      schema["minimum"] = 0;
      schema["maximum"] = 1;
    } else {
      schema["type"] = text;
    }
    return schema;
  }

  Json alternatives(const Json& written) const {
    Json schema(Json::value_t::object);
    schema["anyOf"] = Json::array();
    for (const Json& one : written) {
      if (one.is_object() && one.size() == 1 && one.begin().key().starts_with('@')) {
        if (!key_of(one.begin().key(), revision_).holds) continue;
        schema["anyOf"].push_back(shape(one.begin().value()));
      } else {
        schema["anyOf"].push_back(shape(one));
      }
    }
    return schema;
  }

  Json object(const Json& written) const {
    Json schema(Json::value_t::object);
    schema["type"] = "object";
    for (const auto& [text, member] : written.items()) {
      const Key key = key_of(text, revision_);
      if (!key.holds) continue;
      if (key.name == "&") {
        schema["allOf"].push_back(shape(member));
        continue;
      }
      schema["properties"][key.name] = shape(member);
      if (key.needed) schema["required"].push_back(key.name);
    }
    return schema;
  }

  std::string_view revision_;
};

Json both(const char* base, Json schema) {
  Json joined(Json::value_t::object);
  Json reference(Json::value_t::object);
  reference["$ref"] = std::string("#/$defs/") + base;
  joined["allOf"].push_back(std::move(reference));
  joined["allOf"].push_back(std::move(schema));
  return joined;
}

Json translated(const Json& table, std::string_view revision) {
  const Translator translator(revision);
  Json root(Json::value_t::object);
  Json& shapes = root["properties"] = Json::object();
  const auto add = [&](const char* section, const auto& put) {
    for (const auto& [text, written] : find(table, section)->items()) {
      const Key key = key_of(text, revision);
      if (key.holds) put(key.name, written);
    }
  };
  add("types", [&](const std::string& name, const Json& written) {
    root["$defs"][name] = translator.shape(written);
    shapes["type " + name]["$ref"] = "#/$defs/" + name;
  });
  add("requests", [&](const std::string& name, const Json& written) {
    shapes["request " + name] = both("request", translator.shape(*find(written, "params")));
    shapes["result " + name] = both("result", translator.shape(*find(written, "result")));
  });
  add("notifications", [&](const std::string& name, const Json& written) {
    shapes["notification " + name] = both("notification", translator.shape(written));
  });
  add("errors", [&](const std::string& code, const Json& written) {
    shapes["error " + code] = translator.shape(written);
  });
  shapes["error"]["$ref"] = "#/$defs/error";
  return root;
}

}  // namespace

Shapes::Shapes(Json schema, schema::Schema compiled)
    : schema_(std::move(schema)), compiled_(std::move(compiled)) {}

Shapes Shapes::compile(std::string_view revision) {
  const Result<Json> table = parse_json(embedded_text(shape_files(), "shapes.json"));
  check(table.ok(), "the table of shapes is no JSON");
  Json schema = translated(table.value(), revision);
  Result<schema::Schema> compiled = schema::Schema::compile(schema);
  check(compiled.ok(), "the table of shapes makes no schema");
  return Shapes(std::move(schema), std::move(compiled).value());
}

const Shapes& Shapes::of(std::string_view revision) {
  static const std::vector<Shapes> kAll = [] {
    std::vector<Shapes> all;
    for (const std::string_view one : kRevisions) all.push_back(compile(one));
    return all;
  }();
  std::size_t place = 0;
  while (kRevisions[place] != revision) ++place;
  return kAll[place];
}

bool Shapes::knows(const std::string& name) const { return schema_["properties"].contains(name); }

std::optional<std::string> Shapes::misfit(const std::string& name, const Json& value,
                                          Measured& measured) const {
  Json named(Json::value_t::object);
  named[name] = value;
  const std::optional<schema::Violation> wrong = measured.violation(compiled_, named);
  if (!wrong) return std::nullopt;
  const std::string within = wrong->instance_pointer.substr(1 + pointer_token(name).size());
  return (within.empty() ? "" : within + ": ") + wrong->message;
}

bool Shapes::needs_params(const std::string& name) const {
  return compiled_.validate({{name, Json::object()}}).has_value();
}

namespace {

constexpr const char* kNothingSaid = "it said nothing that has a shape";

// shape_of_result returns which shape the result `said` of `request` has to have.
std::string shape_of_result(const ObservedMessage& request, const ObservedMessage& said) {
  const Json& result = said.result();
  const std::string type = string_or(result, "resultType", "complete");
  if (is_stateless(said.revision) && type == "input_required") return "type input-required";
  // Of an extension.
  if (is_stateless(said.revision) && type != "complete") return "type result";
  const bool task = find(request.params(), "task") != nullptr && find(result, "task") != nullptr;
  if (has_own_tasks(said.revision) && task) return "type created-task";
  return "result " + request.method;
}

// member_of returns the member that `wrong` is about: what it names first. Empty: none.
std::string member_of(std::string_view wrong) {
  const std::size_t begin = wrong.find('"');
  const std::size_t end = begin == wrong.npos ? begin : wrong.find('"', begin + 1);
  return std::string(end == wrong.npos ? "" : wrong.substr(begin + 1, end - begin - 1));
}

// kind_of returns what is the same in `wrong` for each item of a list, each key of a map and each
// wrong value.
std::string kind_of(std::string_view wrong) {
  if (wrong.find("alternatives") != std::string_view::npos)
    wrong = wrong.substr(0, wrong.find('/', 1));
  const std::size_t value = wrong.find("\" is ");
  const std::size_t wanted = wrong.find(", expected", value);
  // A whole result is called after its method.
  if (member_of(wrong).starts_with("result ") && wanted != std::string_view::npos) {
    return std::string(wrong.substr(wanted));
  }
  std::string kind;
  for (const char letter : wrong.substr(0, wanted == std::string_view::npos ? wanted : value)) {
    if (letter < '0' || letter > '9') kind += letter;
  }
  if (wanted != std::string_view::npos) kind += wrong.substr(wanted);
  return kind;
}

struct Misfit {
  std::string kind;
  std::string member;
  std::string what;
};

// misfit_of says what is wrong with the shape of `said`; nothing: it fits, or is of no shape.
std::optional<Misfit> misfit_of(const Dialogue& dialogue, const ObservedMessage& said,
                                Measured& measured, bool& judged) {
  const Shapes& shapes = Shapes::of(said.revision);
  std::string shape;
  const Json* value = nullptr;
  static const Json kNone = Json::object();
  if (!said.method.empty()) {
    shape = (said.is_request() ? "request " : "notification ") + said.method;
    value = find(*said.message, "params");
    if (value == nullptr && shapes.knows(shape) && shapes.needs_params(shape)) {
      judged = true;
      return Misfit{"params", "params", said.method + " without params"};
    }
    if (value == nullptr) value = &kNone;
  } else if (said.message->contains("error")) {
    const Json& error = said.error();
    judged = true;
    if (const auto wrong = shapes.misfit("error", error, measured)) {
      return Misfit{kind_of(*wrong), member_of(*wrong), "the error: " + *wrong};
    }
    shape = "error " + std::to_string(int_or(error, "code", 0));
    value = find(error, "data");
    if (value == nullptr) value = &kNone;
  } else if (said.request != kNoPlace && said.message->contains("result")) {
    shape = shape_of_result(dialogue.said[said.request], said);
    value = &said.result();
  }
  if (shape.empty() || !shapes.knows(shape)) return std::nullopt;
  judged = true;
  const std::optional<std::string> wrong = shapes.misfit(shape, *value, measured);
  if (!wrong) return std::nullopt;
  return Misfit{kind_of(*wrong), member_of(*wrong),
                "the " + shape + " does not fit the schema of " + said.revision + ": " + *wrong};
}

}  // namespace

Finding messages_have_their_shape(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (said.revision.empty() || !said.message->is_object()) return;
    bool judged = false;
    const std::optional<Misfit> wrong = misfit_of(dialogue, said, ruling.measured(), judged);
    if (judged) ruling.sees();
    if (wrong) ruling.breaks_as(wrong->kind, wrong->member, said, wrong->what);
  });
  return ruling.finding(kNothingSaid);
}

}  // namespace plumbline::conformance
