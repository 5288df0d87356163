#include "core/service/chat/catalog_connector.h"

#include <utility>

namespace plumbline::service {

Task<Result<std::unique_ptr<transport::Connection>>> CatalogConnector::connect(std::string server) {
  if (names_.contains(server)) co_return co_await configured_.connect(std::move(server));
  co_return co_await open(std::move(server), LinkSettings());
}

Task<Result<std::unique_ptr<transport::Connection>>> CatalogConnector::connect_with(
    std::string server, LinkSettings settings) {
  if (!names_.contains(server)) co_return co_await open(std::move(server), std::move(settings));
  if (configuring_ == nullptr) {
    co_return Error{ErrorCode::kInvalidInput, "the server \"" + server + "\" takes no settings"};
  }
  co_return co_await configuring_->connect_with(std::move(server), std::move(settings));
}

Task<Result<std::unique_ptr<transport::Connection>>> CatalogConnector::open(std::string server,
                                                                            LinkSettings settings) {
  const Error unknown{ErrorCode::kInvalidInput, "there is no server \"" + server + "\""};
  if (registry_ == nullptr) co_return unknown;
  std::string id = server;
  const Result<std::optional<Json>> found = co_await registry_->find(std::move(id));
  if (!found.ok()) co_return found.error();
  if (!found.value()) co_return unknown;
  const Result<wire::Url> address = registry_->address_of(*found.value());
  if (!address.ok()) co_return address.error();
  transport::HttpEndpoint endpoint;
  endpoint.url = address.value();
  if (endpoint.url.scheme.starts_with("ws")) endpoint.transport = mcp::Transport::kWebSocket;
  settings.add_to(endpoint);
  std::map<std::string, transport::HttpEndpoint> one;
  one.emplace(server, std::move(endpoint));
  transport::HttpConnector opens(loop_, network_, std::move(one), random_);
  Task<Result<std::unique_ptr<transport::Connection>>> opening = opens.connect(std::move(server));
  co_return co_await opening;
}

}  // namespace plumbline::service
