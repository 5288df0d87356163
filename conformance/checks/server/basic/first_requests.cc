// What comes before initialize, and what becomes of a server then: spec 2025-11-25,
// basic/lifecycle, Initialization; 2026-07-28, basic/transports/stdio, Backward Compatibility.

#include <string>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/peer/opening.h"

namespace plumbline::conformance {

namespace {

// discover asks what a client asks first that knows the newest revision and older ones.
Task<Reply> discover(Client client) {
  Json params = Json::object();
  params["_meta"][kMetaVersion] = kNewestStateless;
  params["_meta"][kMetaCapabilities] = Json::object();
  params["_meta"][kMetaClientInfo] = {{"name", "plumbline"}, {"version", "1"}};
  Reply reply = co_await client.request("server/discover", std::move(params));
  co_return reply;
}

Finding has_ended(const Reply& reply, const std::string& first) {
  return about(risky("it ended when " + first +
                     " came before initialize, expected an answer, or none, and initialize to "
                     "follow: got " +
                     reply.describe()),
               reply);
}

// A server that refuses either may do so as it likes, or not answer: initialize follows.
Task<Finding> lives_to_be_initialized(Probe& probe) {
  if (!probe.over_stdio()) co_return not_for_it("over HTTP each request stands alone");
  SessionOptions options = probe.usual();
  options.handshake = false;
  Client client = co_await probe.open(options);
  if (!client.session().usable()) co_return undecided("it could not be started again");
  const Reply pinged = co_await client.request("ping");
  if (pinged.how == Reply::How::kClosed) co_return has_ended(pinged, "ping");
  const Reply discovered = co_await discover(client);
  if (discovered.how == Reply::How::kClosed) co_return has_ended(discovered, "server/discover");
  if (discovered.result() != nullptr) co_return passes();
  const Reply opened = co_await client.request("initialize", initialize_params(options));
  if (opened.result() != nullptr) co_return passes();
  co_return about(risky("after a ping and server/discover, which it refused, initialize got " +
                        opened.describe() + ", expected a result: so clients of " +
                        std::string(kNewestStateless) + " find out what it speaks"),
                  opened);
}

constexpr ServerCheck kFirstRequestsChecks[] = {
    {"lifecycle.initialize-may-follow", Eras::kStateful, SessionUse::kOpens,
     lives_to_be_initialized},
};

}  // namespace

ServerChecks first_requests_checks() { return kFirstRequestsChecks; }

}  // namespace plumbline::conformance
