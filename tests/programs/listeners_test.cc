// Every port that the program opens, and what strangers get there: a web page that points its own
// name at us, a page that sends requests without being asked, and whoever writes what no client
// writes. None of it may come further than the door.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/auth/crypto/test_keys_fixture.h"
#include "core/base/wait.h"
#include "core/json/json.h"
#include "core/os/net/real_network.h"
#include "core/os/real_loop.h"
#include "core/wire/url.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

// Where the sources take connections, and how strangers are kept out there. A file that is not here
// fails the test: give what it opens a door, and a line.
const std::map<std::string, std::string> kListeners = {
    {"core/mcp/transport/server/web_server.cc", "HttpServer: serve, agents serve, replay --serve"},
    {"core/auth/loopback_user_agent.cc", "HttpServer: login"},
    {"cli/commands/report/view.cc", "HttpServer: report view"},
    {"cli/commands/connect/registry.cc", "HttpServer: registry"},
    {"cli/commands/service/http_place.h", "HttpServer: sessions, chat-api"},
    {"cli/commands/serve_model.cc", "HttpServer: serve --model"},
    {"scenarios/record/web_relay.cc", "HttpServer: record --listen"},
    {"conformance/checks/gateway/mirror_server.cc", "HttpServer: check gateway"},
    {"conformance/peer/upstream.cc", "HttpServer: check server --upstream"},
    {"conformance/peer/client/http_scripted_peer.cc", "HttpServer: check client over HTTP"},
    {"conformance/peer/client/trap.cc", "HttpServer: check client, a second server"},
    {"conformance/peer/client/stdio_scripted_peer.cc", "a key: check client over stdio"},
    {"fakes/proxy/http_proxy.cc", "refuse_stranger: run --real and --client with rules for HTTP"},
    {"scenarios/real/offered_servers.cc", "HttpServer: run --client, the model of a scenario"},
    {"scenarios/real/served_hosts.cc", "passes on what others open"},
    {"cli/commands/test/test_servers.cc", "closed at once: a free port for the server of a test"},
    {"scenarios/auth/issuers.cc", "HttpServer, in simulation alone: lets everybody in"},
    {"scenarios/auth/tap_network.h", "passes on, in simulation"},
    {"scenarios/world/web_world.cc", "passes on, in simulation"},
    {"scenarios/crashes/operations.h", "passes on, in simulation"},
    {"scenarios/fleet/fleet_registry.cc", "HttpServer, in simulation alone: lets everybody in"},
};

// Those who may let everybody in: no web page is in a simulated network.
const std::set<std::string> kOpen = {"scenarios/auth/issuers.cc",
                                     "scenarios/fleet/fleet_registry.cc"};

// for_each_source calls `see` with each source of the program: no test, no fixture of one, no
// wrong peer.
void for_each_source(const std::function<void(const std::string&, const std::string&)>& see) {
  const fs::path root = SOURCE_ROOT;
  for (const char* const room :
       {"cli", "core", "fakes", "conformance", "scenarios", "reference", "reports"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
      const std::string name = fs::relative(entry.path(), root).string();
      const std::string stem = entry.path().stem().string();
      const bool source = entry.path().extension() == ".cc" || entry.path().extension() == ".h";
      if (!source || stem.ends_with("_test") || stem.ends_with("_fixture")) continue;
      if (name.starts_with("conformance/broken/") || stem.ends_with("_broken")) continue;
      std::ostringstream text;
      text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      see(name, text.str());
    }
  }
}

TEST(ListenersTest, EveryPlaceThatTakesConnectionsIsKnownAndHasADoor) {
  const auto listens = [](std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return std::ranges::any_of(
        std::vector<std::string>{"network.listen(", "network_.listen(", "network().listen("},
        [&text](const std::string& call) { return text.find(call) != std::string::npos; });
  };
  std::set<std::string> found;
  for_each_source([&](const std::string& name, const std::string& text) {
    const bool raw = text.find(" ::listen(") != std::string::npos ||
                     text.find("(::listen(") != std::string::npos;
    EXPECT_EQ(raw, name == "core/os/posix/net/socket.cc") << name << " opens a socket of its own";
    const bool network = name.starts_with("core/os/") || name.starts_with("fakes/world/");
    if (!network && listens(text)) found.insert(name);
    const bool opens = text.find("HttpAccess::anybody()") != std::string::npos;
    if (!name.starts_with("core/net/")) {
      EXPECT_EQ(opens, kOpen.contains(name)) << name;
    }
  });
  for (const std::string& name : found) {
    EXPECT_TRUE(kListeners.contains(name)) << name << " takes connections: who may call there?";
  }
  for (const auto& [name, door] : kListeners) {
    EXPECT_TRUE(found.contains(name)) << name << " takes none any more";
    std::cout << "  " << name << "\t" << door << "\n";
  }
}

// Knock is one request of a stranger. "HOST" in it is where the server listens.
struct Knock {
  const char* what;
  const char* line;  // Its method and target.
  std::vector<std::string> headers;
};

const std::vector<Knock> kKnocks = {
    {"a foreign Host", "POST PATH", {"Host: evil.example"}},
    {"a foreign Host with our port", "GET PATH", {"Host: evil.example:PORT"}},
    {"a name that was bound to us", "POST PATH", {"Host: 127.0.0.1.nip.example:PORT"}},
    {"a name and Origin that were bound to us",
     "POST PATH",
     {"Host: evil.example:PORT", "Origin: http://evil.example:PORT"}},
    {"a name that ends in a dot", "GET PATH", {"Host: localhost.:PORT"}},
    {"user information", "GET PATH", {"Host: localhost@evil.example"}},
    {"a foreign address", "GET PATH", {"Host: 192.0.2.7:PORT"}},
    {"a foreign IPv6 address", "GET PATH", {"Host: [2001:db8::1]:PORT"}},
    {"an IPv6 address that is none", "GET PATH", {"Host: [::1"}},
    {"no Host", "POST PATH", {}},
    {"two Hosts", "POST PATH", {"Host: HOST", "Host: evil.example"}},
    {"a foreign Origin", "POST PATH", {"Host: HOST", "Origin: http://evil.example"}},
    {"a foreign Origin that looks like ours",
     "POST PATH",
     {"Host: HOST", "Origin: http://localhost.evil.example"}},
    {"an Origin in capitals", "POST PATH", {"Host: HOST", "Origin: HTTP://EVIL.EXAMPLE"}},
    {"the Origin of a file or a sandbox", "POST PATH", {"Host: HOST", "Origin: null"}},
    {"two Origins",
     "POST PATH",
     {"Host: HOST", "Origin: http://localhost", "Origin: http://evil.example"}},
    {"an image of another site",
     "GET PATH",
     {"Host: HOST", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors",
      "Sec-Fetch-Dest: image"}},
    {"a form of another site",
     "POST PATH",
     {"Host: HOST", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
      "Sec-Fetch-Dest: document"}},
    {"a frame of another site",
     "GET PATH",
     {"Host: HOST", "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate",
      "Sec-Fetch-Dest: iframe"}},
    {"a preflight",
     "OPTIONS PATH",
     {"Host: HOST", "Origin: https://evil.example", "Access-Control-Request-Method: POST",
      "Access-Control-Request-Headers: content-type"}},
    {"a target of another host", "GET http://evil.example/", {"Host: HOST"}},
    {"a target and a Host of another host", "GET http://evil.example/", {"Host: evil.example"}},
    {"a target that is no path", "GET evil.example:443", {"Host: HOST"}},
    {"a WebSocket of a foreign page",
     "GET PATH",
     {"Host: HOST", "Origin: https://evil.example", "Connection: Upgrade", "Upgrade: websocket",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: mcp",
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="}},
};

class PortsTest : public ProgramTest {
 protected:
  // answer returns what the server at `url` answers to the request, until it has said a head.
  static std::string answer(const wire::Url& url, const std::string& request) {
    os::RealLoop loop;
    os::RealNetwork network(loop);
    auto dialled = os::run(loop, network.dial({url.host, url.port}, std::nullopt));
    if (!dialled || !dialled->ok()) return "no connection";
    const std::unique_ptr<net::Pipe> pipe = std::move(*dialled).value();
    Collector said;
    pipe->start(said);
    pipe->write(request);
    bool late = false;
    Alarm alarm([&late] { late = true; });
    loop.arm(alarm, loop.now() + seconds(20));
    loop.run_until(
        [&] { return late || said.ended || said.text.find("\r\n\r\n") != std::string::npos; });
    return said.text;
  }

  static std::string put(std::string text, const std::string& name, const std::string& value) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name)) {
      text.replace(at, name.size(), value);
    }
    return text;
  }

  static std::string written(const wire::Url& url, const Knock& knock) {
    std::string request = std::string(knock.line) + " HTTP/1.1\r\n";
    for (const std::string& header : knock.headers) request += header + "\r\n";
    request += "Content-Type: text/plain\r\nAccept: application/json, text/event-stream\r\n";
    const std::string body = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    if (request.starts_with("POST")) {
      request += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    } else {
      request += "\r\n";
    }
    request = put(std::move(request), "PATH", url.target);
    request = put(std::move(request), "HOST", url.host_header());
    return put(std::move(request), "PORT", std::to_string(url.port));
  }

  // keeps_strangers_out knocks at `printed`, the URL of a port, and returns it. Who may stand on
  // another machine, as what is judged may, calls by any address: no page can give itself one.
  static wire::Url keeps_strangers_out(const std::string& who, std::string printed,
                                       bool by_any_address = false) {
    while (!printed.empty() && printed.back() == '\n') printed.pop_back();
    const Result<wire::Url> url = wire::parse_url(printed);
    EXPECT_TRUE(url.ok()) << who << " printed: " << printed;
    if (!url.ok()) return {};
    int refused = 0;
    for (const Knock& knock : kKnocks) {
      const std::string_view what = knock.what;
      if (by_any_address && what.starts_with("a foreign") && what.ends_with("address")) continue;
      const std::string said = answer(url.value(), written(url.value(), knock));
      const bool right = said.starts_with("HTTP/1.1 403 ") || said.starts_with("HTTP/1.1 400 ");
      EXPECT_TRUE(right) << who << ", " << knock.what << ": " << said.substr(0, 200);
      EXPECT_EQ(said.find("Access-Control-Allow-Origin"), std::string::npos) << who << knock.what;
      refused += right ? 1 : 0;
    }
    for (const char* const origin : {"", "Origin: http://localhost:6274"}) {
      Knock friendly{"a client", "GET PATH", {"Host: HOST"}};
      if (*origin != 0) friendly.headers.emplace_back(origin);
      const std::string said = answer(url.value(), written(url.value(), friendly));
      EXPECT_TRUE(said.starts_with("HTTP/1.1 ")) << who << said;
      EXPECT_FALSE(said.starts_with("HTTP/1.1 403 ")) << who << said;
    }
    std::cout << "  " << who << "\t" << refused << " of " << kKnocks.size() << " refused\n";
    return url.value();
  }

  RunningServer start(std::vector<std::string> words, std::map<std::string, std::string> env = {}) {
    words.insert(words.begin(), PLUMBLINE_PROGRAM);
    net::Command command(std::move(words));
    command.cwd = folder_.string();
    command.env = std::move(env);
    return RunningServer(command);
  }

  // knock_at_child runs the program, which gives the URL of a port of its own to a child that
  // writes it to the file "url" and waits; knocks there meanwhile.
  void knock_at_child(const std::string& who, const std::vector<std::string>& words) {
    os::RealLoop loop;
    os::RealSpawner spawner(loop);
    net::Command command(words);
    command.argv.insert(command.argv.begin(), PLUMBLINE_PROGRAM);
    command.cwd = folder_.string();
    Collector out;
    const std::unique_ptr<net::Child> running = std::move(spawner.spawn(command)).value();
    running->stdio().start(out);
    std::string url;
    for (int tries = 0; tries < 400 && url.find('\n') == std::string::npos; ++tries) {
      bool over = false;
      Alarm alarm([&over] { over = true; });
      loop.arm(alarm, loop.now() + std::chrono::milliseconds(50));
      loop.run_until([&] { return over; });
      url = read("url");
    }
    keeps_strangers_out(who, url, true);
  }

  std::string scenario() const {
    return std::string(SOURCE_ROOT) + "/scenarios/library/basics/search-tickets-with-filters.json";
  }
  void write_model() {
    write("model.json", R"({"turns": [{"role": "user", "always": true, "text": "hello"}]})");
  }
};

constexpr const char* kHere = "127.0.0.1:0";

TEST_F(PortsTest, OfServe) {
  write_model();
  for (const char* const way : {"--http", "--sse", "--ws"}) {
    const RunningServer reference = start({"serve", "--reference", way, kHere});
    std::string url = reference.url();
    if (url.starts_with("ws")) url.replace(0, 2, "http");
    keeps_strangers_out(std::string("serve --reference ") + way, url);
  }
  const RunningServer scripted = start({"serve", scenario(), "--http", kHere});
  keeps_strangers_out("serve SCENARIO --http", scripted.url());
  const RunningServer model = start({"serve", "model.json", "--model", "--http", kHere});
  keeps_strangers_out("serve --model", model.url() + "/chat/completions");
}

TEST_F(PortsTest, OfServices) {
  write_model();
  write("agents.json", "[]");
  write("chat.json", R"({"mcpServers": {"files": {"command": "false"}},
                         "chat": {"anonymous": "you", "model": {"script": "model.json"}}})");
  const RunningServer sessions = start({"sessions", "--listen", kHere, "--quiet"});
  const wire::Url at = keeps_strangers_out("sessions", sessions.url());
  keeps_strangers_out("sessions, metrics", at.origin() + "/metrics");
  const RunningServer chat =
      start({"chat-api", "--config", "chat.json", "--store", "memory:", "--listen", kHere});
  keeps_strangers_out("chat-api", chat.url());
  const RunningServer registry = start({"registry", "--listen", kHere, "--file", "agents.json"});
  const wire::Url agents = keeps_strangers_out("registry", registry.url());
  keeps_strangers_out("registry, metrics", agents.origin() + "/metrics");
}

TEST_F(PortsTest, OfAgentsAndTheirExecutionApi) {
  write_model();
  write("keys.json", dump_json(auth::key_set()));
  write("commands.json", R"({"plumbline_commands": 1, "local": {"programs": ["echo"]}})");
  const RunningServer agents =
      start({"agents", "serve", "--http", kHere, "--model-script", "model.json", "--commands",
             "commands.json", "--execution-api", "--auth",
             "jwks=keys.json,issuer=https://login.example"});
  const wire::Url at = keeps_strangers_out("agents serve", agents.url());
  keeps_strangers_out("agents serve, /execute", at.origin() + "/execute");
}

// What a page sends must not reach the server, to which the relay shows the user's credential.
TEST_F(PortsTest, OfARecorderAndItsServerHearsNothing) {
  const RunningServer server = start({"serve", scenario(), "--http", kHere});
  const RunningServer relay = start({"record", "--out", "r.jsonl", "--listen", kHere, "--url",
                                     server.url(), "--header", "Authorization: Bearer secret"});
  const wire::Url at = keeps_strangers_out("record --listen", relay.url());
  const std::string recorded = read("r.jsonl");
  EXPECT_EQ(recorded.find("evil"), std::string::npos) << recorded;
  EXPECT_EQ(recorded.find("ping"), std::string::npos) << recorded;
  EXPECT_NE(recorded.find("6274"), std::string::npos) << "a page of this machine is relayed";
  EXPECT_EQ(answer(at, "GET /x HTTP/1.1\r\nHost: " + at.host_header() + "\r\n\r\n").find("403"),
            std::string::npos);
}

TEST_F(PortsTest, OfPagesAndReplays) {
  const RunningServer server = start({"serve", scenario(), "--http", kHere});
  {
    const RunningServer relay =
        start({"record", "--out", "r.jsonl", "--listen", kHere, "--url", server.url()});
    const wire::Url at = wire::parse_url(relay.url()).value();
    const std::string body =
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
        R"("capabilities":{},"clientInfo":{"name":"x","version":"1"}}})";
    answer(at, "POST " + at.target + " HTTP/1.1\r\nHost: " + at.host_header() +
                   "\r\nContent-Type: application/json\r\nAccept: application/json, "
                   "text/event-stream\r\nContent-Length: " +
                   std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  const RunningServer page = start({"report", "view", "r.jsonl"});
  const wire::Url at = keeps_strangers_out("report view", page.url());
  // A link of another site may lead here.
  const std::string link = "GET / HTTP/1.1\r\nHost: " + at.host_header() +
                           "\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"
                           "Sec-Fetch-Dest: document\r\n\r\n";
  EXPECT_TRUE(answer(at, link).starts_with("HTTP/1.1 200 "));
  for (const char* const way : {"http", "sse"}) {
    const RunningServer replay = start({"replay", "r.jsonl", "--serve", way, "--listen", kHere});
    keeps_strangers_out(std::string("replay --serve ") + way, replay.url());
  }
}

TEST_F(PortsTest, OfTheJudge) {
  knock_at_child("check gateway",
                 {"check", "gateway", "--listen", kHere, "--", "sh", "-c",
                  "printf '%s\\n' \"$1\" > url.new; mv url.new url; exec sleep 20", "sh", "{url}"});
  fs::remove(folder_ / "url");
  knock_at_child("check client",
                 {"check", "client", "--transport", "http", "--", "sh", "-c",
                  "printf '%s\\n' \"$1\" > url.new; mv url.new url; exec sleep 20", "sh"});
}

TEST_F(PortsTest, OneNameMoreMayBeAllowed) {
  const RunningServer server =
      start({"serve", "--reference", "--http", kHere, "--allow-host", "mcp.example"});
  const wire::Url at = wire::parse_url(server.url()).value();
  const auto named = [&at](const std::string& host) {
    return answer(at, "GET /mcp HTTP/1.1\r\nHost: " + host + "\r\n\r\n").substr(9, 3);
  };
  EXPECT_NE(named("mcp.example"), "403");
  EXPECT_NE(named("MCP.example:443"), "403");
  EXPECT_EQ(named("x.mcp.example"), "403");
}

}  // namespace
}  // namespace plumbline::cli
