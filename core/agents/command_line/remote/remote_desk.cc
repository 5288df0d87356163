#include "core/agents/command_line/remote/remote_desk.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <span>
#include <utility>

#include "core/agents/command_line/rules/disguises.h"
#include "core/agents/command_line/rules/words.h"

namespace plumbline::agents::command_line {

namespace {

constexpr std::size_t kHostBytesMax = 253;

Error no_target(const std::string& text) {
  return {ErrorCode::kInvalidInput,
          "\"" + text + "\" is no remote host, expected user@host:port or host"};
}

// is_host returns whether `host` may be one, and cannot be taken for an option.
bool is_host(const std::string& host) {
  return !host.empty() && host.size() <= kHostBytesMax && host.front() != '-' &&
         host.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
             "._-:") == std::string::npos;
}

// ended_as says what the end of a remote command means.
void ended_as(const net::RemoteEnd& end, CommandResult& result) {
  result.out = end.out;
  result.err = end.err;
  result.truncated = end.truncated;
  result.return_code = end.return_code;
  if (end.unknown) {
    result.outcome_unknown = true;
    const bool late = end.unknown->code == ErrorCode::kDeadlineExceeded;
    result.status = late ? CommandStatus::kTimeout : CommandStatus::kError;
    result.error = end.unknown->message + "; it is not known how the command ended";
  } else if (end.return_code == 0) {
    result.status = CommandStatus::kSuccess;
  } else {
    result.error = end.return_code ? "it ended with exit code " + std::to_string(*end.return_code)
                                   : "it was ended by a signal";
  }
}

}  // namespace

Result<RemoteTarget> parse_target(const std::string& text) {
  RemoteTarget target;
  std::string rest = text;
  if (const std::size_t at = rest.rfind('@'); at != std::string::npos) {
    target.user = rest.substr(0, at);
    rest.erase(0, at + 1);
    if (target.user.empty() || target.user.front() == '-') return no_target(text);
  }
  std::string port;
  if (rest.starts_with('[')) {
    const std::size_t close = rest.find(']');
    if (close == std::string::npos) return no_target(text);
    port = rest.substr(close + 1);
    if (!port.empty() && port.front() != ':') return no_target(text);
    if (port == ":") return no_target(text);
    if (!port.empty()) port.erase(0, 1);
    rest = rest.substr(1, close - 1);
  } else if (std::ranges::count(rest, ':') == 1) {
    port = rest.substr(rest.find(':') + 1);
    rest.resize(rest.find(':'));
    if (port.empty()) return no_target(text);
  }
  if (!port.empty()) {
    const char* const end = port.data() + port.size();
    const auto [stopped, failed] = std::from_chars(port.data(), end, target.port);
    if (failed != std::errc() || stopped != end) return no_target(text);
    if (target.port < 1 || target.port > 65'535) return no_target(text);
  }
  if (!is_host(rest)) return no_target(text);
  target.host = std::move(rest);
  return target;
}

std::string quoted_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

approvals::Action remote_action(std::string name, std::string sign_in, std::string line,
                                std::string who) {
  approvals::Action out;
  out.type = "command";
  out.name = line.substr(0, line.find(' '));
  out.line = std::move(line);
  out.host = std::move(name);
  out.sign_in = std::move(sign_in);
  out.user = std::move(who);
  return out;
}

std::string place_of(const net::RemoteAccess& access) {
  const bool v6 = access.host.find(':') != std::string::npos && access.port != 0;
  std::string out = access.user.empty() ? "" : access.user + "@";
  out += v6 ? "[" + access.host + "]" : access.host;
  if (access.port != 0) out += ":" + std::to_string(access.port);
  if (!access.password.empty()) return out;
  return out + (access.key_path.empty() ? "" : ", with the key " + access.key_path);
}

RemotePolicy::RemotePolicy(RemoteRules rules)
    : rules_(std::move(rules)),
      dangers_(local_dangers(), {}),
      remote_dangers_(remote_dangers(), {}),
      blocked_({}, rules_.blocked) {}

Result<std::string, Refusal> RemotePolicy::permit(const std::string& line) const {
  if (!rules_.enabled) return Refusal{"disabled", "no commands are run on other machines"};
  const Result<std::vector<std::string>> words = split_words(line);
  std::string plain;
  if (words.ok()) {
    for (const std::string& word : words.value()) plain += (plain.empty() ? "" : " ") + word;
  }
  for (const std::string& text : {line, plain}) {
    for (const Patterns* const patterns : {&dangers_, &remote_dangers_}) {
      if (const auto why = patterns->find(text)) return Refusal{"pattern", *why};
    }
    if (const auto why = blocked_.find(text)) return Refusal{"blocklist", *why};
  }
  if (!words.ok()) return Refusal{"syntax", words.error().message};
  const std::string& program = words.value().front();
  if (std::ranges::find(rules_.programs, program) == rules_.programs.end()) {
    return Refusal{"program", "\"" + program + "\" is not among the programs that may run there"};
  }
  const auto behind = std::span<const std::string>(words.value()).subspan(1);
  const auto found = find_disguise(disguise_table(), {program}, behind);
  if (found && found->shell) return Refusal{"shell", found->why + ", and there is none there"};
  return quoted_line(words.value());
}

CommandResult RemoteDesk::blocked(const std::string& name, const std::string& line,
                                  const Refusal& refusal, const std::string& who) {
  CommandResult result;
  result.command = line;
  result.status = CommandStatus::kBlocked;
  result.error = "Command blocked for security: " + refusal.why;
  if (audit_ == nullptr) return result;
  const Decision decision = refusal.rule == "person" ? Decision::kRefused : Decision::kBlocked;
  const auto written = audit_->decided({who, line, "", name, "", decision, refusal.why});
  if (!written.ok())
    result.error += "; the audit log cannot be written: " + written.error().message;
  return result;
}

Task<CommandResult> RemoteDesk::run(net::RemoteHost& host, approvals::Action action,
                                    std::string approved, Duration timeout,
                                    std::size_t output_bytes_max) {
  Result<std::string, Refusal> permit = policy_.permit(action.line);
  if (permit.ok() && approved.empty()) permit = Refusal{"approval", "nobody has approved it"};
  if (permit.ok() && approved != digest_of(action)) {
    permit = Refusal{"approval", "it is not what was approved"};
  }
  if (!permit.ok()) co_return blocked(action.host, action.line, permit.error(), action.user);
  CommandResult result;
  result.command = action.line;
  std::string id;
  if (audit_ != nullptr) {
    const AuditEntry entry{action.user, action.line, "", action.host, "", Decision::kApproved, ""};
    const Result<std::string> written = audit_->decided(entry);
    if (!written.ok()) {
      result.error = "the audit log cannot be written: " + written.error().message;
      co_return result;
    }
    id = written.value();
  }
  const Instant started = loop_.now();
  const Result<net::RemoteEnd> end =
      co_await host.run(std::move(permit).value(), after(started, timeout), output_bytes_max);
  if (end.ok()) ended_as(end.value(), result);
  if (!end.ok()) result.error = end.error().message;
  result.duration_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(loop_.now() - started).count();
  if (audit_ != nullptr) audit_->ended(id, result);
  co_return result;
}

}  // namespace plumbline::agents::command_line
