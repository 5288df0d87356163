// TokenManager keeps the tokens of every MCP server: in memory for who asks, and in a SecretStore
// for other processes. It has them renewed before they end, once, however many ask.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/auth/auth_world.h"
#include "core/auth/document_client.h"
#include "core/auth/steps/grant.h"
#include "core/auth/token.h"
#include "core/base/flight.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/base/task_group.h"

namespace plumbline::auth {

struct TokenManagerOptions {
  Duration refresh_buffer = std::chrono::seconds(300);  // Before a token ends.
  Duration age_max = std::chrono::seconds(3600);        // It is renewed then, whatever it says.
  Assertion assertion;                                  // Of a client that has a key.
  // Is told of every token before anybody uses it, for redaction.
  std::function<void(const std::string& secret)> on_secret;
};

// TokenInfo is what may be shown of a token.
struct TokenInfo {
  std::string server;
  std::string issuer;
  std::vector<std::string> scopes;
  std::optional<Duration> expires;  // Since 1970.
  bool renewable = false;
  std::string header;  // Of a key, which has no issuer; empty of a token.
};

class TokenManager {
 public:
  // Servers are known by canonical_resource of their URL. All of `world` must outlive the manager.
  explicit TokenManager(AuthWorld world, TokenManagerOptions options = {});
  TokenManager(const TokenManager&) = delete;
  TokenManager& operator=(const TokenManager&) = delete;

  // trust says by which authorities who gives out the tokens of `server` is known; else by those of
  // `world`. Not while anything is asked of it.
  void trust(const std::string& server, const net::TlsClient& tls);

  // get returns a token that can be used now; nothing when there is none, or it is over and nobody
  // renews it. One that ends soon, or is old, is renewed first: while that fails and it has not
  // ended it is used on. An Error: the store cannot be read, or the renewal has failed.
  Task<Result<std::optional<Token>>> get(std::string server);

  // find returns the token as it is, over or not.
  Task<Result<std::optional<Token>>> find(std::string server);

  // store keeps `token`, in place of any before.
  Task<Status> store(Token token);

  // renew has the token renewed whose access token is `refused`, which is empty where none was
  // shown. Returns whether there is another one then: by somebody else, also in another process, or
  // because the authorization server gave one. One that a renewal gave and that was never good is
  // not renewed again: the next one would be no better.
  Task<Result<bool>> renew(std::string server, std::string refused, bool was_good);

  // revoke has the token revoked by who gave it, and forgets it whatever comes of that; a key is
  // only forgotten. Returns whether there was one. An Error: it is forgotten, and may still be
  // good.
  Task<Result<bool>> revoke(std::string server);

  // list returns what is stored, in the order of the servers' names.
  Task<Result<std::vector<TokenInfo>>> list();

 private:
  // Entry is what is known of one server. It is never removed.
  struct Entry {
    explicit Entry(AuthWorld& world)
        : http(std::make_unique<DocumentClient>(world.loop, world.network, world.tls)),
          renewal(world.loop) {}

    std::unique_ptr<DocumentClient> http;  // To who gives out its tokens.
    bool loaded = false;
    std::optional<Token> token;
    std::string renewed;    // The access token that the last renewal came to.
    Instant due = kNever;   // To be renewed.
    Instant ends = kNever;  // Of no use any more.
    Instant retry{};        // Not before.
    std::optional<Error> trouble;
    Flight renewal;
  };

  Entry& entry_of(const std::string& server);
  Task<Status> load(Entry& entry, std::string server);
  void adopt(Entry& entry, std::optional<Token> token);
  // renewed waits until a renewal that is under way, or a new one, is over.
  Task<void> renewed(Entry& entry);
  static Task<void> renewal_work(TokenManager& self, Entry& entry);
  // renewal is one among all processes; claimed_renewal is what it does then.
  Task<Status> renewal(Entry& entry);
  Task<Status> claimed_renewal(Entry& entry);
  Task<Status> take_stored(Entry& entry, AuthError why);
  // reload looks for a token that another process has stored since, and returns whether there is
  // one.
  Task<Result<bool>> reload(Entry& entry, std::string server);

  AuthWorld world_;
  TokenManagerOptions options_;
  std::map<std::string, std::unique_ptr<Entry>> entries_;
  TaskGroup work_;
};

}  // namespace plumbline::auth
