// `login`.

#include <optional>
#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/auth/auth.h"
#include "cli/config/load_config.h"
#include "cli/options/usage.h"
#include "cli/threads.h"
#include "cli/tokens.h"
#include "core/auth/loopback_user_agent.h"
#include "core/auth/sign_in.h"
#include "core/auth/steps/addresses.h"
#include "core/auth/steps/belonging.h"
#include "core/base/wait.h"
#include "core/os/child/environment.h"
#include "core/os/terminal.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

namespace {

constexpr Duration kAskMax = std::chrono::seconds(15);
constexpr int kStandardInput = 0;
constexpr int kStandardError = 2;

// Browser shows addresses: it prints them, and opens them where there is a screen.
class Browser {
 public:
  Browser(Host& host, bool opens) : host_(host), opens_(opens) {}

  void show(const std::string& url) {
    host_.tell("Sign in at:\n  " + url + "\n");
    const bool screen = os::environment_variable("DISPLAY").value_or("") != "" ||
                        os::environment_variable("WAYLAND_DISPLAY").value_or("") != "";
    if (!opens_ || !screen) return;
    net::Command command({"xdg-open", url});
    command.env = os::whole_environment();
    Result<std::unique_ptr<net::Child>> child = host_.world().spawner().spawn(command);
    if (child.ok()) child_ = std::move(child).value();
  }

 private:
  Host& host_;
  bool opens_;
  std::unique_ptr<net::Child> child_;
};

// Answer is what a server makes of a request for nothing much.
struct Answer {
  int status = 0;  // 0: it sends more than can matter.
  auth::Challenge challenge;
};

// asked asks the server for anything, with `headers`.
Task<Result<Answer>> asked(FoundServer server, wire::HttpHeaders headers, Host& host) {
  Loop& loop = host.world().loop();
  net::HttpClientOptions options;
  options.tls = server.tls;
  net::HttpClient client(loop, host.world().network(), options);
  wire::HttpRequest request;
  request.headers = std::move(headers);
  request.method = "POST";
  request.headers.set("Content-Type", "application/json");
  request.headers.set("Accept", "application/json, text/event-stream");
  request.body = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  const Instant deadline = after(loop.now(), kAskMax);
  const Result<wire::HttpResponse> answer = co_await net::fetch(
      client, std::move(server.url), std::move(request), deadline, limits::kHttpHeaderBytesMax);
  if (!answer.ok() && answer.error().code != ErrorCode::kLimitReached) co_return answer.error();
  Answer out;
  if (!answer.ok()) co_return out;
  out.status = answer.value().status;
  out.challenge = auth::challenge_of(answer.value().headers);
  co_return out;
}

Task<Result<auth::Token>> sign_in_to(FoundServer server, Tokens& tokens, auth::SignIn& by,
                                     Host& host) {
  wire::HttpHeaders none;
  Result<Answer> answer = co_await asked(server, std::move(none), host);
  if (!answer.ok()) co_return answer.error();
  auth::Challenge challenge;
  if (answer.value().status == 401) challenge = std::move(answer.value().challenge);
  const std::string name = auth::canonical_resource(server.url);
  Result<std::optional<auth::Token>> before = co_await tokens.manager().find(name);
  if (!before.ok()) co_return before.error();
  // A key is of no authorization server.
  if (before.value() && before.value()->is_key()) before.value().reset();
  Result<auth::Token> token =
      co_await by.run(std::move(server.url), std::move(challenge), std::move(before).value());
  if (!token.ok()) co_return token;
  const Status kept = co_await tokens.manager().store(token.value());
  if (!kept.ok()) co_return kept.error();
  co_return token;
}

// keep_key keeps a key that the server does not refuse.
Task<Result<auth::Token>> keep_key(FoundServer server, auth::Token key, Tokens& tokens,
                                   Host& host) {
  wire::HttpHeaders shown;
  shown.set(key.header, key.prefix + key.access_token);
  const Result<Answer> answer = co_await asked(std::move(server), std::move(shown), host);
  if (!answer.ok()) co_return answer.error();
  const int status = answer.value().status;
  if (status == 401 || status == 403) {
    co_return Error{ErrorCode::kUnsupported, key.server + " refuses this key in the header " +
                                                 key.header + " (HTTP " + std::to_string(status) +
                                                 "); it is not kept"};
  }
  const Status kept = co_await tokens.manager().store(key);
  if (!kept.ok()) co_return kept.error();
  co_return key;
}

std::string told(const auth::Token& token) {
  if (token.is_key()) return token.server + "\n  by a key in the header " + token.header + "\n";
  std::string text = token.server + "\n  issuer: " + token.client.issuer + "\n";
  if (!token.scopes.empty()) text += "  scopes: " + auth::join_scope(token.scopes) + "\n";
  if (token.expires) text += "  until:  " + rfc3339(*token.expires) + "\n";
  text += token.refresh_token.empty() ? "  It is not renewed.\n" : "  It is renewed by itself.\n";
  return text;
}

// key_of reads the key that is to be kept.
Result<auth::Token> key_of(const LoginOptions& options, const FoundServer& server) {
  auth::Token key;
  key.server = auth::canonical_resource(server.url);
  key.access_token = os::environment_variable(options.key).value_or("");
  key.header = options.header.empty() ? server.said.name : options.header;
  key.prefix = options.prefix.value_or(options.header.empty() ? server.said.prefix : "");
  key.obtained = os::wall_clock_since_1970();
  if (key.access_token.empty()) return usage("--key: the variable " + options.key + " is not set");
  const bool fits =
      is_header(key.header, "") && wire::is_header_value(key.prefix + key.access_token);
  if (fits) return key;
  return usage("--key: what is to be shown fits in no header \"" + key.header + "\"");
}

// client_secret returns the secret of the file (`said`), or else of the environment.
Result<std::string> client_secret(const std::string& said) {
  if (said.empty()) return os::environment_variable("PLUMBLINE_CLIENT_SECRET").value_or("");
  return read_secret(said, os::environment_variable);
}

Result<auth::SignInOptions> sign_in_options(const LoginOptions& options, const Authentication& said,
                                            Host& host) {
  auth::SignInOptions how;
  // What the file says is of its client: nothing of that is for another one.
  const bool of_file = options.client_id.empty() || options.client_id == said.client_id;
  how.client.client_id = of_file ? said.client_id : options.client_id;
  how.client.issuer = of_file && options.issuer.empty() ? said.issuer : options.issuer;
  Result<std::string> secret = client_secret(of_file ? said.client_secret : "");
  if (!secret.ok()) return secret.error();
  how.client.client_secret = std::move(secret).value();
  host.secrets().add(how.client.client_secret);
  how.client.endpoint_origins = auth::united(said.endpoint_origins, options.endpoint_origins);
  if (of_file && options.issuer.empty()) {
    how.client.authorization_endpoint = said.authorization_endpoint;
    how.client.token_endpoint = said.token_endpoint;
  }
  how.client.metadata_url = options.client_metadata;
  how.client.person = !options.client_credentials;
  how.scopes = auth::united(said.scopes, options.scopes);
  how.revision = options.revision;
  if (!options.client_key.empty()) {
    if (how.client.client_id.empty()) return usage("--client-key is of a --client-id");
    Result<std::string> key = host.files().read_file(options.client_key);
    if (!key.ok()) return key.error();
    how.client.private_key = std::move(key).value();
  }
  const Status stated = auth::check_stated(how.client);
  if (!stated.ok()) return stated.error();
  return how;
}

// ask_on_terminal asks the person who types there; nobody, where it is none.
Task<bool> ask_on_terminal(Host& host, std::string question) {
  if (!os::is_terminal(kStandardInput) || !os::is_terminal(kStandardError)) co_return false;
  os::drop_typed(kStandardInput);
  host.tell(question + " [y/N] ");
  const std::string line = co_await os::typed_line(host.world().loop(), kStandardInput);
  co_return line == "y" || line == "Y" || line == "yes";
}

// sign_in has a person sign in, or the client for itself. Nothing: it was interrupted.
std::optional<Result<auth::Token>> sign_in(const LoginOptions& options, const FoundServer& server,
                                           auth::SignInOptions how, Tokens& tokens, Host& host) {
  Browser browser(host, !options.no_browser);
  auth::LoopbackOptions loopback;
  loopback.port = options.callback_port;
  if (options.callback_port == 0) loopback.redirect_uri = server.said.redirect_uri;
  loopback.show = [&browser](const std::string& address) { browser.show(address); };
  loopback.ask = [&host](std::string question) {
    return ask_on_terminal(host, std::move(question));
  };
  auth::LoopbackUserAgent person(host.world().loop(), host.world().network(), std::move(loopback));
  auth::AuthWorld world = tokens.world();
  world.tls = server.tls;
  auth::SignIn by(std::move(world), std::move(how), &person);
  return wait_for(host, sign_in_to(server, tokens, by, host));
}

}  // namespace

void OfServer::declare_server(CLI::App& app) {
  app.add_option("--url", url, "The server")->type_name("URL");
  app.add_option("--config", config, "The servers in this mcpServers file")->type_name("FILE");
  app.add_option("--server", server, "A server of the file")->type_name("NAME");
  add_inputs(app, inputs);
}

Status OfServer::read_server() const {
  const bool one = !url.empty() && config.empty() && server.empty();
  const bool other = url.empty() && !config.empty() && !server.empty();
  if (one || other) return Done{};
  return usage("expected --url URL, or --config FILE with --server NAME");
}

Result<FoundServer> find_server(const OfServer& of, Host& host) {
  if (!of.url.empty()) {
    Result<wire::Url> url = wire::parse_url(of.url);
    if (!url.ok()) return usage("--url " + of.url + ": " + url.error().message);
    return FoundServer{auth::as_http(std::move(url).value()), {}, {}};
  }
  const Result<Config> read = load_config({of.config, {of.server}, of.inputs}, host);
  if (!read.ok()) return read.error();
  const Config& config = read.value();
  const auto found = config.remotes.find(of.server);
  if (found == config.remotes.end()) {
    return usage("--server " + of.server + ": " + of.config +
                 " has no server of this name at a URL");
  }
  const auto said = config.authentications.find(of.server);
  FoundServer server{auth::as_http(found->second.url), found->second.tls, {}};
  if (said != config.authentications.end()) server.said = said->second;
  return server;
}

void LoginOptions::declare(CLI::App& app) {
  declare_server(app);
  app.add_option("--client-id", client_id,
                 "The client's id; its secret, if any, is in PLUMBLINE_CLIENT_SECRET")
      ->type_name("ID");
  app.add_option("--issuer", issuer,
                 "The authorization server of this client: no other gets its secret")
      ->type_name("URL");
  app.add_option("--endpoint-origin", endpoint_origins,
                 "Also allow its endpoints at this origin; repeatable")
      ->type_name("ORIGIN")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--client-metadata", client_metadata, "The URL of a client metadata document")
      ->type_name("URL");
  app.add_option("--client-key", client_key, "A private key (PEM) in place of a secret")
      ->type_name("FILE");
  app.add_flag("--client-credentials", client_credentials,
               "Ask nobody: the client acts for itself");
  app.add_option("--scope", scopes, "Also ask for this scope; repeatable")
      ->type_name("S")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--callback-port", callback_port,
                 "The port on 127.0.0.1 to which the browser returns (default: a free one)")
      ->type_name("P");
  app.add_option("--key", key, "Keep the API key in this variable, and do not sign in")
      ->type_name("NAME");
  app.add_option("--header", header, "The header for the key (default X-API-Key)")
      ->type_name("NAME");
  app.add_option("--prefix", prefix, "What comes before the key in the header")->type_name("TEXT");
  app.add_flag("--no-browser", no_browser, "Print the address, and open no browser");
  app.add_option("--revision", revision_, "The revision of MCP (2025-03-26 guesses endpoints)")
      ->type_name("R");
}

Status LoginOptions::read() {
  const std::optional<mcp::Revision> read = mcp::parse_revision(revision_);
  if (!revision_.empty() && !read) {
    return usage("--revision " + revision_ + ": expected one of `plumbline list revisions`");
  }
  revision = read.value_or(mcp::kLatest);
  if (key.empty() && (!header.empty() || prefix))
    return usage("--header and --prefix are of --key");
  return read_server();
}

int run_login(const LoginOptions& options, Host& host) {
  host.hide_environment();
  const Result<FoundServer> found = find_server(options, host);
  if (!found.ok()) return host.complain(found.error().message, kExitUsage);
  Result<auth::SignInOptions> how = sign_in_options(options, found.value().said, host);
  if (!how.ok()) return host.complain(how.error().message, kExitUsage);
  Result<std::unique_ptr<Tokens>> tokens = Tokens::open(host);
  if (!tokens.ok()) return host.complain(tokens.error().message, kExitUsage);
  std::optional<Result<auth::Token>> token;
  if (!options.key.empty()) {
    const Result<auth::Token> key = key_of(options, found.value());
    if (!key.ok()) return host.complain(key.error().message, kExitUsage);
    host.secrets().add(key.value().access_token);
    token = wait_for(host, keep_key(found.value(), key.value(), *tokens.value(), host));
  } else {
    token = sign_in(options, found.value(), std::move(how).value(), *tokens.value(), host);
  }
  if (!token) return host.complain("interrupted before anybody signed in", kExitInterrupted);
  if (!token->ok()) return host.complain("login: " + token->error().message, kExitUnreachable);
  host.out("Signed in to " + told(token->value()));
  return kExitOk;
}

}  // namespace plumbline::cli
