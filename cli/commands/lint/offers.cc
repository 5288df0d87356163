#include "cli/commands/lint/offers.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "cli/commands/record/replay_options.h"
#include "cli/options/shown_words.h"
#include "conformance/judge/listed.h"
#include "conformance/peer/opening.h"
#include "core/base/errors/errors.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"
#include "scenarios/compare/conversation.h"

namespace plumbline::cli {

namespace {

using conformance::ServerOffer;

constexpr Duration kListMax = std::chrono::seconds(10);

// take_recorded takes in what a server answered in one session. Returns whether it listed tools.
bool take_recorded(const scenarios::RecordedSession& session, ServerOffer& offer) {
  bool listed = false;
  for (const auto& exchange : scenarios::conversation_of(session).exchanges) {
    const std::string method = string_or(exchange.request, "method", "");
    const Json* const result = find(exchange.answer, "result");
    const bool opens = method == "initialize" || method == "server/discover";
    if (opens && result != nullptr) offer.take_opening(*result);
    if (method.ends_with("/list") && result != nullptr && offer.take_lists(*result)) {
      listed = listed || method == "tools/list";
    }
    if (method != "tools/call" || exchange.answer.is_null()) continue;
    const Json* const params = find(exchange.request, "params");
    if (params == nullptr) continue;
    const Json* const arguments = find(*params, "arguments");
    offer.answers.push_back({string_or(*params, "name", ""),
                             arguments == nullptr ? Json::object() : *arguments, exchange.answer});
  }
  return listed;
}

// of_recording returns what the last session offers in which tools were listed.
Result<ServerOffer> of_recording(const std::string& path, Host& host) {
  const Result<scenarios::Recording> recording = read_recording_file(path, host);
  if (!recording.ok()) return recording.error();
  ServerOffer last;
  bool any = false;
  for (const scenarios::RecordedSession& session : recording.value().sessions) {
    ServerOffer offer;
    if (!take_recorded(session, offer)) continue;
    last = std::move(offer);
    any = true;
  }
  if (!any) return the_error("lint.no-list", path);
  return last;
}

// names_servers returns whether a file is that of a host, with its servers.
bool names_servers(const std::string& path, Host& host) {
  const Result<std::string> text = host.files().read_file(path);
  const Result<Json> document = parse_json(text.ok() ? text.value() : "");
  if (!document.ok()) return false;
  return std::ranges::any_of(
      std::array{"mcpServers", "servers", "context_servers", "mcp"},
      [&](const char* key) { return find(document.value(), key) != nullptr; });
}

Result<ServerOffer> of_file(const std::string& path, Host& host) {
  const Result<std::string> text = host.files().read_file(path);
  if (!text.ok()) return text.error();
  const Result<Json> document = parse_json(text.value());
  // A recording has a line a message.
  if (!document.ok()) return of_recording(path, host);
  if (find(document.value(), "recording")) {
    return of_recording(path, host);
  }
  Result<ServerOffer> offer = conformance::read_offer(document.value());
  if (!offer.ok()) {
    return the_error("lint.no-offer", path);
  }
  return offer;
}

// Asking asks one server after the other.
class Asking {
 public:
  Asking(const CheckTargets& targets, Duration patience, Host& host, Offers& offers)
      : targets_(targets), patience_(patience), host_(host), offers_(offers) {}

  void run() {
    const os::Interrupt interrupt(host_.world().loop(),
                                  [this](int) { offers_.interrupted = true; });
    for (const CheckTarget& target : targets_.targets) {
      if (!offers_.interrupted) ask(target);
    }
  }

 private:
  void ask(const CheckTarget& target) {
    RealWorld& world = host_.world();
    conformance::WireLog log(targets_.secrets.redactor(), world.loop().now());
    conformance::Subject subject(world.loop(), world.spawner(), world.network(), os::random_bytes,
                                 log, target.subject, patience_);
    if (target.finds_out) finish(conformance::find_transport(subject));
    Result<conformance::Survey> survey =
        the_error_as(ErrorCode::kDisconnected, "cli.interrupted", "");
    finish(list(subject, survey));
    if (!survey.ok()) return add_complaint(offers_.complaint, target.name, survey.error());
    ServerOffer offer = conformance::offer_of(survey.value());
    if (offer.tools.empty() && offer.prompts.empty() && offer.resources.empty()) {
      return add_complaint(offers_.complaint, target.name, nothing_in(survey.value()));
    }
    offers_.all.push_back({target.name, target.shown, std::move(offer)});
  }

  static Error nothing_in(const conformance::Survey& survey) {
    if (!survey.declares("/tools")) return the_error("lint.nothing");
    const auto& pages = survey.tools.pages;
    return the_error("lint.empty", pages.empty() ? "no answer" : pages.front().describe());
  }

  static Task<void> list(conformance::Subject& subject, Result<conformance::Survey>& survey) {
    survey = co_await conformance::take_lists(subject);
  }

  void finish(Task<void> work) {
    work.start();
    host_.world().loop().run_until([&] { return work.done() || offers_.interrupted; });
  }

  const CheckTargets& targets_;
  const Duration patience_;
  Host& host_;
  Offers& offers_;
};

}  // namespace

Offers ask_servers(const CheckTargets& targets, Duration timeout, Host& host) {
  Offers offers;
  Asking(targets, timeout == Duration{} ? kListMax : timeout, host, offers).run();
  return offers;
}

Result<Offers> gather(OfferSources sources, Host& host) {
  if (sources.files.size() == 1 && names_servers(sources.files.front(), host)) {
    sources.target.config = std::exchange(sources.files, {}).front();
  }
  Offers offers;
  for (const std::string& path : sources.files) {
    Result<ServerOffer> offer = of_file(path, host);
    if (!offer.ok()) return offer.error();
    const std::string name = sources.files.size() > 1 ? path : "";
    offers.all.push_back({name, shown_words({path}), std::move(offer).value()});
  }
  if (!sources.files.empty()) return offers;
  const Result<CheckTargets> targets = read_targets(sources.target, host);
  if (!targets.ok()) return targets.error();
  return ask_servers(targets.value(), sources.timeout, host);
}

}  // namespace plumbline::cli
