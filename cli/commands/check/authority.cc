#include "cli/commands/check/authority.h"

#include <chrono>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/choice.h"
#include "cli/options/secrets.h"
#include "cli/options/shown_words.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "conformance/judge/authority.h"
#include "core/base/errors/errors.h"
#include "core/os/interrupt.h"
#include "core/os/wall_clock.h"
#include "reports/answers/judged.h"

namespace plumbline::cli {

namespace {

// words_naming returns the options that name the server and its client, as they were given.
std::vector<std::string> words_naming(const CheckAuthOptions& options) {
  std::vector<std::string> words;
  if (!options.client_id.empty()) words = {"--client-id", options.client_id};
  if (options.consent != "nobody") words.insert(words.end(), {"--consent", options.consent});
  if (!options.redirect_uri.empty()) {
    words.insert(words.end(), {"--redirect-uri", options.redirect_uri});
  }
  words.insert(words.end(), {"--url", options.url});
  return words;
}

}  // namespace

void CheckAuthOptions::declare(CLI::App& app) {
  app.add_option("--url", url,
                 "Check this issuer; or give its metadata URL, or an MCP server that names it")
      ->required()
      ->type_name("URL");
  app.add_option("--client-id", client_id,
                 "Use this registered public client (default: register one)")
      ->type_name("ID");
  app.add_option("--redirect-uri", redirect_uri, "Use this redirect URI of the client")
      ->type_name("URI");
  app.add_option(
         "--consent", consent,
         "Answer its sign-in and consent pages: nobody (default), or auto, which fills them in")
      ->type_name("WHO")
      ->transform(one_of({"nobody", "auto"}));
  app.add_option("--only", selection_texts_.only,
                 "Run only these checks: ids, areas, or patterns such as 'tools.*'")
      ->type_name("ID,...")
      ->join(',');
  app.add_option("--skip", selection_texts_.skip, "Leave out these checks: ids, areas or patterns")
      ->type_name("ID,...")
      ->join(',');
  add_timeout(app, texts_);
  add_common(app, common, texts_);
}

Status CheckAuthOptions::read() {
  const Result<wire::Url> at = wire::parse_url(url);
  if (!at.ok()) return the_error("target.bad-url", url, at.error().message);
  if (!at.value().scheme.starts_with("http")) {
    return behind("--url " + url + ": ", the_error("config.scheme"));
  }
  if (client_id.empty() != redirect_uri.empty()) {
    return the_error("check.client-id");
  }
  const Status selected = read_selection(selection_texts_, selection);
  if (!selected.ok()) return selected;
  return read_common(texts_, common);
}

int run_check_auth(const CheckAuthOptions& options, Host& host) {
  Secrets secrets;
  secrets.add_words(words_naming(options));
  host.secrets().add_all(secrets);
  const std::string shown = shown_words(words_naming(options));
  os::RealLoop& loop = host.world().loop();
  net::HttpClient http(loop, host.world().network());
  conformance::WireLog log(secrets.redactor(), loop.now());
  conformance::AuthorityJudgeOptions judging;
  judging.url = options.url;
  judging.client_id = options.client_id;
  judging.redirect_uri = options.redirect_uri;
  if (options.consent == "auto") judging.consent = conformance::Consent::kAuto;
  judging.selection = options.selection.rules;
  if (options.common.timeout != Duration{}) judging.patience = options.common.timeout;
  judging.reproduce = [&shown](const std::string& id, const std::string&) {
    return "plumbline check auth --only " + id + " " + shown;
  };
  conformance::AuthorityJudge judge(http, log, std::move(judging));
  Report report;
  report.version = kVersion;
  report.command = "check auth";
  report.target = Json(Json::value_t::object);
  report.target["target"] = shown;
  report.started = os::wall_clock_rfc3339();
  const Instant begin = loop.now();
  bool interrupted = false;
  const os::Interrupt interrupt(loop, [&interrupted](int) { interrupted = true; });
  Task<void> work = judge.judge();
  work.start();
  loop.run_until([&] { return work.done() || interrupted; });
  report.results = judge.results();
  if (!judge.issuer().empty()) {
    reports::add_judged(report.target, {"", judge.issuer(), "", "", "http", {}});
  }
  for (const std::string& secret : judge.given()) host.secrets().add(secret);
  report.duration_ms = static_cast<double>((loop.now() - begin).count()) / 1e6;
  if (report.results.empty() && !interrupted) {
    return host.complain(the_error("check.no-authorization-server", judge.unreachable()),
                         kExitUnreachable);
  }
  const int status = publish(host, options.common, report);
  return interrupted ? kExitInterrupted : status;
}

}  // namespace plumbline::cli
