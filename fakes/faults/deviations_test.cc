#include "fakes/faults/deviations.h"

#include <chrono>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "core/mcp/transport/stdio_channel.h"
#include "fakes/peers/scripted_server.h"
#include "fakes/peers/wire_peer.h"
#include "fakes/testing/channel_log.h"
#include "fakes/testing/event_log.h"
#include "fakes/world/value_channel.h"

namespace plumbline::fakes {
namespace {

// Goal: each deviation changes what is on the wire, and changes nothing but what it says.
// Method: one fixed conversation with a server that offers everything. Without deviations its
// answers are judged one by one; with each deviation the steps that differ, and how, are compared
// with golden/deviations.txt, which a person has read.

constexpr std::string_view kScript = R"({
  "name": "demo", "page_size": 2,
  "tools": [
    {"name": "read", "inputSchema": {"type": "object", "required": ["path"]},
     "outputSchema": {"type": "object", "required": ["size"]},
     "does": [{"reply": {"content": [{"type": "text", "text": "{\"size\":3}"}],
                         "structuredContent": {"size": 3}}}]},
    {"name": "roots", "does": [{"request": {"method": "roots/list"}},
                               {"request": {"method": "roots/list"}}]},
    {"name": "slow", "does": [{"delay_ms": 1000}]}],
  "resources": [{"uri": "f:///a", "name": "a", "text": "A"},
                {"uri": "f:///b", "name": "b", "blob": "Qg=="}],
  "prompts": [{"name": "p", "arguments": [{"name": "who", "required": true}],
               "messages": [{"role": "user",
                             "content": {"type": "text", "text": "Hi {{who}}"}}]}]})";

ServerScript script_with(std::optional<Deviation> which) {
  Result<Json> json = parse_json(kScript);
  if (which) {
    json.value()["deviations"] = {all_deviations()[static_cast<std::size_t>(*which)].name};
  }
  Result<ServerScript, Problem> script = parse_server_script(json.value());
  check(script.ok(), "the script is refused");
  return std::move(script).value();
}

// Utterance is one thing the client says; `line` may be no JSON.
struct Utterance {
  std::string name;
  std::string line;
};

std::string request(int id, std::string_view method, std::string_view params = "") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + std::string(method) +
         "\"" + (params.empty() ? "" : ",\"params\":" + std::string(params)) + "}";
}

std::string notification(std::string_view method, std::string_view params = "{}") {
  return R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"(","params":)" +
         std::string(params) + "}";
}

std::vector<Utterance> conversation() {
  const std::string hello = R"({"protocolVersion":"2025-11-25","capabilities":{"roots":{}},)"
                            R"("clientInfo":{"name":"c","version":"1"}})";
  return {
      {"early", request(1, "tools/list")},
      {"initialize", request(2, "initialize", hello)},
      {"hasty", request(3, "prompts/list")},
      {"initialized", notification("notifications/initialized")},
      {"initialize again", request(4, "initialize", hello)},
      {"ping", request(5, "ping")},
      {"list", request(6, "tools/list")},
      {"list page 2", request(7, "tools/list", R"({"cursor":"page:1"})")},
      {"list bad cursor", request(8, "tools/list", R"({"cursor":"bogus"})")},
      {"call", request(9, "tools/call",
                       R"({"name":"read","arguments":{"path":"x"},)"
                       R"("_meta":{"progressToken":"t"}})")},
      {"call unknown", request(10, "tools/call", R"({"name":"nope"})")},
      {"call missing", request(11, "tools/call", R"({"name":"read"})")},
      {"call asking", request(12, "tools/call", R"({"name":"roots"})")},
      {"resources", request(13, "resources/list")},
      {"read text", request(14, "resources/read", R"({"uri":"f:///a"})")},
      {"read blob", request(15, "resources/read", R"({"uri":"f:///b"})")},
      {"read unknown", request(16, "resources/read", R"({"uri":"f:///c"})")},
      {"prompts", request(17, "prompts/list")},
      {"prompt", request(18, "prompts/get", R"({"name":"p","arguments":{"who":"you"}})")},
      {"prompt missing", request(19, "prompts/get", R"({"name":"p"})")},
      {"complete", request(20, "completion/complete")},
      {"level", request(21, "logging/setLevel", R"({"level":"info"})")},
      {"level bad", request(22, "logging/setLevel", R"({"level":"loud"})")},
      {"unknown method", request(23, "x/y")},
      {"slow", request(24, "tools/call", R"({"name":"slow"})")},
      {"cancel", notification("notifications/cancelled", R"({"requestId":24})")},
      {"garbage", "{oops"},
      {"close", ""},
  };
}

using Transcript = std::vector<std::pair<std::string, std::string>>;

// DeviantWorld is the loop and the server under test.
struct DeviantWorld {
  explicit DeviantWorld(std::optional<Deviation> which) : script(script_with(which)) {}

  void run_a_while() {
    const Instant until = loop.now() + std::chrono::milliseconds(100);
    check(loop.run_until_idle(100'000, until).ok(), "the world is restless");
  }

  SimLoop loop;
  EventLog events;
  EffectLedger ledger{loop, events};
  ServerMemory memory{"demo"};
  ServerScript script;
};

// answer_requests returns what a client answers to the server's requests among `lines`.
std::string answer_requests(std::string_view lines) {
  std::string answers;
  for (std::size_t end = lines.find('\n'); end != lines.npos; end = lines.find('\n')) {
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end + 1);
    if (line.size() > 1'000) continue;  // A huge answer, and costly to read.
    const Result<Json> message = parse_json(line);
    if (!message.ok() || !find(message.value(), "method")) continue;
    if (const Json* const id = find(message.value(), "id")) {
      answers += dump_json({{"jsonrpc", "2.0"}, {"id", *id}, {"result", {{"roots", {}}}}}) + "\n";
    }
  }
  return answers;
}

// talk_bytes holds the conversation over a pipe and returns the raw bytes that each step yields.
Transcript talk_bytes(std::optional<Deviation> which) {
  DeviantWorld world(which);
  SimPipePair pair = make_sim_pipe(world.loop, {}, Rng(1));
  ScriptedServer server(world.script, {world.loop, world.ledger, world.memory},
                        make_server_port(static_cast<net::Pipe&>(*pair.far)));
  server.start();
  WirePeer peer(world.loop, *pair.near);
  Transcript transcript;
  for (const Utterance& step : conversation()) {
    const std::size_t before = peer.log().text.size();
    if (step.line.empty()) {
      pair.near->close_write();
    } else {
      peer.send_text(step.line + "\n");
    }
    std::size_t heard = before;
    do {
      world.run_a_while();
      const std::string answers = answer_requests(std::string_view(peer.log().text).substr(heard));
      heard = peer.log().text.size();
      if (answers.empty()) break;
      peer.send_text(answers);
    } while (true);
    if (step.name == "cancel") world.loop.run_until_idle().value();
    std::string text = peer.log().text.substr(before);
    if (step.line.empty() && peer.log().ended) text += "<end>";
    transcript.emplace_back(step.name, std::move(text));
  }
  return transcript;
}

// printable shows control and non-ASCII bytes as \xNN and cuts what is long.
std::string printable(std::string_view text) {
  std::ostringstream shown;
  std::size_t left = 240;
  for (const char c : text) {
    if (left-- == 0) {
      shown << "...(" << text.size() << " bytes)";
      break;
    }
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      shown << "\\n";
    } else if (byte < 0x20 || byte >= 0x7f) {
      shown << "\\x"
            << "0123456789abcdef"[byte >> 4U] << "0123456789abcdef"[byte & 15U];
    } else {
      shown << c;
    }
  }
  return shown.str();
}

// difference shows the first two steps that differ in full, and the names of the others.
std::string difference(const Transcript& good, const Transcript& bad) {
  std::string shown;
  std::string others;
  int count = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    if (good[i] == bad[i]) continue;
    if (++count <= 2) {
      shown += "  " + good[i].first + "\n    good " + printable(good[i].second) + "\n    bad  " +
               printable(bad[i].second) + "\n";
    } else {
      others += (others.empty() ? "" : ", ") + good[i].first;
    }
  }
  return shown + (others.empty() ? "" : "  and " + others + "\n");
}

TEST(DeviationsTest, WithoutOneEveryAnswerIsCorrect) {
  const Transcript transcript = talk_bytes(std::nullopt);
  std::map<std::string, Json> answers;
  int id = 0;
  for (const auto& [name, text] : transcript) {
    SCOPED_TRACE(name + ": " + text);
    if (name == "initialized" || name == "slow" || name == "cancel") {
      EXPECT_EQ(text, "");
      if (name == "slow") ++id;
      continue;
    }
    if (name == "close") {
      EXPECT_EQ(text, "<end>");
      continue;
    }
    ASSERT_EQ(text.back(), '\n');
    const std::size_t begin = text.rfind('\n', text.size() - 2);
    const Result<Json> parsed = parse_json(text.substr(begin == text.npos ? 0 : begin));
    ASSERT_TRUE(parsed.ok());
    const Json& answer = parsed.value();
    EXPECT_EQ(answer.size(), 3U);
    EXPECT_EQ(answer["jsonrpc"], "2.0");
    EXPECT_EQ(answer["id"], name == "garbage" ? Json() : Json(++id));
    EXPECT_NE(answer.contains("result"), answer.contains("error"));
    if (answer.contains("error")) {
      EXPECT_TRUE(answer["error"]["code"].is_number_integer());
      EXPECT_TRUE(answer["error"]["message"].is_string());
    } else {
      EXPECT_TRUE(answer["result"].is_object());
    }
    answers[name] = answer;
  }
  EXPECT_EQ(answers["early"]["error"]["code"], -32600);
  EXPECT_EQ(answers["initialize again"]["error"]["code"], -32600);
  EXPECT_EQ(answers["list"]["result"]["nextCursor"], "page:1");
  EXPECT_EQ(answers["list bad cursor"]["error"]["code"], -32602);
  EXPECT_EQ(answers["call unknown"]["error"]["code"], -32602);
  EXPECT_EQ(answers["call missing"]["error"]["code"], -32602);
  EXPECT_EQ(answers["read unknown"]["error"]["code"], -32002);
  EXPECT_EQ(answers["prompt"]["result"]["messages"][0]["content"]["text"], "Hi you");
  EXPECT_EQ(answers["prompt missing"]["error"]["code"], -32602);
  EXPECT_EQ(answers["level bad"]["error"]["code"], -32602);
  EXPECT_EQ(answers["unknown method"]["error"]["code"], -32601);
  EXPECT_EQ(answers["garbage"]["error"]["code"], -32700);
}

TEST(DeviationsTest, EachChangesExactlyWhatItSays) {
  const Transcript good = talk_bytes(std::nullopt);
  std::string actual;
  for (const DeviationInfo& info : all_deviations()) {
    const std::string changed = difference(good, talk_bytes(info.which));
    EXPECT_NE(changed, "") << info.name << " changes nothing";
    actual += std::string(info.name) + ": " + std::string(info.what) + "\n" + changed + "\n";
  }
  std::ifstream file(SOURCE_ROOT "/fakes/faults/golden/deviations.txt");
  std::stringstream golden;
  golden << file.rdbuf();
  const std::string path = BINARY_ROOT "/deviations.txt";
  if (actual != golden.str()) std::ofstream(path) << actual;
  EXPECT_EQ(actual == golden.str(), true)
      << "compare fakes/faults/golden/deviations.txt with " << path;
}

// heard holds the conversation, without the parts that follow from answers, over a channel and
// returns what a receiver hears.
std::string heard(ChannelLog& log, DeviantWorld& world, transport::MessageChannel& channel) {
  channel.start(log);
  for (const Utterance& step : conversation()) {
    if (step.line.empty()) {
      channel.close_send();
    } else if (Result<Json> message = parse_json(step.line); message.ok()) {
      channel.send(std::move(message).value());
    }
    world.run_a_while();
  }
  std::string text;
  for (const Json& message : log.messages) text += dump_json(message) + "\n";
  for (const std::string& bytes : log.garbage) text += printable(bytes) + "\n";
  return text + (log.closed ? "closed" : "open");
}

TEST(DeviationsTest, EachIsHeardAlikeOverBytesAndOverValues) {
  for (const DeviationInfo& info : all_deviations()) {
    DeviantWorld bytes_world(info.which);
    SimPipePair pipe = make_sim_pipe(bytes_world.loop, {}, Rng(1));
    ScriptedServer bytes_server(bytes_world.script,
                                {bytes_world.loop, bytes_world.ledger, bytes_world.memory},
                                make_server_port(static_cast<net::Pipe&>(*pipe.far)));
    bytes_server.start();
    transport::StdioChannel bytes_channel(*pipe.near);
    ChannelLog by_bytes;

    DeviantWorld values_world(info.which);
    ValueChannelPair values = make_value_channel(values_world.loop, {}, Rng(1));
    ScriptedServer values_server(values_world.script,
                                 {values_world.loop, values_world.ledger, values_world.memory},
                                 make_server_port(*values.far));
    values_server.start();
    ChannelLog by_values;
    EXPECT_EQ(heard(by_bytes, bytes_world, bytes_channel),
              heard(by_values, values_world, *values.near))
        << info.name;
  }
}

TEST(DeviationsTest, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const DeviationInfo& info : all_deviations()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(find_deviation(info.name), info.which);
    EXPECT_TRUE(info.what.ends_with('.')) << info.name;
  }
  EXPECT_FALSE(find_deviation("no_such_bug"));
}

}  // namespace
}  // namespace plumbline::fakes
