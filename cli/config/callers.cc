#include "cli/config/callers.h"

#include <utility>

#include "core/wire/url.h"

namespace plumbline::cli {

namespace {

void read_origins(ObjectReader& reader, service::CorsPolicy& cors) {
  cors.access.host_origins = !reader.has("origins");
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
  http.cors.access.only_hosts = reader.has("hosts");
  for (std::string& host : reader.strings("hosts")) {
    http.cors.access.hosts.push_back(std::move(host));
  }
  http.proxies = reader.strings("proxies");
}

std::optional<ServingAuth> read_whose(ObjectReader& reader,
                                      const service::HttpServiceOptions& http) {
  const std::optional<std::string> auth = reader.string("auth");
  if (!auth) return std::nullopt;
  Result<ServingAuth> whose = read_auth(*auth);
  if (whose.ok()) {
    whose.value().options.proxies = http.proxies;
    return std::move(whose).value();
  }
  reader.refuse("auth", whose.error().message);
  return std::nullopt;
}

void name_hosts(service::HttpServiceOptions& http, const std::string& listens_at) {
  http.cors.access.listens_at(listens_at);
  http.cors.access.pages = true;
}

}  // namespace plumbline::cli
