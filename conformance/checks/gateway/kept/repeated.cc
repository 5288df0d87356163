// What is done twice, and what must not be: calls that reach the server once, answers that come
// once, and requests that are made again.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/mirror_content.h"
#include "conformance/checks/gateway/questions.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

// responses_to returns what answered the request `id` since `from`.
std::vector<const Frame*> responses_to(const Session& session, std::size_t from, const Json& id) {
  std::vector<const Frame*> found;
  const std::vector<Frame>& frames = session.wire().inbox().frames;
  for (std::size_t i = from; i < frames.size(); ++i) {
    const Json& message = *frames[i].message;
    const Json* const named = find(message, "id");
    const bool response = find(message, "method") == nullptr && named != nullptr && *named == id;
    if (response) found.push_back(&frames[i]);
  }
  return found;
}

Task<Finding> answers_once(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Client client(*session, probe.check());
  for (const char* const tool : {"echo", "count", "stream"}) {
    const std::string mark = probe.new_mark();
    const std::size_t from = session->wire().inbox().frames.size();
    Client::Begun begun =
        probe.begin_call(*session, tool, GatewayProbe::marked(mark), "token-" + mark);
    const Json id = begun.id;
    const Reply reply = co_await client.finish(std::move(begun));
    if (probe.heard(mark).empty()) co_return undecided(kNeverReached);
    co_await client.hush();
    const std::vector<const Frame*> all = responses_to(*session, from, id);
    if (all.size() < 2) continue;
    const bool streams = all[0]->exchange != all[1]->exchange;
    co_return about(broken("one call of " + std::string(tool) + " was answered twice" +
                           (streams ? ", on two streams: by " : ", on its stream: by ") +
                           shortened(dump_json(*all[0]->message)) + ", and by " +
                           shortened(dump_json(*all[1]->message))),
                    reply);
  }
  co_return passes();
}

// What a call may come to at the server: it was made all the same.
constexpr std::pair<const char*, const char*> kFailedCalls[] = {
    {"status 500", "that the server answered with status 500"},
    {"status 502", "that the server answered with status 502"},
    {"", "that the server answered by error -32050"},
};

// fails_once makes calls that fail: each has reached the server once all the same.
Task<Finding> fails_once(GatewayProbe* probe, Session* session) {
  for (const auto& [how, what] : kFailedCalls) {
    const std::string failing = probe->new_mark();
    const Reply reply = co_await probe->call(*session, "fail", GatewayProbe::marked(failing, how));
    const std::size_t times = probe->heard(failing).size();
    if (times < 2) continue;
    co_return about(broken("a call " + std::string(what) + " reached it " + std::to_string(times) +
                           " times: what changes something is done twice"),
                    reply);
  }
  co_return passes();
}

Task<Finding> calls_once(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  Client client(*session, probe.check());
  Client::Begun begun = probe.begin_call(*session, "hold", GatewayProbe::marked(mark));
  if (!co_await probe.reached(mark)) co_return undecided(kNeverReached);
  co_await Sleep(probe.loop(), after(probe.loop().now(), std::chrono::milliseconds(600)));
  const std::size_t times = probe.heard(mark).size();
  probe.mirror().release(mark);
  co_await client.finish(std::move(begun));
  if (times != 1) {
    co_return broken("one slow call reached the server " + std::to_string(times) + " times");
  }
  co_return co_await fails_once(&probe, session);
}

// Twice is a request that is made two times.
struct Twice {
  const char* method;
  const char* tool;  // Of tools/call.
  const char* what;
};

constexpr Twice kTwice[] = {
    {"tools/call", "echo", "a call"},
    {"tools/call", "refuse", "a call whose result was isError"},
    {"tools/call", "fail", "a call that was answered by an error"},
};

// asks_prompts_anew gets one prompt with two arguments.
Task<Finding> asks_prompts_anew(GatewayProbe* probe, Session* session) {
  const Exchanged* const known = co_await probe->exchanges().of(Ask::kPrompt, probe->check());
  if (!known->reached) co_return passes();
  Client client(*session, probe->check());
  for (int times = 1; times <= 2; ++times) {
    const std::string who = probe->new_mark();
    Json params(Json::value_t::object);
    params["name"] = probe->exchanges().prompt(kMirrorPrompt);
    params["arguments"]["who"] = who;
    const Reply reply = co_await client.request("prompts/get", std::move(params));
    const std::ptrdiff_t heard =
        std::ranges::count_if(probe->mirror().heard(), [&](const MirrorServer::Heard& one) {
          const Json* const said = at_pointer(one.message, "/params/arguments/who");
          return said != nullptr && *said == Json(who);
        });
    if (heard > 0 || reply.result() == nullptr) continue;
    co_return about(broken("prompts/get with the argument who: " + who +
                           " was answered by what other arguments had brought: it never reached "
                           "the server"),
                    reply);
  }
  co_return passes();
}

// says_its_own calls twice with one id, which a client of no session may do.
Task<Finding> says_its_own(GatewayProbe* probe, Session* session) {
  Client client(*session, probe->check());
  for (int times = 1; times <= 2; ++times) {
    const std::string mark = probe->new_mark();
    Json params(Json::value_t::object);
    params["name"] = probe->exchanges().tool("echo");
    params["arguments"] = GatewayProbe::marked(mark);
    Json message = client.request_of("tools/call", std::move(params));
    message["id"] = "the same";
    const Reply reply = co_await client.exchange(std::move(message));
    const Json* const back = content_of(reply);
    if (back == nullptr || *back == GatewayProbe::marked(mark)) continue;
    co_return about(broken("a call with the id of one that was over got the answer to that: " +
                           shortened(dump_json(*back))),
                    reply);
  }
  co_return passes();
}

Task<Finding> calls_each_time(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (is_stateless(probe.revision())) {
    Finding own = co_await says_its_own(&probe, session);
    if (own.verdict != Verdict::kPass) co_return std::move(own);
  }
  for (const Twice& twice : kTwice) {
    const std::string mark = probe.new_mark();
    const Reply first = co_await probe.call(*session, twice.tool, GatewayProbe::marked(mark));
    if (probe.heard(mark).empty()) co_return undecided(kNeverReached);
    const Reply again = co_await probe.call(*session, twice.tool, GatewayProbe::marked(mark));
    if (probe.heard(mark).size() > 1 || !again.answered()) continue;
    co_return about(broken(std::string(twice.what) +
                           " was made once more, and was answered from what was kept: it never "
                           "reached the server again"),
                    again);
  }
  co_return co_await asks_prompts_anew(&probe, session);
}

constexpr GatewayCheck kRepeatedChecks[] = {
    {"gateway.answers-once", answers_once},
    {"gateway.calls-once", calls_once},
    {"gateway.calls-each-time", calls_each_time},
};

}  // namespace

GatewayChecks repeated_checks() { return kRepeatedChecks; }

}  // namespace plumbline::conformance
