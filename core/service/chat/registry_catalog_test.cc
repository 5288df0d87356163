// A catalog of servers that another service keeps: our own registry, and ones that are wrong.

#include "core/service/chat/registry_catalog.h"

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/connector/registry/registry_handler.h"
#include "core/net/http_server.h"
#include "fakes/world/sim_file_store.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"

namespace plumbline::service {
namespace {

using agents::chat::ServerQuery;

constexpr const char* kFile = R"([
  {"id": "files", "name": "Files", "description": "Reads files",
   "endpoint": "http://127.0.0.1:80/f", "metadata": {"tags": ["local", "text"]}},
  {"id": "wiki/a b", "name": "Wiki", "endpoint": "http://127.0.0.1:80/w",
   "metadata": {"tags": ["text"]}},
  {"id": "far", "name": "Far files", "endpoint": "https://far.example/mcp"}])";

// Answering answers every request with what it was told, and keeps the last one.
struct Answering final : net::HttpHandler {
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    asked = std::move(request);
    if (inside != nullptr) return inside->on_request(asked, std::move(reply));
    reply.respond({status, {}, body});
  }
  net::HttpHandler* inside = nullptr;
  int status = 200;
  std::string body;
  wire::HttpRequest asked;
};

class RegistryCatalogTest : public testing::Test {
 protected:
  RegistryCatalogTest() {
    check(files_.write_file("registry.json", kFile).ok(), "a file");
    registry_.emplace(files_, "registry.json", [](const std::string& line) { FAIL() << line; });
    front_.inside = &*registry_;
    auto listening = network_.listen({"127.0.0.1", 80}, std::nullopt,
                                     [this](auto pipe) { http_.accept(std::move(pipe)); });
    check(listening.ok(), "the place is free");
    listener_ = std::move(listening).value();
    RegistryCatalogOptions options;
    options.base = wire::parse_url("http://127.0.0.1").value();
    options.token = "service-token";
    catalog_.emplace(client_, std::move(options));
  }

  template <typename T>
  T finish(Task<T> task) {
    check(loop_.run_task(task).ok(), "the task hangs");
    return std::move(task.result());
  }

  std::string found(ServerQuery query) {
    const Result<std::vector<Json>> servers = finish(catalog_->search(std::move(query)));
    if (!servers.ok()) return servers.error().message;
    std::string ids;
    for (const Json& one : servers.value()) ids += string_or(one, "id", "?") + ";";
    return ids;
  }

  fakes::SimLoop loop_;
  fakes::SimNetwork network_{loop_, {}, Rng(1)};
  fakes::SimFileStore files_;
  std::optional<registry::RegistryHandler> registry_;
  Answering front_;
  net::HttpServer http_{loop_, front_, net::HttpAccess::anybody()};
  std::unique_ptr<net::Listener> listener_;
  net::HttpClient client_{loop_, network_};
  std::optional<RegistryCatalog> catalog_;
};

TEST_F(RegistryCatalogTest, FindsByWordsAndTagsAndShowsItsToken) {
  EXPECT_EQ(found({}), "files;wiki/a b;");  // Not what is elsewhere: nobody allowed that.
  EXPECT_EQ(found({.text = "FILE"}), "files;");
  EXPECT_EQ(found({.tags = {"text"}}), "files;wiki/a b;");
  EXPECT_EQ(found({.tags = {"text", "local"}}), "files;");
  EXPECT_EQ(found({.tags = {"text"}, .limit = 1}), "files;");
  EXPECT_EQ(front_.asked.headers.get("Authorization"), "Bearer service-token");
}

TEST_F(RegistryCatalogTest, OneThatIsOutOfReachCostsOnlyWhatItHas) {
  ListedServers listed({{{"id", "files"}, {"name", "Ours"}}, {{"id", "mail"}}});
  JoinedCatalogs both({&listed, &*catalog_});
  const auto ids = [&] {
    const Result<std::vector<Json>> servers = finish(both.search({}));
    std::string out;
    for (const Json& one : servers.value()) out += string_or(one, "id", "?") + ";";
    return out;
  };
  EXPECT_EQ(ids(), "files;mail;wiki/a b;");
  EXPECT_EQ((*finish(both.find("files")).value())["name"], "Ours");
  front_.inside = nullptr;
  front_.status = 503;
  EXPECT_EQ(ids(), "files;mail;");
  EXPECT_TRUE(finish(both.find("mail")).ok());
  EXPECT_FALSE(finish(both.find("wiki/a b")).ok());
}

TEST_F(RegistryCatalogTest, FindsOneByItsIdWhateverIsInIt) {
  const Result<std::optional<Json>> wiki = finish(catalog_->find("wiki/a b"));
  ASSERT_TRUE(wiki.ok() && wiki.value()) << (wiki.ok() ? "" : wiki.error().message);
  EXPECT_EQ((*wiki.value())["name"], "Wiki");
  EXPECT_EQ(catalog_->address_of(*wiki.value()).value().target, "/w");
  EXPECT_EQ(finish(catalog_->find("none")).value(), std::nullopt);
  EXPECT_FALSE(finish(catalog_->find("far")).ok());  // Another origin.
}

TEST_F(RegistryCatalogTest, SaysWhatIsWrongWithARegistry) {
  front_.inside = nullptr;
  front_.status = 500;
  EXPECT_EQ(found({}), "the registry at http://127.0.0.1: status 500");
  front_.status = 200;
  front_.body = "<html>";
  EXPECT_EQ(found({}), "the registry at http://127.0.0.1: its answer is no list of servers");
  front_.body = R"({"id": "another", "url": "http://127.0.0.1/x"})";
  EXPECT_EQ(finish(catalog_->find("files")).error().message,
            "the registry at http://127.0.0.1: its answer is not the server that was asked for");
  listener_.reset();
  EXPECT_TRUE(found({}).starts_with("the registry at http://127.0.0.1: ")) << found({});
}

}  // namespace
}  // namespace plumbline::service
