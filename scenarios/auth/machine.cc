#include "scenarios/auth/machine.h"

#include <utility>

#include "core/auth/steps/metadata.h"
#include "core/auth/token.h"
#include "core/base/check.h"

namespace plumbline::scenarios {

namespace {

// When a world begins: late in November 2026.
constexpr Duration kBegins = std::chrono::hours(24) * 20'780;

constexpr const char* kStoredRedirect = "http://127.0.0.1:49152/callback";

}  // namespace

Machine::Machine(Loop& loop, net::Network& network, const Scenario& scenario, Issuers& issuers,
                 Operations& operations, const Rng& rng, EventSink& events)
    : loop_(loop),
      scenario_(scenario),
      operations_(operations),
      state_(scenario.sign_in.store),
      rng_(rng),
      clock_(loop, kBegins),
      secrets_(loop, [this](std::string_view operation,
                            const std::string&) { return trouble_of(operation); }),
      browser_(loop, network, scenario.sign_in, events) {
  for (const auto& [server, stored] : scenario.sign_in.stored) store(server, stored, issuers);
  for (const ClockJump& jump : scenario.sign_in.clock) {
    Alarm& alarm = jumps_.emplace_back([this, &jump] { clock_.jump(jump.by); });
    loop.arm(alarm, after(loop.now(), jump.at));
  }
}

RandomBytes Machine::random() {
  return [this](std::size_t count) {
    std::string bytes;
    while (bytes.size() < count) bytes += static_cast<char>(rng_.below(256));
    return bytes;
  };
}

fakes::StoreTrouble Machine::trouble_of(std::string_view operation) {
  fakes::StoreTrouble trouble;
  const bool writes = operation == "set" || operation == "remove";
  if (operations_.fails("secret")) trouble.fault = fakes::StoreFault::kFail;
  if (state_ == StoreState::kLocked) trouble.fault = fakes::StoreFault::kFail;
  if (state_ == StoreState::kReadOnly && writes) trouble.fault = fakes::StoreFault::kFail;
  if (state_ == StoreState::kForgetful && writes) trouble.fault = fakes::StoreFault::kLose;
  return trouble;
}

void Machine::store(const std::string& server, const Stored& stored, Issuers& issuers) {
  fakes::AuthorizationServer& issuer = issuers.of(server);
  const std::string name = "https://" + issuer_name(server);
  auth::Token token;
  token.resource = token.server = issuers.url_of(server);
  token.client = {name, "client-of-before", "", "none", kStoredRedirect, true};
  token.token_endpoint = name + "/token";
  token.revocation_endpoint = name + "/revoke";
  token.scopes = auth::split_scope(stored.scope);
  token.obtained = clock_.since_1970() - stored.age;
  token.expires = token.obtained + issuer.script().lifetime;
  const Instant ends = after(loop_.now(), issuer.script().lifetime - stored.age);
  const fakes::AuthorizationServer::Given given =
      issuer.give(token.client.id, kStoredRedirect, token.resource, stored.scope, ends);
  token.access_token = given.access_token;
  token.refresh_token = issuer.script().gives_refresh_tokens ? given.refresh_token : "";
  if (stored.revoked) issuer.revoke_all();
  if (stored.token) secrets_.put(auth::secret_name_of(token.server), auth::to_text(token));
  if (stored.client_is_unknown) token.client.id = "client-that-is-unknown";
  secrets_.put(auth::client_name_of(name), dump_json(auth::to_json(token.client)));
}

void Machine::heal() {
  state_ = StoreState::kWorks;
  browser_.obey();
}

void Machine::stop() {
  jumps_.clear();
  browser_.stop();
}

}  // namespace plumbline::scenarios
