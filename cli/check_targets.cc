#include "cli/check_targets.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "cli/config.h"

namespace plumbline::cli {

namespace {

using conformance::Transport;

Error bad_target(std::string message) {
  return Error{ErrorCode::kInvalidInput, std::move(message)};
}

Result<wire::HttpHeaders::Field> read_header(const std::string& option, const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, std::min(colon, text.size()));
  const auto is_token = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (colon == std::string::npos || name.empty() || !std::ranges::all_of(name, is_token)) {
    return bad_target(option + " " + name + ": expected 'Name: value'");
  }
  const std::size_t start = std::min(text.find_first_not_of(" \t", colon + 1), text.size());
  const std::string value = text.substr(start);
  const auto is_control = [](unsigned char c) { return c < ' ' || c == 0x7f; };
  if (std::ranges::any_of(value, is_control)) {
    return bad_target(option + " " + name + ": its value has a control character");
  }
  return wire::HttpHeaders::Field{name, value};
}

// read_headers takes those that `option` was given with. `shown` is what a report shows of it.
Status read_headers(const std::string& option, const std::vector<std::string>& texts,
                    Redactor& redactor, std::string& shown, wire::HttpHeaders& headers) {
  for (const std::string& text : texts) {
    Result<wire::HttpHeaders::Field> header = read_header(option, text);
    if (!header.ok()) return std::move(header).error();
    auto& [name, value] = header.value();
    const bool secret = names_credential(name);
    redactor.add_named(name, value);
    shown += option + " " + quoted(name + ": " + (secret ? "..." : value)) + " ";
    headers.set(name, std::move(value));
  }
  return Done{};
}

Transport transport_of(const wire::Url& url) {
  return url.scheme.starts_with("ws") ? Transport::kWebSocket : Transport::kHttp;
}

Result<CheckTarget> read_url(const CheckedServer& asked, Redactor& redactor) {
  CheckTarget target;
  Result<wire::Url> url = wire::parse_url(asked.url);
  if (!url.ok()) return bad_target("--url " + asked.url + ": " + url.error().message);
  target.subject.url = std::move(url).value();
  target.subject.transport = transport_of(target.subject.url);
  target.finds_out = target.subject.transport == Transport::kHttp;
  const Status first =
      read_headers("--header", asked.headers, redactor, target.shown, target.subject.headers);
  if (!first.ok()) return first.error();
  const Status second = read_headers("--second-header", asked.second_headers, redactor,
                                     target.shown, target.subject.second_headers);
  if (!second.ok()) return second.error();
  target.shown += "--url " + quoted(redactor.redact(asked.url));
  return target;
}

CheckTarget command_target(const std::vector<std::string>& argv) {
  CheckTarget target;
  target.subject.command.argv = argv;
  target.shown = "--stdio --";
  for (const std::string& word : argv) target.shown += " " + quoted(word);
  return target;
}

CheckTarget remote_target(const transport::HttpEndpoint& remote) {
  CheckTarget target;
  target.subject.url = remote.url;
  target.subject.headers = remote.headers;
  target.subject.tls = remote.tls;
  target.subject.transport = transport_of(remote.url);
  if (remote.kind == transport::HttpKind::kSse) target.subject.transport = Transport::kSse;
  if (remote.kind == transport::HttpKind::kWebSocket) {
    target.subject.transport = Transport::kWebSocket;
  }
  target.finds_out =
      target.subject.transport == Transport::kHttp && remote.kind == transport::HttpKind::kAuto;
  return target;
}

Result<CheckTargets> read_config(const CheckedServer& asked, Host& host) {
  Result<std::string> text = host.files().read_file(asked.config);
  if (!text.ok()) return std::move(text).error();
  Result<Config> config = parse_config(text.value(), asked.config);
  if (!config.ok()) return std::move(config).error();
  const Status kept = keep_servers(config.value(), asked.servers);
  if (!kept.ok()) return kept.error();
  CheckTargets read;
  read.redactor = redactor_of(config.value());
  for (const std::string& name : config.value().servers) {
    const auto command = config.value().commands.find(name);
    CheckTarget target;
    if (command != config.value().commands.end()) {
      target.subject.command = command->second;
    } else {
      target = remote_target(config.value().remotes.at(name));
    }
    target.name = name;
    target.shown = "--config " + quoted(asked.config) + " --server " + quoted(name);
    read.targets.push_back(std::move(target));
  }
  if (read.targets.empty()) return bad_target(asked.config + ": expected at least one server");
  return read;
}

}  // namespace

std::string quoted(const std::string& word) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("@%+=:,./-_").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

Result<CheckTargets> read_targets(const CheckedServer& asked, Host& host) {
  if (!asked.config.empty()) return read_config(asked, host);
  CheckTargets read;
  if (!asked.command.empty()) {
    read.targets.push_back(command_target(asked.command));
    return read;
  }
  Result<CheckTarget> target = read_url(asked, read.redactor);
  if (!target.ok()) return std::move(target).error();
  read.targets.push_back(std::move(target).value());
  return read;
}

}  // namespace plumbline::cli
