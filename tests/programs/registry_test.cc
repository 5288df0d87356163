// `registry`, and agents that `ask` finds in one.

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "core/net/http_client.h"
#include "core/os/net/real_network.h"
#include "core/os/real_loop.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

class RegistryTest : public ProgramTest {
 protected:
  // agent serves tickets at a URL.
  RunningServer agent() {
    return RunningServer(
        {std::string(SOURCE_ROOT) + "/scenarios/library/basics/search-tickets-with-filters.json",
         "--http", "127.0.0.1:0"},
        folder_.string());
  }

  // list writes agents.json with an agent of each id at `endpoint`.
  void list(const std::vector<std::string>& ids, const std::string& endpoint) {
    Json agents = Json::array();
    for (const std::string& id : ids) {
      Json one = Json::object();
      one["id"] = id;
      one["endpoint"] = endpoint;
      agents.push_back(std::move(one));
    }
    write("agents.json", pretty_json(agents));
  }

  RunningServer registry() {
    net::Command command(
        {PLUMBLINE_PROGRAM, "registry", "--listen", "127.0.0.1:0", "--file", "agents.json"});
    command.cwd = folder_.string();
    return RunningServer(command);
  }

  static std::string server_of(const Outcome& outcome) {
    const Result<Json> answer = parse_json(outcome.out);
    const Json* const server =
        answer.ok() ? at_pointer(answer.value(), "/selected_capability/server") : nullptr;
    return server == nullptr ? "none: " + outcome.out : server->get<std::string>();
  }

  static constexpr const char* kRequest = "Summarize the open high-priority support tickets.";
};

TEST_F(RegistryTest, AskFindsAndUsesAnAgentThatNobodyHasConfigured) {
  RunningServer tickets = agent();
  list({"ticket-agent"}, tickets.url());
  RunningServer places = registry();
  EXPECT_TRUE(places.url().ends_with("/agents")) << places.url();
  const std::vector<std::string> words = {
      "ask", kRequest, "--json", "--registry", places.url(), "--allow-origin", tickets.url()};
  const Outcome outcome = run(words);
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(server_of(outcome), "ticket-agent");
  EXPECT_EQ(outcome.err, "");

  // The file is read again when it changes, and a broken one is not served.
  list({"ticket-agent-2", "tlcket-agent-2"}, tickets.url());
  const Outcome renamed = run(words);
  EXPECT_EQ(server_of(renamed), "ticket-agent-2") << renamed.err;
  EXPECT_EQ(renamed.err,
            "warning: \"tlcket-agent-2\" looks like \"ticket-agent-2\", and is another\n");
  write("agents.json", "[");
  EXPECT_EQ(server_of(run(words)), "ticket-agent-2");
  EXPECT_EQ(places.stop(), net::ExitStatus());
}

TEST_F(RegistryTest, ValidateTellsWhichAgentIsNotWhatItsDescriptorSays) {
  RunningServer tickets = agent();
  write("agents.json", R"([{"id": "honest", "endpoint": ")" + tickets.url() + R"("},
      {"id": "liar", "endpoint": ")" +
                           tickets.url() + R"(", "version": "77",
       "capabilities": [{"name": "fly", "type": "tool"}]}])");
  RunningServer places = registry();
  const std::vector<std::string> words = {"connect", "validate", places.url(), "--allow-origin",
                                          tickets.url()};
  const Outcome all = run(words);
  EXPECT_EQ(all.code, 1) << all.err;
  EXPECT_NE(all.out.find("pass  honest: it lists "), std::string::npos) << all.out;
  EXPECT_NE(all.out.find("fail  liar: it is of version"), std::string::npos) << all.out;
  EXPECT_NE(all.out.find("fly"), std::string::npos) << all.out;
  std::vector<std::string> one = words;
  one.insert(one.end(), {"--agent", "honest"});
  EXPECT_EQ(run(one).code, 0);
  one.back() = "nobody";
  const Outcome none = run(one);
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("no agent \"nobody\""), std::string::npos) << none.err;
}

TEST_F(RegistryTest, ItsMetricsAreAtTheirUsualPlace) {
  list({"one", "two"}, "https://agents.example/mcp");
  RunningServer places = registry();
  os::RealLoop loop;
  os::RealNetwork network(loop);
  net::HttpClient http(loop, network);
  const auto get = [&](const std::string& target) {
    wire::Url url = wire::parse_url(places.url()).value();
    url.target = target;
    wire::HttpRequest request;
    request.method = "GET";
    return os::run(loop, net::fetch(http, std::move(url), std::move(request),
                                    loop.now() + std::chrono::seconds(10), 1U << 20U))
        ->value();
  };
  EXPECT_EQ(get("/agents").status, 200);
  const wire::HttpResponse metrics = get("/metrics");
  EXPECT_TRUE(metrics.headers.get("Content-Type")->starts_with("text/plain; version=0.0.4"));
  EXPECT_NE(metrics.body.find("plumbline_registry_requests_total 1\n"), std::string::npos);
  EXPECT_NE(metrics.body.find("plumbline_registry_agents 2\n"), std::string::npos);
}

TEST_F(RegistryTest, WhereARegistryMayLeadIsSaidByTheUser) {
  RunningServer tickets = agent();
  list({"ticket-agent"}, tickets.url());
  RunningServer places = registry();
  const Outcome refused = run({"ask", kRequest, "--json", "--registry", places.url()});
  EXPECT_NE(refused.err.find("note: not used: agent \"ticket-agent\": "), std::string::npos)
      << refused.err;
  EXPECT_NE(refused.err.find("at another origin than the registry"), std::string::npos);
  EXPECT_EQ(server_of(refused).rfind("none", 0), 0U);

  // A file may say the same, beside servers of its own.
  Json root = Json::object();
  root["mcpServers"] = Json::object();
  root["plumbline"]["registry"]["url"] = places.url();
  root["plumbline"]["registry"]["allow"] = {"any"};
  write("config.json", pretty_json(root));
  EXPECT_EQ(server_of(run({"ask", kRequest, "--json", "--config", "config.json"})), "ticket-agent");
}

TEST_F(RegistryTest, ALongListIsNotAskedWhole) {
  RunningServer tickets = agent();
  std::vector<std::string> ids;
  for (int i = 0; i < 101; ++i) ids.push_back("agent number " + std::string(1 + i, 'x'));
  list(ids, tickets.url());
  RunningServer places = registry();
  std::vector<std::string> words = {"ask",        kRequest,         "--json", "--registry",
                                    places.url(), "--allow-origin", "any"};
  const Outcome all = run(words);
  EXPECT_EQ(all.code, 2);
  EXPECT_NE(all.err.find("there are 101 agents"), std::string::npos) << all.err;
  words.insert(words.end(), {"--server", ids.back()});
  EXPECT_EQ(server_of(run(words)), ids.back());
}

TEST_F(RegistryTest, WhatIsWrongIsOneLine) {
  write("bad.json", "[{\"id\": \"a\"}]");
  write("good.json", "[]");
  const std::string place = "127.0.0.1:0";
  struct Case {
    std::vector<std::string> words;
    int code;
    const char* told;
  };
  const Case cases[] = {
      {{"registry", "--listen", place, "--file", "none.json"}, 2, "none.json"},
      {{"registry", "--listen", place, "--file", "bad.json"},
       2,
       "bad.json:1:2: an agent has no \"endpoint\", expected a string"},
      {{"registry", "--listen", "here", "--file", "good.json"}, 2, "--listen"},
      {{"registry", "--listen", "192.0.2.1:0", "--file", "good.json"}, 2, "cannot listen"},
      {{"ask", "x"}, 2, "expected --config FILE, --registry URL, or both"},
      {{"ask", "x", "--registry", "ws://127.0.0.1:9/"}, 2, "--registry: expected http or https"},
      {{"ask", "x", "--registry", "http://127.0.0.1:9/"}, 3, "the registry http://127.0.0.1:9/"},
      {{"ask", "x", "--registry", "http://127.0.0.1:9/", "--allow-origin", "b"},
       2,
       "--allow-origin b"},
  };
  for (const Case& one : cases) {
    const Outcome outcome = run(one.words);
    EXPECT_EQ(outcome.code, one.code) << one.told << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find(one.told), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
  }
}

}  // namespace
}  // namespace plumbline::cli
