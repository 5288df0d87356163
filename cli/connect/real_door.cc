#include "cli/connect/real_door.h"

#include <map>
#include <utility>

#include "core/base/limits.h"
#include "core/mcp/protocol/transports.h"
#include "core/os/random.h"

namespace plumbline::cli {

namespace {

constexpr const char* kWrongCredential = "plumbline-wrong-credential";

// header_of returns the header in which `agent` is shown who we are.
std::string header_of(const Config& config, const std::string& agent) {
  const auto said = config.authentications.find(agent);
  const bool named = said != config.authentications.end() && said->second.header;
  return named ? said->second.header->first : "Authorization";
}

// wrong_value returns a header's value of the same form as `own`, with nothing of its secret.
std::string wrong_value(std::string_view own) {
  const std::size_t space = own.find(' ');
  const std::string scheme(space == std::string_view::npos ? "" : own.substr(0, space + 1));
  return scheme + kWrongCredential;
}

}  // namespace

RealDoor::RealDoor(const Config& config, const std::string& agent, SignedIn& signed_in, Host& host)
    : agent_(agent) {
  Loop& loop = host.world().loop();
  if (const auto command = config.commands.find(agent); command != config.commands.end()) {
    std::map<std::string, net::Command> servers;
    servers[agent] = command->second;
    child_ = std::make_unique<transport::StdioConnector>(loop, host.world().spawner(),
                                                         std::move(servers), limits::kStopGrace);
    return;
  }
  const auto over = [&](transport::HttpEndpoint endpoint) {
    std::map<std::string, transport::HttpEndpoint> servers;
    servers[agent] = std::move(endpoint);
    return std::make_unique<transport::HttpConnector>(loop, host.world().network(),
                                                      std::move(servers), os::random_bytes);
  };
  remote_ = config.remotes.at(agent);
  const std::string header = header_of(config, agent);
  configured_ =
      config.authentications.contains(agent) || remote_->headers.count("Authorization") > 0;
  std::map<std::string, transport::HttpEndpoint> one;
  one[agent] = *remote_;
  own_ = over(signed_in.endpoints(std::move(one)).at(agent));
  transport::HttpEndpoint nobody = *remote_;
  const std::string shown(nobody.headers.get(header).value_or("Bearer "));
  nobody.headers.erase(header);
  nobody_ = over(nobody);
  nobody.headers.set(header, wrong_value(shown));
  wrong_ = over(std::move(nobody));
}

std::string RealDoor::transport() const {
  if (!remote_) return std::string(mcp::name_of(mcp::Transport::kStdio));
  return std::string(mcp::name_of(remote_->transport.value_or(mcp::Transport::kStreamableHttp)));
}

Task<Result<std::unique_ptr<transport::Connection>>> RealDoor::connect(connector::Credentials as) {
  if (child_ != nullptr) return child_->connect(agent_);
  if (as == connector::Credentials::kNone) return nobody_->connect(agent_);
  return (as == connector::Credentials::kWrong ? wrong_ : own_)->connect(agent_);
}

}  // namespace plumbline::cli
