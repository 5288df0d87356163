// What a user sets for a server that is linked may be a key: no server says it back to a model.

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/service/chat/chat_fixture.h"
#include "core/service/chat/user_servers.h"

namespace plumbline::service {
namespace {

// Configuring opens the same connections, whatever they are told.
class Configuring final : public LinkConnector {
 public:
  explicit Configuring(transport::Connector& plain) : plain_(plain) {}
  Task<Result<std::unique_ptr<transport::Connection>>> connect_with(
      std::string server, LinkSettings /*settings*/) override {
    return plain_.connect(std::move(server));
  }

 private:
  transport::Connector& plain_;
};

TEST(LinkSecretsTest, OnlyWhatMayBeAKeyIsOne) {
  const Json config = connector::json(
      R"({"region": "europe-west", "limit": 5, "token": "hunter", "seat": "k-98765432"})");
  EXPECT_EQ(secrets_in(config), (std::vector<std::string>{"k-98765432", "hunter"}));
  EXPECT_TRUE(secrets_in(nullptr).empty());
}

TEST(LinkSecretsTest, NoServerSaysItBack) {
  ChatWorld world(R"({"turns": []})");
  world.peers.scripts["notes"].tools =
      connector::json(R"([{"name": "read", "inputSchema": {"type": "object"}}])");
  world.peers.scripts["notes"].results["tools/call"] =
      connector::text_result("europe-west, with k-98765432");
  const Json server = connector::json(
      R"({"id": "notes", "name": "Notes", "config": {"seat": {"header": "X-Api-Key"},
                                                      "region": {"query": "region"}}})");
  ListedServers catalog(std::vector<Json>(1, server));
  Configuring configuring(world.connector);
  UserServersOptions options;
  options.configuring = &configuring;
  LinksOf links("ann", world.loop, world.connector, world.records, catalog, options,
                world.redactor);
  Task<Result<agents::chat::ServerLink>> adding =
      links.add(server, connector::json(R"({"seat": "k-98765432", "region": "europe-west"})"));
  ASSERT_TRUE(world.loop.run_task(adding).ok());
  ASSERT_TRUE(adding.result().ok());
  connector::McpRequest request;
  request.server = "notes";
  request.method = "tools/call";
  request.params = {{"name", "read"}, {"arguments", Json::object()}};
  Task<mcp::Reply<Json>> calling = links.hub().invoke(std::move(request));
  ASSERT_TRUE(world.loop.run_task(calling).ok());
  ASSERT_TRUE(calling.result().ok());
  EXPECT_EQ(calling.result().value()["content"][0]["text"], "europe-west, with [redacted]");
}

}  // namespace
}  // namespace plumbline::service
