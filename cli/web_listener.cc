#include "cli/web_listener.h"

#include <utility>

#include "core/mcp/revision.h"
#include "core/os/random.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kSessionIdBytes = 16;

// access_at returns who may call: whoever names the place where we listen. A place that is every
// address has no name to hold callers to.
transport::HttpAccess access_at(const std::string& host) {
  transport::HttpAccess access;
  access.hosts.push_back(host);
  if (host == "0.0.0.0" || host == "::") access.hosts.clear();
  return access;
}

}  // namespace

SpokenVersions versions_up_to(const std::string& newest) {
  SpokenVersions versions = all_versions();
  versions.stateless.clear();
  std::erase_if(versions.stateful, [&](const std::string& version) { return version > newest; });
  return versions;
}

SpokenVersions all_versions() {
  SpokenVersions versions;
  for (const mcp::Revision revision : mcp::all_revisions()) {
    auto& kind = mcp::is_stateless(revision) ? versions.stateless : versions.stateful;
    kind.emplace_back(mcp::name_of(revision));
  }
  return versions;
}

std::string WebListener::serve(const ServeOptions& options, SpokenVersions versions,
                               OnChannel on_channel, MirroredParams mirrored_params) {
  const auto new_session_id = [] { return os::random_token(kSessionIdBytes); };
  transport::HttpAccess access = access_at(options.at.host);
  if (options.over == ServeOver::kWebSocket) {
    web_socket_.emplace(loop_, std::move(access), std::move(on_channel));
    router_.add("/mcp", *web_socket_);
    return "/mcp";
  }
  if (options.over == ServeOver::kSse) {
    transport::SseServerOptions sse;
    sse.new_session_id = new_session_id;
    sse.access = std::move(access);
    const std::string post_path = sse.post_path;
    sse_.emplace(loop_, std::move(sse), std::move(on_channel));
    router_.add("/sse", *sse_);
    router_.add(post_path, *sse_);
    return "/sse";
  }
  transport::StreamableHttpServerOptions http;
  http.stateful_versions = std::move(versions.stateful);
  http.stateless_versions = std::move(versions.stateless);
  http.new_session_id = new_session_id;
  http.access = std::move(access);
  http.mirrored_params = std::move(mirrored_params);
  streamable_.emplace(loop_, std::move(http), std::move(on_channel));
  router_.add("/mcp", *streamable_);
  return "/mcp";
}

Result<std::unique_ptr<WebListener>> WebListener::open(Loop& loop, transport::Network& network,
                                                       const ServeOptions& options,
                                                       SpokenVersions versions,
                                                       OnChannel on_channel,
                                                       MirroredParams mirrored_params) {
  auto web = std::make_unique<WebListener>(loop);
  const std::string path =
      web->serve(options, std::move(versions), std::move(on_channel), std::move(mirrored_params));
  Result<std::unique_ptr<transport::Listener>> listening = network.listen(
      options.at, options.tls, [&server = web->server_](std::unique_ptr<transport::Pipe> pipe) {
        server.accept(std::move(pipe));
      });
  if (!listening.ok()) return std::move(listening).error();
  web->listener_ = std::move(listening).value();
  std::string scheme = options.over == ServeOver::kWebSocket ? "ws" : "http";
  if (options.tls) scheme += 's';
  const transport::Authority at{options.at.host, web->listener_->port()};
  web->url_ = scheme + "://" + describe(at) + path;
  return web;
}

}  // namespace plumbline::cli
