// What is of one call alone, among several and after it: its id, its stream, its progress.

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/questions.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr int kCallsAtOnce = 10;
constexpr int kFirstSharedId = 7'000;  // Of calls that choose their ids: no usual one is as high.
constexpr int kCounted = 20;           // What count tells of its progress: 1 to 20.
constexpr Duration kAfterwards = std::chrono::milliseconds(500);

// Owned is a call, and the mark that has to come back to it.
struct Owned {
  Session* session;
  std::string mark;
  Client::Begun begun;
};

// hold_as calls hold by the id `id`.
Client::Begun hold_as(GatewayProbe* probe, Session* session, const std::string& mark, int id) {
  Client client(*session, probe->check());
  Json params(Json::value_t::object);
  params["name"] = probe->exchanges().tool("hold");
  params["arguments"] = GatewayProbe::marked(mark);
  Json message = client.request_of("tools/call", std::move(params));
  message["id"] = id;
  return client.begin(std::move(message));
}

// judge_owner says whose answer came to a client. Undecided: none did.
Finding judge_owner(const Owned& call, const Reply& reply) {
  const Json* const back = content_of(reply);
  if (back == nullptr) return about(undecided(reply.describe()), reply);
  if (string_or(*back, "mark", "") == call.mark) return passes();
  return about(broken("a client that called with " + call.mark + " got the answer to " +
                      string_or(*back, "mark", "another call")),
               reply);
}

// judge_owners says of the worst that came of `calls`: an answer that is another's, or none.
Task<Finding> judge_owners(GatewayProbe* probe, std::vector<Owned>* calls, Duration patience) {
  Finding worst = passes();
  for (Owned& call : *calls) {
    Client client(*call.session, probe->check());
    const Reply reply = co_await client.finish(std::move(call.begun), patience);
    Finding one = judge_owner(call, reply);
    if (one.verdict == Verdict::kFail) co_return one;
    if (one.verdict != Verdict::kPass) worst = std::move(one);
  }
  co_return worst;
}

// hold_both has a call of either client open at once, by these ids, and judges what they come to.
// Nothing: not both get through at once.
Task<std::optional<Finding>> hold_both(GatewayProbe* probe, Session* one, Session* other, int id,
                                       int others_id) {
  const std::string mine = probe->new_mark();
  const std::string theirs = probe->new_mark();
  std::vector<Owned> calls;
  calls.push_back({one, mine, hold_as(probe, one, mine, id)});
  const bool first = co_await probe->reached(mine);
  calls.push_back({other, theirs, hold_as(probe, other, theirs, others_id)});
  const bool both = first && co_await probe->reached(theirs);
  probe->mirror().release(mine);
  probe->mirror().release(theirs);
  const Instant begun = calls.front().begun.at;
  const Duration patience = probe->loop().now() - begun + probe->pace().answer();
  Finding finding = co_await judge_owners(probe, &calls, patience);
  if (!both) co_return std::nullopt;
  co_return finding;
}

// survives_equal_ids has two clients choose one id at one time. That a call is not answered is for
// that alone where it comes again, and calls by two ids are answered.
Task<Finding> survives_equal_ids(GatewayProbe* probe, Session* one, Session* other) {
  Finding last = passes();
  for (const int id : {kFirstSharedId, kFirstSharedId + 1}) {
    const std::optional<Finding> same = co_await hold_both(probe, one, other, id, id);
    if (!same || same->verdict == Verdict::kPass) co_return passes();
    last = *same;
    if (last.verdict == Verdict::kFail) {
      last.message = "two clients had a call open, each by the id " + std::to_string(id) +
                     ", and " + last.message;
      co_return last;
    }
    const std::optional<Finding> apart = co_await hold_both(probe, one, other, id + 10, id + 20);
    if (!apart || apart->verdict != Verdict::kPass) co_return passes();
  }
  last.verdict = Verdict::kFail;
  last.message = "two clients had a call open, each by the id " +
                 std::to_string(kFirstSharedId + 1) + ", and one came to " + last.message +
                 "; by two ids both are answered";
  co_return last;
}

// overheard returns what of a call with `mark` came to a client who did not make it, on a stream of
// its own; null: nothing did.
Json overheard(const Session& other, std::size_t from, const std::string& mark) {
  const std::vector<Frame>& frames = other.wire().inbox().frames;
  for (std::size_t i = from; i < frames.size(); ++i) {
    if (dump_json(*frames[i].message).find(mark) != std::string::npos) return *frames[i].message;
  }
  return nullptr;
}

// hears_its_own_alone has one client call, and listens to what comes to the other.
//
// Spec 2025-11-25, basic/transports, Multiple Connections: no message is broadcast.
Task<Finding> hears_its_own_alone(GatewayProbe* probe, Session* one, Session* other) {
  Client neighbour(*other, probe->check());
  co_await neighbour.can_hear();
  const std::size_t from = other->wire().inbox().frames.size();
  const std::string mark = probe->new_mark();
  co_await probe->call(*one, "echo", GatewayProbe::marked(mark));
  const std::string token = "token-" + probe->new_mark();
  co_await probe->call(*one, "count", GatewayProbe::marked(token), token);
  co_await neighbour.hush();
  for (const std::string& sign : {mark, token}) {
    const Json message = overheard(*other, from, sign);
    if (message.is_null()) continue;
    const bool answer = find(message, "method") == nullptr;
    co_return broken(std::string(answer ? "the answer to" : "what the server told during") +
                     " a call of one client came to another client as well, on its stream: " +
                     shortened(dump_json(message)));
  }
  co_return passes();
}

Task<Finding> keeps_clients_apart(GatewayProbe& probe) {
  Session* const one = co_await probe.enter();
  Session* const other = co_await probe.enter();
  if (one == nullptr || other == nullptr) co_return undecided(probe.why());
  Finding alone = co_await hears_its_own_alone(&probe, one, other);
  if (alone.verdict != Verdict::kPass) co_return alone;
  Finding equal = co_await survives_equal_ids(&probe, one, other);
  if (equal.verdict != Verdict::kPass) co_return equal;
  std::vector<Owned> calls;
  for (int i = 0; i < kCallsAtOnce; ++i) {
    for (Session* const session : {one, other}) {
      const std::string mark = probe.new_mark();
      calls.push_back(
          {session, mark, probe.begin_call(*session, "echo", GatewayProbe::marked(mark))});
    }
  }
  Finding finding = co_await judge_owners(&probe, &calls, probe.pace().work());
  if (finding.verdict == Verdict::kInconclusive) {
    finding.message = "a call came to " + finding.message;
  }
  co_return finding;
}

// Spec 2025-11-25, basic/transports, Listening for Messages from the Server: messages there are
// unrelated to any request that is running.
Task<Finding> keeps_progress_on_its_stream(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("its clients have one stream for everything");
  Client client(*session, probe.check());
  co_await client.can_hear();
  const std::string token = "token-" + probe.new_mark();
  const Reply reply = co_await probe.call(*session, "count", Json::object(), token);
  if (reply.result() == nullptr) co_return undecided("got " + reply.describe());
  const std::vector<Json> there = progress_by_token(reply.along, token);
  const std::vector<Json> elsewhere = co_await progress_on_get(&client, token);
  if (there.empty() && elsewhere.empty()) co_return undecided("no progress came");
  const bool of_the_call = std::ranges::any_of(elsewhere, [](const Json& progress) {
    return progress.is_number() && progress.get<double>() <= kCounted;
  });
  if (!of_the_call) co_return passes();
  co_return about(
      broken("the server told of the progress of a call on the stream of this call, and " +
             std::to_string(elsewhere.size()) + " of " + std::to_string(kCounted) +
             " notifications came to the client on its stream of GET: progress belongs on the "
             "stream of its request, and clients that open no other are told nothing"),
      reply);
}

// frame_of returns the place of the frame that brought `reply`.
std::size_t frame_of(const Session& session, const Reply& reply) {
  const std::vector<Frame>& frames = session.wire().inbox().frames;
  const auto found = std::ranges::find(frames, reply.message, &Frame::message);
  return static_cast<std::size_t>(found - frames.begin());
}

// told_by_count returns whether the server has told of this progress.
bool told_by_count(const Json& progress) {
  if (!progress.is_number()) return false;
  const double number = progress.get<double>();
  return number >= 1 && number <= kCounted;
}

// What comes on another stream may have been said before the response, unless the server never said
// it, or it has come already.
Task<Finding> ends_progress(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Client client(*session, probe.check());
  co_await client.can_hear();
  const std::string token = "token-" + probe.new_mark();
  const Reply reply = co_await probe.call(*session, "count", Json::object(), token);
  if (reply.result() == nullptr) co_return undecided("got " + reply.describe());
  co_await client.alive();  // Some go on with the next answer,
  co_await Sleep(probe.loop(), after(probe.loop().now(), kAfterwards));  // others by the clock.
  const std::size_t answer = frame_of(*session, reply);
  const std::vector<Frame>& frames = session->wire().inbox().frames;
  std::vector<Json> known;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::vector<Json> progress = progress_by_token({frames[i].message}, token);
    if (progress.empty()) continue;
    const bool again = std::ranges::find(known, progress.front()) != known.end();
    if (i > answer && (again || !told_by_count(progress.front()))) {
      const std::string last = again ? "had told of before" : "has never told of";
      co_return about(broken("after a call was answered, its client got progress " +
                             dump_json(progress.front()) +
                             " by the token of this call, which the "
                             "server " +
                             last + ": a token stands for nothing after the response"),
                      reply);
    }
    known.push_back(progress.front());
  }
  if (known.empty()) co_return undecided("no progress came");
  co_return passes();
}

constexpr GatewayCheck kOneCallChecks[] = {
    {"gateway.keeps-clients-apart", keeps_clients_apart},
    {"gateway.keeps-progress-on-its-stream", keeps_progress_on_its_stream},
    {"gateway.ends-progress", ends_progress},
};

}  // namespace

GatewayChecks one_call_checks() { return kOneCallChecks; }

}  // namespace plumbline::conformance
