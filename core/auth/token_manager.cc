#include "core/auth/token_manager.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/wait.h"

namespace plumbline::auth {

namespace {

constexpr Duration kRetryPause = std::chrono::seconds(30);  // After a renewal that failed.
constexpr Duration kClaimMax = std::chrono::seconds(30);    // Longer than a renewal takes.
constexpr Duration kClaimPause = std::chrono::milliseconds(200);

// A refresh token that its server knows no more will not come back to life.
bool is_dead(const AuthError& error) {
  return error.code == ErrorCode::kUnsupported && error.oauth == OAuthCode::kInvalidGrant;
}

// check_key returns whether `client` can prove who it is here: a key is not kept with the token.
Status check_key(const Client& client, const Assertion& assertion) {
  if (client.method != "private_key_jwt" || assertion) return Done();
  return Error{ErrorCode::kUnsupported,
               "its client has a key, which is not kept: run plumbline login again"};
}

}  // namespace

TokenManager::TokenManager(AuthWorld world, TokenManagerOptions options)
    : world_(std::move(world)), options_(std::move(options)) {}

TokenManager::Entry& TokenManager::entry_of(const std::string& server) {
  std::unique_ptr<Entry>& entry = entries_[server];
  if (entry == nullptr) entry = std::make_unique<Entry>(world_);
  return *entry;
}

void TokenManager::trust(const std::string& server, const net::TlsClient& tls) {
  entry_of(server).http = std::make_unique<DocumentClient>(world_.loop, world_.network, tls);
}

// adopt makes `token` the one that is used. How long it lasts is measured by the loop from here on,
// so that setting the clock changes nothing; of one that was stored, the clock is all there is to
// go by, within what it could be.
void TokenManager::adopt(Entry& entry, std::optional<Token> token) {
  entry.loaded = true;
  entry.token = std::move(token);
  entry.due = entry.ends = kNever;
  entry.retry = Instant();
  entry.trouble.reset();
  if (!entry.token) return;
  if (options_.on_secret) {
    options_.on_secret(entry.token->access_token);
    if (!entry.token->refresh_token.empty()) options_.on_secret(entry.token->refresh_token);
  }
  const Instant now = world_.loop.now();
  const Duration age =
      std::max(Duration::zero(), world_.clock.since_1970() - entry.token->obtained);
  entry.due = after(now, std::max(Duration::zero(), options_.age_max - age));
  if (!entry.token->expires) return;
  const Duration lifetime =
      std::max(Duration::zero(), *entry.token->expires - entry.token->obtained);
  const Duration left = std::max(Duration::zero(), lifetime - age);
  entry.ends = after(now, left);
  // One that lasts no longer than the buffer would have to be renewed for every request.
  const Duration buffer = std::min(options_.refresh_buffer, lifetime / 2);
  entry.due = std::min(entry.due, after(now, std::max(Duration::zero(), left - buffer)));
}

Task<Status> TokenManager::load(Entry& entry, std::string server) {
  Result<std::optional<std::string>> stored = co_await world_.secrets.get(secret_name_of(server));
  if (!stored.ok()) co_return stored.error();
  if (entry.loaded) co_return Done();  // Somebody was faster.
  if (!stored.value()) {
    adopt(entry, std::nullopt);
    co_return Done();
  }
  Result<Token> token = read_token(*stored.value());
  if (!token.ok()) co_return Error{token.error().code, server + ": " + token.error().message};
  adopt(entry, std::move(token).value());
  co_return Done();
}

Task<Result<std::optional<Token>>> TokenManager::get(std::string server) {
  Entry& entry = entry_of(server);
  if (!entry.loaded) {
    const Status loaded = co_await load(entry, server);
    if (!loaded.ok()) co_return loaded.error();
  }
  if (!entry.token) co_return std::optional<Token>();
  const Instant asked = world_.loop.now();
  const bool due = asked >= entry.due && asked >= entry.retry;
  if (due && !entry.token->refresh_token.empty()) co_await renewed(entry);
  if (!entry.token) co_return std::optional<Token>();
  if (world_.loop.now() < entry.ends) co_return entry.token;
  // One that nobody renews is over; of another, who asks may try again.
  if (entry.trouble && !entry.token->refresh_token.empty()) co_return *entry.trouble;
  co_return std::optional<Token>();
}

Task<Result<std::optional<Token>>> TokenManager::find(std::string server) {
  Entry& entry = entry_of(server);
  if (!entry.loaded) {
    const Status loaded = co_await load(entry, server);
    if (!loaded.ok()) co_return loaded.error();
  }
  co_return entry.token;
}

Task<Status> TokenManager::store(Token token) {
  Entry& entry = entry_of(token.server);
  adopt(entry, token);
  const std::string name = secret_name_of(token.server);
  const std::string text = to_text(token);
  co_return co_await world_.secrets.set(name, text);
}

Task<Result<bool>> TokenManager::renew(std::string server, std::string refused, bool was_good) {
  const Result<std::optional<Token>> found = co_await find(server);
  if (!found.ok()) co_return found.error();
  Entry& entry = entry_of(server);
  const bool shown = entry.token && !refused.empty();
  if (shown && entry.token->access_token != refused) co_return true;
  const bool no_better = !was_good && entry.renewed == refused;
  if (!shown || no_better || entry.token->refresh_token.empty()) {
    co_return co_await reload(entry, std::move(server));
  }
  if (world_.loop.now() >= entry.retry) co_await renewed(entry);
  const bool other = entry.token && entry.token->access_token != refused;
  if (!other && entry.trouble) co_return *entry.trouble;
  co_return other;
}

Task<Result<bool>> TokenManager::reload(Entry& entry, std::string server) {
  const Result<std::optional<std::string>> stored =
      co_await world_.secrets.get(secret_name_of(server));
  if (!stored.ok()) co_return stored.error();
  Result<Token> other = read_token(stored.value().value_or(""));
  const std::string known = entry.token ? entry.token->access_token : "";
  if (!other.ok() || other.value().access_token == known) co_return false;
  adopt(entry, std::move(other).value());
  entry.renewed = entry.token->access_token;
  co_return true;
}

Task<void> TokenManager::renewed(Entry& entry) {
  if (entry.renewal.begin()) work_.spawn(renewal_work(*this, entry));
  co_await entry.renewal.landed();
}

Task<void> TokenManager::renewal_work(TokenManager& self, Entry& entry) {
  const Status done = co_await self.renewal(entry);
  if (!done.ok()) {
    entry.trouble = done.error();
    entry.retry = after(self.world_.loop.now(), kRetryPause);
  } else {
    entry.renewed = entry.token->access_token;
  }
  entry.renewal.land();
}

// Two processes that show the same refresh token are taken for thieves: both lose it.
Task<Status> TokenManager::renewal(Entry& entry) {
  const std::string name = "renewal " + entry.token->server;
  const Instant deadline = after(world_.loop.now(), kClaimMax);
  Result<bool> ours = co_await world_.secrets.claim(name, kClaimMax);
  while (ours.ok() && !ours.value() && world_.loop.now() < deadline) {
    co_await Sleep(world_.loop, after(world_.loop.now(), kClaimPause));
    ours = co_await world_.secrets.claim(name, kClaimMax);
  }
  if (!ours.ok()) co_return ours.error();
  if (!ours.value()) {
    co_return Error{ErrorCode::kDeadlineExceeded, "another process renews the token for too long"};
  }
  const Status done = co_await claimed_renewal(entry);
  const Status released = co_await world_.secrets.release(name);
  if (!done.ok()) co_return done;
  co_return released;
}

// It takes what another process has stored meanwhile, or asks the authorization server. The new
// token is kept before anybody uses it: the old refresh token may be worth nothing any more.
Task<Status> TokenManager::claimed_renewal(Entry& entry) {
  const Token old = *entry.token;
  const Result<std::optional<std::string>> stored =
      co_await world_.secrets.get(secret_name_of(old.server));
  if (!stored.ok()) co_return stored.error();
  if (stored.value()) {
    Result<Token> other = read_token(*stored.value());
    if (other.ok() && other.value().access_token != old.access_token) {
      adopt(entry, std::move(other).value());
      if (world_.loop.now() < entry.due) co_return Done();
    }
  }
  const Token before = *entry.token;
  if (before.refresh_token.empty()) co_return Done();
  const Status provable = check_key(before.client, options_.assertion);
  if (!provable.ok()) co_return provable;
  wire::Form form = refresh_form(before.refresh_token, before.resource);
  wire::HttpRequest request = authenticated(std::move(form), before.client, options_.assertion,
                                            world_.clock.since_1970(), world_.random);
  const Instant asked = world_.loop.now();
  AuthResult<TokenAnswer> answer =
      co_await post_token(*entry.http, before.token_endpoint, std::move(request), before.scopes);
  if (!answer.ok()) co_return co_await take_stored(entry, answer.error());
  Token token = before;
  token.access_token = std::move(answer.value().access_token);
  if (!answer.value().refresh_token.empty()) {
    token.refresh_token = std::move(answer.value().refresh_token);
  }
  token.scopes = std::move(answer.value().scopes);
  // It is as old as its request, also where the clock was set meanwhile.
  token.obtained = world_.clock.since_1970() - (world_.loop.now() - asked);
  token.expires.reset();
  if (answer.value().lifetime) token.expires = token.obtained + *answer.value().lifetime;
  adopt(entry, token);
  // Where it cannot be kept it is good for this process.
  const Status kept = co_await world_.secrets.set(secret_name_of(token.server), to_text(token));
  if (!kept.ok()) entry.trouble = kept.error();
  co_return Done();
}

// take_stored looks, where a renewal is refused, for one that another process was faster with. A
// refresh token that is dead is forgotten; the access token may still be good.
Task<Status> TokenManager::take_stored(Entry& entry, AuthError why) {
  if (!is_dead(why)) co_return why;
  const std::string name = secret_name_of(entry.token->server);
  const Result<std::optional<std::string>> stored = co_await world_.secrets.get(name);
  if (!stored.ok()) co_return stored.error();
  Result<Token> other = read_token(stored.value().value_or(""));
  if (other.ok() && other.value().refresh_token != entry.token->refresh_token) {
    adopt(entry, std::move(other).value());
    co_return Done();
  }
  entry.token->refresh_token.clear();
  const std::string text = to_text(*entry.token);
  const Status kept = co_await world_.secrets.set(name, text);
  if (!kept.ok()) co_return kept.error();
  co_return why;
}

Task<Result<bool>> TokenManager::revoke(std::string server) {
  const Result<std::optional<Token>> found = co_await find(server);
  const std::string name = secret_name_of(server);
  adopt(entry_of(server), std::nullopt);
  const Status removed = co_await world_.secrets.remove(name);
  if (!removed.ok()) co_return removed.error();
  if (!found.ok()) co_return true;  // It was there, and nobody could read it.
  if (!found.value()) co_return false;
  const Token& token = *found.value();
  if (token.is_key()) co_return true;
  const Result<wire::Url> to = wire::parse_url(token.revocation_endpoint);
  if (!to.ok()) {
    co_return Error{ErrorCode::kUnsupported,
                    token.client.issuer +
                        " revokes nothing: the token is forgotten here and good "
                        "until it ends"};
  }
  const Status provable = check_key(token.client, options_.assertion);
  if (!provable.ok()) {
    co_return Error{provable.error().code,
                    "forgotten here, but not revoked: " + provable.error().message};
  }
  const bool renewable = !token.refresh_token.empty();
  wire::Form form;
  form.add("token", renewable ? token.refresh_token : token.access_token);
  form.add("token_type_hint", renewable ? "refresh_token" : "access_token");
  wire::HttpRequest request = authenticated(std::move(form), token.client, options_.assertion,
                                            world_.clock.since_1970(), world_.random);
  const Result<wire::HttpResponse> answer =
      co_await entry_of(server).http->send(to.value(), std::move(request));
  if (answer.ok() && answer.value().status == 200) co_return true;
  const std::string why = answer.ok() ? refusal_of(answer.value()) : answer.error().message;
  co_return Error{ErrorCode::kDisconnected,
                  "forgotten here, but not revoked at " + token.revocation_endpoint + ": " + why};
}

Task<Result<std::vector<TokenInfo>>> TokenManager::list() {
  const Result<std::vector<std::string>> names = co_await world_.secrets.names();
  if (!names.ok()) co_return names.error();
  const std::string prefix = secret_name_of("");
  std::vector<TokenInfo> tokens;
  for (const std::string& name : names.value()) {
    if (!name.starts_with(prefix)) continue;
    const Result<std::optional<std::string>> stored = co_await world_.secrets.get(name);
    if (!stored.ok()) co_return stored.error();
    const Result<Token> token = read_token(stored.value().value_or(""));
    if (!token.ok()) continue;
    const Token& one = token.value();
    tokens.push_back({one.server, one.client.issuer, one.scopes, one.expires,
                      !one.refresh_token.empty(), one.is_key() ? one.header : ""});
  }
  co_return tokens;
}

}  // namespace plumbline::auth
