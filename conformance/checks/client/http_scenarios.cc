// Sessions and streams that end: spec, basic/transports, Streamable HTTP.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/script_kit.h"
#include "conformance/wire/header_names.h"

namespace plumbline::conformance {

namespace {

// Expired forgets the session when the first tool is called, or the first resource read.
template <bool kReads>
class Expired final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    if (!kReads) return;
    peer.offer.capabilities["resources"] = Json::object();
    peer.offer.resources = {json_of(R"({"uri": "test://kept", "name": "kept"})")};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != kMethod || peer.record().refused) return false;
    peer.record().refused = peer.now();
    wire::HttpResponse response;
    response.status = 404;
    peer.respond(asked.exchange, response);
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("http.session-404-reinitialize", finding(record));
  }

 private:
  static constexpr const char* kMethod = kReads ? "resources/read" : "tools/call";

  static Finding finding(const Record& record) {
    if (!record.refused) {
      return never_came(record, kReads ? "read a resource" : "called a tool");
    }
    const std::string answered = std::string("its session was answered 404 at ") + kMethod;
    const HttpHeard* other = nullptr;  // Perhaps on its way before the client knew.
    std::string what;
    for (std::size_t i = 1; i < record.http.size(); ++i) {
      const HttpHeard& heard = record.http[i];
      if (heard.request.method != "POST" || heard.at <= *record.refused) continue;
      const std::string& method = heard.posted.method;
      if (method == "initialize") {
        if (heard.request.headers.count(kSessionHeader) == 0) return passes();
        return at(record, heard, broken("initialize carries the id of the session that has ended"));
      }
      if (method == "notifications/cancelled" || other != nullptr) continue;
      other = &heard;
      what = method;
    }
    if (other != nullptr) {
      return at(record, *other, broken(answered + ", and got " + what + ", expected initialize"));
    }
    // It may have had nothing more to ask: what was to be read is the last thing for many.
    if (kReads) return not_for_it(answered + ", and it asked for nothing more");
    return risky(answered + ", and no initialize followed; " + record.how_it_ended());
  }
};

// Polling ends the stream of a call before its answer, as a server that wants to be polled.
class Polling final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {bare_tool("test_reconnection")};
    peer.takes_get = false;
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || left_) return false;
    asked_ = asked;
    wire::SseEvent event;
    event.id = "poll-1";
    event.retry_ms = static_cast<int>(kRetry.count());
    peer.event(asked.exchange, event, true);
    left_ = peer.now();
    return true;
  }

  bool on_http(ScriptedPeer& peer, std::size_t exchange, net::HttpReply& reply) override {
    const HttpHeard& heard = peer.record().http[exchange];
    if (heard.request.method != "GET" || !left_) return false;
    const std::optional<std::string_view> last = heard.request.headers.get("Last-Event-ID");
    if (!last) return false;
    returned_ = heard.at;
    last_id_ = std::string(*last);
    wire::HttpHeaders headers;
    headers.set("Content-Type", "text/event-stream");
    Json response(Json::value_t::object);
    response["jsonrpc"] = "2.0";
    response["id"] = asked_.id();
    response["result"] = text_result("polled");
    wire::SseEvent event;
    event.id = "poll-2";
    event.data = dump_json(response);
    std::string bytes;
    wire::append_sse(bytes, event);
    reply.open_stream(200, headers);
    reply.write(bytes);
    reply.end();
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    if (!left_) {
      for (const char* const id : {"http.sse-client-reconnects", "http.resume-with-last-event-id",
                                   "http.sse-retry-respected"}) {
        verdicts.say(id, never_came(record, "called a tool"));
      }
      return;
    }
    const std::string how = "a stream that ended before the answer, after an event with an id";
    const HttpHeard* const bare = returned_ ? nullptr : back_without_id(record);
    verdicts.say("http.sse-client-reconnects",
                 returned_ || bare != nullptr
                     ? passes()
                     : broken("it did not come back with a GET after " + how));
    Finding id = not_for_it("it did not resume the stream");
    Finding wait = id;
    if (bare != nullptr) {
      id = at(record, *bare,
              broken("it came back with a GET that has no Last-Event-ID, expected \"poll-1\""));
    }
    if (returned_) {
      id = last_id_ == "poll-1"
               ? passes()
               : broken("Last-Event-ID is \"" + last_id_ + "\", expected \"poll-1\"");
      const std::int64_t waited = milliseconds_of(*returned_ - *left_);
      wait = waited >= kRetry.count() - kTolerance.count()
                 ? passes()
                 : broken("it came back after " + std::to_string(waited) + " ms, expected " +
                          std::to_string(kRetry.count()) + " ms, as the server had said");
    }
    verdicts.say("http.resume-with-last-event-id", std::move(id));
    verdicts.say("http.sse-retry-respected", std::move(wait));
  }

 private:
  static constexpr std::chrono::milliseconds kRetry{1'500};
  static constexpr std::chrono::milliseconds kTolerance{200};

  // back_without_id returns a GET without Last-Event-ID that came after the stream had ended, of a
  // client that had a stream of its own before; nullptr: none did.
  const HttpHeard* back_without_id(const Record& record) const {
    const HttpHeard* found = nullptr;
    bool before = false;
    for (const HttpHeard& one : record.http) {
      if (one.request.method != "GET") continue;
      if (one.at < *left_) before = true;
      if (one.at >= *left_ && found == nullptr) found = &one;
    }
    return before ? found : nullptr;
  }

  Asked asked_;
  std::optional<Instant> left_;
  std::optional<Instant> returned_;
  std::string last_id_;
};

// LostStream breaks the answer of a stateless call off: there is nothing to resume.
class LostStream final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override { peer.offer.tools = {bare_tool("test_lost_stream")}; }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || cut_) return false;
    cut_ = true;
    peer.along(asked, notification("notifications/message", json_of(R"({"level": "info",
        "data": "about to break"})")));
    peer.cut(asked);
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("http.lost-stream-reissue-new-id", finding(record));
  }

 private:
  Finding finding(const Record& record) const {
    if (!cut_) return never_came(record, "called a tool");
    const std::vector<const Heard*> calls = record.requests("tools/call");
    if (calls.size() < 2) return not_for_it("it did not call again");
    for (std::size_t i = 1; i < calls.size(); ++i) {
      if (record.headers(*calls[i]).count("Last-Event-ID") > 0) {
        return at(record, *calls[i], broken("it called again with Last-Event-ID"));
      }
      if (*calls[i]->id() == *calls.front()->id()) {
        return at(record, *calls[i],
                  broken("it called again with the id of the call that was lost"));
      }
    }
    return passes();
  }

  bool cut_ = false;
};

// Worded answers notifications with 202 and a Content-Type, though there is no body.
class Worded final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {plain_tool("after_worded_answers")};
  }

  bool on_http(ScriptedPeer& peer, std::size_t exchange, net::HttpReply& reply) override {
    if (!peer.record().http[exchange].posted.method.starts_with("notifications/")) return false;
    wire::HttpResponse response;
    response.status = 202;
    response.headers.set("Content-Type", "text/plain; charset=utf-8");
    // The rest is as ever: the message is read, and its answer is given already.
    net::HttpReply given = std::move(reply);
    given.respond(response);
    answered_ = true;
    return false;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("http.notification-answers-without-body", finding(record));
  }

 private:
  Finding finding(const Record& record) const {
    if (!answered_) return not_for_it("it notified of nothing");
    if (record.called("after_worded_answers") != nullptr) return passes();
    if (record.falls_short() || !record.requests("tools/list").empty()) {
      return risky(
          "a notification was answered with status 202, no body and Content-Type: text/plain, as "
          "some servers do, Postman's among them, and it did not go on; " +
          record.how_it_ended());
    }
    return never_came(record, "asked for the tools");
  }

  bool answered_ = false;
};

constexpr std::string_view kWordedIds[] = {"http.notification-answers-without-body"};
constexpr std::string_view kExpiredIds[] = {"http.session-404-reinitialize"};
constexpr std::string_view kPollingIds[] = {
    "http.sse-client-reconnects", "http.resume-with-last-event-id", "http.sse-retry-respected"};
constexpr std::string_view kLostStreamIds[] = {"http.lost-stream-reissue-new-id"};

constexpr ClientScenario kHttpScenarios[] = {
    {"tools_call", "worded-answers", Eras::kStateful, Over::kHttp, since::kStreamableHttp,
     kWordedIds, make_script<Worded>},
    {"tools_call", "expired-session", Eras::kStateful, Over::kHttp, since::kStreamableHttp,
     kExpiredIds, make_script<Expired<false>>},
    {"tools_call", "expired-while-reading", Eras::kStateful, Over::kHttp, since::kStreamableHttp,
     kExpiredIds, make_script<Expired<true>>},
    {"sse-retry", "sse-retry", Eras::kStateful, Over::kHttp, since::kPolling, kPollingIds,
     make_script<Polling>},
    {"tools_call", "lost-stream", Eras::kStateless, Over::kHttp, "", kLostStreamIds,
     make_script<LostStream>},
};

}  // namespace

ClientScenarios http_scenarios() { return kHttpScenarios; }

}  // namespace plumbline::conformance
