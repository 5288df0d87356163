// Servers of earlier revisions, as a client that knows them meets them: HTTP+SSE, and servers that
// do not know server/discover.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/client/script_kit.h"
#include "core/wire/sse.h"

namespace plumbline::conformance {

namespace {

Json response_to(const Json& request, Answer answer) {
  Json response(Json::value_t::object);
  response["jsonrpc"] = "2.0";
  response["id"] = *find(request, "id");
  if (!answer.result.is_null()) {
    response["result"] = std::move(answer.result);
  } else {
    response["error"]["code"] = answer.code;
    response["error"]["message"] = std::move(answer.message);
  }
  return response;
}

// SseServer serves HTTP+SSE alone, and announces an endpoint that has to be taken as it is.
class SseServer final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override { peer.offer.tools = {bare_tool("over_sse")}; }

  bool on_http(ScriptedPeer& peer, std::size_t exchange, net::HttpReply& reply) override {
    const wire::HttpRequest request = peer.record().http[exchange].request;
    if (request.method == "GET") {
      announce(peer, reply);
      return true;
    }
    wire::HttpResponse response;
    response.status = request.method == "POST" && request.target == kEndpoint ? 202 : 405;
    reply.respond(response);
    if (response.status == 202) answer(peer, request.body);
    return true;
  }

  bool serves(std::string_view path) const override { return kEndpoint.starts_with(path); }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = never_came(record, "posted anything to a server of HTTP+SSE");
    for (std::size_t i = 1; i < record.http.size() && announced_; ++i) {
      const HttpHeard& heard = record.http[i];
      if (heard.request.method != "POST" || heard.at <= *announced_) continue;
      finding = passes();
      if (heard.request.target == kEndpoint) continue;
      finding = at(record, heard,
                   broken("it posted to " + heard.request.target + ", expected " +
                          std::string(kEndpoint) + ", as the server had said"));
      break;
    }
    verdicts.say("sse-legacy.client-posts-to-endpoint", std::move(finding));
  }

 private:
  static constexpr std::string_view kEndpoint = "/messages/?session=judge%20one&part=a%2Fb";

  void announce(ScriptedPeer& peer, net::HttpReply& reply) {
    wire::HttpHeaders headers;
    headers.set("Content-Type", "text/event-stream");
    reply.open_stream(200, headers);
    wire::SseEvent event;
    event.event = "endpoint";
    event.data = std::string(kEndpoint);
    std::string bytes;
    wire::append_sse(bytes, event);
    reply.write(bytes);
    streams_.push_back(std::move(reply));
    announced_ = peer.now();
  }

  void answer(ScriptedPeer& peer, const std::string& body) {
    const Result<Json> message = parse_json(body);
    if (streams_.empty() || !message.ok() || find(message.value(), "method") == nullptr ||
        find(message.value(), "id") == nullptr) {
      return;
    }
    wire::SseEvent event;
    event.event = "message";
    event.data = dump_json(
        response_to(message.value(), usual_answer(peer.offer, peer.revision(), message.value())));
    std::string bytes;
    wire::append_sse(bytes, event);
    streams_.back().write(bytes);
  }

  std::vector<net::HttpReply> streams_;
  std::optional<Instant> announced_;
};

// Older answers everything before initialize with the error `kCode`, as a server that has never
// heard of server/discover.
template <std::int64_t kCode>
class Older final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {bare_tool("of_an_older_server")};
    peer.record().two_eras = true;
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    opened_ |= asked.method() == "initialize";
    if (!opened_) {
      peer.error(asked, kCode, "not before initialize");
      return true;
    }
    Answer answer = usual_answer(peer.offer, kNewestStateful, asked.message);
    peer.text(asked, dump_json(response_to(asked.message, std::move(answer))), true);
    return true;
  }

  // What it does after other errors tells a client that knows no older servers from one that is
  // particular about the error.
  void judge(const Record& record, Verdicts& verdicts) override {
    const auto before = verdicts.all().find(kRule);
    const bool known = before != verdicts.all().end();
    const std::string after = "after error " + std::to_string(kCode);
    Finding finding = never_came(record, "asked for anything");
    if (opened_) {
      finding = known && before->second.reason == kAlone
                    ? broken("it falls back to initialize " + after + ", but not after others")
                    : passes();
    } else if (!record.requests().empty()) {
      const bool others = known && before->second.verdict == Verdict::kPass;
      finding = others ? broken("it does not fall back to initialize " + after +
                                ", but after others; " + record.how_it_ended())
                       : not_for_it("it falls back to no older server");
      if (!others) finding.reason = kAlone;
    }
    verdicts.say(kRule, std::move(finding));
  }

 private:
  static constexpr std::string_view kRule = "stdio.fallback-not-code-specific";
  static constexpr std::string_view kAlone = "falls-back-to-none";

  bool opened_ = false;
};

// Silent answers nothing before initialize: many a server of the old era drops what comes before.
class Silent final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {bare_tool("of_a_silent_server")};
    peer.record().two_eras = true;
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    opened_ |= asked.method() == "initialize";
    if (!opened_) return true;
    Answer answer = usual_answer(peer.offer, kNewestStateful, asked.message);
    peer.text(asked, dump_json(response_to(asked.message, std::move(answer))), true);
    return true;
  }

  // The client is given the time that SDKs wait for.
  Duration silence_max(Duration usual) const override {
    return std::max<Duration>(usual, std::chrono::seconds(12));
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    static constexpr std::string_view kRule = "stdio.fallback-not-code-specific";
    const auto others = verdicts.all().find(kRule);
    const bool knows = others != verdicts.all().end() && others->second.verdict == Verdict::kPass;
    // Who knows no older servers, or not after errors, is told so by the others.
    if (opened_ || !knows || record.requests().empty()) return;
    verdicts.say(kRule,
                 risky("it falls back to initialize after errors, and when server/discover was not "
                       "answered at all it did not within 12 s, as clients should: many servers of "
                       "the older era drop what comes before initialize; " +
                       record.how_it_ended()));
  }

 private:
  bool opened_ = false;
};

// How a server of the old era refuses server/discover over HTTP.
struct OlderRefusal {
  int status;
  std::int64_t code;
  bool names_request;  // Its error has the id of the request; else null.
};

constexpr OlderRefusal kOlderRefusals[] = {
    {400, -32600, false}, {400, -32700, false}, {200, -32601, true}};

// OlderOverHttp refuses by kOlderRefusals[kWay] what comes before initialize.
template <std::size_t kWay>
class OlderOverHttp final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {bare_tool("of_an_older_server")};
    peer.record().two_eras = true;
  }

  bool on_http(ScriptedPeer& peer, std::size_t exchange, net::HttpReply& reply) override {
    const wire::HttpRequest request = peer.record().http[exchange].request;
    const Result<Json> message = parse_json(request.body);
    const std::string method =
        message.ok() && message.value().is_object() ? string_or(message.value(), "method", "") : "";
    opened_ |= method == "initialize";
    asked_ |= !method.empty();
    const Json* const id = message.ok() ? find(message.value(), "id") : nullptr;
    reply.respond(answer(peer, request, id, message.ok() ? message.value() : Json()));
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const auto before = verdicts.all().find(kRule);
    const bool known = before != verdicts.all().end();
    const std::string after = "after status " + std::to_string(kRefusal.status) + " with error " +
                              std::to_string(kRefusal.code);
    Finding finding = never_came(record, "asked for anything");
    if (opened_) {
      finding = known && before->second.reason == kAlone
                    ? broken("it falls back to initialize " + after + ", but not after others")
                    : passes();
    } else if (asked_) {
      const bool others = known && before->second.verdict == Verdict::kPass;
      finding = others ? broken("it does not fall back to initialize " + after +
                                ", but after others; " + record.how_it_ended())
                       : not_for_it("it falls back to no older server");
      if (!others) finding.reason = kAlone;
    }
    verdicts.say(kRule, std::move(finding));
  }

 private:
  static constexpr OlderRefusal kRefusal = kOlderRefusals[kWay];
  static constexpr std::string_view kRule = "http.fallback-not-answer-specific";
  static constexpr std::string_view kAlone = "falls-back-to-none";

  wire::HttpResponse answer(ScriptedPeer& peer, const wire::HttpRequest& request, const Json* id,
                            const Json& message) const {
    wire::HttpResponse response;
    response.status = request.method == "POST" ? 202 : 405;
    if (request.method != "POST" || id == nullptr) return response;
    response.headers.set("Content-Type", "application/json");
    response.status = opened_ ? 200 : kRefusal.status;
    if (opened_) {
      response.body =
          dump_json(response_to(message, usual_answer(peer.offer, kNewestStateful, message)));
      return response;
    }
    Json refusal(Json::value_t::object);
    refusal["jsonrpc"] = "2.0";
    refusal["id"] = kRefusal.names_request ? *id : Json();
    refusal["error"]["code"] = kRefusal.code;
    refusal["error"]["message"] = "not before initialize";
    response.body = dump_json(refusal);
    return response;
  }

  bool opened_ = false;
  bool asked_ = false;
};

constexpr std::string_view kOlderHttpIds[] = {"http.fallback-not-answer-specific"};
constexpr std::string_view kSseServerIds[] = {"sse-legacy.client-posts-to-endpoint"};
constexpr std::string_view kOlderIds[] = {"stdio.fallback-not-code-specific"};

constexpr ClientScenario kOlderScenarios[] = {
    {"tools_call", "sse-server", Eras::kStateful, Over::kHttp, "", kSseServerIds,
     make_script<SseServer>},
    {"tools_call", "older-32601", Eras::kStateless, Over::kStdio, "", kOlderIds,
     make_script<Older<-32601>>},
    {"tools_call", "older-32602", Eras::kStateless, Over::kStdio, "", kOlderIds,
     make_script<Older<-32602>>},
    {"tools_call", "older-32000", Eras::kStateless, Over::kStdio, "", kOlderIds,
     make_script<Older<-32000>>},
    {"tools_call", "older-silent", Eras::kStateless, Over::kStdio, "", kOlderIds,
     make_script<Silent>},
    {"tools_call", "older-http-400", Eras::kStateless, Over::kHttp, "", kOlderHttpIds,
     make_script<OlderOverHttp<0>>},
    {"tools_call", "older-http-32700", Eras::kStateless, Over::kHttp, "", kOlderHttpIds,
     make_script<OlderOverHttp<1>>},
    {"tools_call", "older-http-200", Eras::kStateless, Over::kHttp, "", kOlderHttpIds,
     make_script<OlderOverHttp<2>>},
};

}  // namespace

ClientScenarios older_scenarios() { return kOlderScenarios; }

}  // namespace plumbline::conformance
