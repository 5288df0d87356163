// `logout` and `tokens`.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/auth/auth.h"
#include "cli/connect/tokens.h"
#include "cli/threads.h"
#include "core/auth/steps/addresses.h"
#include "core/base/errors/errors.h"
#include "core/os/wall_clock.h"
#include "reports/text.h"

namespace plumbline::cli {

namespace {

constexpr std::string_view kNobody = "No server is signed in to.\n";

Json to_json(const auth::TokenInfo& token) {
  Json json = {{"server", token.server}, {"issuer", token.issuer}, {"renewable", token.renewable}};
  if (!token.header.empty()) {
    json["issuer"] = nullptr;
    json["header"] = token.header;
  }
  json["scopes"] = token.scopes;
  json["expires"] = token.expires ? Json(rfc3339(*token.expires)) : Json();
  return json;
}

std::string line_of(const auth::TokenInfo& token, Duration now) {
  const bool key = !token.header.empty();
  std::string line = token.server + "  " + (key ? "a key in " + token.header : token.issuer) + "  ";
  const bool over = token.expires && *token.expires <= now;
  if (!token.expires) line += "until it is refused";
  if (token.expires) line += (over ? "ended " : "until ") + rfc3339(*token.expires);
  if (token.renewable) line += ", renewed by itself";
  if (!token.scopes.empty()) line += "  " + auth::join_scope(token.scopes);
  return reports::without_commands(reports::one_line(line)) + "\n";
}

std::string none_of(const std::string& server) { return "There is no token of " + server + ".\n"; }

// forget returns what is to be said of it.
Task<Result<std::string>> forget(auth::TokenManager& tokens, std::string server) {
  const Result<std::optional<auth::Token>> token = co_await tokens.find(server);
  const bool key = token.ok() && token.value() && token.value()->is_key();
  const Result<bool> revoked = co_await tokens.revoke(server);
  if (!revoked.ok()) co_return revoked.error();
  if (!revoked.value()) co_return none_of(server);
  if (key) co_return "The key of " + server + " is forgotten here. It is as good as before.\n";
  co_return "The token of " + server + " is revoked and forgotten.\n";
}

// Forgotten is what became of several tokens.
struct Forgotten {
  std::string said;
  bool all_revoked = true;
};

// forget_all forgets them one after the other, whatever becomes of each.
Task<Result<Forgotten>> forget_all(auth::TokenManager& tokens) {
  const Result<std::vector<auth::TokenInfo>> list = co_await tokens.list();
  if (!list.ok()) co_return list.error();
  Forgotten out;
  for (const auth::TokenInfo& token : list.value()) {
    const Result<std::string> one = co_await forget(tokens, token.server);
    out.all_revoked = out.all_revoked && one.ok();
    out.said +=
        one.ok() ? one.value() : "Forgotten, and not revoked: " + one.error().message + "\n";
  }
  co_return out;
}

// delete_unreadable deletes the file of tokens that nobody can open.
int delete_unreadable(const Error& why, Host& host) {
  const Status deleted = Tokens::delete_file(host);
  if (!deleted.ok()) return host.complain(deleted.error(), kExitUnreachable);
  return host.complain(the_error("auth.store-deleted", why.message), kExitUnreachable);
}

int run_logout_all(Host& host) {
  if (!Tokens::exist(host)) {
    host.out(kNobody);
    return kExitOk;
  }
  Result<std::unique_ptr<Tokens>> tokens = Tokens::open(host);
  if (!tokens.ok()) return delete_unreadable(tokens.error(), host);
  const auto forgotten = wait_for(host, forget_all(tokens.value()->manager()));
  if (!forgotten) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (!forgotten->ok()) return delete_unreadable(forgotten->error(), host);
  const std::string& said = forgotten->value().said;
  host.out(said.empty() ? std::string(kNobody) : said);
  return forgotten->value().all_revoked ? kExitOk : kExitUnreachable;
}

}  // namespace

void LogoutOptions::declare(CLI::App& app) {
  declare_server(app);
  app.add_flag("--all", all, "Revoke and forget every token, and empty the store");
}

Status LogoutOptions::read() {
  if (!all) return read_server();
  if (!url.empty() || !config.empty() || !server.empty()) return the_error("auth.all-or-one");
  return Done{};
}

int run_logout(const LogoutOptions& options, Host& host) {
  if (options.all) return run_logout_all(host);
  const Result<FoundServer> found = find_server(options, host);
  if (!found.ok()) return host.complain(found.error(), kExitUsage);
  const std::string server = auth::canonical_resource(found.value().url);
  std::optional<Result<std::string>> forgotten = Result<std::string>(none_of(server));
  if (Tokens::exist(host)) {
    Result<std::unique_ptr<Tokens>> tokens = Tokens::open(host);
    if (!tokens.ok()) return host.complain(tokens.error(), kExitUsage);
    tokens.value()->manager().trust(server, found.value().tls);
    forgotten = wait_for(host, forget(tokens.value()->manager(), server));
  }
  if (!forgotten) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (!forgotten->ok()) {
    return host.complain(the_error("auth.sign-out", forgotten->error().message), kExitUnreachable);
  }
  host.out(forgotten->value());
  return kExitOk;
}

void TokensOptions::declare(CLI::App& app) {
  app.add_flag("--json", json, "Print one JSON document");
}

int run_tokens(const TokensOptions& options, Host& host) {
  std::vector<auth::TokenInfo> list;
  if (Tokens::exist(host)) {
    Result<std::unique_ptr<Tokens>> tokens = Tokens::open(host);
    if (!tokens.ok()) return host.complain(tokens.error(), kExitUsage);
    auto listed = wait_for(host, tokens.value()->manager().list());
    if (!listed) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
    if (!listed->ok()) return host.complain(listed->error(), kExitUnreachable);
    list = std::move(*listed).value();
  }
  if (options.json) {
    Json json = Json::object();
    Json& rows = json["tokens"] = Json::array();
    for (const auth::TokenInfo& token : list) rows.push_back(to_json(token));
    host.out(pretty_json(json) + "\n");
    return kExitOk;
  }
  std::string text;
  for (const auth::TokenInfo& token : list) text += line_of(token, os::wall_clock_since_1970());
  host.out(text.empty() ? std::string(kNobody) : text);
  return kExitOk;
}

}  // namespace plumbline::cli
