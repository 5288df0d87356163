#include "scenarios/auth/signed_in.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/auth/steps/addresses.h"
#include "core/base/wait.h"
#include "core/net/http_client.h"

namespace plumbline::scenarios {

namespace {

// A renewal that has failed is tried again after half a minute, and who was sent away comes back.
constexpr Duration kRoundPause = std::chrono::seconds(61);
constexpr int kRounds = 5;
constexpr Duration kAskMax = std::chrono::minutes(6);
constexpr std::size_t kInsideBytesMax = 100'000;

auth::TokenManagerOptions manager_options(SignedIn::OnSecret on_secret) {
  auth::TokenManagerOptions options;
  options.on_secret = std::move(on_secret);
  return options;
}

// is_stranger returns whether nobody of the scenario is called so, nor this machine.
bool is_stranger(const Scenario& scenario, const std::string& host) {
  return !auth::is_loopback(host) &&
         std::ranges::none_of(scenario.servers, [&](const ServerSpec& server) {
           return host == server.name || host == issuer_name(server.name);
         });
}

}  // namespace

SignedIn::SignedIn(Loop& loop, const Scenario& scenario, std::size_t agent, WebWorld& web,
                   Machine& machine, Credentials& credentials, OnSecret on_secret)
    : loop_(loop),
      scenario_(scenario),
      web_(web),
      machine_(machine),
      network_(
          web.ours(),
          [this](const net::Authority& to) {
            if (is_stranger(scenario_, to.host)) web_.issuers().meet(to);
          },
          [this, agent, &credentials](const net::Authority& to, const wire::HttpRequest& request) {
            credentials.sent(agent, loop_.now(), to, request);
          }),
      tokens_(world(), manager_options(std::move(on_secret))),
      agent_(loop, network_, loopback()),
      sign_in_(world(), options(), &agent_),
      endpoints_(web.endpoints(scenario.servers)) {
  const bool somebody = !scenario.sign_in.person.empty();
  for (const ServerSpec& server : scenario.servers) {
    if (!server.authorization) continue;
    transport::HttpEndpoint& endpoint = endpoints_.at(server.name);
    const std::string hint =
        "run plumbline login --url " + endpoint.url.origin() + endpoint.url.target;
    endpoint.authorizer = &authorizers_.emplace_back(loop, endpoint.url, tokens_,
                                                     somebody ? &sign_in_ : nullptr, hint);
  }
  connector_.emplace(loop, network_, endpoints_, web.masks());
}

auth::AuthWorld SignedIn::world() {
  return {loop_, machine_.clock(), machine_.secrets(), network_, machine_.random(), {}};
}

auth::SignInOptions SignedIn::options() const {
  auth::SignInOptions options;
  options.client.client_id = scenario_.sign_in.client_id;
  options.client.metadata_url = scenario_.sign_in.metadata_url;
  return options;
}

auth::LoopbackOptions SignedIn::loopback() const {
  auth::LoopbackOptions options;
  options.port = scenario_.sign_in.callback_port;
  options.show = [this](const std::string& url) { machine_.browser().show(url); };
  return options;
}

// Where no person is with the agent, they sign in by a process of its own, as `login` is one.
Task<Status> SignedIn::sign_in_elsewhere(wire::Url url) {
  auth::LoopbackUserAgent agent(loop_, network_, loopback());
  auth::SignInOptions how = options();
  auth::SignIn by(world(), std::move(how), &agent);
  auth::TokenManager tokens(world());
  Result<auth::Token> token = co_await by.run(std::move(url), auth::Challenge(), std::nullopt);
  if (!token.ok()) co_return token.error();
  const Status kept = co_await tokens.store(std::move(token).value());
  co_return kept;
}

Task<Status> SignedIn::gets_in(std::string server) {
  const transport::HttpEndpoint endpoint = endpoints_.at(server);
  net::HttpClientOptions options;
  options.authorizer = endpoint.authorizer;
  net::HttpClient client(loop_, network_, options);
  std::string came = "nothing";
  for (int round = 0; round < kRounds; ++round) {
    wire::HttpRequest request;
    request.method = "POST";
    request.headers.set("Content-Type", "application/json");
    const Instant deadline = after(loop_.now(), kAskMax);
    const Result<wire::HttpResponse> answer =
        co_await net::fetch(client, endpoint.url, std::move(request), deadline, kInsideBytesMax);
    const int status = answer.ok() ? answer.value().status : 0;
    if (status != 0 && status != 401 && status != 403 && status < 500) co_return Done{};
    came = answer.ok() ? "HTTP " + std::to_string(status) + " " + answer.value().body
                       : answer.error().message;
    co_await Sleep(loop_, after(loop_.now(), kRoundPause));
    if (!scenario_.sign_in.person.empty() || round == 0) continue;
    const Status elsewhere = co_await sign_in_elsewhere(endpoint.url);
    if (!elsewhere.ok()) came += "; signing in elsewhere: " + elsewhere.error().message;
  }
  co_return Error{ErrorCode::kDeadlineExceeded, server + " lets nobody in: " + came};
}

}  // namespace plumbline::scenarios
