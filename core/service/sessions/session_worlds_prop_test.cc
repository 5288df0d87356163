// Worlds of workers with bad habits, callers of two principals, and a server that is killed:
// whatever happens, a result reaches the caller that asked and nobody else, each call ends in
// bounded time with one answer, and no session that was promised is lost.

#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/wait.h"
#include "core/service/sessions/principal_fixture.h"
#include "core/service/sessions/service_fixture.h"

namespace plumbline::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kCallMax = seconds(31);  // A call may take 30 s, and the way there and back.

// Asked is one call and what came of it.
struct Asked {
  std::string code;
  std::string nonce;  // In its arguments: the result has to bring it back.
  Instant began;
  int answers = 0;
  Duration took{};
  std::optional<wire::HttpResponse> response;  // Nothing: the connection broke.
};

class Worlds {
 public:
  explicit Worlds(std::uint64_t seed) : rng_(Rng(seed).fork("worlds")), world_(options(), seed) {
    for (int i = 0; i < 3; ++i) codes_.push_back(world_.open_session());
  }

  void run() {
    begin_workers();
    const auto calls = rng_.between(5, 25);
    for (std::int64_t i = 0; i < calls; ++i) {
      call("nonce " + std::to_string(i));
      if (rng_.chance(1, 8)) guess();
      if (rng_.chance(1, 10)) kill();
      world_.run_for(milliseconds(rng_.between(0, 3'000)));
    }
    world_.run_for(seconds(40));
  }

  void judge() {
    for (const Asked& asked : asked_) {
      RC_ASSERT(asked.answers == 1);
      RC_ASSERT(asked.took <= kCallMax);
      if (!asked.response) {
        RC_ASSERT(killed_);
        continue;
      }
      judge_answer(asked);
    }
    // What was promised is there after all that.
    for (const std::string& code : codes_) {
      RC_ASSERT(world_.get("/api/sessions/" + code).status == 200);
    }
  }

 private:
  SessionServerOptions options() {
    SessionServerOptions made;
    made.http.gate = &gate_;
    return made;
  }

  fakes::WorkerHabits habits(std::size_t session) {
    const auto often = [this] { return rng_.chance(1, 2) ? static_cast<int>(rng_.below(60)) : 0; };
    fakes::WorkerHabits made;
    made.answer_max = seconds(rng_.between(0, 40));
    made.double_percent = often();
    made.silent_percent = often();
    made.fail_percent = often();
    made.vanish_percent = often();
    made.report_percent = often();
    made.foreign_percent = often();
    made.foreign_code = codes_[(session + 1) % codes_.size()];
    made.away = seconds(rng_.between(0, 8));
    return made;
  }

  void begin_workers() {
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      if (rng_.chance(1, 6)) continue;  // A session without a worker.
      workers_.push_back(world_.worker(codes_[i], habits(i)));
    }
  }

  void call(const std::string& nonce) {
    Asked& asked = asked_.emplace_back();
    asked.code = codes_[rng_.below(codes_.size())];
    asked.nonce = nonce;
    asked.began = world_.loop.now();
    Json arguments = graph_arguments();
    arguments["title"] = nonce;
    const wire::HttpHeaders token = {
        {"Authorization", rng_.chance(1, 2) ? "Bearer alice" : "Bearer bob"}};
    wire::HttpRequest request = ServiceWorld::mcp(
        "tools/call", {{"name", "create_codap_graph"}, {"arguments", arguments}}, token);
    std::string path = "/api/sessions/" + asked.code + "/mcp";
    work_.spawn(wait_for(world_, asked, std::move(path), std::move(request)));
  }

  static Task<void> wait_for(ServiceWorld& world, Asked& asked, std::string path,
                             wire::HttpRequest request) {
    Result<wire::HttpResponse> response =
        co_await world.asking(std::move(path), std::move(request));
    ++asked.answers;
    asked.took = world.loop.now() - asked.began;
    if (response.ok()) asked.response = std::move(response).value();
  }

  void guess() {
    std::string guess(8, 'A');
    for (char& c : guess) c = static_cast<char>('A' + rng_.below(26));
    const int status = world_.get("/api/sessions/" + guess).status;
    RC_ASSERT((status == 404 || status == 429));
  }

  void kill() {
    killed_ = true;
    world_.kill();
    world_.run_for(milliseconds(rng_.between(0, 2'000)));
    world_.boot();
  }

  void judge_answer(const Asked& asked) {
    const Json answer = ServiceWorld::answer_of(*asked.response);
    const Json* const text = at_pointer(answer, "/result/content/0/text");
    RC_ASSERT(text != nullptr);
    const std::string said = text->get<std::string>();
    const bool failed = *at_pointer(answer, "/result/isError") == true;
    RC_ASSERT(said.starts_with(failed ? "\u274c" : "\u2705"));
    if (failed) return;
    const Result<Json> data = parse_json(said.substr(said.find('{')));
    RC_ASSERT(data.ok());
    RC_ASSERT(string_or(data.value(), "for", "") == asked.code);
    RC_ASSERT(*at_pointer(data.value(), "/asked/title") == asked.nonce);
  }

  Rng rng_;
  TokenGate gate_{{{"alice", "alice"}, {"bob", "bob"}}};
  ServiceWorld world_;
  std::vector<std::string> codes_;
  std::deque<Asked> asked_;
  bool killed_ = false;
  std::vector<std::unique_ptr<fakes::SessionWorker>> workers_;
  TaskGroup work_;
};

RC_GTEST_PROP(SessionWorldsPropTest, ResultsReachWhoAskedAndEveryCallEndsInTime, ()) {
  Worlds worlds(*rc::gen::arbitrary<std::uint64_t>());
  worlds.run();
  worlds.judge();
}

using Promised = std::map<std::string, std::size_t>;  // How many tools a session has, at least.

Task<void> open_and_add(ServiceWorld& world, Promised& promised) {
  for (int i = 0; i < 4; ++i) {
    wire::HttpRequest open = ServiceWorld::request("POST", Json::object());
    std::string path = "/api/sessions";
    const Result<wire::HttpResponse> made = co_await world.asking(std::move(path), std::move(open));
    if (!made.ok() || made.value().status != 201) co_return;
    const std::string code = string_or(ServiceWorld::json(made.value()), "code", "");
    promised[code] = 2;
    const Json tool = {{"name", "mine"}, {"inputSchema", {{"type", "object"}}}};
    const Json body = {{"tools", Json::array({tool})}};
    wire::HttpRequest add = ServiceWorld::request("POST", body);
    std::string tools = "/api/sessions/" + code + "/tools";
    const Result<wire::HttpResponse> added =
        co_await world.asking(std::move(tools), std::move(add));
    if (!added.ok() || added.value().status != 200) co_return;
    promised[code] = 3;
  }
}

RC_GTEST_PROP(SessionWorldsPropTest, WhatWasPromisedSurvivesADeathAtAnyPoint, ()) {
  ServiceWorld world({}, *rc::gen::arbitrary<std::uint64_t>());
  Promised promised;
  const auto turns = *rc::gen::inRange(0, 120);
  Task<void> running = open_and_add(world, promised);
  running.start();
  for (int i = 0; i < turns && !running.done(); ++i) world.loop.turn();
  world.kill();
  world.run_for(seconds(1));
  world.boot();
  for (const auto& [code, tools] : promised) {
    const wire::HttpResponse shown = world.get("/api/sessions/" + code + "/tools");
    RC_ASSERT(shown.status == 200);
    RC_ASSERT(ServiceWorld::json(shown)["tools"].size() >= tools);
  }
}

}  // namespace
}  // namespace plumbline::service
