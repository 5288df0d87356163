#include "conformance/judge/gateway.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "conformance/catalogue/causes.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/peer/opening.h"
#include "conformance/wire/header_names.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kGatewayCheckMax = std::chrono::seconds(30);
// A gateway that answers nothing any more is not waited for again and again: after so many checks
// in a row that waited so long and did not hold.
constexpr int kMuteMax = 4;
constexpr Duration kMuteMin = std::chrono::seconds(3);
constexpr std::size_t kGatewayEvidenceMax = 40;

constexpr std::string_view kHeadersRule = "gateway.passes-headers";
constexpr std::string_view kIdsRule = "gateway.keeps-ids";
constexpr const char* kLosesVersion =
    "requests come to the server without MCP-Protocol-Version, by which it knows their revision, "
    "and none is answered";
constexpr const char* kOffersNone =
    ", expected a result with that revision or another that it speaks";
constexpr const char* kLostSession =
    "; the answer to initialize came without the Mcp-Session-Id of the server";

// Came is how much has come to a mirror.
struct Came {
  std::size_t requests = 0;
  std::size_t messages = 0;
};

Came came_to(const MirrorServer& mirror) {
  return {mirror.requests().size(), mirror.heard().size()};
}

// loses_version returns whether requests in a stateless revision came to the mirror, and none said
// so in its header. What a gateway asks for itself, such as initialize, the mirror has understood.
bool loses_version(const MirrorServer& mirror, Came from, std::string_view revision) {
  const std::vector<wire::HttpRequest>& all = mirror.requests();
  bool any = false;
  for (std::size_t i = from.requests; i < all.size(); ++i) {
    if (all[i].headers.count(kVersionHeader) > 0) return false;
    any = any || all[i].method == "POST";
  }
  return is_stateless(revision) && any && mirror.heard().size() == from.messages;
}

}  // namespace

Task<void> GatewayJudge::judge() {
  std::vector<std::string_view> revisions = {kNewestStateful, kNewestStateless};
  if (options_.revision != "auto") revisions = {options_.revision};
  for (std::size_t i = 0; i < revisions.size(); ++i) {
    const bool through = co_await judge_in(std::string(revisions[i]));
    // Who refuses the newest may serve an older one.
    const auto at = std::ranges::find(kRevisions, revisions[i]);
    const bool goes_on = !through && refused_opening_ && options_.revision == "auto";
    if (goes_on && !is_stateless(*at) && at != kRevisions.begin()) {
      revisions.insert(revisions.begin() + static_cast<std::ptrdiff_t>(i) + 1, *std::prev(at));
    }
  }
  name_causes(results_);
  if (!results_.empty()) unreachable_.clear();
}

// judge_in returns whether calls go through in `revision`, and judges what does.
Task<bool> GatewayJudge::judge_in(std::string revision) {
  Exchanges exchanges(subject_, mirror_, revision, options_.manner);
  Exchanges* const made = &exchanges;
  const bool through = co_await goes_through(made, revision);
  if (through) revisions_.push_back(revision);
  if (through) co_await judge_revision(made, revision);
  co_await exchanges.close();
  co_return through;
}

// goes_through returns whether a call does. The tools are listed first: they may have other names.
Task<bool> GatewayJudge::goes_through(Exchanges* exchanges, std::string revision) {
  const Came before = came_to(mirror_);
  refused_opening_ = false;
  GatewayProbe probe(subject_, mirror_, *exchanges, revision, nullptr, 0);
  Session* const session = co_await probe.enter();
  if (session == nullptr) {
    unreachable_ = probe.why();
    refused_opening_ = probe.refused_opening();
    if (loses_version(mirror_, before, revision)) {
      say_nothing_reached(revision, kHeadersRule, kLosesVersion);
    } else if (!probe.misnamed().empty()) {
      say_nothing_reached(revision, kIdsRule,
                          "the first request of a client was answered by a result with the id " +
                              clipped(probe.misnamed()) + ", which is not its own");
    } else if (probe.offered_amiss()) {
      say_nothing_reached(revision, kOffersRevision, unreachable_);
    } else if (refused_opening_) {
      say_nothing_reached(revision, kOffersRevision, unreachable_ + kOffersNone);
    }
    co_return false;
  }
  co_await exchanges->of(Ask::kTools, 0);
  const Reply reply = co_await probe.call(*session, "echo", Json::object());
  const bool through = reply.result() != nullptr;
  if (through) note_introduction(session->opening());
  if (!through) unreachable_ = "a call was answered by " + reply.describe();
  const std::string other = through ? "" : reply.id_of_another_result();
  if (!other.empty()) {
    say_nothing_reached(
        revision, kIdsRule,
        "a call was answered by a result with the id " + clipped(other) + ", which is not its own");
    co_await probe.close();
    co_return false;
  }
  // Who opens a session has to serve it.
  const bool opened = session->opening().result() != nullptr;
  if (!through && opened) {
    const bool lost =
        session->wire().http() && session->session_id().empty() && reply.status >= 400;
    say_nothing_reached(
        session->revision(), all_gateway_checks().front().id,
        "initialize was answered, and " + unreachable_ + (lost ? kLostSession : ""));
  } else if (!through && loses_version(mirror_, before, revision)) {
    say_nothing_reached(revision, kHeadersRule, kLosesVersion);
  }
  co_await probe.close();
  co_return through;
}

// note_introduction takes the gateway's own name: not the mirror's, nor ours, which it passes on.
void GatewayJudge::note_introduction(const Reply& opening) {
  const std::string mirror = string_or(mirror_part("serverInfo", kNewestStateful), "name", "");
  introduced_ = introduced_by(*opening.message);
  for (const MirrorServer::Heard& heard : mirror_.heard()) {
    if (!introduced_.name.empty() && introduced_.name != mirror) return;
    introduced_ = introduced_by(heard.message);
    if (introduced_.name == kClientName) introduced_ = {};
  }
  if (introduced_.name == mirror) introduced_ = {};
}

// say_nothing_reached notes why no call goes through, as a failure of the rule `id`.
void GatewayJudge::say_nothing_reached(const std::string& revision, std::string_view id,
                                       std::string why) {
  const GatewayChecks all = all_gateway_checks();
  const GatewayCheck& check = *std::ranges::find(all, id, &GatewayCheck::id);
  if (!options_.selection.wants_id(check.id)) return;
  const RowWriter writer(subject_.log().redactor(), revision, name_of(subject_.spec().transport),
                         options_.reproduce);
  const RuleShown rule = shown_of(*check.rule_in(revision));
  Finding finding = broken(std::move(why) + "; nothing else was judged in this revision");
  finding.evidence = evidence_of(0, {});
  results_.push_back(writer.row(rule, std::move(finding)));
}

Task<void> GatewayJudge::judge_revision(Exchanges* exchanges, std::string revision) {
  const WireLog& log = subject_.log();
  const RowWriter writer(log.redactor(), revision, name_of(subject_.spec().transport),
                         options_.reproduce);
  int mute = 0;
  std::size_t since = 0;  // The row of the check from which on nothing comes back.
  for (const GatewayCheck& check : all_gateway_checks()) {
    const Requirement* const rule = check.rule_in(revision);
    if (rule == nullptr) continue;
    if (!options_.selection.wants_id(check.id)) continue;
    const auto number = static_cast<std::uint32_t>(results_.size() + 1);
    const Instant begin = subject_.loop().now();
    const std::size_t requests = mirror_.requests().size();
    Finding finding = undecided("not judged: nothing came back any more");
    if (mute < kMuteMax) finding = co_await run_check(&check, exchanges, revision, number);
    const bool waited = subject_.loop().now() - begin >= kMuteMin;
    const bool silent = waited && finding.verdict != Verdict::kPass;
    if (mute == 0) since = results_.size();
    if (silent) ++mute;
    // What was asked before is known still: that says nothing of now.
    const bool came = mirror_.requests().size() != requests;
    if (mute < kMuteMax && came && finding.verdict == Verdict::kPass) mute = 0;
    if (silent && mute == kMuteMax && co_await answers(exchanges, revision)) mute = 0;
    if (shows_evidence(finding.verdict) && finding.evidence.empty()) {
      finding.evidence = evidence_of(number, finding.about);
    }
    const Duration took = subject_.loop().now() - begin;
    results_.push_back(writer.row(shown_of(*rule), std::move(finding), took));
    if (silent && mute == kMuteMax) say_mute(&results_[since]);
  }
}

// say_mute has a row say that it was the last at which something came back.
void GatewayJudge::say_mute(CheckResult* row) {
  row->verdict = Verdict::kFail;
  row->message +=
      "; from here on nothing comes back, to another client either, and nothing else "
      "was judged";
}

// answers returns whether another client gets in, and calls.
Task<bool> GatewayJudge::answers(Exchanges* exchanges, std::string revision) {
  GatewayProbe probe(subject_, mirror_, *exchanges, std::move(revision), nullptr, 0);
  Session* const session = co_await probe.enter();
  bool answered = false;
  if (session != nullptr) {
    const Reply reply = co_await probe.call(*session, "echo", Json::object());
    answered = reply.answered();
  }
  co_await probe.close();
  co_return answered;
}

// evidence_of returns what the check saw on both sides of the gateway, in order.
std::vector<Evidence> GatewayJudge::evidence_of(std::uint32_t number,
                                                const std::vector<std::size_t>& about) const {
  const std::vector<Evidence> before =
      subject_.log().evidence_of(number, kGatewayEvidenceMax, about);
  std::vector<Evidence> all;
  std::ranges::merge(before, behind_, std::back_inserter(all), {}, &Evidence::at_ms,
                     &Evidence::at_ms);
  return all;
}

Task<Finding> GatewayJudge::run_check(const GatewayCheck* check, Exchanges* exchanges,
                                      std::string revision, std::uint32_t number) {
  GatewayProbe probe(subject_, mirror_, *exchanges, std::move(revision), check, number);
  behind_.clear();
  const auto watch = [this](bool came, const Json& message) {
    if (behind_.size() == kGatewayEvidenceMax) return;
    Json shown(Json::value_t::object);
    shown[came ? "server got" : "server sent"] = excerpt(message);
    subject_.log().redactor().redact(shown);
    const Duration at = subject_.loop().now() - subject_.log().begin();
    behind_.push_back(Evidence{milliseconds_of(at), "--", std::move(shown)});
  };
  mirror_.watch(watch);
  const Instant deadline = after(subject_.loop().now(), kGatewayCheckMax);
  Result<Finding> found =
      co_await with_deadline(subject_.loop(), deadline, std::string(check->id), check->run(probe));
  mirror_.watch({});
  mirror_.as_at_first();
  co_await probe.close();
  const std::string& flood = subject_.log().flood();  // What was missed is nobody's fault.
  if (!flood.empty()) co_return undecided(flood);
  if (!found.ok()) co_return undecided(found.error().message);
  co_return std::move(found).value();
}

}  // namespace plumbline::conformance
