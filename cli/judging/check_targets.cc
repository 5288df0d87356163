#include "cli/judging/check_targets.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <utility>

#include "cli/config/load_config.h"
#include "cli/connect/tokens.h"
#include "cli/options/shown_words.h"
#include "core/base/errors/errors.h"
#include "core/os/child/environment.h"

namespace plumbline::cli {

namespace {

using conformance::Transport;

constexpr Duration kStartMax = std::chrono::seconds(20);

Result<wire::HttpHeaders::Field> read_header(const std::string& option, const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, std::min(colon, text.size()));
  const auto is_token = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (colon == std::string::npos || name.empty() || !std::ranges::all_of(name, is_token)) {
    return the_error("target.header", option, name);
  }
  const std::size_t start = std::min(text.find_first_not_of(" \t", colon + 1), text.size());
  const std::string value = text.substr(start);
  const auto is_control = [](unsigned char c) { return c < ' ' || c == 0x7f; };
  if (std::ranges::any_of(value, is_control)) {
    return the_error("target.header-value", option, name);
  }
  return wire::HttpHeaders::Field{name, value};
}

// read_headers takes those that `option` was given with; `words` is what a report shows of it.
Status read_headers(const std::string& option, const std::vector<std::string>& texts,
                    std::vector<std::string>& words, wire::HttpHeaders& headers) {
  for (const std::string& text : texts) {
    Result<wire::HttpHeaders::Field> header = read_header(option, text);
    if (!header.ok()) return std::move(header).error();
    auto& [name, value] = header.value();
    words.push_back(option);
    words.push_back(name + ": " + value);
    headers.set(name, std::move(value));
  }
  return Done{};
}

Transport transport_of(mcp::Transport transport) {
  switch (transport) {
    case mcp::Transport::kStdio:
      return Transport::kStdio;
    case mcp::Transport::kStreamableHttp:
      return Transport::kHttp;
    case mcp::Transport::kSse:
      return Transport::kSse;
    case mcp::Transport::kWebSocket:
      return Transport::kWebSocket;
  }
  return Transport::kHttp;
}

Transport transport_of(const wire::Url& url) {
  return url.scheme.starts_with("ws") ? Transport::kWebSocket : Transport::kHttp;
}

Result<CheckTargets> read_url(const CheckedServer& asked, Host& host) {
  CheckTargets read;
  CheckTarget& target = read.targets.emplace_back();
  read.secrets.add_words({asked.url});
  host.secrets().add_all(read.secrets);
  Result<wire::Url> url = wire::parse_url(asked.url);
  if (!url.ok()) return the_error("target.bad-url", asked.url, url.error().message);
  target.subject.url = std::move(url).value();
  target.subject.tls.ca_file = asked.ca_file;
  target.subject.tls.verify = !asked.insecure;
  target.subject.transport = transport_of(target.subject.url);
  target.finds_out = target.subject.transport == Transport::kHttp;
  std::vector<std::string> words;
  if (!asked.ca_file.empty()) words.insert(words.end(), {"--ca-file", asked.ca_file});
  if (asked.insecure) words.emplace_back("--insecure");
  const Status first = read_headers("--header", asked.headers, words, target.subject.headers);
  if (!first.ok()) return first.error();
  const Status second =
      read_headers("--second-header", asked.second_headers, words, target.subject.second_headers);
  if (!second.ok()) return second.error();
  const Status foreign = read_headers("--foreign-header", asked.foreign_headers, words,
                                      target.subject.foreign_headers);
  if (!foreign.ok()) return foreign.error();
  if (!asked.start.empty()) {
    words.insert(words.end(), {"--start", asked.start});
    target.subject.start = shell_command(asked.start);
  }
  words.insert(words.end(), {"--url", asked.url});
  read.secrets.add_words(words);
  target.shown = shown_words(words);
  target.wait = asked.wait == Duration{} && !asked.start.empty() ? kStartMax : asked.wait;
  return read;
}

Result<CheckTargets> read_command(const CheckedServer& asked) {
  CheckTargets read;
  CheckTarget& target = read.targets.emplace_back();
  Result<std::map<std::string, std::string>> variables = variables_of(asked.environment);
  if (!variables.ok()) return std::move(variables).error();
  target.subject.command.argv = asked.command;
  target.subject.command.env = std::move(variables).value();
  std::vector<std::string> words = words_of(asked.environment);
  words.insert(words.end(), {"--stdio", "--"});
  words.insert(words.end(), asked.command.begin(), asked.command.end());
  read.secrets.add_words(words);
  target.shown = shown_words(words);
  return read;
}

CheckTarget remote_target(const transport::HttpEndpoint& remote) {
  CheckTarget target;
  target.subject.url = remote.url;
  target.subject.headers = remote.headers;
  target.subject.tls = remote.tls;
  target.subject.transport =
      remote.transport ? transport_of(*remote.transport) : transport_of(remote.url);
  target.finds_out = target.subject.transport == Transport::kHttp && !remote.transport;
  return target;
}

// shown_target returns the words that name one server of the file. A secret input is shown as a
// variable.
std::string shown_target(const CheckedServer& asked, const std::string& name,
                         const Secrets& secrets) {
  std::string shown = shown_words({"--config", asked.config, "--server", name});
  for (const std::string& input : asked.inputs) {
    const std::size_t value = input.find('=') + 1;
    const bool secret = secrets.redactor().finds_secret(input.substr(value));
    shown += " --input " + (secret ? input.substr(0, value) + "..." : shown_words({input}));
  }
  return shown;
}

Result<CheckTargets> read_config(const CheckedServer& asked, Host& host) {
  Result<Config> config = load_config({asked.config, asked.servers, asked.inputs}, host);
  if (!config.ok()) return std::move(config).error();
  const Status kept = keep_servers(config.value(), asked.servers);
  if (!kept.ok()) return kept.error();
  CheckTargets read;
  read.secrets = secrets_of(config.value());
  for (const std::string& name : config.value().servers) {
    const auto command = config.value().commands.find(name);
    CheckTarget target;
    if (command != config.value().commands.end()) {
      target.subject.command = command->second;
    } else {
      target = remote_target(config.value().remotes.at(name));
    }
    target.name = name;
    target.shown = shown_target(asked, name, read.secrets);
    read.targets.push_back(std::move(target));
  }
  if (read.targets.empty()) return the_error("config.no-server", asked.config);
  return read;
}

// show_token has a server at a URL be shown the token that this user has for it, unless the command
// line shows something else. It becomes one of the secrets.
void show_token(conformance::SubjectSpec& subject, Secrets& secrets, Host& host) {
  const bool shown = subject.headers.count("Authorization") > 0;
  if (subject.transport == Transport::kStdio || shown) return;
  auto [header, value] = stored_token(subject.url, subject.tls, host);
  const bool wanted = !header.empty() && subject.headers.count(header) == 0;
  if (!wanted) return;
  secrets.add_words({header + ": " + value});
  secrets.add(value.substr(value.rfind(' ') + 1));
  subject.headers.set(header, std::move(value));
}

}  // namespace

void add_complaint(Error& complaint, const std::string& name, const Error& why) {
  if (complaint.message.empty()) {
    complaint = why;
    complaint.message.clear();
  } else {
    complaint.message += "; ";
  }
  complaint.message += (name.empty() ? "the server" : name) + ": " + why.message;
}

net::Command shell_command(const std::string& text) {
  net::Command command({"/bin/sh", "-c", text});
  command.env = os::whole_environment();
  return command;
}

Result<CheckTargets> read_targets(const CheckedServer& asked, Host& host) {
  host.hide_environment();
  Result<CheckTargets> read = !asked.config.empty()    ? read_config(asked, host)
                              : !asked.command.empty() ? read_command(asked)
                                                       : read_url(asked, host);
  if (!read.ok()) return read;
  for (CheckTarget& target : read.value().targets) {
    show_token(target.subject, read.value().secrets, host);
  }
  host.secrets().add_all(read.value().secrets);
  for (const std::string& note : asked.notes) host.tell_line("note: " + note);
  return read;
}

}  // namespace plumbline::cli
