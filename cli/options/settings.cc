#include "cli/options/settings.h"

#include <array>
#include <cmath>
#include <utility>

#include "cli/options/common_options.h"
#include "core/base/errors/errors.h"
#include "core/base/text.h"
#include "core/base/words/truth.h"
#include "core/json/fields/shape.h"
#include "core/json/json.h"

namespace plumbline::cli {

namespace {

constexpr Duration kMillisecond = std::chrono::milliseconds(1);
constexpr Duration kSecond = std::chrono::seconds(1);
constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1'000;
constexpr std::int64_t kRateMax = 1'000'000;

constexpr std::array kSettings = {
    Setting{"mcp",
            "maxConcurrentConnections",
            &Settings::connections_max,
            10'000,
            {},
            "connections to all agents at one time"},
    Setting{"mcp", "connectionTimeout", &Settings::connection_timeout, kDayMs, kMillisecond,
            "how long opening one may take"},
    Setting{"mcp", "heartbeatInterval", &Settings::heartbeat_interval, kDayMs, kMillisecond,
            "how often an idle one is pinged"},
    Setting{"mcp.rateLimit",
            "enabled",
            &Settings::rate_limited,
            0,
            {},
            "whether requests to an agent are paced"},
    Setting{"mcp.rateLimit",
            "requestsPerSecond",
            &Settings::requests_per_second,
            kRateMax,
            {},
            "how many it gets, after the burst"},
    Setting{"mcp.rateLimit",
            "burstCapacity",
            &Settings::burst_capacity,
            10'000,
            {},
            "how many it gets at once after a pause"},
    Setting{"mcp.rateLimit", "cooldownPeriod", &Settings::cooldown_period, kDayMs, kMillisecond,
            "how long one is left alone that says \"not so fast\" and not for how long"},
    Setting{"security", "tokenRefreshBuffer", &Settings::token_refresh_buffer, kDayMs / 1'000,
            kSecond, "how long before its end a token is renewed"},
    Setting{"security", "maxTokenAge", &Settings::token_age_max, kDayMs / 1'000, kSecond,
            "how old a token gets, whatever it says"},
    Setting{"security",
            "secureStorage",
            &Settings::secure_storage,
            0,
            {},
            "whether the tokens that `login` has kept are shown to agents"},
};

void read_setting(const Setting& setting, ObjectReader& fields, Settings& out) {
  if (const auto* const whole = std::get_if<std::int64_t Settings::*>(&setting.member)) {
    if (const auto number = fields.integer(setting.key, 1, setting.max)) out.** whole = *number;
  } else if (const auto* const truth = std::get_if<bool Settings::*>(&setting.member)) {
    if (const auto said = fields.boolean(setting.key)) out.** truth = *said;
  } else if (const Json* const value = fields.take(setting.key)) {
    const std::string wrong = '"' + std::string(setting.key) + "\" is " + dump_json(*value);
    if (const auto* const span = std::get_if<Duration Settings::*>(&setting.member)) {
      const std::optional<Duration> read = read_span(*value, setting.unit);
      if (read) {
        out.** span = *read;
      } else {
        fields.refuse(setting.key, wrong + ", expected " +
                                       (setting.unit == kSecond ? "seconds" : "milliseconds") +
                                       " or a text such as \"30s\", at most 24 hours");
      }
      return;
    }
    const double number = value->is_number() ? value->get<double>() : 0;
    if (number > 0 && number <= static_cast<double>(setting.max)) {
      out.**std::get_if<double Settings::*>(&setting.member) = number;
    } else {
      fields.refuse(setting.key,
                    wrong + ", expected a number above 0, at most " + std::to_string(setting.max));
    }
  }
}

void read_method_limits(ObjectReader& fields, Settings& out, std::optional<Problem>& problem) {
  const Json* const limits = fields.object("perMethodLimits");
  if (limits == nullptr) return;
  for (const auto& [method, value] : limits->items()) {
    const double number = value.is_number() ? value.get<double>() : 0;
    if (number > 0 && number <= static_cast<double>(kRateMax)) {
      out.per_method_limits[method] = number;
    } else {
      add_problem(problem, fields.pointer_to("perMethodLimits") + '/' + pointer_token(method),
                  "here is " + dump_json(value) + ", expected requests a second, above 0");
    }
  }
}

// read_section reads what `object` says, which is `section` of a file.
void read_section(std::string_view section, const Json& object, std::string pointer, Settings& out,
                  std::optional<Problem>& problem) {
  ObjectReader fields(object, std::move(pointer), '"' + std::string(section) + '"', problem);
  for (const Setting& setting : all_settings()) {
    if (setting.section == section) read_setting(setting, fields, out);
  }
  if (section == "mcp") {
    if (const Json* const limit = fields.object("rateLimit")) {
      read_section("mcp.rateLimit", *limit, fields.pointer_to("rateLimit"), out, problem);
    }
  } else if (section == "mcp.rateLimit") {
    read_method_limits(fields, out, problem);
  }
  fields.finish();
}

std::string upper_snake(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (c == '.' || upper) out += '_';
    if (c != '.') out += upper ? c : static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::string default_of(const Setting& setting) {
  const Settings defaults;
  if (const auto* const whole = std::get_if<std::int64_t Settings::*>(&setting.member)) {
    return std::to_string(defaults.**whole);
  }
  if (const auto* const truth = std::get_if<bool Settings::*>(&setting.member)) {
    return defaults.**truth ? "true" : "false";
  }
  if (const auto* const span = std::get_if<Duration Settings::*>(&setting.member)) {
    const auto count = std::to_string(defaults.**span / setting.unit);
    return count + (setting.unit == kSecond ? " s" : " ms");
  }
  return dump_json(defaults.**std::get_if<double Settings::*>(&setting.member));
}

Json shape_of(const Setting& setting) {
  const Settings usual;
  if (const auto* const whole = std::get_if<std::int64_t Settings::*>(&setting.member)) {
    return shape::with(shape::whole(1, setting.max), "default", usual.**whole);
  }
  if (const auto* const truth = std::get_if<bool Settings::*>(&setting.member)) {
    return shape::with(shape::yes(), "default", usual.**truth);
  }
  if (const auto* const span = std::get_if<Duration Settings::*>(&setting.member)) {
    const bool seconds = setting.unit == kSecond;
    return shape::with(shape::ref(seconds ? "duration_s" : "duration_ms"), "default",
                       usual.**span / setting.unit);
  }
  return shape::with(shape::number(0, setting.max), "default",
                     usual.**std::get_if<double Settings::*>(&setting.member));
}

}  // namespace

std::span<const Setting> all_settings() { return kSettings; }

connector::RateLimitConfig rate_of(const Settings& settings) {
  connector::RateLimitConfig rate;
  rate.enabled = settings.rate_limited;
  rate.requests_per_second = settings.requests_per_second;
  rate.burst_capacity = static_cast<int>(settings.burst_capacity);
  rate.cooldown_period = settings.cooldown_period;
  rate.per_method_limits = settings.per_method_limits;
  return rate;
}

std::string variable_of(const Setting& setting) {
  return "PLUMBLINE_" + upper_snake(setting.section) + '_' + upper_snake(setting.key);
}

std::optional<Duration> read_span(const Json& value, Duration unit) {
  Duration out{};
  if (const auto* const text = value.get_ptr<const std::string*>()) {
    const bool read = !text->empty() && read_duration("", *text, out).ok();
    return read ? std::optional(out) : std::nullopt;
  }
  const std::optional<std::int64_t> count = as_int(value);
  if (!count || *count < 1 || *count > limits::kVirtualTimeMax / unit) return std::nullopt;
  return *count * unit;
}

void read_settings(ObjectReader& fields, Settings& out, std::optional<Problem>& problem) {
  for (const std::string_view section : {"mcp", "security"}) {
    const Json* const said = fields.object(section);
    if (said != nullptr) read_section(section, *said, fields.pointer_to(section), out, problem);
  }
}

Status take_variables(
    Settings& settings,
    const std::function<std::optional<std::string>(const std::string&)>& variable) {
  for (const Setting& setting : all_settings()) {
    const std::string name = variable_of(setting);
    const std::optional<std::string> text = variable(name);
    if (!text) continue;
    if (const auto* const truth = std::get_if<bool Settings::*>(&setting.member)) {
      const std::optional<bool> said = truth_of(*text);
      if (!said) {
        return the_error("config.switch", name, clipped(*text, 100));
      }
      settings.** truth = *said;
      continue;
    }
    if (text->empty()) continue;
    const Result<Json> parsed = parse_json(*text);
    Json object = Json::object();
    object[std::string(setting.key)] = parsed.ok() ? parsed.value() : Json(*text);
    std::optional<Problem> problem;
    ObjectReader fields(object, "", name, problem);
    read_setting(setting, fields, settings);
    if (problem) return as_error(name + ": ", {{}, problem->message, "config.variable"});
  }
  return Done{};
}

Json duration_shape(Duration unit) {
  const bool seconds = unit == kSecond;
  const Json number = shape::whole(1, limits::kVirtualTimeMax / unit);
  const Json text = shape::with(shape::text(), "pattern", "^[1-9][0-9]*(ms|s|m|h)$");
  return shape::says(shape::either(number, text),
                     std::string(seconds ? "Seconds" : "Milliseconds") +
                         ", or a text such as \"30s\", \"500ms\" or \"2m\"");
}

Json settings_shape(std::string_view section) {
  Json out = shape::closed(Json::object());
  for (const Setting& setting : all_settings()) {
    if (setting.section != section) continue;
    Json one = shape::says(shape_of(setting), setting.what);
    out["properties"][std::string(setting.key)] = std::move(one);
  }
  if (section == "mcp") out["properties"]["rateLimit"] = settings_shape("mcp.rateLimit");
  if (section == "mcp.rateLimit") {
    out["properties"]["perMethodLimits"] = shape::by_name(shape::number(0, kRateMax));
  }
  return out;
}

std::string settings_table() {
  std::string out = "| in a file | variable | without | is |\n|---|---|---|---|\n";
  for (const Setting& setting : all_settings()) {
    out += "| `" + std::string(setting.section) + '.' + std::string(setting.key) + "` | `" +
           variable_of(setting) + "` | " + default_of(setting) + " | " + std::string(setting.what) +
           " |\n";
  }
  return out;
}

}  // namespace plumbline::cli
