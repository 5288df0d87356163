#include "scenarios/format/format_expect.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/json/fields/fields.h"

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kCountMax = std::numeric_limits<std::int32_t>::max();

constexpr std::array<std::string_view, 5> kStatuses = {"ok", "answered_without_mcp", "needs_review",
                                                       "failed", "any"};
constexpr std::array<std::string_view, 4> kContexts = {"text", "records", "confirmation", "prompt"};
constexpr std::array<std::string_view, 4> kIntents = {"read_resource", "execute_tool", "use_prompt",
                                                      "answer_without_mcp"};

// numbers reads {"name": n}.
std::map<std::string, std::int64_t> numbers(const Json& json, const std::string& pointer,
                                            std::string_view what,
                                            std::optional<Problem>& problem) {
  std::map<std::string, std::int64_t> out;
  ObjectReader fields(json, pointer, what, problem);
  const auto* const members = json.get_ptr<const Json::object_t*>();
  if (members == nullptr) return out;
  for (const auto& [name, value] : *members) {
    if (const auto count = fields.integer(name, 0, kCountMax)) out.emplace(name, *count);
  }
  return out;
}

// counts reads {"name": n}, or {"name": {"at_most": n}}.
std::map<std::string, Count> counts(ObjectReader& parent, std::string_view key,
                                    std::string_view what, std::optional<Problem>& problem) {
  std::map<std::string, Count> out;
  const Json* const json = parent.take(key);
  if (json == nullptr) return out;
  ObjectReader fields(*json, parent.pointer_to(key), what, problem);
  const auto* const members = json->get_ptr<const Json::object_t*>();
  if (members == nullptr) return out;
  for (const auto& [name, value] : *members) {
    if (!value.is_object()) {
      if (const auto count = fields.integer(name, 0, kCountMax)) out[name] = {*count, false};
      continue;
    }
    ObjectReader bound(value, fields.pointer_to(name), "a bound", problem);
    bound.require("at_most", "how often at most");
    out[name] = {bound.integer("at_most", 0, kCountMax).value_or(0), true};
    bound.finish();
  }
  return out;
}

// text_or_null reads a string, or null as the empty one.
std::optional<std::string> text_or_null(ObjectReader& fields, std::string_view key) {
  const Json* const value = fields.take(key);
  if (value != nullptr && value->is_null()) return std::string();
  return fields.string(key);
}

// texts reads a string or an array of them. An empty one is in every text.
std::vector<std::string> texts(ObjectReader& fields, std::string_view key) {
  const Json* const value = fields.take(key);
  std::vector<std::string> all;
  if (value == nullptr || !value->is_string()) {
    all = fields.strings(key);
  } else if (std::optional<std::string> text = fields.string(key)) {
    all.push_back(std::move(*text));
  }
  if (std::ranges::find(all, "") != all.end()) {
    fields.refuse(key, '"' + std::string(key) + "\" has an empty text, expected words");
  }
  return all;
}

// counts_shape is {"name": n}, or {"name": {"at_most": n}}.
Json counts_shape() { return shape::by_name(shape::ref("bound")); }

Json texts_shape() { return shape::either(shape::words(), shape::list(shape::words())); }

Field<Expect> count_row(std::string_view key, std::optional<std::int64_t> Expect::*member) {
  return field::whole(key, member, 0, kCountMax);
}

Field<Expect> counts_row(std::string_view key, std::string_view what,
                         std::map<std::string, Count> Expect::*member) {
  return field::own<Expect>(key, counts_shape(), [=](ObjectReader& fields, Expect& expect) {
    expect.*member = counts(fields, key, what, fields.problem());
  });
}

Field<Expect> texts_row(std::string_view key, std::vector<std::string> Expect::*member) {
  return field::own<Expect>(key, texts_shape(), [=](ObjectReader& fields, Expect& expect) {
    expect.*member = texts(fields, key);
  });
}

// Null: nothing is selected.
void read_selected(ObjectReader& fields, Expect& expect) {
  expect.selected = text_or_null(fields, "selected");
}

void read_status(ObjectReader& fields, Expect& expect) {
  if (const auto which = fields.choice("status", kStatuses)) expect.status = kStatuses[*which];
  if (expect.status == "any") expect.status.reset();
}

void read_effects(ObjectReader& fields, Expect& expect) {
  const Json* const effects = fields.take("effects");
  if (effects == nullptr || !effects->is_object()) {
    expect.effects = fields.integer("effects", 0, kCountMax);
    return;
  }
  expect.effects_of =
      numbers(*effects, fields.pointer_to("effects"), "the effects", fields.problem());
  expect.effects = 0;
  for (const auto& [label, count] : expect.effects_of) *expect.effects += count;
}

// Null: there is no context update.
void read_context(ObjectReader& fields, Expect& expect) {
  const Json* const said = fields.take("context");
  if (said == nullptr) return;
  const bool none = said->is_null();
  const auto which = none ? std::nullopt : fields.choice("context", kContexts);
  if (none) expect.context = "";
  if (which) expect.context = kContexts[*which];
}

Json context_shape() {
  Json out = shape::one_of(kContexts);
  out["enum"].push_back(nullptr);
  return out;
}

// What the answer to one request comes to.
const Fields<Expect>& answer_fields() {
  static const Json kName = {{"type", {"string", "null"}}, {"minLength", 1}};
  static const Json kNodes = shape::list(shape::ref("node"));
  static const Fields<Expect> kFields(
      "what is expected of one request",
      {
          field::own<Expect>("status", shape::one_of(kStatuses), read_status)
              .says("how the request ends, always needed; `any`: only the invariants must hold"),
          field::texts("route", &Expect::route)
              .of(kNodes)
              .says("every node in order; it must be a path of the graph that `plumbline graph` "
                    "draws"),
          field::texts("route_contains", &Expect::route_contains)
              .of(kNodes)
              .says("these nodes in this order; others may come between them"),
          field::choice("intent", &Expect::intent, kIntents).says("the intent"),
          field::own<Expect>("selected", kName, read_selected)
              .says("`\"server/name\"`, or null: nothing was selected"),
          field::own<Expect>("context", context_shape(), read_context)
              .says("the kind of the context update, or null: there is none"),
          field::any("arguments", &Expect::arguments)
              .says("the arguments of the last request, exactly"),
          count_row("item_count", &Expect::item_count).says("how many items the result has"),
          count_row("errors", &Expect::errors).says("how many errors the state has"),
          texts_row("errors_contain", &Expect::errors_contain)
              .says("text that one of the errors must contain"),
          field::words("fallback_contains", &Expect::fallback_contains)
              .says("text in the fallback reason"),
          texts_row("response_contains", &Expect::response_contains).says("text in the response"),
          texts_row("response_lacks", &Expect::response_lacks)
              .says("text that must not be in the response"),
      });
  return kFields;
}

// What is counted of a run.
const Fields<Expect>& count_fields() {
  static const Fields<Expect> kFields(
      "what is expected of the run",
      {
          field::own<Expect>(
              "effects", shape::either(shape::ref("count"), shape::by_name(shape::ref("count"))),
              read_effects)
              .says("committed side effects: how many, or how many by `\"server/tool\"` and no "
                    "others"),
          count_row("commands_run", &Expect::commands_run).says("how many commands were started"),
          counts_row("requests", "the requests", &Expect::requests)
              .says("requests that were sent, by method: `{\"tools/call\": 1}`. `{\"tools/call\": "
                    "{\"at_most\": 3}}` is an upper bound. Each round of a call that needs input "
                    "counts, and so does each request of an opening"),
          counts_row("starts", "the starts", &Expect::starts)
              .says("how often a server was started, by its name; an upper bound as in `requests`"),
          counts_row("exchanges", "the exchanges", &Expect::exchanges)
              .says("how many HTTP requests reached the proxy of a server, which needs an `http`, "
                    "at least `{}`: `{\"files GET\": 1}`; an upper bound as in `requests`"),
      });
  return kFields;
}

// What is counted of one user as well as of a run.
const Fields<Expect>& bound_fields() {
  static const Fields<Expect> kFields(
      "what is expected", {
                              count_row("approvals_asked", &Expect::approvals_asked)
                                  .says("how often a person was asked"),
                              field::milliseconds("virtual_ms_max", &Expect::virtual_max)
                                  .says("the answer comes after at most this much virtual time"),
                              field::milliseconds("virtual_ms_min", &Expect::virtual_min)
                                  .says("the answer does not come before this much virtual time"),
                          });
  return kFields;
}

const Field<Expect>& each_row() {
  static const Field<Expect> kRow =
      field::items("each", &Expect::each, answer_fields())
          .says(
              "for the first, second and further of `times` requests: an object of the keys from "
              "`status` to `response_lacks` that its answer must match. `{}` expects nothing");
  return kRow;
}

// user_fields are what a file with one user expects of it, and one with several of each.
Fields<Expect> user_fields(std::string_view what) {
  return Fields<Expect>(what, {each_row()}).and_those(answer_fields()).and_those(bound_fields());
}

const Fields<Expect>& run_fields() {
  static const Fields<Expect> kFields = Fields<Expect>("what is expected of the run", {})
                                            .and_those(count_fields())
                                            .and_those(bound_fields());
  return kFields;
}

// check_route holds what a route says against the graph of the agent.
void check_route(const Expect& expect, const std::string& pointer, const RouteMap& routes,
                 std::optional<Problem>& problem) {
  if (expect.route) {
    const bool unfinished = expect.status == "failed";
    if (const auto flaw = routes.check_route(*expect.route, unfinished)) {
      add_problem(problem, pointer + "/route/" + std::to_string(flaw->index), flaw->message);
    }
  }
  for (std::size_t i = 0; i < expect.route_contains.size(); ++i) {
    if (routes.has_node(expect.route_contains[i])) continue;
    add_problem(problem, pointer + "/route_contains/" + std::to_string(i),
                "\"" + expect.route_contains[i] + "\" is no node of the graph, expected one that " +
                    "`plumbline graph` shows");
  }
  for (std::size_t i = 0; i < expect.each.size(); ++i) {
    check_route(expect.each[i], pointer + "/each/" + std::to_string(i), routes, problem);
  }
}

}  // namespace

Expect read_expect(const Json& json, const std::string& pointer, const RouteMap& routes,
                   std::optional<Problem>& problem) {
  static const Fields<Expect> kFields = user_fields("what is expected").and_those(count_fields());
  Expect expect;
  ObjectReader fields(json, pointer, "what is expected", problem);
  fields.require("status", "how the request ends");
  kFields.read(fields, expect);
  fields.finish();
  check_route(expect, pointer, routes, problem);
  return expect;
}

Expect read_user_expect(const Json& json, const std::string& pointer, const RouteMap& routes,
                        std::optional<Problem>& problem) {
  static const Fields<Expect> kFields = user_fields("what is expected of a user's requests");
  Expect expect;
  ObjectReader fields(json, pointer, "what is expected of a user's requests", problem);
  fields.require("status", "how the request ends");
  kFields.read(fields, expect);
  fields.finish();
  check_route(expect, pointer, routes, problem);
  return expect;
}

Expect read_run_expect(const Json& json, const std::string& pointer,
                       std::optional<Problem>& problem) {
  Expect expect;
  run_fields().read(json, pointer, problem, expect);
  return expect;
}

Json expect_shape() { return user_fields("").and_those(count_fields()).shape(); }

Json user_expect_shape() {
  return shape::with(user_fields("").shape(), "required", Json::array({"status"}));
}

Json count_shape() { return shape::whole(0, kCountMax); }

}  // namespace plumbline::scenarios
