// The reference client as a program: it visits one server, uses everything that is there, and says
// line by line what came of it. Conformance suites run it.

#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/auth/memory_secret_store.h"
#include "core/auth/oauth_authorizer.h"
#include "core/mcp/client/client_session.h"
#include "core/mcp/transport/http_connector.h"
#include "core/mcp/transport/stdio_connector.h"
#include "core/os/child/environment.h"
#include "core/os/child/real_spawner.h"
#include "core/os/net/real_network.h"
#include "core/os/random.h"
#include "core/os/real_loop.h"
#include "core/os/wall_clock.h"
#include "core/wire/url.h"
#include "fakes/auth/headless_user_agent.h"
#include "reference/judged_visit.h"
#include "reference/reference_client.h"

namespace plumbline::interop {
namespace {

constexpr const char* kHelp =
    "plumbline-reference-client URL\n"
    "plumbline-reference-client --stdio COMMAND ARGS...\n"
    "plumbline-reference-client\n"
    "\n"
    "Visits the MCP server at URL (http, https, ws, wss), or the one that COMMAND starts: lists "
    "its\n"
    "tools, resources and prompts, uses each of them once, grants what it asks for, and prints "
    "one\n"
    "line for each request.\n"
    "\n"
    "Environment (as the official conformance suite sets it):\n"
    "  MCP_CONFORMANCE_PROTOCOL_VERSION  the revision to ask for first; default 2026-07-28\n"
    "  MCP_CONFORMANCE_CONTEXT           JSON; \"toolCalls\" lists the calls to make instead;\n"
    "                                    client_id, client_secret and private_key_pem are\n"
    "                                    credentials that were given to us\n"
    "  MCP_CONFORMANCE_SCENARIO          auth/client-credentials-...: it acts for itself\n"
    "\n"
    "and as `plumbline check client` does (docs/porting-a-client.md):\n"
    "  PLUMBLINE_SERVER_COMMAND          JSON array: the command to start, where none is given\n"
    "  PLUMBLINE_SCENARIO                what to do there\n"
    "\n"
    "Exit status: 0 visited, 1 the server could not be opened or has gone, 2 bad usage, 3 a fault\n"
    "of ours.\n";

void say(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

int complain(const std::string& what) {
  std::fprintf(stderr, "plumbline-reference-client: %s\n", what.c_str());
  return 2;
}

// command_of reads a JSON array of texts; empty for anything else.
std::vector<std::string> command_of(const std::string& text) {
  std::vector<std::string> argv;
  const Result<Json> parsed = parse_json(text);
  if (!parsed.ok() || !parsed.value().is_array()) return argv;
  for (const Json& word : parsed.value()) {
    if (word.is_string()) argv.push_back(word.get<std::string>());
  }
  return argv;
}

// calls_of returns the calls that the context asks for; none for a context without.
Result<std::vector<Json>> calls_of(const std::optional<std::string>& context) {
  std::vector<Json> calls;
  if (!context) return calls;
  Result<Json> parsed = parse_json(*context);
  if (!parsed.ok()) return std::move(parsed).error();
  const Json* const listed = find(parsed.value(), "toolCalls");
  if (listed != nullptr && listed->is_array()) calls.assign(listed->begin(), listed->end());
  return calls;
}

// kServer is what the connectors know the server by.
constexpr const char* kServer = "server";

struct Visit {
  mcp::Revision revision = mcp::kLatest;
  reference::VisitOptions options;
  std::optional<std::string> scenario;  // Of the judge of clients, and its context.
  std::string context;
};

// visit_as_judged does what the judge of clients asks for; a session that has ended makes place for
// a new one.
Task<std::optional<mcp::Failure>> visit_as_judged(Loop& loop, transport::Connector& connector,
                                                  Visit visit) {
  const int times_max = *visit.scenario == "expired-session" ? 2 : 1;
  for (int time = 0; time < times_max; ++time) {
    Result<std::unique_ptr<transport::Connection>> connected = co_await connector.connect(kServer);
    if (!connected.ok()) {
      co_return mcp::Failure(mcp::Failure::Kind::kDisconnected, connected.error().message);
    }
    const std::unique_ptr<transport::Connection> connection = std::move(connected).value();
    mcp::ClientSession session(loop, connection->channel(),
                               reference::judged_client(visit.revision, visit.context), "client",
                               nullptr);
    reference::JudgedVisit judged(loop, session, *visit.scenario, visit.context);
    const bool visited = co_await judged.run();
    session.close();
    co_await connection->close();
    if (visited) co_return std::nullopt;
  }
  co_return mcp::Failure(mcp::Failure::Kind::kDisconnected, "it could not be visited to the end");
}

Task<std::optional<mcp::Failure>> visit_at(Loop& loop, transport::Connector& connector,
                                           Visit visit) {
  Result<std::unique_ptr<transport::Connection>> connected = co_await connector.connect(kServer);
  if (!connected.ok()) {
    co_return mcp::Failure(mcp::Failure::Kind::kDisconnected, connected.error().message);
  }
  const std::unique_ptr<transport::Connection> connection = std::move(connected).value();
  std::optional<mcp::Failure> failure;
  {
    mcp::ClientSession session(loop, connection->channel(),
                               reference::obliging_client(visit.revision), "client", nullptr);
    reference::ReferenceClient client(loop, session, std::move(visit.options), say);
    failure = co_await client.visit();
    session.close();
    co_await connection->close();
  }
  co_return failure;
}

int visit(os::RealLoop& loop, transport::Connector& connector, Visit how) {
  Task<std::optional<mcp::Failure>> work = how.scenario
                                               ? visit_as_judged(loop, connector, std::move(how))
                                               : visit_at(loop, connector, std::move(how));
  const std::optional<std::optional<mcp::Failure>> failure = os::run(loop, std::move(work));
  if (failure && !*failure) return 0;
  say("gone: " + (failure ? describe(**failure) : std::string("interrupted")));
  return 1;
}

// Where the suite expects the metadata document of a client.
constexpr const char* kMetadataUrl = "https://conformance-test.local/client-metadata.json";

// sign_in_options reads what the suite says of us.
auth::SignInOptions sign_in_options(const Visit& how) {
  auth::SignInOptions options;
  options.revision = how.revision;
  options.client.metadata_url = kMetadataUrl;
  const std::string scenario = os::environment_variable("MCP_CONFORMANCE_SCENARIO").value_or("");
  options.client.person = !scenario.starts_with("auth/client-credentials");
  const Result<Json> context = parse_json(how.context);
  if (!context.ok()) return options;
  options.client.client_id = string_or(context.value(), "client_id", "");
  options.client.client_secret = string_or(context.value(), "client_secret", "");
  options.client.private_key = string_or(context.value(), "private_key_pem", "");
  return options;
}

// issuer_of returns who gives out the tokens of `url`. The suite gives a secret out for whoever
// that is, and states nobody.
std::string issuer_of(os::RealLoop& loop, const auth::AuthWorld& world, const wire::Url& url) {
  auth::SignIn finder(world, {}, nullptr);
  const auto found = os::run(loop, finder.discover(url, auth::Challenge()));
  return found && found->ok() ? found->value().server.issuer : "";
}

int visit_url(const wire::Url& url, Visit how) {
  os::RealLoop loop;
  os::RealNetwork network(loop);
  const os::RealWallClock clock;
  auth::MemorySecretStore secrets;
  const auth::AuthWorld world{loop, clock, secrets, network, os::random_bytes};
  fakes::HeadlessUserAgent person(loop, network);
  auth::TokenManager tokens(world);
  auth::SignInOptions options = sign_in_options(how);
  const bool has_secret = options.client.client_secret + options.client.private_key != "";
  if (has_secret) options.client.issuer = issuer_of(loop, world, url);
  auth::SignIn sign_in(world, std::move(options), &person);
  auth::OAuthAuthorizer authorizer(loop, url, tokens, &sign_in, "");
  transport::HttpEndpoint endpoint;
  endpoint.url = url;
  endpoint.authorizer = &authorizer;
  transport::HttpConnector connector(loop, network, {{kServer, std::move(endpoint)}},
                                     os::random_bytes);
  return visit(loop, connector, std::move(how));
}

int visit_command(std::vector<std::string> argv, Visit how) {
  os::RealLoop loop;
  os::RealSpawner spawner(loop);
  transport::StdioConnector connector(loop, spawner, {{kServer, net::Command(std::move(argv))}},
                                      limits::kStopGrace);
  return visit(loop, connector, std::move(how));
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 1 && (words[0] == "--help" || words[0] == "-h")) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  const std::string version = os::environment_variable("MCP_CONFORMANCE_PROTOCOL_VERSION")
                                  .value_or(std::string(name_of(mcp::kLatest)));
  const std::optional<mcp::Revision> revision = mcp::parse_revision(version);
  if (!revision) return complain("unknown revision " + version);
  const std::optional<std::string> context = os::environment_variable("MCP_CONFORMANCE_CONTEXT");
  Result<std::vector<Json>> calls = calls_of(context);
  if (!calls.ok()) return complain("MCP_CONFORMANCE_CONTEXT: " + calls.error().message);
  Visit how;
  how.revision = *revision;
  how.options.calls = std::move(calls).value();
  how.scenario = os::environment_variable("PLUMBLINE_SCENARIO");
  how.context = context.value_or("");
  std::vector<std::string> server =
      command_of(os::environment_variable("PLUMBLINE_SERVER_COMMAND").value_or(""));
  if (words.empty() && !server.empty()) return visit_command(std::move(server), std::move(how));
  if (words.size() > 1 && words[0] == "--stdio") {
    return visit_command(std::vector<std::string>(words.begin() + 1, words.end()), std::move(how));
  }
  if (words.size() != 1) return complain("one URL, or --stdio COMMAND, is needed; see --help");
  const Result<wire::Url> url = wire::parse_url(words[0]);
  if (!url.ok()) return complain(url.error().message);
  return visit_url(url.value(), std::move(how));
}

}  // namespace
}  // namespace plumbline::interop

int main(int argc, char** argv) {
  try {
    return plumbline::interop::run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "plumbline-reference-client: a fault of ours: %s\n", wrong.what());
    return 3;
  }
}
