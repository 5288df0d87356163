// Registries and agents in one simulated world: who is found, what is believed, and what a registry
// that lies, hangs or shrinks can do.

#include "core/connector/registry/discovery.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/auth/auth_fixture.h"
#include "core/connector/registry/registry_handler.h"
#include "core/mcp/server/server.h"
#include "core/mcp/transport/server/streamable_http_server.h"
#include "fakes/world/sim_file_store.h"

namespace plumbline::registry {
namespace {

constexpr const char* kFile = "agents.json";
constexpr const char* kAt = "https://registry.example/agents";

// AgentServer is an MCP server with one tool, "add", of two numbers.
class AgentServer final : public net::HttpHandler {
 public:
  explicit AgentServer(Loop& loop)
      : server_(loop, offer(), "adder", nullptr),
        http_(loop, options(), [this](auto channel, const std::string& /*principal*/) {
          server_.accept(std::move(channel));
        }) {}

  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    http_.on_request(std::move(request), std::move(reply));
  }

 private:
  static mcp::ServerOptions offer() {
    mcp::ServerOptions options;
    options.version = "1.2";
    Json tool = Json::object();
    tool["name"] = "add";
    tool["inputSchema"] = schema_of(std::vector<ParameterDefinition>{
        {"a", {ParameterType::kNumber, "", Json::object()}, true, std::nullopt},
        {"b", {ParameterType::kNumber, "", Json::object()}, true, std::nullopt}});
    options.tools.push_back(std::move(tool));
    return options;
  }
  static transport::StreamableHttpServerOptions options() {
    transport::StreamableHttpServerOptions options;
    options.stateful_versions = {"2025-11-25"};
    options.new_session_id = [number = 0]() mutable { return std::to_string(++number); };
    return options;
  }

  mcp::Server server_;
  transport::StreamableHttpServer http_;
};

// Watched is the registry, whose answers a test may bend.
class Watched final : public net::HttpHandler {
 public:
  explicit Watched(net::HttpHandler& inner) : inner_(inner) {}

  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    asked.push_back(request);
    if (hangs) return kept_.push_back(std::move(reply));
    if (bent) return reply.respond(*bent);
    inner_.on_request(std::move(request), std::move(reply));
  }

  std::vector<wire::HttpRequest> asked;
  bool hangs = false;
  std::optional<wire::HttpResponse> bent;

 private:
  net::HttpHandler& inner_;
  std::vector<net::HttpReply> kept_;
};

std::string one_agent(const std::string& id, const std::string& endpoint,
                      const std::string& parameters =
                          R"({"name": "a", "type": "number"}, {"name": "b", "type": "number"})") {
  return R"({"id": ")" + id + R"(", "endpoint": ")" + endpoint +
         R"(", "capabilities": [{"name": "add", "type": "tool", "parameters": [)" + parameters +
         "]}]}";
}

class DiscoveryTest : public testing::Test {
 protected:
  void list(std::string text) { files_.files()[kFile] = {std::move(text), 0644}; }

  AgentDiscoveryService& service() {
    if (!service_) {
      DiscoveryOptions options;
      options.allowed = allowed_;
      options.headers.set("X-API-Key", "for the registry");
      service_ = std::make_unique<AgentDiscoveryService>(
          loop_, network_, [](std::size_t count) { return std::string(count, 'r'); }, redactor_,
          std::move(options));
    }
    return *service_;
  }

  template <typename T>
  T run(Task<T> task) {
    check(loop_.run_task(task, 10'000'000).ok(), "a world that does not come to an end");
    return std::move(task.result());
  }

  Discovered discover() {
    Result<Discovered> found = run(service().discover_agents(wire::parse_url(kAt).value()));
    EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().message);
    return found.ok() ? std::move(found).value() : Discovered();
  }

  Duration elapsed() const { return loop_.now() - Instant(); }

  fakes::SimLoop loop_;
  fakes::SimNetwork network_{loop_, fakes::PipeOptions(), Rng(3)};
  fakes::SimFileStore files_;
  std::vector<std::string> troubles_;
  RegistryHandler handler_{files_, kFile,
                           [this](const std::string& line) { troubles_.push_back(line); }, 2};
  Watched registry_{handler_};
  AgentServer agent_{loop_};
  auth::Place registry_place_{loop_, network_, "registry.example", registry_};
  auth::Place agent_place_{loop_, network_, "agent.example", agent_};
  Redactor redactor_;
  AllowedOrigins allowed_{{"https://agent.example", "https://gone.example"}, false};
  std::unique_ptr<AgentDiscoveryService> service_;
};

TEST_F(DiscoveryTest, AllPagesOfARegistryAreFoundAndItsKeyIsItsOwn) {
  std::string text = "// Ours.\n[" + one_agent("0", "https://agent.example/mcp");
  for (int i = 1; i < 5; ++i) {
    text += "," + one_agent(std::to_string(i), "https://agent.example/mcp");
  }
  list(text + "]");
  const Discovered found = discover();
  EXPECT_EQ(found.listed.agents.size(), 5U);
  EXPECT_EQ(found.listed.cut, "");
  EXPECT_EQ(found.changes.added.size(), 5U);
  EXPECT_EQ(registry_.asked.size(), 3U);
  for (const wire::HttpRequest& request : registry_.asked) {
    EXPECT_EQ(request.headers.get("X-API-Key"), "for the registry");
  }
}

TEST_F(DiscoveryTest, AnAgentThatIsWhatItsDescriptorSaysIsValid) {
  list(R"([{"version": "1.2", )" + one_agent("adder", "https://agent.example/mcp").substr(1) + "]");
  discover();
  const Result<Validity> validity = run(service().validate_agent("adder"));
  ASSERT_TRUE(validity.ok());
  EXPECT_TRUE(validity.value().valid()) << validity.value().problems.front();
  const Result<std::vector<Capability>> listed = run(service().agent_capabilities("adder"));
  ASSERT_TRUE(listed.ok());
  ASSERT_EQ(listed.value().size(), 1U);
  ASSERT_EQ(listed.value()[0].parameters.size(), 2U);
  EXPECT_EQ(listed.value()[0].parameters[0].value.type, ParameterType::kNumber);
  EXPECT_TRUE(listed.value()[0].parameters[0].required);
  EXPECT_FALSE(run(service().validate_agent("nobody")).ok());
}

TEST_F(DiscoveryTest, ALyingDescriptorIsFoundOut) {
  list("[" +
       one_agent("adder", "https://agent.example/mcp",
                 R"({"name": "a", "type": "string"}, {"name": "c", "type": "number"})") +
       R"(,{"id": "sender", "endpoint": "https://agent.example/mcp", "capabilities": [
           {"name": "send", "type": "tool"}, {"name": "add", "type": "prompt"}]},)" +
       one_agent("gone", "https://gone.example/mcp") + "]");
  discover();
  EXPECT_EQ(run(service().validate_agent("adder")).value().problems,
            (std::vector<std::string>{
                "the parameter \"a\" of the tool \"add\" is of type number, the descriptor says "
                "string",
                "the tool \"add\" has no parameter \"c\"",
                "the tool \"add\" needs a parameter \"b\", of which the descriptor says nothing"}));
  EXPECT_EQ(run(service().validate_agent("sender")).value().problems,
            (std::vector<std::string>{"it lists no tool \"send\"", "it lists no prompt \"add\""}));
  EXPECT_FALSE(run(service().validate_agent("gone")).value().valid());
  EXPECT_FALSE(run(service().agent_capabilities("gone")).ok());
}

TEST_F(DiscoveryTest, ADescriptorOfAnOlderVersionIsFoundOut) {
  list(R"([{"version": "1.1", )" + one_agent("adder", "https://agent.example/mcp").substr(1) + "]");
  discover();
  EXPECT_EQ(run(service().validate_agent("adder")).value().problems,
            std::vector<std::string>{"it is of version \"1.2\", the descriptor says \"1.1\""});
}

TEST_F(DiscoveryTest, ChangesAreNoticedAndNothingIsSentWhereThereAreNone) {
  list("[" + one_agent("a", "https://agent.example/mcp") + "]");
  discover();
  const Discovered same = discover();
  EXPECT_TRUE(same.changes.none());
  EXPECT_EQ(same.listed.agents.size(), 1U);
  ASSERT_EQ(registry_.asked.size(), 2U);
  EXPECT_FALSE(registry_.asked[0].headers.get("If-None-Match").has_value());
  EXPECT_TRUE(registry_.asked[1].headers.get("If-None-Match").has_value());

  list("[" + one_agent("b", "https://agent.example/mcp") + "]");
  const Discovered other = discover();
  EXPECT_EQ(other.changes.added, std::vector<std::string>{"b"});
  EXPECT_EQ(other.changes.removed, std::vector<std::string>{"a"});
  EXPECT_EQ(service().find("a"), nullptr);
  ASSERT_NE(service().find("b"), nullptr);
}

TEST_F(DiscoveryTest, ARegistryThatHangsOrTalksNonsenseKeepsItsAgents) {
  list("[" + one_agent("a", "https://agent.example/mcp") + "]");
  discover();
  registry_.hangs = true;
  const wire::Url at = wire::parse_url(kAt).value();
  const Duration before = elapsed();
  const Result<Discovered> hung = run(service().discover_agents(at));
  ASSERT_FALSE(hung.ok());
  EXPECT_EQ(hung.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_TRUE(hung.error().message.starts_with(kAt)) << hung.error().message;
  EXPECT_LE(elapsed() - before, std::chrono::seconds(20));
  registry_.hangs = false;
  registry_.bent = wire::HttpResponse{200, {}, "<html>maintenance</html>"};
  EXPECT_FALSE(run(service().discover_agents(at)).ok());
  ASSERT_NE(service().find("a"), nullptr);
}

TEST_F(DiscoveryTest, ARegistryThatShrinksByACutListRemovesNobody) {
  list("[" + one_agent("a", "https://agent.example/mcp") + "," +
       one_agent("b", "https://agent.example/mcp") + "," +
       one_agent("c", "https://agent.example/mcp") + "]");
  discover();
  registry_.bent =
      wire::HttpResponse{200,
                         {},
                         R"({"agents": [)" + one_agent("a", "https://agent.example/mcp") +
                             R"(], "nextCursor": "same"})"};
  const Discovered cut = discover();
  EXPECT_NE(cut.listed.cut, "");
  EXPECT_TRUE(cut.changes.none());
  EXPECT_NE(service().find("c"), nullptr);
  registry_.bent->body = "[]";
  EXPECT_EQ(discover().changes.removed.size(), 3U);
}

TEST_F(DiscoveryTest, ARegistryThatLeadsAwayIsNotFollowed) {
  registry_.bent = wire::HttpResponse{302, {{"Location", "https://agent.example/"}}, ""};
  EXPECT_FALSE(run(service().discover_agents(wire::parse_url(kAt).value())).ok());
  EXPECT_EQ(registry_.asked.size(), 1U);
  // 304 to somebody who has nothing is no list.
  registry_.bent = wire::HttpResponse{304, {}, ""};
  EXPECT_FALSE(run(service().discover_agents(wire::parse_url(kAt).value())).ok());
}

TEST_F(DiscoveryTest, ABrokenFileIsToldOnceAndTheAgentsOfBeforeAreServed) {
  list("[" + one_agent("a", "https://agent.example/mcp") + "]");
  discover();
  list("[\n  {\"id\": \"b\"}]");
  EXPECT_EQ(discover().listed.agents.size(), 1U);
  EXPECT_EQ(discover().listed.agents.size(), 1U);
  EXPECT_EQ(troubles_, std::vector<std::string>{
                           "agents.json:2:3: an agent has no \"endpoint\", expected a string"});
  files_.files().clear();
  EXPECT_EQ(discover().listed.agents.size(), 1U);
  EXPECT_EQ(discover().listed.agents.size(), 1U);
  EXPECT_EQ(troubles_.size(), 2U);
  list("[" + one_agent("b", "https://agent.example/mcp") + "]");
  EXPECT_EQ(discover().changes.added, std::vector<std::string>{"b"});
}

TEST_F(DiscoveryTest, TheServerOfAFileSaysWhatItDoesNotKnow) {
  list(R"({"agents": []})");
  ASSERT_TRUE(handler_.load().ok());
  net::HttpClient http(loop_, network_);
  const auto status_of = [&](const std::string& method, const std::string& target) {
    wire::HttpRequest request;
    request.method = method;
    const Result<wire::HttpResponse> answer =
        run(net::fetch(http, wire::parse_url("https://registry.example" + target).value(),
                       std::move(request), after(loop_.now(), std::chrono::seconds(5)), 1U << 20U));
    return answer.ok() ? answer.value().status : 0;
  };
  EXPECT_EQ(status_of("GET", "/"), 200);
  EXPECT_EQ(status_of("HEAD", "/agents"), 200);
  EXPECT_EQ(status_of("POST", "/agents"), 405);
  EXPECT_EQ(status_of("GET", "/agents/x"), 404);
  EXPECT_EQ(status_of("GET", "/other"), 404);
  EXPECT_EQ(status_of("GET", "/agents?cursor=9"), 400);
  EXPECT_EQ(status_of("GET", "/agents?cursor=x"), 400);
  EXPECT_EQ(status_of("GET", "/agents?limit=0"), 400);
}

TEST(RegistryFileTest, WhatIsWrongIsToldByLineAndColumn) {
  const auto told = [](const char* text) {
    const auto agents = read_registry_file(text, "a.json");
    return agents.ok() ? "" : agents.error().message;
  };
  EXPECT_EQ(told("[]"), "");
  EXPECT_TRUE(told("{").starts_with("a.json:1:"));
  EXPECT_EQ(told("{}"), "a.json:1:1: expected an array of agents, or an object with \"agents\"");
  EXPECT_EQ(told("[{\"id\": \"a\", \"endpoint\": \"x\"},\n {\"id\": \"a\", \"endpoint\": \"x\"}]"),
            "a.json:2:3: the id \"a\" stands here twice, expected another");
}

}  // namespace
}  // namespace plumbline::registry
