#include "scenarios/judge/server_log.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text.h"

namespace plumbline::scenarios {

namespace {

using LogKind = ServerLogEntry::Kind;

constexpr std::size_t kLogDetailMax = 64U << 10U;  // Of one message; of longer ones the head.
constexpr std::size_t kMessagesBytesMax = 24U << 20U;
constexpr std::size_t kRulesMax = 100'000;  // More has no script.

constexpr std::array<std::pair<LogKind, std::string_view>, 11> kLogKinds = {{
    {LogKind::kStarted, "started"},
    {LogKind::kHeard, "heard"},
    {LogKind::kGarbage, "garbage"},
    {LogKind::kSaid, "said"},
    {LogKind::kSaidRaw, "said_raw"},
    {LogKind::kLeft, "left"},
    {LogKind::kRule, "rule"},
    {LogKind::kFollowed, "followed"},
    {LogKind::kEffect, "effect"},
    {LogKind::kFull, "full"},
    {LogKind::kEnded, "ended"},
}};

// head_of returns what tells of a message that is too long to be kept.
Json head_of(const Json& message) {
  Json head = Json::object();
  for (const char* const member : {"jsonrpc", "id", "method"}) {
    if (const Json* const value = find(message, member)) head[member] = *value;
  }
  for (const char* const member : {"params", "result", "error"}) {
    if (find(message, member) != nullptr) head[member] = Json::object();
  }
  return head;
}

}  // namespace

void ServerLogWriter::write_message(std::string_view kind, std::int64_t connection,
                                    const Json& message) {
  const bool cut = dump_json(message).size() > kLogDetailMax;
  write(kind, connection, cut ? head_of(message) : message, cut);
}

void ServerLogWriter::heard(std::int64_t connection, const Json& message) {
  write_message("heard", connection, message);
}

void ServerLogWriter::heard_garbage(std::int64_t connection, std::string_view bytes) {
  write("garbage", connection, clipped(std::string(bytes)));
}

void ServerLogWriter::said(std::int64_t connection, const Json& message) {
  write_message("said", connection, message);
}

// What was said as bytes is a message only where it is a line of its own: a client could not read
// it otherwise.
void ServerLogWriter::said_raw(std::int64_t connection, std::string_view text) {
  const bool begins = !torn_.contains(connection);
  const bool ends = text.ends_with('\n');
  if (ends) torn_.erase(connection);
  if (!ends) torn_.insert(connection);
  const Result<Json> message = parse_json(text);
  if (message.ok() && begins && ends) return said(connection, message.value());
  write("said_raw", connection, clipped(std::string(text)));
}

void ServerLogWriter::on_event(const TraceEvent& event) {
  if (event.kind == EventKind::kEffect) write("effect", 0, event.detail);
}

void ServerLogWriter::write(std::string_view kind, std::int64_t connection, const Json& detail,
                            bool cut) {
  Json line = Json::object();
  line["at_ns"] = doors_.now().count();
  line["server"] = server_;
  line["process"] = process_;
  line["kind"] = kind;
  if (connection > 0) line["connection"] = connection;
  if (!detail.is_null()) line["detail"] = detail;
  if (cut) line["cut"] = true;
  std::string text = dump_json(line) + "\n";
  if (connection > 0) {
    if (full_) return;
    bytes_ += text.size();
    full_ = bytes_ > kMessagesBytesMax;
    if (full_) return write("full", 0, nullptr);
  }
  doors_.write(text);
}

std::vector<ServerLogEntry> read_server_log(std::string_view text) {
  std::vector<ServerLogEntry> log;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const Result<Json> line = parse_json(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.ok()) continue;
    const std::string kind = string_or(line.value(), "kind", "");
    const auto known =
        std::ranges::find(kLogKinds, kind, [](const auto& one) { return one.second; });
    if (known == kLogKinds.end()) continue;
    ServerLogEntry entry;
    entry.kind = known->first;
    entry.at = Duration(int_or(line.value(), "at_ns", 0));
    entry.server = string_or(line.value(), "server", "");
    entry.process = int_or(line.value(), "process", 0);
    entry.connection = int_or(line.value(), "connection", 0);
    if (const Json* const detail = find(line.value(), "detail")) entry.detail = *detail;
    entry.cut = bool_or(line.value(), "cut", false);
    log.push_back(std::move(entry));
  }
  return log;
}

void remember(const std::vector<ServerLogEntry>& log, fakes::ServerMemory& memory) {
  for (const ServerLogEntry& entry : log) {
    if (entry.server != memory.name) continue;
    if (entry.kind == LogKind::kStarted) ++memory.starts;
    if (entry.kind != LogKind::kRule || !entry.detail.is_number_unsigned()) continue;
    const auto rule = entry.detail.get<std::size_t>();
    if (rule >= kRulesMax) continue;
    if (memory.rule_hits.size() <= rule) memory.rule_hits.resize(rule + 1);
    ++memory.rule_hits[rule];
  }
}

}  // namespace plumbline::scenarios
