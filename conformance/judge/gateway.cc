#include "conformance/judge/gateway.h"

#include <chrono>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kGatewayCheckMax = std::chrono::seconds(30);
constexpr std::size_t kGatewayEvidenceMax = 40;

}  // namespace

Task<void> GatewayJudge::judge() {
  for (const std::string_view revision : {kNewestStateful, kStatelessRevision}) {
    GatewayProbe probe(subject_, mirror_, std::string(revision), 0);
    Session* const session = co_await probe.enter();
    bool through = session != nullptr;
    if (through) {
      const Reply reply = co_await probe.call(*session, "echo", Json::object());
      through = reply.result() != nullptr;
      if (!through) unreachable_ = "a call was answered by " + reply.describe();
    } else {
      unreachable_ = probe.why();
    }
    co_await probe.close();
    if (through) co_await judge_revision(std::string(revision));
  }
  if (!results_.empty()) unreachable_.clear();
}

Task<void> GatewayJudge::judge_revision(std::string revision) {
  const WireLog& log = subject_.log();
  const RowWriter writer(log.redactor(), revision, "http", reproduce_);
  for (const GatewayCheck& check : all_gateway_checks()) {
    if (check.stateful_only && is_stateless(revision)) continue;
    const auto number = static_cast<std::uint32_t>(results_.size() + 1);
    const Instant begin = subject_.loop().now();
    Finding finding = co_await run_check(&check, revision, number);
    if (shows_evidence(finding.verdict)) {
      finding.evidence = log.evidence_of(number, kGatewayEvidenceMax);
    }
    const RuleShown rule = {check.id, "gateway", check.level, check.title, check.page};
    const Duration took = subject_.loop().now() - begin;
    results_.push_back(writer.row(rule, std::move(finding), took));
  }
}

Task<Finding> GatewayJudge::run_check(const GatewayCheck* check, std::string revision,
                                      std::uint32_t number) {
  GatewayProbe probe(subject_, mirror_, std::move(revision), number);
  const Instant deadline = after(subject_.loop().now(), kGatewayCheckMax);
  Result<Finding> found =
      co_await with_deadline(subject_.loop(), deadline, std::string(check->id), check->run(probe));
  co_await probe.close();
  const std::string& flood = subject_.log().flood();  // What was missed is nobody's fault.
  if (!flood.empty()) co_return undecided(flood);
  if (!found.ok()) co_return undecided(found.error().message);
  co_return std::move(found).value();
}

}  // namespace plumbline::conformance
