// The reference client as a program: it visits one server over Streamable HTTP, uses everything
// that is there, and says line by line what came of it. Conformance suites run it.

#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/mcp/client_session.h"
#include "core/os/environment.h"
#include "core/os/real_loop.h"
#include "core/os/real_network.h"
#include "core/transport/http_client.h"
#include "core/transport/streamable_http_client.h"
#include "core/wire/url.h"
#include "reference/reference_client.h"

namespace plumbline::interop {
namespace {

constexpr const char* kHelp =
    "plumbline-reference-client URL\n"
    "\n"
    "Visits the MCP server at URL: lists its tools, resources and prompts, uses each of them "
    "once,\n"
    "grants what it asks for, and prints one line for each request.\n"
    "\n"
    "Environment (as the official conformance suite sets it):\n"
    "  MCP_CONFORMANCE_PROTOCOL_VERSION  the revision to ask for first; default 2026-07-28\n"
    "  MCP_CONFORMANCE_CONTEXT           JSON; \"toolCalls\" lists the calls to make instead\n"
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

int visit(const wire::Url& url, mcp::Revision revision, reference::VisitOptions options) {
  os::RealLoop loop;
  os::RealNetwork network(loop);
  transport::HttpClient http(loop, network);
  transport::StreamableHttpClient channel(http, url);
  mcp::ClientSession session(loop, channel, reference::obliging_client(revision), "client",
                             nullptr);
  reference::ReferenceClient client(loop, session, std::move(options), say);
  Task<std::optional<mcp::Failure>> visiting = client.visit();
  visiting.start();
  loop.run_until([&visiting] { return visiting.done(); });
  const std::optional<mcp::Failure> failure = visiting.result();
  if (failure) say("gone: " + describe(*failure));
  session.close();
  bool late = false;
  Alarm enough([&late] { late = true; });
  loop.arm(enough, after(loop.now(), limits::kStopGrace));
  loop.run_until([&] { return late || channel.session_ended().is_set(); });
  return failure ? 1 : 0;
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 1 && (words[0] == "--help" || words[0] == "-h")) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (words.size() != 1) return complain("one URL is needed; see --help");
  const Result<wire::Url> url = wire::parse_url(words[0]);
  if (!url.ok()) return complain(url.error().message);
  const std::string version = os::environment_variable("MCP_CONFORMANCE_PROTOCOL_VERSION")
                                  .value_or(std::string(name_of(mcp::kLatest)));
  const std::optional<mcp::Revision> revision = mcp::parse_revision(version);
  if (!revision) return complain("unknown revision " + version);
  Result<std::vector<Json>> calls = calls_of(os::environment_variable("MCP_CONFORMANCE_CONTEXT"));
  if (!calls.ok()) return complain("MCP_CONFORMANCE_CONTEXT: " + calls.error().message);
  reference::VisitOptions options;
  options.calls = std::move(calls).value();
  return visit(url.value(), *revision, std::move(options));
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
