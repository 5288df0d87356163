// `serve` over the network, and `ask` with servers of every transport.

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "core/os/net/test_certificates.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

std::string library(const std::string& name) {
  return std::string(SOURCE_ROOT) + "/scenarios/library/basics/" + name + ".json";
}

class ServeTest : public ProgramTest {
 protected:
  // serve starts the server of a scenario of the library.
  RunningServer serve(const std::string& name, std::vector<std::string> words) {
    words.insert(words.begin(), library(name));
    return RunningServer(std::move(words), folder_.string());
  }

  void configure(const Json& servers) {
    Json root = Json::object();
    root["mcpServers"] = servers;
    write("config.json", pretty_json(root));
  }

  // ask returns the answer as JSON.
  Json ask(const std::string& request, std::vector<std::string> words = {}) {
    words.insert(words.begin(), {"ask", request, "--config", "config.json", "--json"});
    const Outcome outcome = run(std::move(words));
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    Result<Json> answer = parse_json(outcome.out);
    return answer.ok() ? std::move(answer).value() : Json::object();
  }

  static std::string server_of(const Json& answer) {
    const Json* const server = at_pointer(answer, "/selected_capability/server");
    return server == nullptr ? "none: " + dump_json(answer) : server->get<std::string>();
  }
};

TEST_F(ServeTest, TheUrlIsTheOneLineAndATermIsACleanEnd) {
  const std::vector<std::pair<std::string, std::string>> ways = {
      {"--http", "http://127.0.0.1:"}, {"--sse", "http://127.0.0.1:"}, {"--ws", "ws://127.0.0.1:"}};
  for (const auto& [way, start] : ways) {
    RunningServer server = serve("list-files-happy-path", {way, "127.0.0.1:0"});
    EXPECT_EQ(server.url().rfind(start, 0), 0U) << way << ": " << server.url();
    EXPECT_TRUE(server.url().ends_with(way == "--sse" ? "/sse" : "/mcp")) << server.url();
    EXPECT_EQ(server.stop(), net::ExitStatus()) << way;
    EXPECT_EQ(server.all_output(), server.url() + "\n");
  }
}

TEST_F(ServeTest, APlaceThatIsTakenIsOneLineAndExitTwo) {
  RunningServer server = serve("list-files-happy-path", {"--http", "127.0.0.1:0"});
  const std::string place = server.url().substr(7, server.url().size() - 7 - 4);
  const Outcome outcome = run({"serve", library("list-files-happy-path"), "--ws", place});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err,
            "plumbline: cannot listen at " + place + ": Address already in use [network.taken]\n");
}

// Goal: one request sees every kind of server there is. Method: a child process, Streamable HTTP,
// the older HTTP+SSE and a WebSocket over TLS with an authority of its own, in one configuration;
// each request is for another one of them.
TEST_F(ServeTest, AskSpeaksToAChildAndOverHttpAndSseAndSecureWebSocketAtOnce) {
  os::TestAuthority authority;
  const net::TlsServer tls = authority.issue("IP:127.0.0.1");
  RunningServer tickets = serve("search-tickets-with-filters", {"--http", "127.0.0.1:0"});
  RunningServer desk = serve("device-control-needs-approval",
                             {"--sse", "127.0.0.1:0", "--trace", path("desk.jsonl")});
  RunningServer greeter =
      serve("greet-named-person",
            {"--ws", "127.0.0.1:0", "--tls-cert", tls.certificate_file, "--tls-key", tls.key_file});
  EXPECT_EQ(greeter.url().rfind("wss://127.0.0.1:", 0), 0U) << greeter.url();
  Json servers = Json::object();
  servers["files"]["command"] = PLUMBLINE_PROGRAM;
  servers["files"]["args"] = {"serve", library("list-files-happy-path"), "--stdio"};
  servers["tickets"] = {{"url", tickets.url()}};
  servers["desk"] = {{"type", "sse"}, {"url", desk.url()}};
  servers["greeter"] = {{"type", "ws"}, {"url", greeter.url()}, {"ca_file", authority.ca_file()}};
  configure(servers);

  EXPECT_EQ(server_of(ask("List the files in the managed project folder.")), "files");
  const Json found = ask("Summarize the open high-priority support tickets.");
  EXPECT_EQ(server_of(found), "tickets");
  EXPECT_NE(dump_json(found).find("Printer on fire"), std::string::npos);
  const Json greeted = ask("Greet Ada with the greeter");
  EXPECT_EQ(server_of(greeted), "greeter");
  EXPECT_NE(dump_json(greeted).find("Hello, Ada!"), std::string::npos);
  const Json switched = ask("Turn off the light in the Kitchen", {"--approve", "all"});
  EXPECT_EQ(server_of(switched), "desk");
  EXPECT_EQ(desk.stop(), net::ExitStatus());
  const std::string trace = read("desk.jsonl");
  EXPECT_NE(trace.find("turn_off_light"), std::string::npos) << trace;
}

TEST_F(ServeTest, AUrlWithoutTypeFallsBackToTheOlderTransport) {
  RunningServer files = serve("list-files-happy-path", {"--sse", "127.0.0.1:0"});
  configure({{"files", {{"url", files.url()}}}});
  EXPECT_EQ(server_of(ask("List the files in the managed project folder.")), "files");
}

TEST_F(ServeTest, ACertificateThatNobodyKnowsIsRefusedInWords) {
  os::TestAuthority authority;
  const net::TlsServer tls = authority.issue("IP:127.0.0.1");
  RunningServer files = serve(
      "list-files-happy-path",
      {"--http", "127.0.0.1:0", "--tls-cert", tls.certificate_file, "--tls-key", tls.key_file});
  configure({{"files", {{"url", files.url()}}}});
  const Outcome outcome = run({"ask", "List the files", "--config", "config.json"});
  EXPECT_EQ(outcome.code, 3) << outcome.out;
  EXPECT_NE(
      (outcome.out + outcome.err).find("the certificate of \"127.0.0.1\" is refused: no authority"),
      std::string::npos)
      << outcome.out << outcome.err;
}

TEST_F(ServeTest, NoHeaderOfTheConfigurationIsShown) {
  RunningServer files = serve("list-files-happy-path", {"--http", "127.0.0.1:0"});
  configure(
      {{"files", {{"url", files.url()}, {"headers", {{"Authorization", "Custom hush-hush-42"}}}}}});
  const Outcome outcome = run({"ask", "List the files in the managed folder called hush-hush-42",
                               "--config", "config.json", "--verbose", "--trace", "t.jsonl"});
  EXPECT_NE(outcome.out.find("[redacted] alone"), std::string::npos) << outcome.out << outcome.err;
  EXPECT_EQ((outcome.out + outcome.err + read("t.jsonl")).find("hush-hush-42"), std::string::npos);
}

TEST_F(ServeTest, TheReferenceServerCanBeReachedEveryWay) {
  Json servers = Json::object();
  servers["child"]["command"] = PLUMBLINE_PROGRAM;
  servers["child"]["args"] = {"serve", "--reference", "--stdio"};
  std::vector<std::unique_ptr<RunningServer>> running;
  for (const char* const way : {"http", "sse", "ws"}) {
    running.push_back(std::make_unique<RunningServer>(
        std::vector<std::string>{"--reference", std::string("--") + way, "127.0.0.1:0"},
        folder_.string()));
    servers[way] = {{"type", way}, {"url", running.back()->url()}};
  }
  configure(servers);
  run({"ask", "List the files", "--config", "config.json", "--trace", "t.jsonl"});
  const std::string trace = read("t.jsonl");
  for (const char* const name : {"child", "http", "sse", "ws"}) {
    EXPECT_NE(trace.find("\"who\":\"" + std::string(name) + "\""), std::string::npos) << name;
  }
  std::size_t manifests = 0;
  for (std::size_t at = trace.find("test_simple_text"); at != std::string::npos;
       at = trace.find("test_simple_text", at + 1)) {
    ++manifests;
  }
  EXPECT_GE(manifests, 4U);
  for (const auto& server : running) EXPECT_EQ(server->stop(), net::ExitStatus());
}

}  // namespace
}  // namespace plumbline::cli
