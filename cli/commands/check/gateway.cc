#include "cli/commands/check/gateway.h"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/judging/check_targets.h"
#include "cli/options/authority.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "conformance/judge/gateway.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

namespace {

constexpr Duration kGatewayAnswerMax = std::chrono::seconds(10);
constexpr std::size_t kMirrorSessionBytes = 16;

Json shown_gateway(const CheckGatewayOptions& options, const CheckTarget& target) {
  Json shown(Json::value_t::object);
  shown["listen"] = net::describe(options.listen);
  shown["target"] = target.shown;
  return shown;
}

}  // namespace

void CheckGatewayOptions::declare(CLI::App& app) {
  app.add_option("--listen", listen_text_, "Where our server stands, behind the gateway")
      ->required()
      ->type_name("HOST:PORT");
  app.add_option("--url", url, "Where our clients go, before it")->required()->type_name("URL");
  app.add_option("--header", headers, "Sent with every request; repeatable")
      ->type_name("'NAME: VALUE'")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  add_timeout(app, texts_);
  add_common(app, common, texts_);
}

Status CheckGatewayOptions::read() {
  Result<net::Authority> at = read_authority("--listen", listen_text_);
  if (!at.ok()) return at.error();
  listen = std::move(at).value();
  return read_common(texts_, common);
}

int run_check_gateway(const CheckGatewayOptions& options, Host& host) {
  CheckedServer asked;
  asked.url = options.url;
  asked.headers = options.headers;
  Result<CheckTargets> targets = read_targets(asked, host);
  if (!targets.ok()) return host.complain(targets.error().message, kExitUsage);
  const CheckTarget& target = targets.value().targets.front();

  os::RealLoop& loop = host.world().loop();
  os::RealNetwork& network = host.world().network();
  Result<std::unique_ptr<conformance::MirrorServer>> mirror = conformance::MirrorServer::listen(
      loop, network, options.listen, [] { return os::random_token(kMirrorSessionBytes); });
  if (!mirror.ok()) return host.complain(mirror.error().message, kExitUsage);
  if (host.wants_progress(options.common)) {
    host.tell("our server is at http://" + options.listen.host + ":" +
              std::to_string(mirror.value()->port()) + "/ (any path)\n");
  }
  conformance::WireLog log(targets.value().secrets.redactor(), loop.now());
  const Duration patience =
      options.common.timeout == Duration{} ? kGatewayAnswerMax : options.common.timeout;
  conformance::Subject subject(loop, host.world().spawner(), network, os::random_bytes, log,
                               target.subject, patience);
  conformance::GatewayJudge judge(subject, *mirror.value(), [&](auto, auto) {
    return "plumbline check gateway --listen " + net::describe(options.listen) + " " + target.shown;
  });

  Report report;
  report.version = kVersion;
  report.command = "check gateway";
  report.target = shown_gateway(options, target);
  report.started = os::wall_clock_rfc3339();
  const Instant begin = loop.now();
  bool interrupted = false;
  {
    const os::Interrupt interrupt(loop, [&](int) { interrupted = true; });
    Task<void> work = judge.judge();
    work.start();
    loop.run_until([&] { return work.done() || interrupted; });
  }
  report.results = judge.results();
  report.duration_ms = static_cast<double>((loop.now() - begin).count()) / 1e6;
  if (report.results.empty() && !interrupted) {
    return host.complain("nothing goes through the gateway: " + judge.unreachable(),
                         kExitUnreachable);
  }
  const int status = publish(host, options.common, report);
  return interrupted ? kExitInterrupted : status;
}

}  // namespace plumbline::cli
