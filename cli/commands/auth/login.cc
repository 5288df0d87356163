// `login`.

#include <optional>
#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/auth/auth.h"
#include "cli/config/load_config.h"
#include "cli/connect/tokens.h"
#include "cli/threads.h"
#include "core/auth/loopback_user_agent.h"
#include "core/auth/sign_in.h"
#include "core/auth/steps/addresses.h"
#include "core/auth/steps/belonging.h"
#include "core/base/errors/errors.h"
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
    co_return the_error_as(ErrorCode::kUnsupported, "auth.key-refused", key.server,
                           key.header + " (HTTP " + std::to_string(status) + "); it is not kept");
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
  if (key.access_token.empty()) return the_error("auth.key-unset", options.key);
  const bool fits =
      is_header(key.header, "") && wire::is_header_value(key.prefix + key.access_token);
  if (fits) return key;
  return the_error("auth.key-unfit", key.header);
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
    if (how.client.client_id.empty()) return the_error("auth.key-of-whom");
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
  app.add_option("--url", url, "Use the server at this URL")->type_name("URL");
  app.add_option("--config", config, "Use a server from this mcpServers file")->type_name("FILE");
  app.add_option("--server", server, "Choose this server of the file")->type_name("NAME");
  add_inputs(app, inputs);
}

Status OfServer::read_server() const {
  const bool one = !url.empty() && config.empty() && server.empty();
  const bool other = url.empty() && !config.empty() && !server.empty();
  if (one || other) return Done{};
  return the_error("target.none-to-sign-in");
}

Result<FoundServer> find_server(const OfServer& of, Host& host) {
  if (!of.url.empty()) {
    Result<wire::Url> url = wire::parse_url(of.url);
    if (!url.ok()) return the_error("target.bad-url", of.url, url.error().message);
    return FoundServer{auth::as_http(std::move(url).value()), {}, {}};
  }
  const Result<Config> read = load_config({of.config, {of.server}, of.inputs}, host);
  if (!read.ok()) return read.error();
  const Config& config = read.value();
  const auto found = config.remotes.find(of.server);
  if (found == config.remotes.end()) {
    return the_error("target.no-such-server-at-a-url", of.server, of.config);
  }
  const auto said = config.authentications.find(of.server);
  FoundServer server{auth::as_http(found->second.url), found->second.tls, {}};
  if (said != config.authentications.end()) server.said = said->second;
  return server;
}

void LoginOptions::declare(CLI::App& app) {
  declare_server(app);
  app.add_option("--client-id", client_id,
                 "Use this client id; set PLUMBLINE_CLIENT_SECRET if it has a secret")
      ->type_name("ID");
  app.add_option("--issuer", issuer, "Send the client secret only to this authorization server")
      ->type_name("URL");
  app.add_option("--endpoint-origin", endpoint_origins,
                 "Also allow endpoints of the authorization server at this origin; repeatable")
      ->type_name("ORIGIN")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--client-metadata", client_metadata,
                 "Use the client metadata document at this URL")
      ->type_name("URL");
  app.add_option("--client-key", client_key,
                 "Authenticate the client with this private key (PEM) instead of a secret")
      ->type_name("FILE");
  app.add_flag("--client-credentials", client_credentials,
               "Sign in as the client itself, without a user");
  app.add_option("--scope", scopes, "Also request this scope; repeatable")
      ->type_name("S")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--callback-port", callback_port,
                 "Let the browser return to this port on 127.0.0.1 (default: a free one)")
      ->type_name("P");
  app.add_option("--key", key,
                 "Store the API key from this environment variable instead of signing in")
      ->type_name("NAME");
  app.add_option("--header", header, "Send the key in this header (default X-API-Key)")
      ->type_name("NAME");
  app.add_option("--prefix", prefix, "Put this text before the key in the header")
      ->type_name("TEXT");
  app.add_flag("--no-browser", no_browser, "Print the URL instead of opening a browser");
  app.add_option("--revision", revision_,
                 "Sign in as this revision of MCP does (2025-03-26 guesses endpoints)")
      ->type_name("R");
}

Status LoginOptions::read() {
  const std::optional<mcp::Revision> read = mcp::parse_revision(revision_);
  if (!revision_.empty() && !read) {
    return the_error("target.bad-revision", revision_, "one of `plumbline list revisions`");
  }
  revision = read.value_or(mcp::kLatest);
  if (key.empty() && (!header.empty() || prefix)) return the_error("auth.key-options");
  return read_server();
}

int run_login(const LoginOptions& options, Host& host) {
  host.hide_environment();
  const Result<FoundServer> found = find_server(options, host);
  if (!found.ok()) return host.complain(found.error(), kExitUsage);
  Result<auth::SignInOptions> how = sign_in_options(options, found.value().said, host);
  if (!how.ok()) return host.complain(how.error(), kExitUsage);
  Result<std::unique_ptr<Tokens>> tokens = Tokens::open(host);
  if (!tokens.ok()) return host.complain(tokens.error(), kExitUsage);
  std::optional<Result<auth::Token>> token;
  if (!options.key.empty()) {
    const Result<auth::Token> key = key_of(options, found.value());
    if (!key.ok()) return host.complain(key.error(), kExitUsage);
    host.secrets().add(key.value().access_token);
    token = wait_for(host, keep_key(found.value(), key.value(), *tokens.value(), host));
  } else {
    token = sign_in(options, found.value(), std::move(how).value(), *tokens.value(), host);
  }
  if (!token) {
    return host.complain(the_error("cli.interrupted", " before anybody signed in"),
                         kExitInterrupted);
  }
  if (!token->ok())
    return host.complain(behind("login: ", token->error(), "auth.sign-in"), kExitUnreachable);
  host.out("Signed in to " + told(token->value()));
  return kExitOk;
}

}  // namespace plumbline::cli
