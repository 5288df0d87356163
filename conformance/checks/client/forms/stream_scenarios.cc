// Answers that are slow to come whole, and lists of which one item is odd: UTF-8 and the HTML
// standard, Server-sent events; spec, basic/transports, Streamable HTTP, and server/tools.

#include <chrono>
#include <string>
#include <utility>

#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

// event_of returns an event with what answers `asked`.
std::string event_of(ScriptedPeer& peer, const Asked& asked, Json result) {
  Json response(Json::value_t::object);
  response["jsonrpc"] = "2.0";
  response["id"] = asked.id();
  response["result"] = completed(std::move(result), peer.revision(), asked.method(), 0);
  peer.record().heard[asked.heard].answered = peer.now();
  return "event: message\ndata: " + dump_json(response) + "\n\n";
}

constexpr const char* kCursor = "page-\xC3\xA9-2";  // With the letter é.
constexpr Duration kBetweenHalves = std::chrono::milliseconds(60);

// CutLetter sends its answer in two pieces, between the two bytes of a letter.
class CutLetter final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override { peer.events = true; }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    Json result(Json::value_t::object);
    result["tools"] = Json::array();
    if (!asked.param("cursor").empty()) {
      result["tools"].push_back(plain_tool("of_the_second_page"));
      peer.result(asked, std::move(result));
      return true;
    }
    result["tools"].push_back(plain_tool("of_the_first_page"));
    result["nextCursor"] = kCursor;
    const std::string text = event_of(peer, asked, std::move(result));
    const std::size_t cut = text.find('\xC3') + 1;
    peer.bytes(asked.exchange, text.substr(0, cut), false);
    peer.later(kBetweenHalves, [&peer, exchange = asked.exchange, rest = text.substr(cut)] {
      peer.bytes(exchange, rest, true);
    });
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("http.sse-split-letters", finding(record));
  }

 private:
  static Finding finding(const Record& record) {
    Finding finding = never_came(record, "asked for a second page of the tools");
    for (const Heard* const one : record.requests("tools/list")) {
      const std::string cursor = one->params() ? one->param("cursor") : "";
      if (cursor.empty()) continue;
      if (cursor == kCursor) return passes();
      finding = at(record, *one,
                   broken("the two bytes of a letter came in two pieces of a stream, in the "
                          "nextCursor \"" +
                          std::string(kCursor) + "\", and it asked with \"" + clipped(cursor) +
                          "\": a stream is UTF-8 as a whole"));
    }
    return finding;
  }
};

constexpr const char* kSeenAtOnce = "after_an_open_end";

// OpenEnd answers in a stream that it leaves open.
class OpenEnd final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {plain_tool(kSeenAtOnce)};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    Json result(Json::value_t::object);
    result["tools"].push_back(plain_tool(kSeenAtOnce));
    peer.bytes(asked.exchange, event_of(peer, asked, std::move(result)), false);
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("http.sse-answer-at-once",
                 at_most_risky(went_on(record, kSeenAtOnce,
                                       "an answer in a stream that the server left open, as it "
                                       "may")));
  }
};

constexpr const char* kBehind = "behind_a_notification";

// UnknownFirst has a notification of a kind of its own before the answer: which nobody has to have
// asked for, and who does not know it passes it over.
class UnknownFirst final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {plain_tool(kBehind)};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    Json result(Json::value_t::object);
    result["tools"].push_back(plain_tool(kBehind));
    const Json told = notification("notifications/plumbline/working", Json::object());
    peer.bytes(asked.exchange,
               "event: message\ndata: " + dump_json(told) + "\n\n" +
                   event_of(peer, asked, std::move(result)),
               true);
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("http.client-supports-both-response-types",
                 at_most_risky(went_on(record, kBehind,
                                       "a notification of an unknown kind in the stream, before "
                                       "the answer")));
  }
};

constexpr const char* kSound = "of_a_sound_schema";

// OddSchema lists a tool with a schema that cannot be resolved, and one that is well.
class OddSchema final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    Json odd = plain_tool("of_an_odd_schema");
    odd["outputSchema"]["type"] = "object";
    odd["outputSchema"]["properties"]["screen"]["$ref"] = "#/$defs/Screen";
    peer.offer.tools = {std::move(odd), plain_tool(kSound)};
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("hostile.odd-schema",
                 at_most_risky(went_on(record, kSound,
                                       "a list in which the outputSchema of another tool has a "
                                       "$ref that leads nowhere")));
  }
};

constexpr std::string_view kCutIds[] = {"http.sse-split-letters"};
constexpr std::string_view kOpenIds[] = {"http.sse-answer-at-once"};
constexpr std::string_view kUnknownFirstIds[] = {"http.client-supports-both-response-types"};
constexpr std::string_view kOddIds[] = {"hostile.odd-schema"};

constexpr ClientScenario kStreamScenarios[] = {
    {"tools_call", "cut-letter", Eras::kBoth, Over::kHttp, "", kCutIds, make_script<CutLetter>},
    {"tools_call", "open-end", Eras::kBoth, Over::kHttp, "", kOpenIds, make_script<OpenEnd>},
    {"tools_call", "unknown-first", Eras::kStateless, Over::kHttp, "", kUnknownFirstIds,
     make_script<UnknownFirst>},
    {"tools_call", "odd-schema", Eras::kBoth, Over::kAny, "", kOddIds, make_script<OddSchema>},
};

}  // namespace

ClientScenarios stream_scenarios() { return kStreamScenarios; }

}  // namespace plumbline::conformance
