#include "cli/commands/report/view.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/report/read.h"
#include "cli/options/authority.h"
#include "cli/options/usage.h"
#include "core/base/errors/errors.h"
#include "core/base/limits.h"
#include "core/net/http_access.h"
#include "core/net/http_server.h"
#include "core/os/files/mapped_file.h"
#include "core/os/interrupt.h"
#include "core/service/page_service.h"
#include "core/service/router.h"
#include "reports/compare/comparison.h"
#include "reports/page_files.h"
#include "reports/read_report.h"
#include "reports/writer.h"
#include "scenarios/record/recording_index.h"
#include "scenarios/record/recording_pairs.h"

namespace plumbline::cli {

namespace {

using service::Page;

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kJson = "application/json";

std::string text_in(const std::string& target, std::string_view name) {
  return service::query_value(target, name).value_or("");
}

std::size_t number_in(const std::string& target, std::string_view name) {
  return number_of<std::size_t>(text_in(target, name)).value_or(0);
}

// RecordingPages answers what the page of a recording asks for.
class RecordingPages {
 public:
  RecordingPages(std::string name, std::string_view text)
      : name_(std::move(name)), bytes_(text.size()), index_(text) {}

  std::optional<Page> page(const std::string& target) {
    const std::string_view path = std::string_view(target).substr(0, target.find('?'));
    if (path == "/") return part("recording.html", kHtml);
    if (path == "/recording.css") return part("recording.css", "text/css");
    for (const std::string_view script : {"/dom.js", "/keys.js", "/recording.js"}) {
      if (path == script) return part(script.substr(1), "text/javascript");
    }
    if (path == "/about") return about();
    if (path == "/search") return search(target);
    if (path == "/pairs") {
      return Page{kJson, pairs_.page(number_in(target, "first"), number_in(target, "count"))};
    }
    if (path != "/lines") return std::nullopt;
    return Page{kJson, index_.page(number_in(target, "first"), number_in(target, "count"))};
  }

 private:
  static Page part(std::string_view name, const char* type) {
    return Page{type, std::string(embedded_text(reports::page_files(), name))};
  }

  Page about() const {
    Json about = Json::object();
    about["name"] = name_;
    about["lines"] = index_.lines();
    about["bytes"] = bytes_;
    return {kJson, dump_json(about)};
  }

  Page search(const std::string& target) const {
    using scenarios::Side;
    std::optional<Side> to;
    const std::string side = text_in(target, "to");
    if (side == "server") to = Side::kServer;
    if (side == "client") to = Side::kClient;
    const auto found = index_.search(text_in(target, "words"), to, number_in(target, "first"));
    Json hits = Json::object();
    hits["lines"] = found.lines;
    hits["next"] = found.next;
    return {kJson, dump_json(hits)};
  }

  std::string name_;
  std::size_t bytes_;
  scenarios::RecordingIndex index_;
  scenarios::RecordingPairs pairs_{index_};
};

// is_recording returns whether the first line is the head of one.
bool is_recording(std::string_view text) {
  const Result<Json> head = parse_json(text.substr(0, text.find('\n')));
  return head.ok() && find(head.value(), "recording") != nullptr;
}

// show serves `pages` until a signal.
int show(const ReportViewOptions& options, std::string policy, service::PageService::Pages pages,
         Host& host) {
  os::RealLoop& loop = host.world().loop();
  service::PageService service(std::move(policy), std::move(pages));
  net::HttpAccess access = net::HttpAccess::at(options.listen.host);
  access.pages = true;
  net::HttpServer server(loop, service, std::move(access));
  const auto listener = host.world().network().listen(
      options.listen, std::nullopt, [&server](auto pipe) { server.accept(std::move(pipe)); });
  if (!listener.ok()) return host.complain(listener.error(), kExitUsage);
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  const net::Authority at{options.listen.host, listener.value()->port()};
  host.out("http://" + net::describe(at) + "/\n");
  loop.run_until([] { return false; });
  return kExitOk;
}

int show_recording(const ReportViewOptions& options, std::string_view text, Host& host) {
  const std::string name = options.file.substr(options.file.rfind('/') + 1);
  RecordingPages pages(name, text);
  return show(
      options,
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
      "base-uri 'none'; form-action 'none'",
      [&pages](const std::string& target) { return pages.page(target); }, host);
}

// page_of_report returns the page of FILE, which holds `text`, and of what it is compared with.
Result<std::string> page_of_report(const ReportViewOptions& options, std::string_view text,
                                   Host& host) {
  const Result<Report> report = reports::read_report(text);
  if (!report.ok()) {
    return the_error("file.neither", options.file, report.error().message);
  }
  if (options.before.empty()) return reports::write_html(report.value());
  const Result<Report> before = read_report_file(host, options.before);
  if (!before.ok()) return before.error();
  const Status comparable = reports::comparable(before.value(), report.value());
  if (!comparable.ok()) return comparable.error();
  return reports::write_compared_html(before.value(), report.value());
}

}  // namespace

void ReportViewOptions::declare(CLI::App& app) {
  app.add_option("FILE", file, "A JSON report, or a recording made by `record`")->required();
  app.add_option("--before", before, "Show the differences from this earlier report")
      ->type_name("FILE");
  app.add_option("--listen", listen_, "Listen here (default 127.0.0.1:0, a free port)")
      ->type_name("HOST:PORT");
}

Status ReportViewOptions::read() {
  if (listen_.empty()) return Done{};
  Result<net::Authority> at = read_authority("--listen", listen_);
  if (!at.ok()) return at.error();
  if (std::ranges::count(net::HttpAccess{}.hosts, at.value().host) == 0) {
    return the_error("serve.loopback", listen_);
  }
  listen = std::move(at).value();
  return Done{};
}

int run_report_view(const ReportViewOptions& options, Host& host) {
  const Result<os::MappedFile> file = os::MappedFile::open(options.file);
  if (!file.ok()) return host.complain(file.error(), kExitUsage);
  const std::string_view text = file.value().text();
  if (is_recording(text)) {
    if (options.before.empty()) return show_recording(options, text, host);
    return host.complain(the_error("report.before", options.file), kExitUsage);
  }
  const Result<std::string> page = page_of_report(options, text, host);
  if (!page.ok()) return host.complain(page.error(), kExitUsage);
  if (page.value().size() > limits::kWriteQueueBytesMax) {
    return host.complain(the_error("file.too-long-a-page", options.file), kExitUsage);
  }
  // The page has a policy of its own, which names its script.
  return show(
      options, "frame-ancestors 'none'",
      [&page](const std::string& target) -> std::optional<Page> {
        if (target != "/") return std::nullopt;
        return Page{kHtml, page.value()};
      },
      host);
}

}  // namespace plumbline::cli
