#include "cli/config/callers.h"

#include <utility>

#include "core/wire/url.h"

namespace plumbline::cli {

namespace {

void read_origins(ObjectReader& reader, service::CorsPolicy& cors) {
  for (std::string& origin : reader.strings("origins")) {
    if (origin == "*") {
      cors.access.any_origin = true;
      continue;
    }
    const Result<wire::Url> url = wire::parse_url(origin);
    if (!url.ok() || url.value().origin() != origin) {
      reader.refuse("origins",
                    "\"" + origin + "\" is no origin, expected one such as https://class.example");
      return;
    }
    cors.access.origins.push_back(std::move(origin));
  }
  cors.credentials = reader.boolean("credentials").value_or(false);
  if (cors.credentials && cors.access.any_origin) {
    reader.refuse("credentials", "credentials and the origin \"*\" exclude each other");
  }
}

}  // namespace

void read_callers(ObjectReader& reader, service::HttpServiceOptions& http) {
  read_origins(reader, http.cors);
  for (std::string& host : reader.strings("hosts")) {
    http.cors.access.hosts.push_back(std::move(host));
  }
  http.proxies = reader.strings("proxies");
}

std::optional<ServingAuth> read_whose(ObjectReader& reader) {
  const std::optional<std::string> auth = reader.string("auth");
  if (!auth) return std::nullopt;
  Result<ServingAuth> whose = read_auth(*auth);
  if (whose.ok()) return std::move(whose).value();
  reader.refuse("auth", whose.error().message);
  return std::nullopt;
}

void name_hosts(service::HttpServiceOptions& http, const std::string& listens_at) {
  auto& hosts = http.cors.access.hosts;
  hosts.push_back(listens_at);
  const bool everywhere = listens_at == "0.0.0.0" || listens_at == "::";
  if (everywhere && hosts.size() == transport::HttpAccess().hosts.size() + 1) hosts.clear();
}

}  // namespace plumbline::cli
