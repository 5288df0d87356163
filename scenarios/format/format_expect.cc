#include "scenarios/format/format_expect.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kCountMax = std::numeric_limits<std::int32_t>::max();

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

void read_route(ObjectReader& fields, Expect& expect, const std::string& pointer,
                const RouteMap& routes, std::optional<Problem>& problem) {
  if (fields.has("route")) {
    expect.route = fields.strings("route");
    const bool unfinished = expect.status == "failed";
    if (const auto flaw = routes.check_route(*expect.route, unfinished)) {
      add_problem(problem, pointer + "/route/" + std::to_string(flaw->index), flaw->message);
    }
  }
  expect.route_contains = fields.strings("route_contains");
  for (std::size_t i = 0; i < expect.route_contains.size(); ++i) {
    if (routes.has_node(expect.route_contains[i])) continue;
    add_problem(problem, pointer + "/route_contains/" + std::to_string(i),
                "\"" + expect.route_contains[i] + "\" is no node of the graph, expected one that " +
                    "`plumbline graph` shows");
  }
}

void read_choices(ObjectReader& fields, Expect& expect) {
  constexpr std::array<std::string_view, 5> kStatuses = {"ok", "answered_without_mcp",
                                                         "needs_review", "failed", "any"};
  constexpr std::array<std::string_view, 4> kIntents = {"read_resource", "execute_tool",
                                                        "use_prompt", "answer_without_mcp"};
  if (const auto which = fields.choice("status", kStatuses)) expect.status = kStatuses[*which];
  if (expect.status == "any") expect.status.reset();
  if (const auto which = fields.choice("intent", kIntents)) expect.intent = kIntents[*which];
}

void read_counts(ObjectReader& fields, Expect& expect, const std::string& pointer,
                 std::optional<Problem>& problem) {
  if (const Json* const effects = fields.take("effects")) {
    if (effects->is_object()) {
      expect.effects_of = numbers(*effects, pointer + "/effects", "the effects", problem);
      expect.effects = 0;
      for (const auto& [label, count] : expect.effects_of) *expect.effects += count;
    } else {
      expect.effects = fields.integer("effects", 0, kCountMax);
    }
  }
  expect.commands_run = fields.integer("commands_run", 0, kCountMax);
  expect.requests = counts(fields, "requests", "the requests", problem);
  expect.starts = counts(fields, "starts", "the starts", problem);
  expect.exchanges = counts(fields, "exchanges", "the exchanges", problem);
}

// read_bounds reads what is counted of one user as well as of a run.
void read_bounds(ObjectReader& fields, Expect& expect) {
  expect.approvals_asked = fields.integer("approvals_asked", 0, kCountMax);
  expect.virtual_max = fields.milliseconds("virtual_ms_max");
  expect.virtual_min = fields.milliseconds("virtual_ms_min");
}

// read_answer reads what the answer to one request comes to.
void read_answer(ObjectReader& fields, Expect& expect, const std::string& pointer,
                 const RouteMap& routes, std::optional<Problem>& problem) {
  read_choices(fields, expect);
  read_route(fields, expect, pointer, routes, problem);
  expect.selected = text_or_null(fields, "selected");
  expect.context = text_or_null(fields, "context");
  if (const Json* const arguments = fields.take("arguments")) expect.arguments = *arguments;
  expect.item_count = fields.integer("item_count", 0, kCountMax);
  expect.errors = fields.integer("errors", 0, kCountMax);
  expect.errors_contain = texts(fields, "errors_contain");
  expect.fallback_contains = fields.string("fallback_contains");
  expect.response_contains = texts(fields, "response_contains");
  expect.response_lacks = texts(fields, "response_lacks");
}

void read_each(ObjectReader& parent, Expect& expect, const RouteMap& routes,
               std::optional<Problem>& problem) {
  const Json* const each = parent.take("each");
  if (each == nullptr) return;
  if (!each->is_array()) {
    return parent.refuse("each", "\"each\" is wrong, expected an array, an item a request");
  }
  for (std::size_t i = 0; i < each->size(); ++i) {
    const std::string pointer = parent.pointer_to("each") + '/' + std::to_string(i);
    ObjectReader fields((*each)[i], pointer, "what is expected of one request", problem);
    read_answer(fields, expect.each.emplace_back(), pointer, routes, problem);
    fields.finish();
  }
}

}  // namespace

Expect read_expect(const Json& json, const std::string& pointer, const RouteMap& routes,
                   std::optional<Problem>& problem) {
  Expect expect;
  ObjectReader fields(json, pointer, "what is expected", problem);
  fields.require("status", "how the request ends");
  read_answer(fields, expect, pointer, routes, problem);
  read_counts(fields, expect, pointer, problem);
  read_each(fields, expect, routes, problem);
  read_bounds(fields, expect);
  fields.finish();
  return expect;
}

Expect read_user_expect(const Json& json, const std::string& pointer, const RouteMap& routes,
                        std::optional<Problem>& problem) {
  Expect expect;
  ObjectReader fields(json, pointer, "what is expected of a user's requests", problem);
  fields.require("status", "how the request ends");
  read_answer(fields, expect, pointer, routes, problem);
  read_each(fields, expect, routes, problem);
  read_bounds(fields, expect);
  fields.finish();
  return expect;
}

Expect read_run_expect(const Json& json, const std::string& pointer,
                       std::optional<Problem>& problem) {
  Expect expect;
  ObjectReader fields(json, pointer, "what is expected of the run", problem);
  read_counts(fields, expect, pointer, problem);
  read_bounds(fields, expect);
  fields.finish();
  return expect;
}

}  // namespace plumbline::scenarios
