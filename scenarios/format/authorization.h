// What a scenario says of authorization: who gives out the tokens of a server, and what the users'
// machine has and does to get them. docs/scenario-format.md describes it.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "fakes/auth/authorization_server.h"
#include "fakes/auth/protected_resource.h"
#include "fakes/proxy/http_rules.h"

namespace plumbline::scenarios {

// AuthorizationSpec is what stands before a server that takes tokens, and who gives them out: the
// host auth.NAME.
struct AuthorizationSpec {
  fakes::ProtectionScript resource;
  fakes::AuthorizationScript issuer;
  fakes::HttpFront front;           // Before the authorization server.
  std::optional<Duration> ends;     // Of the world's time: when every access token ends,
  std::optional<Duration> revokes;  // and when every token does.
};

// issuer_name returns the host of who gives out the tokens of `server`.
std::string issuer_name(const std::string& server);

// Stored is a token that lies in the secret store when the world begins.
struct Stored {
  bool token = true;               // Else there is only the registration.
  Duration age{};                  // Since it was given out.
  bool revoked = false;            // Its authorization server knows it no more.
  std::string scope;               // That it is good for.
  bool client_is_unknown = false;  // To the authorization server, the one that is registered.
};

// PersonAct is what a person does before a browser.
enum class PersonAct {
  kConsents,
  kDenies,
  kCloses,   // The window.
  kTwice,    // Consents, and the browser comes back twice.
  kForged,   // Consents; before that somebody else's answer comes: another state, another code.
  kMixedUp,  // Consents, and the answer says that it is of another authorization server.
};

// As a file says them, in the order of the enumeration.
inline constexpr std::array<std::string_view, 6> kPersonActs = {"consents", "denies", "closes",
                                                                "twice",    "forged", "mixed-up"};

enum class StoreState {
  kWorks,
  kLocked,     // Nothing is read or written.
  kReadOnly,   // Nothing is written.
  kForgetful,  // What is written is gone after a crash.
};

inline constexpr std::array<std::string_view, 4> kStoreStates = {"works", "locked", "read-only",
                                                                 "forgetful"};

struct ClockJump {
  Duration at{};  // Of the world's time.
  Duration by{};  // Also back.
};

// SignInSpec is what the users' machine has for signing in: all agents share it.
struct SignInSpec {
  std::vector<PersonAct>
      person;  // Visit by visit, the last one from then on. Empty: nobody is there.
  Duration takes = std::chrono::seconds(5);  // The person, for each visit.
  std::string client_id;                     // Empty: none was given.
  std::string metadata_url;                  // Of a metadata document; empty: there is none.
  std::uint16_t callback_port = 0;           // 0: any.
  std::map<std::string, Stored> stored;      // By server.
  StoreState store = StoreState::kWorks;
  std::vector<ClockJump> clock;
};

// read_authorization and read_sign_in read the object at `pointer`. What is wrong with it becomes
// `problem`.
AuthorizationSpec read_authorization(const Json& json, const std::string& pointer,
                                     std::optional<Problem>& problem);
SignInSpec read_sign_in(const Json& json, std::optional<Problem>& problem);

// Their JSON Schemas.
Json authorization_shape();
Json sign_in_shape();

}  // namespace plumbline::scenarios
