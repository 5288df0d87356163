#include "core/connector/trial/connection_tests.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/changes.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"
#include "core/connector/mcp_client.h"
#include "core/rpc/message.h"

namespace plumbline::connector {

namespace {

using mcp::Failure;
using mcp::FailureClass;
using mcp::Reply;

constexpr int kRequestsMax = 100;                            // Of the test of rate limits.
constexpr Duration kPatienceMax = std::chrono::seconds(60);  // With an agent that says "wait".
constexpr Duration kPauseMax = std::chrono::seconds(10);     // Between two requests.
constexpr std::size_t kToldMax = 3;                          // Troubles of many in one message.

constexpr std::array kTests = {
    ConnectionTest{"connect.handshake", "The agent can be reached, and opens the conversation."},
    ConnectionTest{"connect.authentication",
                   "It lets in who shows the credentials, and nobody else."},
    ConnectionTest{"connect.capability-discovery",
                   "It lists what it can do, and what it is to be asked."},
    ConnectionTest{"connect.error-recovery", "It goes on after errors and broken connections."},
    ConnectionTest{"connect.rate-limiting", "It takes requests at the configured rate."},
    ConnectionTest{"connect.concurrent-connections", "It serves several connections at one time."},
};

void conclude(CheckResult& row, Verdict verdict, std::string message) {
  if (row.verdict == Verdict::kFail) return;  // The first failure is what counts.
  row.verdict = verdict;
  row.message = std::move(message);
}

// first_of joins the first lines.
std::string first_of(const std::vector<std::string>& lines) {
  std::string out;
  for (std::size_t i = 0; i < std::min(lines.size(), kToldMax); ++i) {
    out += (i > 0 ? "; " : "") + lines[i];
  }
  if (lines.size() > kToldMax) out += "; " + std::to_string(lines.size() - kToldMax) + " more";
  return out;
}

// needed_by returns the capability that an agent declares who is to be asked `method`.
std::string needed_by(const std::string& method) { return method.substr(0, method.find('/')); }

}  // namespace

std::span<const ConnectionTest> connection_tests() { return kTests; }

ConnectionTests::ConnectionTests(Loop& loop, AgentDoor& door, TrialOptions options)
    : loop_(loop), door_(door), options_(std::move(options)) {}

Task<std::vector<CheckResult>> ConnectionTests::run() {
  using Test = Task<void> (ConnectionTests::*)(CheckResult&, EvidenceLog&);
  constexpr std::array<Test, kTests.size()> kRun = {&ConnectionTests::handshake,
                                                    &ConnectionTests::authentication,
                                                    &ConnectionTests::capability_discovery,
                                                    &ConnectionTests::error_recovery,
                                                    &ConnectionTests::rate_limiting,
                                                    &ConnectionTests::concurrent_connections};
  std::vector<CheckResult> rows;
  rows.reserve(kTests.size());
  for (std::size_t i = 0; i < kTests.size(); ++i) {
    CheckResult& row = rows.emplace_back();
    row.id = kTests[i].id;
    row.title = kTests[i].title;
    row.area = "connect";
    row.server = options_.agent;
    row.observed = 1;
    // Who it lets in is told even where it lets nobody in.
    const bool tells = kRun[i] == &ConnectionTests::authentication && shut_out_;
    if (i > 0 && rows.front().verdict != Verdict::kPass && !tells) {
      conclude(row, Verdict::kInconclusive, "there is no handshake: see connect.handshake");
      continue;
    }
    const Instant begin = loop_.now();
    EvidenceLog log(loop_);
    co_await (this->*kRun[i])(row, log);
    row.evidence = log.take();
    row.duration_ms = static_cast<double>((loop_.now() - begin).count()) / 1e6;
  }
  co_return rows;
}

Task<ConnectionTests::Opening> ConnectionTests::open(Credentials as, EvidenceLog& log) {
  Opening opened = co_await TrialSession::open(loop_, door_, as, options_.connect_timeout, &log);
  co_return std::move(opened);
}

Task<void> ConnectionTests::handshake(CheckResult& row, EvidenceLog& log) {
  Opening opened = co_await open(Credentials::kOwn, log);
  if (!opened.ok()) {
    shut_out_ = is_about_credentials(opened.error());
    conclude(row, Verdict::kFail,
             "no handshake: " + describe(opened.error()) +
                 (shut_out_ ? "; connect.authentication says whom it lets in" : ""));
    co_return;
  }
  TrialSession& session = *opened.value();
  const Reply<Json> answer = co_await session.knock(patience());
  if (!answer.ok()) {
    conclude(row, Verdict::kFail,
             "the handshake is done, and then a first request fails: " + describe(answer.error()));
  }
  co_await session.close();
}

Task<void> ConnectionTests::authentication(CheckResult& row, EvidenceLog& log) {
  if (!door_.may_authenticate()) {
    conclude(row, Verdict::kSkip, "a child process asks nobody who he is");
    co_return;
  }
  Opening own = co_await open(Credentials::kOwn, log);
  const bool configured = door_.has_credentials();
  if (!own.ok()) {
    conclude(row, Verdict::kFail,
             (configured ? "the configured credentials are refused: "
                         : "it wants credentials, and none are configured: ") +
                 describe(own.error()));
    co_return;
  }
  co_await own.value()->close();
  if (!configured) {
    conclude(row, Verdict::kSkip, "no authentication is configured, and the agent wants none");
    co_return;
  }
  Opening nobody = co_await open(Credentials::kNone, log);
  if (nobody.ok()) {
    co_await nobody.value()->close();
    conclude(row, Verdict::kWarn, "authentication is configured, and it lets in who shows nothing");
    co_return;
  }
  if (!is_about_credentials(nobody.error())) {
    conclude(row, Verdict::kWarn,
             "it does not ask for credentials (401) where none are shown, but: " +
                 describe(nobody.error()));
    co_return;
  }
  Opening wrong = co_await open(Credentials::kWrong, log);
  if (wrong.ok()) {
    co_await wrong.value()->close();
    conclude(row, Verdict::kFail,
             "it refuses who shows nothing, and lets in who shows wrong "
             "credentials, expected it to refuse both");
  } else if (!is_about_credentials(wrong.error())) {
    conclude(row, Verdict::kWarn,
             "it does not say that credentials are wrong (401), but: " + describe(wrong.error()));
  }
}

Task<void> ConnectionTests::capability_discovery(CheckResult& row, EvidenceLog& log) {
  Opening opened = co_await open(Credentials::kOwn, log);
  if (!opened.ok()) {
    conclude(row, Verdict::kInconclusive, "it could not be opened: " + describe(opened.error()));
    co_return;
  }
  TrialSession& session = *opened.value();
  std::vector<std::string> problems;
  for (const std::string& method : options_.methods) {
    if (session.server().has(needed_by(method))) continue;
    problems.push_back("it is to be asked " + method + ", and has no capability \"" +
                       needed_by(method) + '"');
  }
  const std::vector<Capability> found = co_await session.list(patience(), problems);
  if (!problems.empty()) {
    conclude(row, Verdict::kFail, first_of(problems));
  } else if (found.empty()) {
    conclude(row, Verdict::kWarn, "it lists no tool, resource or prompt at all");
  }
  co_await session.close();
}

// answer_wrong_requests asks what no agent knows: each is to be answered, and with an error.
Task<void> ConnectionTests::answer_wrong_requests(TrialSession& session, CheckResult& row) {
  const std::string unknown = "plumbline/unknown";
  Reply<Json> answer = co_await session.session().request(unknown, nullptr, patience());
  if (answer.ok()) {
    conclude(row, Verdict::kFail,
             "it answers the unknown method \"" + unknown + "\" with a result, expected an error");
  } else if (answer.error().kind != Failure::Kind::kRpc) {
    conclude(row, Verdict::kFail,
             "the unknown method \"" + unknown + "\" gets no error: " + describe(answer.error()));
  }
  if (row.verdict == Verdict::kFail || !session.server().has("tools")) co_return;
  Json nothing = Json::object();
  answer =
      co_await session.session().call_tool("plumbline-unknown", std::move(nothing), patience());
  const bool result = answer.ok() && !bool_or(answer.value(), "isError", false);
  if (result) {
    conclude(row, Verdict::kFail, "it calls a tool that there is not, expected an error");
  } else if (!answer.ok() && answer.error().kind != Failure::Kind::kRpc) {
    conclude(row, Verdict::kFail,
             "the call of an unknown tool gets no error: " + describe(answer.error()));
  }
}

Task<void> ConnectionTests::error_recovery(CheckResult& row, EvidenceLog& log) {
  Opening opened = co_await open(Credentials::kOwn, log);
  if (!opened.ok()) {
    conclude(row, Verdict::kInconclusive, "it could not be opened: " + describe(opened.error()));
    co_return;
  }
  co_await answer_wrong_requests(*opened.value(), row);
  if (row.verdict == Verdict::kFail) {
    co_await opened.value()->close();
    co_return;
  }
  const Reply<Json> alive = co_await opened.value()->knock(patience());
  if (!alive.ok()) {
    conclude(row, Verdict::kFail, "after an error it answers no more: " + describe(alive.error()));
  }
  opened.value().reset();  // Broken off in the middle, as networks do.
  Opening again = co_await open(Credentials::kOwn, log);
  if (!again.ok()) {
    conclude(row, Verdict::kFail,
             "after a connection broke there is no new one: " + describe(again.error()));
    co_return;
  }
  const Reply<Json> answer = co_await again.value()->knock(patience());
  if (!answer.ok()) {
    conclude(
        row, Verdict::kFail,
        "on a connection after one that broke it does not answer: " + describe(answer.error()));
  }
  co_await again.value()->close();
}

// wait_out does what an agent asks that says "not so fast", and sees whether it is content then.
Task<void> ConnectionTests::wait_out(TrialSession& session, Failure refusal, CheckResult& row) {
  const std::optional<std::int64_t> asked = mcp::retry_after_ms(refusal);
  Duration wait = options_.rate.cooldown_period;
  if (asked) wait = std::chrono::milliseconds(*asked);
  if (wait > kPatienceMax) {
    conclude(row, Verdict::kFail,
             "at the configured rate it wants to be left alone for " +
                 std::to_string(milliseconds_of(wait) / 1'000) + " s");
    co_return;
  }
  const Instant when = after(loop_.now(), wait);
  co_await Sleep(loop_, when);
  const Reply<Json> answer = co_await session.knock(patience());
  if (!answer.ok()) {
    conclude(
        row, Verdict::kFail,
        "it says \"not so fast\", and refuses as well after the wait: " + describe(answer.error()));
  } else {
    conclude(row, Verdict::kWarn,
             std::string("the configured rate is too much for it: ") + describe(refusal) +
                 (asked ? "; after its Retry-After it answers" : "; it says not for how long"));
  }
}

Task<void> ConnectionTests::rate_limiting(CheckResult& row, EvidenceLog& log) {
  Opening opened = co_await open(Credentials::kOwn, log);
  if (!opened.ok()) {
    conclude(row, Verdict::kInconclusive, "it could not be opened: " + describe(opened.error()));
    co_return;
  }
  TrialSession& session = *opened.value();
  RateLimiter limiter(options_.rate);
  const std::string method(session.knocks_with());
  // The burst, and then what a second more lets through.
  const int second = std::max(1, static_cast<int>(options_.rate.requests_per_second));
  const int wanted = options_.rate.burst_capacity + second;
  const int requests = std::min(kRequestsMax, wanted);
  int sent = 0;
  for (int i = 0; i < requests && row.verdict == Verdict::kPass; ++i) {
    const std::optional<Duration> wait = limiter.reserve(method, loop_.now(), kPauseMax);
    if (!wait) break;  // So slow a rate is put to the test as far as time allows.
    ++sent;
    const Instant when = after(loop_.now(), *wait);
    if (when > loop_.now()) co_await Sleep(loop_, when);
    Reply<Json> answer = co_await session.knock(patience());
    if (answer.ok()) continue;
    if (mcp::classify(answer.error()) == FailureClass::kRateLimit) {
      Failure refusal = std::move(answer).error();
      co_await wait_out(session, std::move(refusal), row);
    } else {
      conclude(row, Verdict::kFail,
               "request " + std::to_string(i + 1) + " of " + std::to_string(requests) +
                   " at the configured rate: " + describe(answer.error()));
    }
  }
  if (row.verdict == Verdict::kPass && sent < wanted) {
    conclude(row, sent == 0 ? Verdict::kInconclusive : Verdict::kPass,
             "put to the test with " + std::to_string(sent) + " of the " + std::to_string(wanted) +
                 " requests that the configured rate allows in its first second");
  }
  co_await session.close();
}

// Together is how far connections are that are to be open at one time.
struct ConnectionTests::Together {
  explicit Together(Loop& loop) : changes(loop) {}

  void note(std::string trouble) {
    troubles.push_back(std::move(trouble));
    changes.tell();
  }

  std::vector<std::string> troubles;
  std::size_t ready = 0;
  Changes changes;
};

Task<void> ConnectionTests::open_one(Together& all) {
  Opening opened = co_await TrialSession::open(loop_, door_, Credentials::kOwn,
                                               options_.connect_timeout, nullptr);
  if (!opened.ok()) {
    all.note(describe(opened.error()));
    co_return;
  }
  // It stays open until all have come so far, or not: connections that follow each other are none
  // at one time.
  ++all.ready;
  all.changes.tell();
  const Instant deadline = after(loop_.now(), options_.connect_timeout);
  const auto wanted = static_cast<std::size_t>(options_.connections);
  const auto all_have_come = [&all, wanted] { return all.ready + all.troubles.size() >= wanted; };
  co_await all.changes.wait(deadline, all_have_come);
  const Reply<Json> answer = co_await opened.value()->knock(patience());
  if (!answer.ok()) all.note("once all are open: " + describe(answer.error()));
  co_await opened.value()->close();
}

Task<void> ConnectionTests::concurrent_connections(CheckResult& row, EvidenceLog&) {
  Together all(loop_);
  TaskGroup group;
  for (int i = 0; i < options_.connections; ++i) group.spawn(open_one(all));
  co_await group.join(loop_);
  const std::vector<std::string>& troubles = all.troubles;
  if (!troubles.empty()) {
    conclude(row, Verdict::kFail,
             "of " + std::to_string(options_.connections) + " connections at one time " +
                 std::to_string(troubles.size()) + " failed: " + first_of(troubles));
  }
}

}  // namespace plumbline::connector
