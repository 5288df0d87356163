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

constexpr std::string_view kWorldQuery = "tenant=world";  // Of the server's address.

}  // namespace

Deviations gateway_deviations() {
  static const std::vector<Deviation> all = [] {
    std::vector<Deviation> pages;
    for (const Deviations page :
         {passing_deviations(), one_call_deviations(), definition_deviations(), result_deviations(),
          session_deviations(), trouble_deviations(), form_deviations(), both_ends_deviations(),
          kept_deviations(), one_form_deviations(), gateway_again_deviations(),
          odd_gateway_deviations(), reach_deviations(), variant_deviations(),
          gateway_names_deviations(), sizes_deviations()}) {
      pages.insert(pages.end(), page.begin(), page.end());
    }
    return pages;
  }();
  return all;
}

GatewayWorld::GatewayWorld(const Deviation* deviation, Transport transport)
    : spawner_(loop_, Rng(1), events_),
      network_(loop_, {}, Rng(2)),
      log_(redactor_, Instant{}),
      transport_(transport),
      mirror_(MirrorServer::listen(
                  loop_, network_, {"127.0.0.1", 0}, net::HttpAccess(),
                  [count = 0]() mutable { return "session-" + std::to_string(++count); })
                  .value()),
      gateway_(std::make_unique<HttpMiddleman>(loop_, network_, mirror_url(),
                                               deviation == nullptr ? kPlainProxy : *deviation,
                                               mirror_url().origin())) {
  if (transport_ == Transport::kHttp) mirror_->tell_query(std::string(kWorldQuery));
}

wire::Url GatewayWorld::mirror_url() const {
  const std::string path =
      transport_ == Transport::kSse ? "/sse" : "/mcp?" + std::string(kWorldQuery);
  return wire::parse_url("http://127.0.0.1:" + std::to_string(mirror_->port()) + path).value();
}

std::vector<CheckResult> GatewayWorld::judge(GatewayManner manner) {
  SubjectSpec spec;
  spec.transport = transport_;
  spec.url = gateway_->url();
  const RandomBytes no_bytes = [](std::size_t count) { return std::string(count, 'r'); };
  Subject subject(loop_, spawner_, network_, no_bytes, log_, std::move(spec),
                  std::chrono::seconds(10));
  GatewayJudgeOptions options;
  options.manner = std::move(manner);
  options.reproduce = [](std::string_view id, std::string_view) { return std::string(id); };
  GatewayJudge judge(subject, *mirror_, std::move(options));
  Task<void> work = judge.judge();
  const Result<std::int64_t> turns = loop_.run_task(work, 20'000'000);
  check(turns.ok(), "the judge of gateways does not come to an end");
  return judge.results();
}

}  // namespace plumbline::conformance
