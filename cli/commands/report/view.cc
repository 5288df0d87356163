#include "cli/commands/report/view.h"

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/authority.h"
#include "cli/options/usage.h"
#include "core/os/interrupt.h"
#include "core/os/page/mapped_file.h"
#include "core/os/page/page_server.h"
#include "reports/page_files.h"
#include "reports/read_report.h"
#include "reports/writer.h"
#include "scenarios/record/recording_index.h"

namespace plumbline::cli {

namespace {

using Query = std::map<std::string, std::string>;

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kJson = "application/json";

std::string text_in(const Query& query, const std::string& name) {
  const auto found = query.find(name);
  return found == query.end() ? "" : found->second;
}

std::size_t number_in(const Query& query, const std::string& name) {
  return number_of<std::size_t>(text_in(query, name)).value_or(0);
}

// RecordingPages answers what the page of a recording asks for.
class RecordingPages {
 public:
  RecordingPages(std::string name, std::string_view text)
      : name_(std::move(name)), bytes_(text.size()), index_(text) {}

  std::optional<os::Page> page(const std::string& path, const Query& query) const {
    if (path == "/") return part("recording.html", kHtml);
    if (path == "/recording.css") return part("recording.css", "text/css");
    if (path == "/recording.js") return part("recording.js", "text/javascript");
    if (path == "/about") return about();
    if (path == "/search") return search(query);
    if (path != "/lines") return std::nullopt;
    return os::Page{kJson, index_.page(number_in(query, "first"), number_in(query, "count"))};
  }

 private:
  static std::optional<os::Page> part(std::string_view name, const char* type) {
    for (const EmbeddedFile& file : reports::page_files()) {
      if (file.path.ends_with(name)) return os::Page{type, std::string(file.text)};
    }
    return std::nullopt;
  }

  os::Page about() const {
    Json about = Json::object();
    about["name"] = name_;
    about["lines"] = index_.lines();
    about["bytes"] = bytes_;
    return {kJson, dump_json(about)};
  }

  os::Page search(const Query& query) const {
    using scenarios::Side;
    std::optional<Side> to;
    const std::string side = text_in(query, "to");
    if (side == "server") to = Side::kServer;
    if (side == "client") to = Side::kClient;
    const auto found = index_.search(text_in(query, "words"), to, number_in(query, "first"));
    Json hits = Json::object();
    hits["lines"] = found.lines;
    hits["next"] = found.next;
    return {kJson, dump_json(hits)};
  }

  std::string name_;
  std::size_t bytes_;
  scenarios::RecordingIndex index_;
};

// is_recording returns whether the first line is the head of one.
bool is_recording(std::string_view text) {
  const Result<Json> head = parse_json(text.substr(0, text.find('\n')));
  return head.ok() && find(head.value(), "recording") != nullptr;
}

// show serves `pages` until a signal.
int show(const ReportViewOptions& options, const std::string& policy, os::PageServer::Pages pages,
         Host& host) {
  const Result<std::unique_ptr<os::PageServer>> server =
      os::PageServer::listen(options.listen.host, options.listen.port, policy, std::move(pages));
  if (!server.ok()) return host.complain(server.error().message, kExitUsage);
  os::RealLoop& loop = host.world().loop();
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  host.out(server.value()->url() + "\n");
  loop.run_until([] { return false; });
  return kExitOk;
}

int show_recording(const ReportViewOptions& options, std::string_view text, Host& host) {
  const std::string name = options.file.substr(options.file.rfind('/') + 1);
  const RecordingPages pages(name, text);
  return show(
      options,
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
      "base-uri 'none'; form-action 'none'",
      [&pages](const std::string& path, const Query& query) { return pages.page(path, query); },
      host);
}

}  // namespace

void ReportViewOptions::declare(CLI::App& app) {
  app.add_option("FILE", file, "A JSON report, or what `record` has written")->required();
  app.add_option("--listen", listen_, "Where, on this machine (default 127.0.0.1:0, a free port)")
      ->type_name("HOST:PORT");
}

Status ReportViewOptions::read() {
  if (listen_.empty()) return Done{};
  Result<net::Authority> at = read_authority("--listen", listen_);
  if (!at.ok()) return at.error();
  listen = std::move(at).value();
  return Done{};
}

int run_report_view(const ReportViewOptions& options, Host& host) {
  const Result<os::MappedFile> file = os::MappedFile::open(options.file);
  if (!file.ok()) return host.complain(file.error().message, kExitUsage);
  const std::string_view text = file.value().text();
  if (is_recording(text)) return show_recording(options, text, host);
  const Result<Report> report = reports::read_report(text);
  if (!report.ok()) {
    return host.complain(
        options.file + ": neither a recording nor a report: " + report.error().message, kExitUsage);
  }
  const std::string page = reports::write_html(report.value());
  // The page has a policy of its own, which names its script.
  return show(
      options, "frame-ancestors 'none'",
      [&page](const std::string& path, const Query&) -> std::optional<os::Page> {
        if (path != "/") return std::nullopt;
        return os::Page{kHtml, page};
      },
      host);
}

}  // namespace plumbline::cli
