#include "cli/serving.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "cli/options/authority.h"
#include "core/auth/steps/addresses.h"
#include "core/auth/steps/metadata.h"
#include "core/base/errors/errors.h"
#include "core/mcp/protocol/revision.h"
#include "core/mcp/transport/stdio_channel.h"
#include "core/os/child/environment.h"
#include "core/os/fd.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kSessionIdBytes = 16;

// Of clients, in any revision: a scope for a method that nobody calls would protect nothing.
constexpr auto kAskedMethods = std::to_array<std::string_view>({"initialize",
                                                                "ping",
                                                                "server/discover",
                                                                "tools/list",
                                                                "tools/call",
                                                                "resources/list",
                                                                "resources/templates/list",
                                                                "resources/read",
                                                                "resources/subscribe",
                                                                "resources/unsubscribe",
                                                                "prompts/list",
                                                                "prompts/get",
                                                                "completion/complete",
                                                                "logging/setLevel",
                                                                "subscriptions/listen",
                                                                "tasks/get",
                                                                "tasks/list",
                                                                "tasks/result",
                                                                "tasks/cancel",
                                                                "tasks/update"});

Error wrong_auth(const std::string& what) {
  return the_error("auth.of-a-server",
                   what +
                       "; expected jwks=URL|FILE or introspection=URL,client=ID, and "
                       "issuer=URL[,audience=URL][,scope=S|METHOD[:TARGET]=S]...");
}

// allowed reads the address of a part of --auth. Whoever stands between could say anything there.
Result<wire::Url> allowed(const char* part, const std::string& text) {
  const Result<wire::Url> url = wire::parse_url(text);
  if (!url.ok()) return wrong_auth(part + ("=" + text) + ": " + url.error().message);
  Result<wire::Url> to = auth::allowed_url(text, url.value());
  if (to.ok()) return to;
  return wrong_auth(part + (": " + to.error().message));
}

// keys_in reads the keys of a file: a JWK Set, or PEM.
Result<std::vector<auth::VerifyingKey>> keys_in(const std::string& text) {
  if (text.find("-----BEGIN ") != std::string::npos) return auth::VerifyingKey::read_pem(text);
  const Result<Json> document = auth::read_document(text);
  if (!document.ok()) return document.error();
  return auth::read_key_set(document.value());
}

}  // namespace

Result<ServingAuth> read_auth(const std::string& text) {
  ServingAuth read;
  const std::map<std::string, std::string*> texts = {{"jwks", &read.jwks},
                                                     {"introspection", &read.introspection},
                                                     {"client", &read.client},
                                                     {"issuer", &read.options.issuer},
                                                     {"audience", &read.options.audience}};
  for (std::size_t at = 0; at <= text.size();) {
    const std::string field = text.substr(at, text.find(',', at) - at);
    at += field.size() + 1;
    const std::size_t equals = std::min(field.find('='), field.size());
    const std::string name = field.substr(0, equals);
    const std::string value = field.substr(std::min(equals + 1, field.size()));
    if (value.empty()) return wrong_auth("nothing is said of \"" + name + "\"");
    const std::string method = name.substr(0, name.find(':'));
    if (const auto found = texts.find(name); found != texts.end()) {
      *found->second = value;
    } else if (name == "scope") {
      read.options.scopes.push_back(value);
    } else if (std::ranges::find(kAskedMethods, method) != kAskedMethods.end()) {
      const std::string target = name.substr(std::min(method.size() + 1, name.size()));
      read.options.methods.push_back({method, target, value});
    } else {
      return wrong_auth("nobody knows \"" + name + "\"");
    }
  }
  if (read.jwks.empty() == read.introspection.empty() || read.options.issuer.empty()) {
    return wrong_auth("it does not say whose tokens are good");
  }
  if (read.introspection.empty() != read.client.empty()) {
    return wrong_auth("a client is who asks for an introspection");
  }
  return read;
}

Status Door::open_keys(const std::string& jwks, Host& host) {
  os::RealLoop& loop = host.world().loop();
  if (jwks.find("://") != std::string::npos) {
    Result<wire::Url> url = allowed("jwks", jwks);
    if (!url.ok()) return url.error();
    keys_ = std::make_unique<auth::KeySource>(loop, host.world().network(), std::move(url).value());
  } else {
    const Result<std::string> text = host.files().read_file(jwks);
    if (!text.ok()) return text.error();
    Result<std::vector<auth::VerifyingKey>> keys = keys_in(text.value());
    if (!keys.ok()) return wrong_auth("jwks=" + jwks + ": " + keys.error().message);
    keys_ = std::make_unique<auth::KeySource>(loop, std::move(keys).value());
  }
  signed_.emplace(*keys_, clock_);
  return Done();
}

Status Door::open_introspection(const ServingAuth& auth, Host& host) {
  Result<wire::Url> url = allowed("introspection", auth.introspection);
  if (!url.ok()) return url.error();
  auth::Client client;
  client.id = auth.client;
  client.secret = os::environment_variable("PLUMBLINE_CLIENT_SECRET").value_or("");
  client.method = "client_secret_basic";
  if (client.secret.empty()) {
    return the_error("auth.introspection", auth.client);
  }
  host.secrets().add(client.secret);
  introspection_.emplace(host.world().loop(), host.world().network(), clock_,
                         std::move(url).value(), std::move(client));
  return Done();
}

Result<std::unique_ptr<Door>> Door::open(const ServingAuth& auth, Host& host) {
  auto door = std::make_unique<Door>();
  const bool by_keys = auth.introspection.empty();
  const Status opened =
      by_keys ? door->open_keys(auth.jwks, host) : door->open_introspection(auth, host);
  if (!opened.ok()) return opened.error();
  if (by_keys) door->admission_.emplace(*door->signed_, auth.options);
  if (!by_keys) door->admission_.emplace(*door->introspection_, auth.options);
  return door;
}

transport::WebServerOptions web_options(const ServingPlace& place) {
  transport::WebServerOptions web;
  web.transport = place.over;
  web.at = place.at;
  web.tls = place.tls;
  web.new_session_id = [] { return os::random_token(kSessionIdBytes); };
  web.access = access_at(place.at.host, place.hosts);
  for (const mcp::Revision revision : mcp::all_revisions()) {
    auto& versions = mcp::is_stateless(revision) ? web.stateless_versions : web.stateful_versions;
    versions.emplace_back(mcp::name_of(revision));
  }
  return web;
}

Status serve_web(mcp::Server& server, const ServingPlace& place, ServingExtras extras, Host& host) {
  os::RealLoop& loop = host.world().loop();
  os::raise_descriptor_limit();
  transport::WebServerOptions web_place = web_options(place);
  web_place.mirrored_params = std::move(extras.mirrored);
  web_place.beside = std::move(extras.beside);
  std::unique_ptr<Door> door;
  if (place.auth) {
    Result<std::unique_ptr<Door>> opened = Door::open(*place.auth, host);
    if (!opened.ok()) return opened.error();
    door = std::move(opened).value();
    web_place.gate = &door->gate();
  }
  Result<std::unique_ptr<transport::WebServer>> web = transport::WebServer::listen(
      loop, host.world().network(), std::move(web_place), [&](auto channel, std::string principal) {
        server.accept(std::move(channel), std::move(principal));
      });
  if (!web.ok()) return std::move(web).error();
  const os::Interrupt interrupt(loop, [&](int) { loop.stop(); });
  host.out(web.value()->url() + "\n");
  loop.run_until([] { return false; });
  close(loop, server, kFarewell);
  return Done{};
}

void serve_stdio(os::RealLoop& loop, mcp::Server& server) {
  const std::unique_ptr<net::Pipe> streams = os::standard_streams(loop);
  bool signalled = false;
  const os::Interrupt interrupt(loop, [&](int) {
    signalled = true;
    loop.stop();
  });
  server.on_idle([&] { loop.stop(); });
  Guests guests(net::most_of_all(), net::most_of_all());  // Whoever started us is the only one.
  server.accept(
      std::make_unique<transport::StdioChannel>(*streams, limits::kMessageBytesMax, guests.of("")));
  loop.run_until([] { return false; });
  signalled ? flush(loop, *streams, kFarewell) : flush(loop, *streams);
  close(loop, server, signalled ? kFarewell : limits::kStopGrace + std::chrono::seconds(1));
}

}  // namespace plumbline::cli
