// `logout` and `tokens`.

#include <string>
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

}  // namespace

int run_logout(const LogoutOptions& options, Host& host) {
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
  host.out(text.empty() ? "No server is signed in to.\n" : text);
  return kExitOk;
}

}  // namespace plumbline::cli
