#include "conformance/peer/client/run.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "conformance/peer/client/http_scripted_peer.h"
#include "conformance/peer/client/stdio_scripted_peer.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kUsual = "tools_call";  // What ordinary servers are called.
constexpr int kNotImplemented = 89;  // The exit code of a program without the scenario.
constexpr Duration kRunStopGrace = std::chrono::milliseconds(500);
constexpr Duration kUnreadableSilence = std::chrono::milliseconds(500);
constexpr Duration kTrailing = std::chrono::milliseconds(50);  // For what is still on its way.

}  // namespace

ClientRun::ClientRun(ClientSubject& subject, const ClientScenario& scenario, std::string revision,
                     bool any_revision)
    : subject_(subject),
      scenario_(scenario),
      log_(subject.redactor, subject.loop.now()),
      record_(log_),
      script_(scenario.script()) {
  record_.revision = std::move(revision);
  record_.over_http = subject.transport == Transport::kHttp;
  record_.usual = scenario.asked == kUsual;
  record_.hostile = !scenario.ids.empty() && scenario.ids.front().starts_with("hostile.");
  make_peer();
  LogEntry entry;
  entry.at = subject.loop.now();
  Json what(Json::value_t::object);
  what["scenario"] = std::string(scenario.name);
  entry.message = kept(std::move(what));
  log_.add(std::move(entry));  // It has place 0, which no message has.
  peer_->any_revision = any_revision;
  script_->prepare(*peer_);
  record_.offered = peer_->offer.capabilities;
}

ClientRun::~ClientRun() = default;

void ClientRun::make_peer() {
  if (record_.over_http) {
    auto peer = std::make_unique<HttpScriptedPeer>(
        subject_.loop, subject_.network, subject_.new_session_id, log_, record_, *script_);
    target_ = peer->url();
    peer_ = std::move(peer);
  } else {
    auto peer = std::make_unique<StdioScriptedPeer>(
        subject_.loop, subject_.network, subject_.new_session_id(), log_, record_, *script_);
    target_ = peer->address();
    peer_ = std::move(peer);
  }
  peer_->on_activity([this] { changed_.set(); });
}

net::Command ClientRun::command() {
  net::Command command = subject_.command;
  command.env["MCP_CONFORMANCE_SCENARIO"] = std::string(scenario_.asked);
  command.env["MCP_CONFORMANCE_PROTOCOL_VERSION"] = record_.revision;
  command.env["PLUMBLINE_SCENARIO"] = std::string(scenario_.name);
  Json context = script_->context();
  if (context.is_object()) {
    context["name"] = std::string(scenario_.asked);
    command.env["MCP_CONFORMANCE_CONTEXT"] = dump_json(context);
  }
  if (record_.over_http) {
    command.argv.push_back(target_);
    return command;
  }
  Json server = Json::array();
  for (const std::string& word : subject_.relay) server.push_back(word);
  server.push_back(target_);
  command.env["PLUMBLINE_SERVER_COMMAND"] = dump_json(server);
  return command;
}

// patience returns how long the program may say nothing. One that writes what cannot be read waits
// for answers that never come.
Duration ClientRun::patience() const {
  const Duration usual = script_->silence_max(subject_.silence_max);
  return record_.unreadable ? std::min(usual, kUnreadableSilence) : usual;
}

// over_due returns why the program is not waited for any longer; empty: it is.
std::string ClientRun::over_due(Instant begin) const {
  const Instant now = subject_.loop.now();
  if (peer_->flooded()) return "it said more than anybody wants to keep";
  if (now >= after(begin, subject_.whole_max)) return "it took too long";
  if (!record_.connected()) {
    return now >= after(begin, subject_.opening_max) ? "it did not connect" : "";
  }
  return now >= after(peer_->activity(), patience()) ? "it fell silent and did not exit" : "";
}

Task<void> ClientRun::watch(net::Child& child) {
  const Instant begin = subject_.loop.now();
  while (!child.exit_status()) {
    record_.why_ended = over_due(begin);
    if (!record_.why_ended.empty()) break;
    Instant limit = after(begin, subject_.whole_max);
    if (record_.connected()) {
      limit = std::min(limit, after(peer_->activity(), patience()));
    } else {
      limit = std::min(limit, after(begin, subject_.opening_max));
    }
    changed_.reset();
    co_await changed_.wait(subject_.loop, limit);
  }
  record_.exit = child.exit_status();
  cut_short_ = record_.unreadable && !record_.exit;
  if (record_.exit) {
    co_await Sleep(subject_.loop, after(subject_.loop.now(), kTrailing));
  } else {
    const Result<net::ExitStatus> stopped = co_await net::stop(subject_.loop, child, kRunStopGrace);
    if (!stopped.ok()) record_.why_ended += ", and could not be ended";
  }
  record_.stderr_tail = child.stderr_tail();
}

Task<void> ClientRun::run() {
  if (!peer_->trouble().empty()) {
    record_.why_ended = peer_->trouble();
    co_return;
  }
  Result<std::unique_ptr<net::Child>> spawned = subject_.spawner.spawn(command());
  if (!spawned.ok()) {
    record_.why_ended = spawned.error().message;
    co_return;
  }
  record_.spawned = true;
  const std::unique_ptr<net::Child> child = std::move(spawned).value();
  child->stdio().start(drain_);
  child->on_exit([this] { changed_.set(); });
  co_await watch(*child);
}

std::string ClientRun::flood() const {
  if (!peer_->flooded()) return {};
  return "not judged to its end: in one run, of the scenario " + std::string(scenario_.name) +
         ", the client said more than " + std::to_string(kHeardMax) + " messages or " +
         std::to_string(kHeardBytesMax >> 20U) + " MB";
}

std::string ClientRun::skipped() const {
  if (record_.exit && record_.exit->signal == 0 && record_.exit->code == kNotImplemented) {
    return "the program does not implement the scenario " + std::string(scenario_.name) +
           " (exit code 89)";
  }
  const bool by_name = scenario_.asked == scenario_.name || scenario_.guarded;
  if (!record_.connected() && record_.exit && by_name) {
    return "the program does not know the scenario " + std::string(scenario_.name) + ": " +
           record_.how_it_ended();
  }
  return {};
}

// judge_cut says what was seen to hold; what is missing may be so because nobody waited.
void ClientRun::judge_cut(Verdicts& verdicts) {
  if (scenario_.ids.empty()) return;
  Verdicts seen;
  script_->judge(record_, seen);
  for (const std::string_view id : scenario_.ids) {
    const auto found = seen.all().find(id);
    const bool holds = found != seen.all().end() && found->second.verdict == Verdict::kPass;
    verdicts.say(id, holds ? passes()
                           : not_for_it("it wrote lines that are no JSON, and was not waited for"));
  }
}

void ClientRun::judge(Verdicts& verdicts) {
  verdicts.about(&record_);
  const std::string why = skipped();
  if (cut_short_) return judge_cut(verdicts);
  if (why.empty() && record_.connected()) return script_->judge(record_, verdicts);
  for (const std::string_view id : scenario_.ids) {
    verdicts.say(id, why.empty() ? undecided("it did not connect: " + record_.how_it_ended())
                                 : not_for_it(why));
  }
}

}  // namespace plumbline::conformance
