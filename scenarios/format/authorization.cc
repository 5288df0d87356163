#include "scenarios/format/authorization.h"

#include <algorithm>
#include <utility>

#include "core/json/fields/fields.h"
#include "scenarios/format/format_web.h"

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kPortMax = 65'535;
constexpr Duration kLifetimeMin = std::chrono::seconds(1);  // OAuth knows whole seconds.
constexpr std::array<std::string_view, 3> kRefresh = {"rotates", "stays", "none"};
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

template <typename T>
Field<T> texts_row(std::string_view key, std::map<std::string, std::string> T::*member) {
  return field::own<T>(key, shape::by_name(shape::text()), [=](ObjectReader& fields, T& out) {
    out.*member = read_texts(fields, key);
  });
}

void read_rules(ObjectReader& fields, AuthorizationSpec& spec) {
  if (const Json* const rules = fields.take("rules")) {
    spec.front = read_http_front(Json{{"rules", *rules}}, fields.pointer(), fields.problem());
  }
}

Json read_members(ObjectReader& fields, std::string_view key) {
  const Json* const json = fields.object(key);
  return json == nullptr ? Json::object() : *json;
}

const Fields<Stored>& stored_fields() {
  static const Fields<Stored> kFields(
      "a stored token",
      {
          field::yes("token", &Stored::token).says("false: only the registration"),
          field::milliseconds("age_ms", &Stored::age),
          field::yes("revoked", &Stored::revoked),
          field::words("scope", &Stored::scope),
          field::yes("client_is_unknown", &Stored::client_is_unknown),
      });
  return kFields;
}

const Fields<ClockJump>& jump_fields() {
  static const Fields<ClockJump> kFields(
      "a jump of the clock",
      {
          field::milliseconds("at_ms", &ClockJump::at),
          field::own<ClockJump>("by_ms", shape::whole(-kJumpMsMax, kJumpMsMax),
                                [](ObjectReader& fields, ClockJump& jump) {
                                  const auto by = fields.integer("by_ms", -kJumpMsMax, kJumpMsMax);
                                  jump.by = std::chrono::milliseconds(by.value_or(0));
                                })
              .must("how far"),
      });
  return kFields;
}

void read_person(ObjectReader& fields, SignInSpec& spec) {
  for (const std::string& name : fields.strings("person")) {
    const auto found = std::ranges::find(kPersonActs, name);
    if (found == kPersonActs.end()) {
      return fields.refuse("person", '"' + name +
                                         "\" is nothing that a person does, expected consents, "
                                         "denies, closes, twice, forged or mixed-up");
    }
    spec.person.push_back(static_cast<PersonAct>(found - kPersonActs.begin()));
  }
}

void read_stored(ObjectReader& fields, SignInSpec& spec) {
  const Json* const stored = fields.object("stored");
  if (stored == nullptr) return;
  for (const auto& [name, value] : stored->items()) {
    const std::string at = fields.pointer_to("stored") + "/" + pointer_token(name);
    stored_fields().read(value, at, fields.problem(), spec.stored[name]);
  }
}

const Fields<SignInSpec>& sign_in_fields() {
  static const Fields<SignInSpec> kFields(
      "what there is to sign in with",
      {
          field::own<SignInSpec>("person", shape::list(shape::one_of(kPersonActs)), read_person)
              .says("what somebody does on each visit; the last entry applies from then on: "
                    "`\"consents\"`, `\"denies\"`, `\"closes\"` the window. With `\"twice\"`, "
                    "`\"forged\"` or `\"mixed-up\"` the person consents and the browser comes back "
                    "twice, after a response forged by somebody else, or with a different `iss`. "
                    "Without `person` nobody is there, and the error names the server that refuses "
                    "a token"),
          field::milliseconds("takes_ms", &SignInSpec::takes).says("how long they take (5000)"),
          field::words("client_id", &SignInSpec::client_id).says("as the option of `login`"),
          field::words("metadata_url", &SignInSpec::metadata_url).says("as the option of `login`"),
          field::whole("callback_port", &SignInSpec::callback_port, 1, kPortMax)
              .says("as the option of `login`"),
          field::own<SignInSpec>("stored", shape::by_name(stored_fields().shape()), read_stored)
              .says("by server, a stored token, with the registration that it was issued for: "
                    "`age_ms`; `revoked`; its `scope`. `\"token\": false`: only the registration. "
                    "`client_is_unknown`: the authorization server doesn't know the registered "
                    "client"),
          field::choice("store", &SignInSpec::store, kStoreStates)
              .says("`\"locked\"`: nothing is read or written. `\"read-only\"`. `\"forgetful\"`: "
                    "writes are lost in a crash"),
          field::items("clock", &SignInSpec::clock, jump_fields())
              .says(
                  "`{\"at_ms\", \"by_ms\"}`: jumps of the machine's clock, forwards or backwards"),
      });
  return kFields;
}

const Fields<fakes::ProtectionScript>& resource_fields() {
  using fakes::ProtectionScript;
  static const Fields<ProtectionScript> kFields(
      "an authorization",
      {
          field::yes("challenge", &ProtectionScript::sends_challenge)
              .says("`false`: 401 and 403 don't say how to sign in"),
          field::own<ProtectionScript>("resource_metadata", Json{{"type", {"object", "null"}}},
                                       [](ObjectReader& fields, ProtectionScript& out) {
                                         const Json* const said = fields.take("resource_metadata");
                                         out.has_metadata = said == nullptr || !said->is_null();
                                         if (!out.has_metadata) return;
                                         out.metadata = read_members(fields, "resource_metadata");
                                       })
              .says("members put into the metadata of the server; null removes a member. Itself "
                    "null: there is none at the well-known address"),
          field::words("scope", &ProtectionScript::scope).says("the scope that every token needs"),
          texts_row("scopes", &ProtectionScript::scopes)
              .says("by tool, the scope that a call of it needs instead"),
      });
  return kFields;
}

void read_lifetime(ObjectReader& fields, fakes::AuthorizationScript& issuer) {
  issuer.lifetime = fields.milliseconds("lifetime_ms").value_or(issuer.lifetime);
  if (issuer.lifetime >= kLifetimeMin) return;
  fields.refuse("lifetime_ms", "\"lifetime_ms\" is wrong, expected a second or more");
}

void read_refresh(ObjectReader& fields, fakes::AuthorizationScript& issuer) {
  const auto which = fields.choice("refresh", kRefresh);
  if (!which) return;
  issuer.rotates = *which == 0;
  issuer.gives_refresh_tokens = *which != 2;
}

const Fields<fakes::AuthorizationScript>& issuer_fields() {
  using fakes::AuthorizationScript;
  static const Json kLifetime = {
      {"type", "number"}, {"minimum", milliseconds_of(kLifetimeMin)}, {"maximum", 86'400'000}};
  static const Fields<AuthorizationScript> kFields(
      "an authorization",
      {
          field::own<AuthorizationScript>("metadata", shape::object(),
                                          [](ObjectReader& fields, AuthorizationScript& out) {
                                            out.metadata = read_members(fields, "metadata");
                                          })
              .says("members put into the metadata of `auth.NAME`; null removes a member"),
          field::own<AuthorizationScript>("lifetime_ms", kLifetime, read_lifetime)
              .says("lifetime of access tokens, an hour by default"),
          field::own<AuthorizationScript>("refresh", shape::one_of(kRefresh), read_refresh)
              .says("`\"rotates\"`: a refresh token can be used once, and a second use revokes "
                    "everything that came from it. `\"stays\"`, `\"none\"`"),
          texts_row("clients", &AuthorizationScript::clients)
              .says(
                  "clients that are registered from the beginning, each with its one redirect URI"),
          field::words("resource", &AuthorizationScript::resource)
              .says("the only resource that tokens are issued for: a request for another one sends "
                    "the browser back with `invalid_target`"),
          field::words("audience", &AuthorizationScript::audience)
              .says("the audience of all tokens, whatever was requested"),
      });
  return kFields;
}

const Fields<AuthorizationSpec>& authorization_fields() {
  static const Json kRules = {{"$ref", "#/$defs/http/properties/rules"}};
  static const Fields<AuthorizationSpec> kFields =
      resource_fields()
          .within(&AuthorizationSpec::resource)
          .and_those(issuer_fields().within(&AuthorizationSpec::issuer))
          .and_those({"an authorization",
                      {
                          field::milliseconds("ends_ms", &AuthorizationSpec::ends)
                              .says("when every access token expires"),
                          field::milliseconds("revokes_ms", &AuthorizationSpec::revokes)
                              .says("when every token is revoked"),
                          field::own<AuthorizationSpec>("rules", kRules, read_rules)
                              .says("rules like those of `http`, for a proxy before `auth.NAME`. "
                                    "The proxy before the server itself, including its resource "
                                    "metadata, is the server's own `http`"),
                      }});
  return kFields;
}

}  // namespace

std::string issuer_name(const std::string& server) { return "auth." + server; }

AuthorizationSpec read_authorization(const Json& json, const std::string& pointer,
                                     std::optional<Problem>& problem) {
  AuthorizationSpec spec;
  authorization_fields().read(json, pointer, problem, spec);
  return spec;
}

SignInSpec read_sign_in(const Json& json, std::optional<Problem>& problem) {
  SignInSpec spec;
  sign_in_fields().read(json, "/sign_in", problem, spec);
  return spec;
}

Json authorization_shape() { return authorization_fields().shape(); }
Json sign_in_shape() { return sign_in_fields().shape(); }

}  // namespace plumbline::scenarios
