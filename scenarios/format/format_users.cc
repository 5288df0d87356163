#include "scenarios/format/format_users.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/json/fields/fields.h"
#include "core/json/json.h"
#include "core/json/locate.h"
#include "scenarios/format/format_expect.h"
#include "scenarios/judge/route_map.h"

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kTimesMax = 100;
constexpr std::size_t kUsersMax = 20;

// kind_of returns the agent of that name; where there is none, it refuses `key`.
const agents::Agent& kind_of(ObjectReader& fields, std::string_view key, const std::string& name) {
  if (const agents::Agent* const agent = agents::find_agent(name)) return *agent;
  fields.refuse(key,
                "there is no agent \"" + name + "\", expected one of: " + agents::agent_names());
  return agents::default_agent();
}

// read_input reads a text, or the call of a tool, which is one as JSON.
std::string read_input(ObjectReader& fields) {
  if (const Json* const tool = fields.take("tool")) {
    Json call = {{"tool", *tool}, {"arguments", Json::object()}};
    if (const Json* const arguments = fields.object("arguments")) call["arguments"] = *arguments;
    if (!tool->is_string()) fields.refuse("tool", "expected the name of a tool");
    return dump_json(call);
  }
  if (!fields.require("input", "the text of the request")) return "";
  const Json& input = *fields.take("input");
  if (const auto* const text = input.get_ptr<const std::string*>()) return *text;
  fields.refuse("input", "\"input\" is " + std::string(type_name(input)) + ", expected a string");
  return "";
}

// input_rows are those that read_input reads.
template <typename T>
typename Fields<T>::Rows input_rows(std::function<void(ObjectReader&, T&)> read) {
  const auto read_before = [](ObjectReader&, T&) {};
  return {
      field::own<T>("input", shape::text(), std::move(read)).says("the text of the request"),
      field::own<T>("tool", shape::words(), read_before)
          .says("in place of a text: a tool of the supervisor"),
      field::own<T>("arguments", shape::object(), read_before).says("what the tool is called with"),
  };
}

// A request that follows.
const Fields<std::string>& then_fields() {
  static const Fields<std::string> kFields(
      "a request", input_rows<std::string>([](ObjectReader& fields, std::string& input) {
        input = read_input(fields);
      }),
      shape::one_of_two("input", "tool"));
  return kFields;
}

void read_then(ObjectReader& request, UserSpec& user) {
  const Json* const then = request.array("then");
  if (then == nullptr) return;
  if (then->empty() || user.times != 1 || then->size() >= kTimesMax) {
    return request.refuse("then", "expected 1 to 99 requests after this one, and no \"times\"");
  }
  for (std::size_t i = 0; i < then->size(); ++i) {
    then_fields().read((*then)[i], request.pointer_to("then") + '/' + std::to_string(i),
                       request.problem(), user.then.emplace_back());
  }
  user.times = 1 + static_cast<std::int64_t>(then->size());
}

Json then_shape() {
  Json shape = shape::list(then_fields().shape());
  shape["minItems"] = 1;
  return shape::with(std::move(shape), "maxItems", kTimesMax - 1);
}

const Fields<UserSpec>& request_fields() {
  static const Fields<UserSpec> kFields =
      Fields<UserSpec>("the request",
                       input_rows<UserSpec>([](ObjectReader& fields, UserSpec& user) {
                         user.input = read_input(fields);
                       }),
                       shape::one_of_two("input", "tool"))
          .and_those({"the request",
                      {
                          field::texts("server_preferences", &UserSpec::server_preferences)
                              .says("the servers to prefer"),
                          field::whole("times", &UserSpec::times, 1, kTimesMax)
                              .says("how often it is made, one after the other"),
                          field::own<UserSpec>("then", then_shape(), read_then)
                              .says("requests that follow in the same conversation"),
                          field::milliseconds("pause_ms", &UserSpec::pause)
                              .says("how long the world runs between two of them"),
                      }});
  return kFields;
}

void read_answers(ObjectReader& fields, Approve& into) {
  const Json* const answers = fields.take("answers");
  if (answers == nullptr) return;
  if (answers->is_array()) {
    into.answers.assign(answers->begin(), answers->end());
    return;
  }
  fields.refuse("answers", "\"answers\" is " + std::string(type_name(*answers)) +
                               ", expected an array, an item each time that is asked");
}

void read_approve(ObjectReader& fields, Approve& into) {
  const Json* const approve = fields.take("approve");
  if (approve == nullptr || *approve == "none") return;
  if (*approve == "all") {
    into.all = true;
  } else if (approve->is_array()) {
    into.names = fields.strings("approve");
  } else {
    fields.refuse("approve",
                  "\"approve\" is wrong, expected \"none\", \"all\" or an array of tool names");
  }
}

// What one user has, and a file that names no users.
const Fields<UserSpec>& user_fields() {
  static const Fields<UserSpec> kFields(
      "a user",
      {
          field::own<UserSpec>("request", request_fields().shape(),
                               [](ObjectReader& fields, UserSpec& user) {
                                 const Json* const said = fields.take("request");
                                 if (said == nullptr) return;
                                 request_fields().read(*said, fields.pointer_to("request"),
                                                       fields.problem(), user);
                               })
              .must("what is asked"),
          field::own<UserSpec>(
              "answers", shape::with(Json{{"type", "array"}}, "items", true),
              [](ObjectReader& fields, UserSpec& user) { read_answers(fields, user.approve); })
              .says("the person's first answers, one for each time that they are asked"),
          field::own<UserSpec>(
              "approve", shape::either(Json{{"enum", {"none", "all"}}}, shape::list(shape::text())),
              [](ObjectReader& fields, UserSpec& user) { read_approve(fields, user.approve); })
              .says("what the person approves when asked; each name approves one call"),
      });
  return kFields;
}

// What one of several users has. Whom they ask is read with the agents.
const Fields<UserSpec>& one_of_several_fields() {
  const auto look = [](ObjectReader& fields, std::string_view key) { fields.take(key); };
  static const Fields<UserSpec> kFields =
      Fields<UserSpec>(
          "a user",
          {
              field::shown<UserSpec>("agent", shape::words(), look)
                  .says("one of \"agents\"; if there are none, the kind of the user's own"),
              field::milliseconds("begins_ms", &UserSpec::begins).says("when the user comes"),
          })
          .and_those(user_fields())
          .and_those({"a user",
                      {field::shown<UserSpec>("expect", shape::ref("user_expect"), look)
                           .must("what is to come of it")}});
  return kFields;
}

class UsersReader {
 public:
  UsersReader(ObjectReader& file, Scenario& scenario, std::optional<Problem>& problem)
      : file_(file), scenario_(scenario), problem_(problem) {}

  void read() {
    if (file_.has("users") || file_.has("agents")) return read_several();
    AgentSpec agent;
    if (const auto name = file_.string("agent")) agent.agent = &kind_of(file_, "agent", *name);
    scenario_.agents.push_back(std::move(agent));
    user_fields().read(file_, scenario_.users.emplace_back());
  }

 private:
  // An object of things by name; nothing where it is wrong, which is then said.
  const Json::object_t* named(std::string_view key, std::string_view what) {
    const Json* const json = file_.take(key);
    const auto* const members = json ? json->get_ptr<const Json::object_t*>() : nullptr;
    if (members != nullptr && !members->empty() && members->size() <= kUsersMax) return members;
    file_.refuse(key, '"' + std::string(key) + "\" is wrong, expected an object of 1 to " +
                          std::to_string(kUsersMax) + ' ' + std::string(what) + " by name");
    return nullptr;
  }

  void read_several() {
    for (const char* const key : {"agent", "request", "approve", "answers"}) {
      if (!file_.has(key)) continue;
      file_.refuse(key, '"' + std::string(key) + "\" stands beside \"users\", expected it in each");
    }
    if (file_.has("agents")) read_agents();
    if (file_.require("users", "who asks")) {
      const Json::object_t* const users = named("users", "users");
      const bool shared = !scenario_.agents.empty();
      for (const auto& [name, value] : users ? *users : Json::object_t()) {
        ObjectReader fields(value, "/users/" + pointer_token(name), "a user", problem_);
        UserSpec& user = scenario_.users.emplace_back();
        user.name = name;
        user.agent = shared ? agent_of(fields) : own_agent(fields, name);
        one_of_several_fields().read(fields, user);
        fields.finish();
      }
    }
    // Whoever reads on finds one of each.
    if (scenario_.agents.empty()) scenario_.agents.emplace_back();
    if (scenario_.users.empty()) scenario_.users.emplace_back();
  }

  void read_agents() {
    const Json::object_t* const agents = named("agents", "agents");
    if (agents == nullptr) return;
    ObjectReader fields(*file_.take("agents"), "/agents", "the agents", problem_);
    for (const auto& [name, value] : *agents) {
      AgentSpec& agent = scenario_.agents.emplace_back();
      agent.name = name;
      if (const auto kind = fields.string(name)) agent.agent = &kind_of(fields, name, *kind);
    }
  }

  std::size_t own_agent(ObjectReader& fields, const std::string& name) {
    AgentSpec& agent = scenario_.agents.emplace_back();
    agent.name = name;
    if (const auto kind = fields.string("agent")) agent.agent = &kind_of(fields, "agent", *kind);
    return scenario_.agents.size() - 1;
  }

  std::size_t agent_of(ObjectReader& fields) {
    if (!fields.require("agent", "the name of one of \"agents\"")) return 0;
    const std::string name = fields.string("agent").value_or("");
    const auto found = std::ranges::find(scenario_.agents, name, &AgentSpec::name);
    if (found != scenario_.agents.end()) {
      return static_cast<std::size_t>(found - scenario_.agents.begin());
    }
    fields.refuse("agent", "\"agents\" has no \"" + name + "\", expected one of them");
    return 0;
  }

  ObjectReader& file_;
  Scenario& scenario_;
  std::optional<Problem>& problem_;
};

}  // namespace

void read_users(ObjectReader& fields, Scenario& scenario, std::optional<Problem>& problem) {
  UsersReader(fields, scenario, problem).read();
}

Json asking_shape() { return user_fields().shape(); }

Json user_shape() { return one_of_several_fields().shape(); }

void read_expectations(ObjectReader& fields, Scenario& scenario, std::optional<Problem>& problem) {
  if (!scenario.names_users()) {
    if (!fields.require("expect", "what is to come of it")) return;
    const RouteMap& routes = routes_of(*scenario.agents.front().agent);
    scenario.expect = read_expect(*fields.take("expect"), "/expect", routes, problem);
    return;
  }
  if (const Json* const expect = fields.take("expect")) {
    scenario.expect = read_run_expect(*expect, "/expect", problem);
  }
  for (UserSpec& user : scenario.users) {
    const Json* const json = find(*find(*fields.take("users"), user.name), "expect");
    if (json == nullptr) continue;  // Which is said already.
    const RouteMap& routes = routes_of(*scenario.agents[user.agent].agent);
    const std::string pointer = "/users/" + pointer_token(user.name) + "/expect";
    user.expect = read_user_expect(*json, pointer, routes, problem);
  }
}

}  // namespace plumbline::scenarios
