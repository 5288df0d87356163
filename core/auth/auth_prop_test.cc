// Whole worlds of one client, one server and its authorization server, in which everything goes
// wrong for a while: what must hold then, and that it ends well once nothing does any more.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/auth/auth_fixture.h"

namespace plumbline::auth {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

struct ClientWorld : AuthWorldFixture {
  ClientWorld() {
    other =
        std::make_unique<fakes::ProtectedResource>("https://other.example/mcp", kIssuer, issuer);
    other_place = std::make_unique<Place>(loop, network, "other.example", *other);
    net::HttpClientOptions options;
    options.authorizer = &authorizer;
    client = std::make_unique<net::HttpClient>(loop, network, options);
    person.minds([this](const std::string& url) {
      if (closes_windows) return std::string();
      const std::string back = issuer.authorize(url);
      return denies && !back.empty() ? back + "&error=access_denied" : back;
    });
  }

  int ask(const std::string& url = kResource) {
    wire::HttpRequest request;
    request.method = "POST";
    const Instant deadline = loop.now() + minutes(3);
    const auto answer = run(
        net::fetch(*client, wire::parse_url(url).value(), std::move(request), deadline, 100'000));
    said = answer.ok() ? answer.value().body : answer.error().message;
    return answer.ok() ? answer.value().status : 0;
  }

  // trouble makes one thing go wrong, or right again.
  void trouble(int which) {
    fakes::AuthorizationScript& script = issuer.script();
    switch (which) {
      case 0:
        return clock.jump(minutes(*rc::gen::inRange(-10'000, 10'000)));
      case 1:
        return issuer.revoke_all();
      case 2:
        return issuer.forget_clients();
      case 3:
        script.refuses_refreshes = *rc::gen::inRange<std::size_t>(0, 4);
        return;
      case 4:
        script.loses_refreshes = 1;
        return;
      case 5:
        script.gives_refresh_tokens = *rc::gen::arbitrary<bool>();
        return;
      case 6:
        script.lifetime = seconds(*rc::gen::inRange(1, 10'000));
        return;
      case 7:
        denies = *rc::gen::arbitrary<bool>();
        return;
      case 8:
        closes_windows = *rc::gen::arbitrary<bool>();
        return;
      case 9:
        resource.script().refuses_all = *rc::gen::arbitrary<bool>();
        return;
      case 10:
        resource.script().scope = *rc::gen::element<std::string>("", "a", "b");
        return;
      case 11:
        resource.script().sends_challenge = *rc::gen::arbitrary<bool>();
        return;
      case 12:
        script.metadata["issuer"] = *rc::gen::element<std::string>(kIssuer, "https://x");
        return;
      case 13:
        person.takes(seconds(*rc::gen::inRange(0, 600)));
        return;
      default:
        return;
    }
  }

  void heal() {
    const bool rotates = issuer.script().rotates;
    issuer.script() = fakes::AuthorizationScript();
    issuer.script().rotates = rotates;
    resource.script().refuses_all = denies = closes_windows = false;
    resource.script().sends_challenge = true;
    resource.script().scope.clear();
    person.takes(seconds(1));
  }

  std::string said;  // With the last answer.
  bool denies = false;
  bool closes_windows = false;
  TokenManager tokens{world()};
  SignIn by{world(), SignInOptions(), &person};
  OAuthAuthorizer authorizer{loop, server(), tokens, &by, "run plumbline login"};
  std::unique_ptr<fakes::ProtectedResource> other;
  std::unique_ptr<Place> other_place;
  std::unique_ptr<net::HttpClient> client;
};

RC_GTEST_PROP(AuthWorldPropTest, NoTokenGoesAstrayAndItEndsWell, ()) {
  ClientWorld world;
  world.issuer.script().rotates = *rc::gen::arbitrary<bool>();
  const int steps = *rc::gen::inRange(0, 30);
  std::size_t asked = 0;
  for (int step = 0; step < steps; ++step) {
    world.trouble(*rc::gen::inRange(0, 16));
    world.wait(minutes(*rc::gen::inRange(0, 90)));
    if (*rc::gen::inRange(0, 5) == 0) {
      RC_ASSERT(world.ask("https://other.example/mcp") == 401);
      continue;
    }
    ++asked;
    const int status = world.ask();
    RC_ASSERT((status == 200 || status == 401 || status == 403 || status == 503 || status == 0));
  }
  // A person is bothered once for a request, and once more where it wants another scope.
  RC_ASSERT(world.person.visits() <= 3 * asked);
  RC_ASSERT(world.resource.refused() <= net::kHttpSendsMax * asked);
  RC_ASSERT(world.other->shown().empty());
  world.wait(minutes(11));
  world.heal();
  world.issuer.forget_clients();
  world.issuer.revoke_all();
  int status = 0;
  for (int round = 0; round < 6 && status != 200; ++round) {
    status = world.ask();
    RC_LOG() << status << " " << world.said << "\n";
    if (status != 200) world.wait(minutes(61));  // One that is refused for good has to end first.
  }
  RC_ASSERT(status == 200);
}

}  // namespace
}  // namespace plumbline::auth
