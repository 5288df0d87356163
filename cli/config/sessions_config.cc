#include "cli/config/sessions_config.h"

#include <chrono>
#include <utility>

#include "cli/config/callers.h"
#include "cli/config/json_text.h"
#include "cli/options/usage.h"
#include "core/json/object_reader.h"

namespace plumbline::cli {

namespace {

constexpr std::int64_t kSessionsMax = 100'000;

// read_day reads "2027-07-28".
std::optional<Duration> read_day(const std::string& text) {
  const auto part = [&text](std::size_t at, std::size_t size) {
    return number_of<unsigned>(std::string_view(text).substr(at, size));
  };
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = part(0, 4);
  const auto month = part(5, 2);
  const auto day = part(8, 2);
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(*month), std::chrono::day(*day)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch();
}

void read_duration(ObjectReader& reader, std::string_view key, Duration& into) {
  const std::optional<Duration> read = reader.milliseconds(key);
  if (!read) return;
  into = *read;
  if (*read <= Duration::zero()) reader.refuse(key, "is no time, expected more than 0 ms");
}

void read(ObjectReader& reader, SessionsConfig& config) {
  service::SessionServerOptions& server = config.server;
  read_callers(reader, server.http);
  read_duration(reader, "session_ttl_ms", server.book.ttl);
  read_duration(reader, "call_timeout_ms", server.desk.call_max);
  read_duration(reader, "worker_grace_ms", server.desk.grace);
  read_duration(reader, "keep_alive_ms", server.feed.keep_alive);
  server.mcp_session.keep_alive = server.feed.keep_alive;
  if (const auto most = reader.integer("sessions_max", 1, kSessionsMax)) {
    server.book.sessions_max = static_cast<std::size_t>(*most);
  }
  if (const std::optional<std::string> day = reader.string("sunset")) {
    const std::optional<Duration> sunset = read_day(*day);
    if (!sunset) reader.refuse("sunset", "\"" + *day + "\" is no day, expected one as 2027-07-28");
    server.http.deprecation.sunset = sunset.value_or(Duration::zero());
  }
  config.auth = read_whose(reader, server.http);
  reader.finish();
}

}  // namespace

Result<SessionsConfig> parse_sessions_config(std::string_view text, const std::string& file_name) {
  SessionsConfig config;
  const Status done = read_json_text(text, file_name, [&config](const Json& root, auto& problem) {
    ObjectReader reader(root, "", "the configuration", problem);
    read(reader, config);
  });
  if (!done.ok()) return done.error();
  return config;
}

}  // namespace plumbline::cli
