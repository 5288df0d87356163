#include "cli/serving.h"

#include "core/mcp/protocol/revision.h"
#include "core/os/random.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kSessionIdBytes = 16;

}  // namespace

transport::WebServerOptions web_options(const ServingPlace& place) {
  transport::WebServerOptions web;
  web.transport = place.over;
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
