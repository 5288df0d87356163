// The stdio transport: spec, basic/transports.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

namespace {

// Hosts kill it after two seconds or so. One that takes its time to start is given that time more.
constexpr Duration kExit = std::chrono::milliseconds(1'500);
// What a server asks of itself shortly after a session began is asked and answered before: whether
// it also ends while it waits for an answer would depend on the moment.
constexpr Duration kAsked = std::chrono::milliseconds(600);

Task<Finding> ends_with_its_input(Probe& probe) {
  Client client = co_await probe.spare();
  const bool alive = co_await client.alive();
  if (!alive) co_return undecided("it could not be opened");
  co_await client.listen(kAsked);
  Wire& wire = client.session().wire();
  wire.end_input();
  const Duration start = std::max(client.session().opening().took, probe.pace().slowest());
  const Instant deadline = after(probe.loop().now(), kExit + start);
  while (!wire.exit_code()) {
    if (!co_await wire.inbox().change(deadline)) break;
  }
  const bool ended = wire.exit_code().has_value();
  co_await client.session().close();  // Nobody else is to use it.
  if (ended) co_return passes();
  co_return broken("it still runs 1.5 s and more after the end of its stdin, expected it to end");
}

// RFC 8259, section 2: a carriage return behind a message is white space.
Task<Finding> takes_lines_of_windows(Probe& probe) {
  Client client = probe.client();
  const Json request = client.request_of(std::string(client.harmless_method()), Json::object());
  const Reaction reaction = co_await client.provoke(dump_json(request) + "\r");
  if (reaction.alive && reaction.response() != nullptr) co_return passes();
  co_return about(
      risky(std::string(client.harmless_method()) + " on a line that ends in CR LF got " +
            (reaction.alive ? reaction.describe() : "no answer, and it is gone") +
            ": clients on Windows write such lines"),
      reaction);
}

constexpr ServerCheck kStdioChecks[] = {
    {"stdio.exit-on-stdin-eof", Eras::kBoth, SessionUse::kWaits, ends_with_its_input},
    {"stdio.crlf-lines-taken", Eras::kBoth, SessionUse::kAlone, takes_lines_of_windows},
};

}  // namespace

ServerChecks stdio_checks() { return kStdioChecks; }

}  // namespace plumbline::conformance
