#include "core/service/chat/link_settings.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "core/base/secrets/ascii.h"
#include "core/base/text.h"
#include "core/json/redactor.h"
#include "core/wire/form.h"

namespace plumbline::service {

namespace {

constexpr auto kWays = std::to_array<std::string_view>({"header", "query", "env"});

Error no_setting(std::string why) { return {ErrorCode::kInvalidInput, std::move(why)}; }

bool is_setting_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    const char lower = static_cast<char>(c | 32);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

// is_protocols returns whether a header belongs to the protocols below, which nobody else may set.
bool is_protocols(const std::string& name) {
  constexpr auto kOurs = std::to_array<std::string_view>(
      {"accept", "connection", "content-length", "content-type", "cookie", "host", "last-event-id",
       "origin", "te", "trailer", "transfer-encoding", "upgrade"});
  const std::string lower = lower_case(name);
  return lower.starts_with("mcp-") || lower.starts_with("sec-") ||
         std::ranges::find(kOurs, lower) != kOurs.end();
}

// Way is how one member reaches a server.
struct Way {
  std::string_view kind;
  std::string name;
};

// A process has variables, and what is at a URL has headers and a query.
Result<Way> way_of(const std::string& member, const Json& said, bool process) {
  std::optional<Way> out;
  for (const std::string_view kind : kWays) {
    const std::optional<std::string> name = find_string(said, kind);
    if (!name) continue;
    if (out) return no_setting("\"" + member + "\" goes two ways, expected one");
    out = Way{kind, *name};
  }
  if (!out) return no_setting("\"" + member + "\" expected \"header\", \"query\" or \"env\"");
  if ((out->kind == "env") != process) {
    return no_setting("\"" + member + "\" cannot go by \"" + std::string(out->kind) + "\" to " +
                      (process ? "a process, expected \"env\"" : "a URL"));
  }
  if (!is_setting_name(out->name) || (out->kind == "header" && is_protocols(out->name))) {
    return no_setting("\"" + out->name + "\" cannot be the " + std::string(out->kind) + " of \"" +
                      member + "\"");
  }
  return *std::move(out);
}

std::optional<std::string> one_line_of(const Json& value) {
  if (const auto* const text = value.get_ptr<const std::string*>()) {
    const bool plain = std::ranges::none_of(
        *text, [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; });
    return plain ? std::optional(*text) : std::nullopt;
  }
  if (value.is_number() || value.is_boolean()) return dump_json(value);
  return std::nullopt;
}

std::string names_in(const Json* config) {
  std::string out;
  if (config == nullptr || !config->is_object()) return out;
  for (const auto& [name, said] : config->items()) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace

void LinkSettings::add_to(transport::HttpEndpoint& endpoint) const {
  for (const auto& [name, value] : headers) endpoint.headers.set(name, value);
  if (query.empty()) return;
  wire::Form form;
  for (const auto& [name, value] : query) form.add(name, value);
  const bool has = endpoint.url.target.find('?') != std::string::npos;
  endpoint.url.target += (has ? "&" : "?") + form.text();
}

void LinkSettings::add_to(net::Command& command) const {
  for (const auto& [name, value] : env) command.env[name] = value;
}

Result<LinkSettings> settings_of(const Json& server, const Json& config) {
  LinkSettings out;
  if (config.is_null()) return out;
  const std::string who = "the server \"" + string_or(server, "id", "") + "\"";
  const Json* const takes = find(server, "config");
  for (const auto& [member, value] : config.items()) {
    const Json* const said = takes != nullptr ? find(*takes, member) : nullptr;
    if (said == nullptr) {
      const std::string all = names_in(takes);
      return no_setting(who + " takes no setting \"" + member + "\"; it takes " +
                        (all.empty() ? "none" : all));
    }
    const Result<Way> way = way_of(member, *said, bool_or(server, "process", false));
    if (!way.ok()) return no_setting(who + ": " + way.error().message);
    std::optional<std::string> text = one_line_of(value);
    if (!text) {
      return no_setting(who + ": the setting \"" + member +
                        "\" is wrong, expected a text of one line, a number or a boolean");
    }
    const std::string_view kind = way.value().kind;
    auto& into = kind == "header" ? out.headers : kind == "query" ? out.query : out.env;
    into[way.value().name] = *std::move(text);
  }
  return out;
}

Status check_config(const Json& config, bool process) {
  for (const auto& [member, said] : config.items()) {
    const Result<Way> way = way_of(member, said, process);
    if (!way.ok()) return way.error();
  }
  return Done{};
}

std::vector<std::string> secrets_in(const Json& config) {
  constexpr std::size_t kWordsMax = 24;
  std::vector<std::string> out;
  if (!config.is_object()) return out;
  for (const auto& [member, value] : config.items()) {
    const auto* const text = value.get_ptr<const std::string*>();
    if (text == nullptr) continue;
    const bool words = text->size() <= kWordsMax && std::ranges::none_of(*text, [](char c) {
                         return !ascii_letter(c) && c != '-' && c != '_' && c != ' ' && c != '.';
                       });
    if (names_credential(member) || !words) out.push_back(*text);
  }
  return out;
}

bool LinkedConnector::set(const std::string& server, Json config) {
  if (config.is_null() || config.empty()) return configs_.erase(server) > 0;
  Json& kept = configs_[server];
  if (kept == config) return false;
  kept = std::move(config);
  return true;
}

Task<Result<std::unique_ptr<transport::Connection>>> LinkedConnector::connect(std::string server) {
  const auto said = configs_.find(server);
  if (said == configs_.end()) co_return co_await plain_.connect(std::move(server));
  const Json config = said->second;
  std::string id = server;
  const Result<std::optional<Json>> found = co_await catalog_.find(std::move(id));
  if (!found.ok()) co_return found.error();
  if (!found.value() || configuring_ == nullptr) {
    co_return no_setting("there is no server \"" + server + "\" that takes settings");
  }
  Result<LinkSettings> settings = settings_of(*found.value(), config);
  if (!settings.ok()) co_return settings.error();
  LinkSettings all = std::move(settings).value();
  co_return co_await configuring_->connect_with(std::move(server), std::move(all));
}

}  // namespace plumbline::service
