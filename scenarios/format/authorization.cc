#include "scenarios/format/authorization.h"

#include <algorithm>
#include <utility>

#include "scenarios/format/format_web.h"

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kPortMax = 65'535;
constexpr Duration kLifetimeMin = std::chrono::seconds(1);  // OAuth knows whole seconds.
constexpr std::int64_t kJumpMsMax = 10LL * 365 * 24 * 3'600 * 1'000;

// read_texts reads an object of texts by name.
std::map<std::string, std::string> read_texts(ObjectReader& fields, std::string_view key) {
  std::map<std::string, std::string> texts;
  const Json* const json = fields.object(key);
  if (json == nullptr) return texts;
  for (const auto& [name, value] : json->items()) {
    const auto* const text = value.get_ptr<const std::string*>();
    if (text == nullptr) {
      fields.refuse(key, '"' + std::string(key) + "\" is wrong, expected texts by name");
      return texts;
    }
    texts.emplace(name, *text);
  }
  return texts;
}

Json read_members(ObjectReader& fields, std::string_view key) {
  const Json* const json = fields.object(key);
  return json == nullptr ? Json::object() : *json;
}

Stored read_stored(const Json& json, const std::string& pointer, std::optional<Problem>& problem) {
  ObjectReader fields(json, pointer, "a stored token", problem);
  Stored stored;
  stored.token = fields.boolean("token").value_or(true);
  stored.age = fields.milliseconds("age_ms").value_or(Duration{});
  stored.revoked = fields.boolean("revoked").value_or(false);
  stored.scope = fields.string("scope").value_or("");
  stored.client_is_unknown = fields.boolean("client_is_unknown").value_or(false);
  fields.finish();
  return stored;
}

ClockJump read_jump(const Json& json, const std::string& pointer, std::optional<Problem>& problem) {
  ObjectReader fields(json, pointer, "a jump of the clock", problem);
  ClockJump jump;
  fields.require("by_ms", "how far");
  jump.at = fields.milliseconds("at_ms").value_or(Duration{});
  jump.by = std::chrono::milliseconds(fields.integer("by_ms", -kJumpMsMax, kJumpMsMax).value_or(0));
  fields.finish();
  return jump;
}

std::vector<PersonAct> read_person(ObjectReader& fields) {
  std::vector<PersonAct> acts;
  for (const std::string& name : fields.strings("person")) {
    const auto found = std::ranges::find(kPersonActs, name);
    if (found == kPersonActs.end()) {
      fields.refuse("person", '"' + name +
                                  "\" is nothing that a person does, expected consents, "
                                  "denies, closes, twice, forged or mixed-up");
      return acts;
    }
    acts.push_back(static_cast<PersonAct>(found - kPersonActs.begin()));
  }
  return acts;
}

}  // namespace

std::string issuer_name(const std::string& server) { return "auth." + server; }

AuthorizationSpec read_authorization(const Json& json, const std::string& pointer,
                                     std::optional<Problem>& problem) {
  constexpr std::array<std::string_view, 3> kRefresh = {"rotates", "stays", "none"};
  ObjectReader fields(json, pointer, "an authorization", problem);
  AuthorizationSpec spec;
  spec.resource.sends_challenge = fields.boolean("challenge").value_or(true);
  const Json* const resource = fields.take("resource_metadata");
  spec.resource.has_metadata = resource == nullptr || !resource->is_null();
  if (spec.resource.has_metadata)
    spec.resource.metadata = read_members(fields, "resource_metadata");
  spec.resource.scope = fields.string("scope").value_or("");
  spec.resource.scopes = read_texts(fields, "scopes");
  spec.issuer.metadata = read_members(fields, "metadata");
  spec.issuer.lifetime = fields.milliseconds("lifetime_ms").value_or(spec.issuer.lifetime);
  if (spec.issuer.lifetime < kLifetimeMin) {
    fields.refuse("lifetime_ms", "\"lifetime_ms\" is wrong, expected a second or more");
  }
  if (const auto which = fields.choice("refresh", kRefresh)) {
    spec.issuer.rotates = *which == 0;
    spec.issuer.gives_refresh_tokens = *which != 2;
  }
  spec.issuer.clients = read_texts(fields, "clients");
  spec.issuer.resource = fields.string("resource").value_or("");
  spec.issuer.audience = fields.string("audience").value_or("");
  spec.ends = fields.milliseconds("ends_ms");
  spec.revokes = fields.milliseconds("revokes_ms");
  if (const Json* const rules = fields.take("rules")) {
    spec.front = read_http_front(Json{{"rules", *rules}}, pointer, problem);
  }
  fields.finish();
  return spec;
}

SignInSpec read_sign_in(const Json& json, std::optional<Problem>& problem) {
  ObjectReader fields(json, "/sign_in", "what there is to sign in with", problem);
  SignInSpec spec;
  spec.person = read_person(fields);
  spec.takes = fields.milliseconds("takes_ms").value_or(spec.takes);
  spec.client_id = fields.string("client_id").value_or("");
  spec.metadata_url = fields.string("metadata_url").value_or("");
  spec.callback_port =
      static_cast<std::uint16_t>(fields.integer("callback_port", 1, kPortMax).value_or(0));
  if (const Json* const stored = fields.object("stored")) {
    for (const auto& [name, value] : stored->items()) {
      const std::string at = fields.pointer_to("stored") + "/" + pointer_token(name);
      spec.stored.emplace(name, read_stored(value, at, problem));
    }
  }
  if (const auto which = fields.choice("store", kStoreStates)) {
    spec.store = static_cast<StoreState>(*which);
  }
  if (const Json* const clock = fields.array("clock")) {
    for (std::size_t i = 0; i < clock->size(); ++i) {
      const std::string at = fields.pointer_to("clock") + "/" + std::to_string(i);
      spec.clock.push_back(read_jump((*clock)[i], at, problem));
    }
  }
  fields.finish();
  return spec;
}

}  // namespace plumbline::scenarios
