// The stdio transport: spec, basic/transports.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// Hosts kill it after two seconds or so. One that takes its time to start is given that time more.
constexpr Duration kExit = std::chrono::milliseconds(1'500);
// What a server asks of itself shortly after a session began is asked and answered before: whether
// it also ends while it waits for an answer would depend on the moment.
constexpr Duration kAsked = std::chrono::milliseconds(600);

// Readers that give up, or take what they got for the whole, do so at 64 KiB most often.
constexpr std::array<std::size_t, 2> kLongLines = {100, 200};  // KB.
constexpr const char* kFiller = "plumbline/filler";
constexpr std::array<std::string_view, 6> kOfSize = {"too l",  "too big", "size",
                                                     "exceed", "limit",   "length"};

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

// speaks_of_size returns whether an error says that a message is too long to be read.
bool speaks_of_size(const Json& error) {
  const std::string text = lower_case(string_or(error, "message", ""));
  return std::ranges::any_of(kOfSize, [&](std::string_view word) { return mentions(text, word); });
}

// refused_for_size returns whether a message that came since `frames` is an error without an id
// that speaks of the size: who has not read the request knows no id of it.
bool refused_for_size(const Inbox& inbox, std::size_t frames) {
  for (std::size_t i = frames; i < inbox.frames.size(); ++i) {
    const Json* const error = find(*inbox.frames[i].message, "error");
    if (error != nullptr && speaks_of_size(*error)) return true;
  }
  return false;
}

// The filler stands in _meta, where nobody but its sender looks at it.
Task<Finding> reads_long_lines(Probe& probe) {
  Client client = probe.client();
  const std::string method(client.harmless_method());
  const Reply before = co_await client.request(method);
  if (!before.answered()) co_return undecided(method + " got " + before.describe());
  for (const std::size_t kilobytes : kLongLines) {
    Json request = client.request_of(method, Json::object());
    request["params"]["_meta"][kFiller] = std::string(kilobytes * 1'000, 'x');
    const Inbox& inbox = client.session().wire().inbox();
    const std::size_t frames = inbox.frames.size();
    const Reply reply = co_await client.exchange(std::move(request));
    if (reply.answered() || refused_for_size(inbox, frames)) continue;
    const bool alive = co_await client.alive();
    co_return about(
        risky(method + " in one line of " + std::to_string(kilobytes) + " KB got " +
              (alive ? "no answer, and a short one before and behind it got one"
                     : "no answer, and nothing behind it gets one") +
              ": a line ends at its newline, not where a read or a buffer of 64 KiB ends"),
        reply);
  }
  co_return passes();
}

constexpr ServerCheck kStdioChecks[] = {
    {"stdio.exit-on-stdin-eof", Eras::kBoth, SessionUse::kWaits, ends_with_its_input},
    {"stdio.crlf-lines-taken", Eras::kBoth, SessionUse::kAlone, takes_lines_of_windows},
    {"stdio.long-lines-read", Eras::kBoth, SessionUse::kAlone, reads_long_lines},
};

}  // namespace

ServerChecks stdio_checks() { return kStdioChecks; }

}  // namespace plumbline::conformance
