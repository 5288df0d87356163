#include "conformance/broken/gateway_world.h"

#include <chrono>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/random_bytes.h"
#include "core/base/rng.h"

namespace plumbline::conformance {

namespace {

const Deviation kPlainProxy = {"", kNewestStateful, Transport::kHttp, "passes everything on"};

}  // namespace

GatewayWorld::GatewayWorld(const Deviation* deviation)
    : spawner_(loop_, Rng(1), events_),
      network_(loop_, {}, Rng(2)),
      log_(redactor_, Instant{}),
      mirror_(MirrorServer::listen(
                  loop_, network_, {"127.0.0.1", 0},
                  [count = 0]() mutable { return "session-" + std::to_string(++count); })
                  .value()),
      gateway_(std::make_unique<HttpMiddleman>(
          loop_, network_,
          wire::parse_url("http://127.0.0.1:" + std::to_string(mirror_->port()) + "/mcp").value(),
          deviation == nullptr ? kPlainProxy : *deviation)) {}

std::vector<CheckResult> GatewayWorld::judge() {
  SubjectSpec spec;
  spec.transport = Transport::kHttp;
  spec.url = gateway_->url();
  const RandomBytes no_bytes = [](std::size_t count) { return std::string(count, 'r'); };
  Subject subject(loop_, spawner_, network_, no_bytes, log_, std::move(spec),
                  std::chrono::seconds(10));
  GatewayJudge judge(subject, *mirror_,
                     [](std::string_view id, std::string_view) { return std::string(id); });
  Task<void> work = judge.judge();
  const Result<std::int64_t> turns = loop_.run_task(work, 20'000'000);
  check(turns.ok(), "the judge of gateways does not come to an end");
  return judge.results();
}

}  // namespace plumbline::conformance
