#include "core/auth/sign_in.h"

#include <algorithm>
#include <utility>

#include "core/auth/steps/addresses.h"
#include "core/auth/steps/belonging.h"

namespace plumbline::auth {

namespace {

// says_client_is_unknown returns whether a registration has been forgotten where it was made.
bool says_client_is_unknown(const AuthError& error) {
  return error.oauth == OAuthCode::kInvalidClient;
}

// says_registration_is_gone returns whether it may have been: from a server that shows a page about
// an unknown client nobody comes back.
bool says_registration_is_gone(const AuthError& error) {
  return says_client_is_unknown(error) || error.code == ErrorCode::kDeadlineExceeded;
}

}  // namespace

SignIn::SignIn(AuthWorld world, SignInOptions options, UserAgent* person)
    : world_(std::move(world)),
      options_(std::move(options)),
      person_(person),
      http_(world_.loop, world_.network, world_.tls) {}

Task<Result<Token>> SignIn::run(wire::Url server, Challenge challenge,
                                std::optional<Token> before) {
  Result<Found> discovered = co_await trusted(server, std::move(challenge));
  if (!discovered.ok()) co_return discovered.error();
  const Found found = std::move(discovered).value();
  const bool given = !options_.client.client_id.empty() && before &&
                     before->client.id == options_.client.client_id;
  if (given && before->client.issuer != found.server.issuer) {
    co_return Error{ErrorCode::kUnsupported, "the client id is of " + before->client.issuer +
                                                 ", and the server has its " + "tokens from " +
                                                 found.server.issuer + " now"};
  }
  const std::vector<std::string> scopes = scopes_for(found, before);
  for (const bool anew : {false, true}) {
    Result<Client> client = co_await identify(found, anew);
    if (!client.ok()) co_return client.error();
    const bool registered = client.value().registered;
    AuthResult<Token> token = co_await grant(found, std::move(client).value(), scopes);
    if (token.ok()) {
      token.value().server = canonical_resource(server);
      co_return std::move(token).value();
    }
    const AuthError& refused = token.error();
    if (anew || !registered || !says_registration_is_gone(refused)) co_return refused;
    const Status forgotten = co_await world_.secrets.remove(client_name_of(found.server.issuer));
    if (!forgotten.ok() || !says_client_is_unknown(refused)) co_return refused;
  }
  co_return Error{ErrorCode::kUnsupported, "nobody registers us"};
}

// trusted finds who gives out tokens, and whether this client has any business there.
Task<Result<Found>> SignIn::trusted(wire::Url server, Challenge challenge) {
  const Status stated = check_stated(options_.client);
  if (!stated.ok()) co_return stated.error();
  Result<Found> found = co_await discover(server, std::move(challenge));
  if (!found.ok()) co_return found;
  const ServerMetadata& metadata = found.value().server;
  const Status ours = check_issuer(options_.client, metadata.issuer, canonical_resource(server));
  if (!ours.ok()) co_return ours.error();
  const std::vector<Elsewhere> doubtful = doubtful_endpoints(metadata, options_.client);
  if (doubtful.empty()) co_return found;
  if (options_.client.person && person_ != nullptr) {
    std::string question = question_about(metadata, doubtful);
    const bool agreed = co_await person_->agrees(std::move(question));
    if (agreed) co_return found;
  }
  co_return doubt_about(metadata, doubtful);
}

// stated_endpoints returns what a person has written of the authorization server. Nobody else says
// that it checks PKCE, which is used all the same.
Found stated_endpoints(const ClientOptions& client, const wire::Url& server,
                       const Challenge& challenge) {
  Found found;
  found.resource = canonical_resource(server);
  found.scopes = split_scope(challenge.scope);
  found.server.issuer = client.issuer;
  found.server.authorization_endpoint = client.authorization_endpoint;
  found.server.token_endpoint = client.token_endpoint;
  found.server.code_challenge_methods = {"S256"};
  return found;
}

Task<Result<Found>> SignIn::discover(wire::Url server, Challenge challenge) {
  if (!options_.client.token_endpoint.empty()) {
    co_return stated_endpoints(options_.client, server, challenge);
  }
  Discovery discovery(std::move(server), std::move(challenge), options_.revision);
  while (std::optional<wire::Url> next = discovery.next()) {
    wire::HttpRequest request;
    request.method = "GET";
    request.headers.set("Accept", "application/json");
    request.headers.set("MCP-Protocol-Version", std::string(mcp::name_of(options_.revision)));
    const Result<wire::HttpResponse> answer =
        co_await http_.send(std::move(*next), std::move(request));
    discovery.take(answer);
  }
  co_return discovery.result();
}

// Who wants a refresh token asks for offline_access where there is such a scope.
//
// Spec 2026-07-28, basic/authorization, Refresh Tokens (SHOULD) and Scope Selection Strategy.
std::vector<std::string> SignIn::scopes_for(const Found& found,
                                            const std::optional<Token>& before) const {
  std::vector<std::string> scopes = united(found.scopes, options_.scopes);
  if (before && before->client.issuer == found.server.issuer) {
    scopes = united(std::move(scopes), before->scopes);
  }
  const auto& known = found.server.scopes_supported;
  if (options_.client.person && std::ranges::find(known, "offline_access") != known.end()) {
    scopes = united(std::move(scopes), {"offline_access"});
  }
  return scopes;
}

Task<Result<Client>> SignIn::identify(Found found, bool anew) {
  const Result<Identity> identity = choose_identity(options_.client, found.server);
  if (!identity.ok()) co_return identity.error();
  if (options_.client.person && person_ == nullptr) {
    co_return Error{ErrorCode::kUnsupported, "nobody is here to sign in"};
  }
  Result<Client> known = Client();
  if (identity.value() == Identity::kRegister) known = co_await stored_client(found.server.issuer);
  if (!known.ok()) co_return known.error();
  std::string redirect;
  if (options_.client.person) {
    Result<std::string> place = person_->redirect_uri(known.value().redirect_uri);
    if (!place.ok()) co_return place.error();
    redirect = std::move(place).value();
  }
  if (identity.value() != Identity::kRegister) {
    co_return client_without_asking(options_.client, found.server, identity.value(), redirect);
  }
  const bool usable = !known.value().id.empty() && known.value().redirect_uri == redirect;
  if (usable && !anew) co_return known;
  co_return co_await register_at(std::move(found), std::move(redirect));
}

// stored_client returns what was registered with `issuer`, a Client without id when nothing was.
Task<Result<Client>> SignIn::stored_client(std::string issuer) {
  const Result<std::optional<std::string>> stored =
      co_await world_.secrets.get(client_name_of(issuer));
  if (!stored.ok()) co_return stored.error();
  if (!stored.value()) co_return Client();
  const Result<Json> json = parse_json(*stored.value());
  Client client = json.ok() ? read_client(json.value()) : Client();
  if (client.issuer != issuer) co_return Client();
  co_return client;
}

Task<Result<Client>> SignIn::register_at(Found found, std::string redirect) {
  const ServerMetadata& server = found.server;
  Result<wire::Url> to = wire::parse_url(server.registration_endpoint);
  if (!to.ok()) co_return to.error();
  wire::HttpRequest request;
  request.method = "POST";
  request.headers.set("Content-Type", "application/json");
  request.headers.set("Accept", "application/json");
  request.body = registration_body(options_.client, server, redirect);
  const Result<wire::HttpResponse> answer =
      co_await http_.send(std::move(to).value(), std::move(request));
  if (!answer.ok()) {
    co_return Error{answer.error().code, "the registration at " + server.registration_endpoint +
                                             ": " + answer.error().message};
  }
  Result<Client> client = read_registration(answer.value(), server, redirect);
  if (!client.ok()) co_return client;
  const std::string text = dump_json(to_json(client.value()));
  const Status kept = co_await world_.secrets.set(client_name_of(server.issuer), text);
  if (!kept.ok()) co_return kept.error();
  co_return client;
}

Task<AuthResult<Token>> SignIn::grant(Found found, Client client, std::vector<std::string> scopes) {
  Assertion sign;
  std::optional<SigningKey> key;
  if (client.method == "private_key_jwt") {
    Result<SigningKey> read = SigningKey::read(options_.client.private_key);
    if (!read.ok()) {
      co_return AuthError{{read.error().code, "the private key: " + read.error().message}};
    }
    key.emplace(std::move(read).value());
    sign = [&key](const Json& claims) { return key->sign(claims); };
  }
  wire::Form form = credentials_form(found, scopes);
  if (options_.client.person) {
    const Result<CodeRequest> begun = begin_code(found, client, scopes, world_.random);
    if (!begun.ok()) co_return AuthError{begun.error()};
    const Result<std::string> back = co_await person_->visit(begun.value().url);
    if (!back.ok()) co_return AuthError{back.error()};
    const AuthResult<std::string> code = code_of(back.value(), begun.value(), found.server);
    if (!code.ok()) co_return code.error();
    form = code_form(code.value(), begun.value(), client, found);
  }
  wire::HttpRequest request =
      authenticated(std::move(form), client, sign, world_.clock.since_1970(), world_.random);
  AuthResult<TokenAnswer> answer =
      co_await post_token(http_, found.server.token_endpoint, std::move(request), scopes);
  if (!answer.ok()) co_return answer.error();
  Token token;
  token.resource = found.resource;
  token.access_token = std::move(answer.value().access_token);
  token.refresh_token = std::move(answer.value().refresh_token);
  token.scopes = std::move(answer.value().scopes);
  token.obtained = world_.clock.since_1970();
  if (answer.value().lifetime) token.expires = token.obtained + *answer.value().lifetime;
  token.client = std::move(client);
  token.token_endpoint = found.server.token_endpoint;
  token.revocation_endpoint = found.server.revocation_endpoint;
  co_return token;
}

}  // namespace plumbline::auth
