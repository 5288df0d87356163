// Each oracle bites: for every rule there is a conversation that keeps it and one that breaks it.
// Rules that bind both sides are put to both, with the sides changed.

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/catalogue/requirement.h"
#include "conformance/oracles/oracle.h"
#include "conformance/oracles/oracle_cases_fixture.h"

namespace plumbline::conformance {
namespace {

// WrittenConversation is a conversation in a few words, a line each:
//   c 1 tools/call {params}    the client requests, with id 1; "-" instead: a notification
//   s =1 {result}              the server answers; "!1" with an error
//   s raw {whole message}      s text anything: no JSON
//   "mcp:x"                    in JSON: the key "io.modelcontextprotocol/x"
//   @2                         on HTTP: what follows belongs to exchange 2
//   status 202                 on HTTP: that one is answered
//   wait 700                   so many milliseconds pass
class WrittenConversation {
 public:
  WrittenConversation(const Redactor& redactor, bool swapped)
      : log_(redactor, Instant{}), swapped_(swapped) {}

  void play(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      for (std::size_t at = 0; (at = line.find("\"mcp:", at)) != std::string::npos;) {
        line.replace(at, 5, "\"io.modelcontextprotocol/");
      }
      line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
      if (!line.empty()) step(line);
    }
  }

  void greet(std::string_view revision) {
    if (is_stateless(revision)) return;
    const bool swapped = std::exchange(swapped_, false);
    play("c 0 initialize {\"protocolVersion\":\"" + std::string(revision) +
         "\",\"capabilities\":{\"roots\":{}},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}\n"
         "s =0 {\"protocolVersion\":\"" +
         std::string(revision) +
         "\",\"capabilities\":{\"logging\":{},\"tools\":{}},"
         "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}\n"
         "c - notifications/initialized {}\n");
    swapped_ = swapped;
  }

  const WireLog& log() const { return log_; }

 private:
  void step(const std::string& line) {
    std::istringstream words(line);
    std::string who;
    std::string what;
    words >> who >> what;
    if (who == "wait") {
      now_ += std::chrono::milliseconds(std::stoi(what));
      return;
    }
    if (who.starts_with("@")) {
      exchange_ = static_cast<std::uint32_t>(std::stoi(who.substr(1)));
      return;
    }
    LogEntry entry;
    entry.at = now_;
    entry.connection = 1;
    entry.exchange = exchange_;
    if (who == "status") {
      entry.message = kept(Json{{"status", std::stoi(what)}});
      log_.add(std::move(entry));
      return;
    }
    std::string rest;
    std::getline(words, rest);
    const bool client = (who == "c") != swapped_;
    entry.sender = client ? Sender::kHarness : Sender::kSubject;
    entry.garbage = what == "text";
    entry.message = kept(entry.garbage ? Json{{"garbage", rest.substr(1)}} : message(what, rest));
    log_.add(std::move(entry));
  }

  static Json message(const std::string& what, const std::string& rest) {
    if (what == "raw") return parse_json(rest).value();
    Json message = parse_json(R"({"jsonrpc":"2.0"})").value();
    if (what.starts_with("=") || what.starts_with("!")) {
      message["id"] = parse_json(what.substr(1)).value();
      message[what[0] == '=' ? "result" : "error"] = parse_json(rest).value();
      return message;
    }
    if (what != "-") message["id"] = parse_json(what).value();
    const std::size_t params = rest.find('{');
    message["method"] = rest.substr(1, std::min(params, rest.size() + 1) - 2);
    if (params != std::string::npos) message["params"] = parse_json(rest.substr(params)).value();
    return message;
  }

  WireLog log_;
  bool swapped_;
  Instant now_{};
  std::uint32_t exchange_ = 0;
};

Finding judged(const OracleCase& one, const Oracle& oracle, const std::string& text) {
  const Redactor redactor;
  const bool server = oracle.role == "server";
  WrittenConversation written(redactor, one.side == OracleCase::Sides::kBoth && !server);
  if (one.greeted) written.greet(one.revision);
  written.play(text);
  const Conversation said{written.log(), written.log().entries(), std::string(one.revision),
                          server ? Sender::kSubject : Sender::kHarness, one.http};
  return oracle.judge(Transcript(said, server ? Side::kServer : Side::kClient));
}

bool is_for(const OracleCase& one, const Oracle& oracle) {
  if (one.id != oracle.id) return false;
  if (one.side == OracleCase::Sides::kServer) return oracle.role == "server";
  return one.side == OracleCase::Sides::kBoth || oracle.role == "client";
}

TEST(OracleTest, PassesWhatKeepsTheRuleAndCatchesWhatBreaksIt) {
  const std::vector<OracleCase> cases = oracle_cases();
  for (const OracleCase& one : cases) {
    for (const Oracle& oracle : all_oracles()) {
      if (!is_for(one, oracle)) continue;
      const Finding good = judged(one, oracle, std::string(one.good));
      EXPECT_EQ(good.verdict, Verdict::kPass)
          << one.id << " " << oracle.role << ": " << good.message << "\n"
          << one.good;
      const Finding bad = judged(one, oracle, std::string(one.bad));
      EXPECT_EQ(bad.verdict, one.risky ? Verdict::kWarn : Verdict::kFail)
          << one.id << " " << oracle.role << ": " << bad.message << "\n"
          << one.bad;
      EXPECT_FALSE(bad.evidence.empty()) << one.id;
    }
  }
}

// Too many lines to write down.
struct Flood {
  std::string_view id;
  std::string line;
  int most;  // Within a second, or a minute for pings.
};

TEST(OracleTest, TellsTooMuch) {
  const std::string asked = "c 1 x {\"_meta\":{\"progressToken\":7}}\n";
  for (const Flood& flood :
       {Flood{"progress.rate-limited", "s - notifications/progress {\"progressToken\":7}", 100},
        Flood{"logging.rate-limited", "s - notifications/message {}", 300},
        Flood{"ping.not-excessive", "s 5 ping", 60}}) {
    OracleCase one{flood.id, "2025-11-25", OracleCase::Sides::kBoth, "", ""};
    std::string text = asked;
    for (int i = 0; i < flood.most; ++i) text += flood.line + "\n";
    for (const Oracle& oracle : all_oracles()) {
      if (oracle.id != flood.id) continue;
      EXPECT_EQ(judged(one, oracle, text).verdict, Verdict::kPass) << flood.id;
      EXPECT_EQ(judged(one, oracle, text + flood.line).verdict, Verdict::kFail) << flood.id;
    }
  }
}

TEST(OracleTest, EachOracleHasACase) {
  const std::vector<OracleCase> cases = oracle_cases();
  for (const Oracle& oracle : all_oracles()) {
    if (oracle.id.ends_with(".rate-limited") || oracle.id == "ping.not-excessive") continue;
    if (oracle.id.starts_with("http.")) continue;  // Shown over HTTP: kill_matrix_test.cc.
    EXPECT_TRUE(
        std::ranges::any_of(cases, [&](const OracleCase& one) { return is_for(one, oracle); }))
        << oracle.id << " " << oracle.role;
  }
}

TEST(OracleTest, EachIsARuleThatBindsItsRole) {
  for (const Oracle& oracle : all_oracles()) {
    EXPECT_TRUE(std::ranges::any_of(
        requirements(),
        [&](const Requirement& rule) { return rule.id == oracle.id && rule.binds(oracle.role); }))
        << oracle.id << " " << oracle.role;
  }
}

TEST(OracleTest, SaysNothingOfASilentPeer) {
  for (const Oracle& oracle : all_oracles()) {
    const Redactor redactor;
    const WireLog log(redactor, Instant{});
    for (const std::string_view revision : kRevisions) {
      const Conversation silence{log, {}, std::string(revision), Sender::kSubject, false};
      const Side side = oracle.role == "server" ? Side::kServer : Side::kClient;
      EXPECT_EQ(oracle.judge(Transcript(silence, side)).verdict, Verdict::kSkip) << oracle.id;
    }
  }
}

}  // namespace
}  // namespace plumbline::conformance
