// Settings are what holds for all agents together: the members "mcp" and "security" of a file, each
// of which is a variable of the environment as well.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/limits.h"
#include "core/base/result.h"
#include "core/connector/limits/rate_limiter.h"
#include "core/json/object_reader.h"

namespace plumbline::cli {

struct Settings {
  // "mcp".
  std::int64_t connections_max = 10;
  Duration connection_timeout = limits::kConnectTimeout;
  Duration heartbeat_interval = std::chrono::seconds(30);

  // "mcp.rateLimit", of each agent.
  bool rate_limited = true;
  double requests_per_second = 10;
  std::int64_t burst_capacity = 20;
  Duration cooldown_period = std::chrono::seconds(1);
  std::map<std::string, double> per_method_limits;

  // "security".
  Duration token_refresh_buffer = std::chrono::seconds(300);
  Duration token_age_max = std::chrono::seconds(3600);
  bool secure_storage = true;
};

// Setting is one line of the table of them.
struct Setting {
  using Member = std::variant<std::int64_t Settings::*, double Settings::*, Duration Settings::*,
                              bool Settings::*>;

  std::string_view section;  // "mcp", "mcp.rateLimit", "security".
  std::string_view key;
  Member member;
  std::int64_t max = 0;  // From 1 on; of a Duration in its unit; of a bool 0.
  Duration unit{};       // Of a bare number.
  std::string_view what;
};

std::span<const Setting> all_settings();

// rate_of returns how each agent's requests are paced.
connector::RateLimitConfig rate_of(const Settings& settings);

// variable_of returns "PLUMBLINE_MCP_RATE_LIMIT_BURST_CAPACITY" for burstCapacity.
std::string variable_of(const Setting& setting);

// read_settings reads the members "mcp" and "security" of `fields`. A Duration is a number of its
// unit, or a text such as "500ms", "30s" or "2m". What is wrong becomes `problem`.
void read_settings(ObjectReader& fields, Settings& out, std::optional<Problem>& problem);

// take_variables puts the variables that are set over `settings`. kInvalidInput: one line that
// names the variable.
Status take_variables(
    Settings& settings,
    const std::function<std::optional<std::string>(const std::string&)>& variable);

// read_span reads a Duration as read_settings does, at most a day.
std::optional<Duration> read_span(const Json& value, Duration unit);

// settings_shape is the JSON Schema of a section: "mcp", "mcp.rateLimit" or "security". It refers
// to "duration_ms" and "duration_s", which duration_shape defines.
Json settings_shape(std::string_view section);
Json duration_shape(Duration unit);

// settings_table returns the table of docs/connect.md: key, variable, default, meaning.
std::string settings_table();

}  // namespace plumbline::cli
