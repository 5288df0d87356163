#include "cli/serving.h"

#include "core/base/check.h"
#include "core/mcp/protocol/revision.h"
#include "core/os/random.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kSessionIdBytes = 16;

transport::WebTransport transport_of(ServeOver over) {
  check(over != ServeOver::kStdio, "stdio is no place of a network");
  if (over == ServeOver::kSse) return transport::WebTransport::kSse;
  if (over == ServeOver::kWebSocket) return transport::WebTransport::kWebSocket;
  return transport::WebTransport::kStreamableHttp;
}

}  // namespace

transport::WebServerOptions web_options(const ServingPlace& place) {
  transport::WebServerOptions web;
  web.transport = transport_of(place.over);
  web.at = place.at;
  web.tls = place.tls;
  web.new_session_id = [] { return os::random_token(kSessionIdBytes); };
  // Whoever calls names the place where we listen. One that is every address has no such name.
  const std::string& host = place.at.host;
  web.access.hosts.push_back(host);
  if (host == "0.0.0.0" || host == "::") web.access.hosts.clear();
  for (const mcp::Revision revision : mcp::all_revisions()) {
    auto& versions = mcp::is_stateless(revision) ? web.stateless_versions : web.stateful_versions;
    versions.emplace_back(mcp::name_of(revision));
  }
  return web;
}

}  // namespace plumbline::cli
