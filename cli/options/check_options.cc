#include "cli/options/check_options.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "conformance/catalogue/requirement.h"

namespace plumbline::cli {

namespace {

Error wrong(std::string message) { return Error{ErrorCode::kInvalidInput, std::move(message)}; }

// read_ids takes "a,b" apart.
Status read_ids(std::string_view option, std::string_view text, std::vector<std::string>& ids) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view id = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool known = std::ranges::any_of(
        conformance::requirements(), [&](const auto& requirement) { return requirement.id == id; });
    if (!known) {
      return wrong(std::string(option) + " " + std::string(id) +
                   ": no check has this id; plumbline list checks shows them");
    }
    ids.emplace_back(id);
  }
  return Done{};
}

}  // namespace

void declare_selection(CLI::App& app, CheckSelection& selection, CheckTexts& texts) {
  std::vector<std::string> revisions = {"auto", "all"};
  for (const std::string_view revision : conformance::kRevisions) revisions.emplace_back(revision);
  app.add_option("--revision", selection.revision,
                 "auto: all it answers to, older ones by what only they say; all: all in full")
      ->check(CLI::IsMember(revisions))
      ->type_name("R|all|auto");
  app.add_option("--level", texts.level, "How strong a rule has to be: must, should or all")
      ->check(CLI::IsMember({"must", "should", "all"}))
      ->type_name("LEVEL");
  app.add_option("--only", texts.only, "Only these checks")->type_name("ID,...");
  app.add_option("--skip", texts.skip, "All but these checks")->type_name("ID,...");
  app.add_option("--concurrency", selection.concurrency,
                 "Checks at a time (default 32; of clients, runs: two more than there are cores)")
      ->check(CLI::Range(1, 64))
      ->type_name("N");
}

void declare_check_server(CLI::App& app, CheckServerOptions& options, CheckTexts& texts,
                          CommonTexts& common) {
  CheckedServer& target = options.target;
  app.add_option("--url", target.url, "A server at a URL: http, https, ws or wss")
      ->type_name("URL");
  app.add_option("--header", target.headers, "Sent with every request; repeatable")
      ->type_name("'NAME: VALUE'")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--second-header", target.second_headers,
                 "Sent in place of --header by another user, to whom nothing may be shown that the "
                 "first one makes; repeatable")
      ->type_name("'NAME: VALUE'")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_flag("--stdio", texts.stdio, "A server that is started: -- COMMAND ARGS... at the end");
  app.add_option("COMMAND", target.command, "With its arguments, behind --");
  add_environment(app, target.environment);
  app.add_option("--config", target.config, "The mcpServers file of desktop clients")
      ->type_name("FILE");
  app.add_option("--server", target.servers, "Only this server of the file; repeatable")
      ->type_name("NAME")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  declare_selection(app, options.selection, texts);
  app.add_flag("--allow-writes", options.allow_writes,
               "Call tools, too, that do not say they are read-only");
  add_timeout(app, common);
  add_common(app, options.common, common);
}

void declare_check_gateway(CLI::App& app, CheckGatewayOptions& options, CheckTexts& texts,
                           CommonTexts& common) {
  app.add_option("--listen", texts.listen, "Where our server stands, behind the gateway")
      ->required()
      ->type_name("HOST:PORT");
  app.add_option("--url", options.url, "Where our clients go, before it")
      ->required()
      ->type_name("URL");
  app.add_option("--header", options.headers, "Sent with every request; repeatable")
      ->type_name("'NAME: VALUE'")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  add_timeout(app, common);
  add_common(app, options.common, common);
}

void declare_check_client(CLI::App& app, CheckClientOptions& options, CheckTexts& texts,
                          CommonTexts& common) {
  options.selection.concurrency = 0;
  app.add_option("COMMAND", options.command,
                 "The client, with its arguments, behind --; docs/porting-a-client.md")
      ->required();
  add_environment(app, options.environment);
  app.add_option("--transport", options.transport, "How it is to reach its server (default http)")
      ->check(CLI::IsMember({"http", "stdio"}))
      ->type_name("http|stdio");
  declare_selection(app, options.selection, texts);
  add_timeout(app, common);
  add_common(app, options.common, common);
}

Status read_check_client(const CheckTexts& texts, CheckClientOptions& options) {
  return read_selection(texts, options.selection);
}

Status read_selection(const CheckTexts& texts, CheckSelection& selection) {
  using conformance::Levels;
  selection.rules.levels = texts.level == "must"     ? Levels::kMust
                           : texts.level == "should" ? Levels::kShould
                                                     : Levels::kAll;
  const Status only = read_ids("--only", texts.only, selection.rules.only);
  if (!only.ok()) return only;
  return read_ids("--skip", texts.skip, selection.rules.skip);
}

Status read_check_server(const CheckTexts& texts, CheckServerOptions& options) {
  const CheckedServer& target = options.target;
  const int ways =
      (target.url.empty() ? 0 : 1) + (texts.stdio ? 1 : 0) + (target.config.empty() ? 0 : 1);
  if (ways != 1) {
    return wrong("check server: expected one of --url URL, --stdio -- COMMAND and --config FILE");
  }
  if (texts.stdio == target.command.empty()) {
    return wrong("check server: expected --stdio together with -- COMMAND ARGS...");
  }
  if (!(target.headers.empty() && target.second_headers.empty()) && target.url.empty()) {
    return wrong("--header: only a server at a --url gets headers");
  }
  if (!target.environment.is_default() && !texts.stdio) {
    return wrong("--env: only a COMMAND of the command line gets variables");
  }
  if (!target.servers.empty() && target.config.empty()) {
    return wrong("--server: expected --config as well");
  }
  return read_selection(texts, options.selection);
}

}  // namespace plumbline::cli
