#include "cli/commands/check/gateway.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/judging/check_targets.h"
#include "cli/options/authority.h"
#include "cli/options/shown_words.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "conformance/judge/gateway.h"
#include "conformance/peer/opening.h"
#include "core/base/errors/errors.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"
#include "core/os/wall_clock.h"
#include "reports/answers/judged.h"

namespace plumbline::cli {

namespace {

constexpr Duration kGatewayAnswerMax = std::chrono::seconds(10);
constexpr Duration kGatewayStartMax = std::chrono::seconds(10);
constexpr std::size_t kMirrorSessionBytes = 16;

// kMirrorQuery has no letter that a shell would read.
constexpr const char* kMirrorQuery = "tenant=plumbline";

bool names_url(const std::string& text) { return text.find("{url}") != std::string::npos; }

// with_url puts our server's URL in for each "{url}" of `text`.
std::string with_url(std::string text, const std::string& url) {
  constexpr std::string_view kPlace = "{url}";
  for (std::size_t at = text.find(kPlace); at != std::string::npos;
       at = text.find(kPlace, at + url.size())) {
    text.replace(at, kPlace.size(), url);
  }
  return text;
}

// words_for returns the options that name the gateway, as they were given.
std::vector<std::string> words_for(const CheckGatewayOptions& options) {
  std::vector<std::string> words = {"--listen", net::describe(options.listen)};
  for (const std::string& header : options.headers) {
    words.insert(words.end(), {"--header", header});
  }
  if (!options.start.empty()) words.insert(words.end(), {"--start", options.start});
  if (!options.url.empty()) words.insert(words.end(), {"--url", options.url});
  if (!options.manner.renames.empty()) {
    words.insert(words.end(), {"--renames", options.manner.renames});
  }
  if (options.manner.merges) words.emplace_back("--merges");
  if (options.manner.filters) words.emplace_back("--filters");
  if (options.command.empty()) return words;
  for (std::string& word : words_of(options.environment)) words.push_back(std::move(word));
  words.emplace_back("--");
  words.insert(words.end(), options.command.begin(), options.command.end());
  return words;
}

// GatewayRun judges one gateway in real time.
class GatewayRun {
 public:
  GatewayRun(const CheckGatewayOptions& options, CheckTargets targets, Host& host)
      : options_(options),
        secrets_(std::move(targets.secrets)),
        spec_(std::move(targets.targets.front().subject)),
        host_(host),
        world_(host.world()),
        loop_(world_.loop()) {
    secrets_.add_words(words_for(options_));
    host_.secrets().add_all(secrets_);
    shown_ = shown_words(words_for(options_));
  }

  int run() {
    const Status listening = listen();
    if (!listening.ok()) return host_.complain(listening.error(), kExitUsage);
    conformance::WireLog log(secrets_.redactor(), loop_.now());
    const Duration patience =
        options_.common.timeout == Duration{} ? kGatewayAnswerMax : options_.common.timeout;
    conformance::Subject subject(loop_, world_.spawner(), world_.network(), os::random_bytes, log,
                                 spec_, patience);
    conformance::GatewayJudge judge(subject, *mirror_, judging());
    Report report;
    report.version = kVersion;
    report.command = "check gateway";
    report.target = Json(Json::value_t::object);
    report.target["listen"] = net::describe(options_.listen);
    report.target["target"] = shown_;
    report.started = os::wall_clock_rfc3339();
    const Instant begin = loop_.now();
    drive(work(subject, judge));
    report.results = judge.results();
    const conformance::Introduced& itself = judge.introduced();
    reports::add_judged(report.target, {"", itself.name, itself.version, "",
                                        std::string(conformance::name_of(subject.spec().transport)),
                                        judge.revisions()});
    report.duration_ms = static_cast<double>((loop_.now() - begin).count()) / 1e6;
    if (report.results.empty() && !interrupted_) {
      const std::string why = absent_.empty() ? judge.unreachable() : absent_;
      return host_.complain(the_error("check.no-gateway", why), kExitUnreachable);
    }
    const int status = publish(host_, options_.common, report);
    return interrupted_ ? kExitInterrupted : status;
  }

 private:
  // listen begins to serve, and tells the gateway where: before it starts.
  Status listen() {
    // A gateway may pass on the Host that it was called by.
    net::HttpAccess access = net::HttpAccess::at(options_.listen.host);
    access.private_hosts = true;
    access.hosts.push_back(spec_.url.host);
    Result<std::unique_ptr<conformance::MirrorServer>> mirror = conformance::MirrorServer::listen(
        loop_, world_.network(), options_.listen, std::move(access),
        [] { return os::random_token(kMirrorSessionBytes); });
    if (!mirror.ok()) return mirror.error();
    mirror_ = std::move(mirror).value();
    const std::string place =
        "http://" + net::describe({options_.listen.host, mirror_->port()}) + "/mcp";
    // Who is told the address by us is told one with a query: whether that is kept is a rule.
    const bool told = names_url(options_.start) || std::ranges::any_of(options_.command, names_url);
    const std::string url = told ? place + "?" + kMirrorQuery : place;
    if (told) mirror_->tell_query(kMirrorQuery);
    if (host_.wants_progress(options_.common)) host_.tell("our server is at " + url + "\n");
    for (std::string& word : spec_.command.argv) word = with_url(std::move(word), url);
    if (options_.start.empty()) return Done{};
    spec_.start = shell_command(with_url(options_.start, url));
    return Done{};
  }

  Task<void> work(conformance::Subject& subject, conformance::GatewayJudge& judge) {
    if (options_.command.empty()) {
      const Duration wait = options_.wait == Duration{} ? kGatewayStartMax : options_.wait;
      const Status there = co_await subject.presence().meet(wait);
      if (!there.ok()) {
        absent_ = there.error().message;
        co_return;
      }
      co_await conformance::find_transport(subject);
    }
    co_await judge.judge();
  }

  void drive(Task<void> task) {
    const os::Interrupt interrupt(loop_, [this](int) { interrupted_ = true; });
    task.start();
    loop_.run_until([&] { return task.done() || interrupted_; });
  }

  conformance::GatewayJudgeOptions judging() const {
    conformance::GatewayJudgeOptions judging;
    judging.revision = options_.selection.revision;
    judging.selection = options_.selection.rules;
    judging.manner = options_.manner;
    judging.reproduce = [this](const std::string& id, const std::string& revision) {
      return "plumbline check gateway --only " + id + " --revision " + revision + " " + shown_;
    };
    return judging;
  }

  const CheckGatewayOptions& options_;
  Secrets secrets_;
  conformance::SubjectSpec spec_;
  Host& host_;
  std::string shown_;
  std::string absent_;  // Why the gateway is not there; empty: it is.
  bool interrupted_ = false;
  RealWorld& world_;
  os::RealLoop& loop_;
  std::unique_ptr<conformance::MirrorServer> mirror_;
};

}  // namespace

void CheckGatewayOptions::declare(CLI::App& app) {
  app.add_option("--listen", listen_text_, "Run Plumbline's server here, behind the gateway")
      ->required()
      ->type_name("HOST:PORT");
  app.add_option("--url", url, "Reach the gateway at this URL: http, https, ws or wss")
      ->type_name("URL");
  app.add_option("--header", headers, "Send this header with every request; repeatable")
      ->type_name("'NAME: VALUE'")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--start", start,
                 "Start the gateway with this shell command; {url} is the server behind it")
      ->type_name("'COMMAND'");
  app.add_option("--wait", wait_text_, "Wait this long for the gateway to listen (default 10s)")
      ->type_name("DURATION");
  app.add_option("--renames", manner.renames,
                 "Expect tools and prompts renamed like this: github_{name} (default: detect it)")
      ->type_name("PATTERN");
  app.add_flag("--merges", manner.merges,
               "Expect the gateway to list what other servers offer, too");
  app.add_flag("--filters", manner.filters,
               "Expect the gateway to hide some of what the server lists");
  app.add_option("COMMAND", command,
                 "Start this stdio gateway, after --; {url} is the server behind it");
  add_environment(app, environment);
  declare_gateway_selection(app, selection, selection_texts_);
  add_timeout(app, texts_);
  add_common(app, common, texts_);
}

Status CheckGatewayOptions::read() {
  Result<net::Authority> at = read_authority("--listen", listen_text_);
  if (!at.ok()) return at.error();
  listen = std::move(at).value();
  if (url.empty() == command.empty()) {
    return the_error("target.gateway");
  }
  if (url.empty() && !(headers.empty() && start.empty() && wait_text_.empty())) {
    return the_error("target.only-at-a-url", "header, --start and --wait", "a gateway", "them");
  }
  if (!environment.is_default() && command.empty()) {
    return the_error("target.env-only-of-a-command");
  }
  if (!manner.renames.empty()) {
    const Result<conformance::Renaming> renaming = conformance::read_renaming(manner.renames);
    if (!renaming.ok()) return the_error("check.renames", renaming.error().message);
  }
  const Status waits = read_duration("--wait", wait_text_, wait);
  if (!waits.ok()) return waits;
  const Status selected = read_gateway_selection(selection_texts_, selection);
  if (!selected.ok()) return selected;
  return read_common(texts_, common);
}

int run_check_gateway(const CheckGatewayOptions& options, Host& host) {
  CheckedServer asked;
  asked.url = options.url;
  asked.headers = options.headers;
  asked.command = options.command;
  asked.environment = options.environment;
  Result<CheckTargets> targets = read_targets(asked, host);
  if (!targets.ok()) return host.complain(targets.error(), kExitUsage);
  return GatewayRun(options, std::move(targets).value(), host).run();
}

}  // namespace plumbline::cli
