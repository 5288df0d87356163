// The table of shapes against what the published schemas ask for: whatever the judge and the
// reference server say to each other, whole and with one thing changed at a time, both judge alike.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/broken/shape_samples.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/oracles/shapes.h"
#include "conformance/oracles/transcript.h"
#include "core/mcp/protocol/published_shapes_fixture.h"
#include "core/schema/schema.h"

namespace plumbline::conformance {
namespace {

constexpr std::size_t kDifferencesShown = 20;

// Book is what the published schema of one revision asks for.
class Book {
 public:
  explicit Book(std::string_view revision) : definitions_(mcp::published_definitions(revision)) {
    for (const auto& [name, definition] : definitions_.items()) {
      const Json* const method = at_pointer(definition, "/properties/method/const");
      if (method != nullptr) by_method_[method->get<std::string>()] = name;
    }
  }

  // takes returns whether a shape of our table, filled with `value`, fits; nothing: not there.
  std::optional<bool> takes(const std::string& shape, const Json& value) {
    const std::size_t space = shape.find(' ');
    const std::string kind = shape.substr(0, space);
    const auto known = by_method_.find(shape.substr(space + 1));
    if (known == by_method_.end()) return std::nullopt;
    if (kind == "result") {
      std::string name = known->second.substr(0, known->second.size() - 7) + "Result";
      if (!definitions_.contains(name)) name = "Result";
      return fits(name, value);
    }
    Json message(Json::value_t::object);
    message["jsonrpc"] = "2.0";
    if (kind == "request") message["id"] = 1;
    message["method"] = known->first;
    message["params"] = value;
    return fits(known->second, message);
  }

 private:
  bool fits(const std::string& definition, const Json& value) {
    auto found = compiled_.find(definition);
    if (found == compiled_.end()) {
      Json root = Json::object();
      root["$defs"] = definitions_;
      root["$ref"] = "#/$defs/" + definition;
      found = compiled_.emplace(definition, schema::Schema::compile(std::move(root)).value()).first;
    }
    return !found->second.validate(value);
  }

  Json definitions_;
  std::map<std::string, std::string> by_method_;
  std::map<std::string, schema::Schema> compiled_;
};

// add_places appends a pointer to every value within `value`.
void add_places(const Json& value, const std::string& place, std::vector<std::string>& places) {
  if (!place.empty()) places.push_back(place);
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      add_places(member, place + "/" + pointer_token(key), places);
    }
  }
  if (value.is_array() && !value.empty()) add_places(value[0], place + "/0", places);
}

// variants returns `value`, and it with one thing taken out or replaced.
std::vector<Json> variants(const Json& value) {
  static const std::vector<Json> kOthers = {Json(5),       Json(true),     Json("x"),
                                            Json::array(), Json::object(), Json(nullptr)};
  std::vector<Json> all = {value};
  std::vector<std::string> places;
  add_places(value, "", places);
  for (const std::string& place : places) {
    const Json::json_pointer pointer(place);
    if (value[pointer.parent_pointer()].is_object()) {
      Json less = value;
      less[pointer.parent_pointer()].erase(pointer.back());
      all.push_back(std::move(less));
    }
    for (const Json& other : kOthers) {
      Json changed = value;
      changed[pointer] = other;
      all.push_back(std::move(changed));
    }
  }
  return all;
}

// Samples is what was said of each shape, without repetition.
using Samples = std::map<std::string, std::set<std::string>>;

void collect(const WireLog& log, std::string_view revision, Samples& samples) {
  const Conversation conversation{log, log.entries(), std::string(revision), Sender::kSubject,
                                  true};
  const Transcript transcript(conversation, Side::kServer);
  for (const Dialogue& dialogue : transcript.dialogues()) {
    for (const ObservedMessage& said : dialogue.said) {
      if (said.revision != revision) continue;
      if (!said.method.empty() && said.params().is_object()) {
        const char* const kind = said.is_request() ? "request " : "notification ";
        samples[kind + said.method].insert(dump_json(said.params()));
      }
      const bool complete = string_or(said.result(), "resultType", "complete") == "complete";
      if (said.request == kNoPlace || !said.message->contains("result") || !complete) continue;
      samples["result " + dialogue.said[said.request].method].insert(dump_json(said.result()));
    }
  }
}

// is_moot returns whether a difference is one that we mean: null in places where the published
// schema has every JSON value, and forgets this one; _meta where it stands with the general request
// alone.
bool is_moot(const std::optional<std::string>& misfit, const Json& value) {
  if (misfit) return misfit->starts_with("/_meta");
  return dump_json(value).find("null") != std::string::npos;
}

// our_misfit knows that a stateless server puts its requests into results.
std::optional<std::string> our_misfit(const Shapes& shapes, const std::string& shape,
                                      const Json& value) {
  constexpr std::string_view kRequest = "request ";
  Budget budget{Amounts()};
  Measured measured(budget);
  if (shapes.knows(shape)) return shapes.misfit(shape, value, measured);
  if (shape.starts_with("result ")) return shapes.misfit("type input-response", value, measured);
  Json embedded(Json::value_t::object);
  embedded["method"] = shape.substr(kRequest.size());
  embedded["params"] = value;
  return shapes.misfit("type input-request", embedded, measured);
}

class ShapesTest : public testing::TestWithParam<std::string_view> {};

TEST_P(ShapesTest, JudgeAsThePublishedSchemaDoes) {
  const std::string_view revision = GetParam();
  Book book(revision);
  DeviantWorld world(Transport::kHttp, nullptr);
  JudgeOptions options;
  options.revision = std::string(revision);
  options.probe.allow_writes = true;
  world.judge(std::move(options));
  Samples samples;
  collect(world.log(), revision, samples);
  for (const ShapeSample& sample : kShapeSamples) {
    samples[std::string(sample.shape)].insert(std::string(sample.value));
  }
  const Shapes& shapes = Shapes::of(revision);
  std::size_t compared = 0;
  std::set<std::string> differences;
  for (const auto& [shape, texts] : samples) {
    for (const std::string& text : texts) {
      for (const Json& value : variants(parse_json(text).value())) {
        const std::optional<bool> theirs = book.takes(shape, value);
        if (!theirs) continue;
        const std::optional<std::string> misfit = our_misfit(shapes, shape, value);
        ++compared;
        if (*theirs == !misfit || is_moot(misfit, value)) continue;
        differences.insert(shape + (misfit ? ": we refuse " + *misfit : ": we take it") + "\n  " +
                           dump_json(value));
      }
    }
  }
  EXPECT_GT(compared, 1000U);
  std::size_t shown = 0;
  for (const std::string& difference : differences) {
    if (++shown <= kDifferencesShown) ADD_FAILURE() << difference.substr(0, 700);
  }
  EXPECT_EQ(differences.size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(AllRevisions, ShapesTest, testing::ValuesIn(kRevisions));

}  // namespace
}  // namespace plumbline::conformance
