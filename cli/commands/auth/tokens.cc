// `logout` and `tokens`.

#include <string>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/auth/auth.h"
#include "cli/threads.h"
#include "cli/tokens.h"
#include "core/auth/steps/addresses.h"
#include "core/os/wall_clock.h"
#include "reports/text.h"

namespace plumbline::cli {

namespace {

Json to_json(const auth::TokenInfo& token) {
  Json json = {{"server", token.server}, {"issuer", token.issuer}, {"renewable", token.renewable}};
  json["scopes"] = token.scopes;
  json["expires"] = token.expires ? Json(rfc3339(*token.expires)) : Json();
  return json;
}

std::string line_of(const auth::TokenInfo& token, Duration now) {
  std::string line = token.server + "  " + token.issuer + "  ";
  const bool over = token.expires && *token.expires <= now;
  if (!token.expires) line += "until it is refused";
  if (token.expires) line += (over ? "ended " : "until ") + rfc3339(*token.expires);
  if (token.renewable) line += ", renewed by itself";
  if (!token.scopes.empty()) line += "  " + auth::join_scope(token.scopes);
  return reports::without_commands(reports::one_line(line)) + "\n";
}

}  // namespace

int run_logout(const LogoutOptions& options, Host& host) {
  const Result<FoundServer> found = find_server(options, host);
  if (!found.ok()) return host.complain(found.error().message, kExitUsage);
  const std::string server = auth::canonical_resource(found.value().url);
  std::optional<Result<bool>> revoked = Result<bool>(false);
  if (Tokens::exist(host)) {
    Result<std::unique_ptr<Tokens>> tokens = Tokens::open(host);
    if (!tokens.ok()) return host.complain(tokens.error().message, kExitUsage);
    revoked = wait_for(host, tokens.value()->manager().revoke(server));
  }
  if (!revoked) return host.complain("interrupted", kExitInterrupted);
  if (!revoked->ok()) return host.complain("logout: " + revoked->error().message, kExitUnreachable);
  host.out(revoked->value() ? "The token of " + server + " is revoked and forgotten.\n"
                            : "There is no token of " + server + ".\n");
  return kExitOk;
}

void TokensOptions::declare(CLI::App& app) {
  app.add_flag("--json", json, "Print a JSON document");
}

int run_tokens(const TokensOptions& options, Host& host) {
  std::vector<auth::TokenInfo> list;
  if (Tokens::exist(host)) {
    Result<std::unique_ptr<Tokens>> tokens = Tokens::open(host);
    if (!tokens.ok()) return host.complain(tokens.error().message, kExitUsage);
    auto listed = wait_for(host, tokens.value()->manager().list());
    if (!listed) return host.complain("interrupted", kExitInterrupted);
    if (!listed->ok()) return host.complain(listed->error().message, kExitUnreachable);
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
