// What comes a second time: a stream that is resumed and ends again, a second question, a second
// list in pages.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

// ResumedTwice ends the stream of a call behind an event with an id, and the one that resumes it
// before any other event.
class ResumedTwice final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {bare_tool("test_reconnection")};
    peer.takes_get = false;
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || left_) return false;
    asked_ = asked;
    left_ = true;
    wire::SseEvent event;
    event.id = kEvent;
    event.retry_ms = kRetryMs;
    peer.event(asked.exchange, event, true);
    return true;
  }

  bool on_http(ScriptedPeer& peer, std::size_t exchange, net::HttpReply& reply) override {
    const HttpHeard& heard = peer.record().http[exchange];
    if (heard.request.method != "GET" || !left_ || given_) return false;
    const std::optional<std::string_view> last = heard.request.headers.get("Last-Event-ID");
    if (resumed_ == 0 && !last) return false;
    if (++resumed_ == 2) second_ = exchange;
    if (resumed_ > 1 && last != kEvent) return false;
    wire::HttpHeaders headers;
    headers.set("Content-Type", "text/event-stream");
    reply.open_stream(200, headers);
    if (resumed_ > 1) {
      wire::SseEvent event;
      event.id = "again-2";
      event.data = dump_json(response());
      std::string bytes;
      wire::append_sse(bytes, event);
      reply.write(bytes);
      given_ = true;
    }
    reply.end();
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("http.resume-with-last-event-id", finding(record));
  }

 private:
  static constexpr const char* kEvent = "again-1";
  static constexpr int kRetryMs = 50;

  Json response() const {
    Json response(Json::value_t::object);
    response["jsonrpc"] = "2.0";
    response["id"] = asked_.id();
    response["result"] = text_result("polled");
    return response;
  }

  Finding finding(const Record& record) const {
    if (!left_) return never_came(record, "called a tool");
    if (resumed_ == 0) return not_for_it("it did not resume the stream");
    if (second_ == 0) return not_for_it("it resumed the stream once and gave up");
    const HttpHeard& heard = record.http[second_];
    const std::optional<std::string_view> last = heard.request.headers.get("Last-Event-ID");
    if (last == kEvent) return passes();
    return at(record, heard,
              broken("a stream that it had resumed ended before another event came, and it came "
                     "back " +
                     (last ? "with Last-Event-ID: " + std::string(*last)
                           : std::string("without Last-Event-ID")) +
                     ", expected " + kEvent + ": the answer is lost to it"));
  }

  Asked asked_;
  bool left_ = false;
  int resumed_ = 0;
  std::size_t second_ = 0;
  bool given_ = false;
};

// TwoQuestions asks twice during one call.
class TwoQuestions final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {bare_tool("ask_twice")};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || call_.heard != 0) return false;
    call_ = asked;
    ask(peer, kFirst);
    return true;
  }

  void on_response(ScriptedPeer& peer, const Heard& response) override {
    if (*response.id() == kFirst && !first_) {
      first_ = true;
      ask(peer, kSecond);
    } else if (*response.id() == kSecond && !second_) {
      second_ = true;
      peer.usual(call_);
    }
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("jsonrpc.client-answers-each", finding(record));
  }

 private:
  // said_instead returns what the client said of its own making since it was asked; nullptr:
  // nothing.
  const Heard* said_instead(const Record& record) const {
    return record.first_after(call_.heard, [](const Heard& one) {
      return one.is_notification() && !one.method().starts_with("notifications/");
    });
  }

  static constexpr const char* kFirst = "first-of-two";
  static constexpr const char* kSecond = "second-of-two";

  void ask(ScriptedPeer& peer, const char* id) {
    peer.ask_with(call_, id, "elicitation/create", form_params("Who are you?"));
  }

  Finding finding(const Record& record) const {
    if (call_.heard == 0) return never_came(record, "called a tool");
    if (const Heard* const other = first_ ? nullptr : said_instead(record)) {
      return at(record, *other,
                broken("it was asked elicitation/create, and said " + other->method() +
                       " instead of a response with the id of the request: the server waits for "
                       "ever"));
    }
    if (!first_) return not_for_it("it answered no question");
    if (second_) return passes();
    return broken(
        "it answered the first elicitation/create of a call, and not the second: the server waits "
        "for ever; " +
        record.how_it_ended());
  }

  Asked call_;
  bool first_ = false;
  bool second_ = false;
};

// LikeId puts a request to the client during a call, under the id of that call. Each side counts
// its own requests: the two ids have nothing to do with each other.
class LikeId final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {bare_tool("ping_under_the_id_of_the_call")};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || call_.heard != 0) return false;
    call_ = asked;
    peer.ask_with(call_, call_.id(), "ping", Json::object());
    return true;
  }

  void on_response(ScriptedPeer& peer, const Heard& response) override {
    if (answered_ || *response.id() != call_.id()) return;
    answered_ = true;
    peer.usual(call_);
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("jsonrpc.client-answers-each", finding(record));
  }

 private:
  Finding finding(const Record& record) const {
    if (call_.heard == 0) return never_came(record, "called a tool");
    if (answered_) return passes();
    const Heard* const other = record.first_after(call_.heard, [](const Heard& one) {
      return find(one.message, "result") != nullptr || find(one.message, "error") != nullptr;
    });
    if (other != nullptr) return not_for_it("it answers under another id");
    if (call_.id().is_number_float()) return not_for_it("the id of its call is none");
    return broken("it was asked ping under the id " + dump_json(call_.id()) +
                  ", which is that of its own tools/call, and gave no answer: each side counts its "
                  "own requests, and what has a method is no answer; " +
                  record.how_it_ended());
  }

  Asked call_;
  bool answered_ = false;
};

// Streamless has no stream for what it says by itself, and answers GET with 405.
class Streamless final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.takes_get = false;
    peer.offer.tools = {bare_tool(kTool)};
  }

  // The list comes a little later, so that the answer to GET is there before.
  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    peer.later(std::chrono::milliseconds(300), [&peer, asked] { peer.usual(asked); });
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("http.get-405-tolerated", finding(record));
  }

 private:
  static constexpr const char* kTool = "without_a_stream";

  static Finding finding(const Record& record) {
    const auto get = std::ranges::find_if(record.http, [](const HttpHeard& heard) {
      return heard.request.method == "GET" && heard.status == 405;
    });
    if (record.called(kTool) != nullptr) return passes();
    if (get == record.http.end() || !record.calls_tools) {
      return never_came(record, "asked for a stream and called a tool");
    }
    return at(record, *get,
              broken("its GET was answered 405, as by a server without a stream of its own, and it "
                     "called no tool, which it does where there is a stream; " +
                     record.how_it_ended()));
  }
};

// TwoLists gives the tools and the prompts in two pages each, by cursors of their own.
class TwoLists final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {plain_tool("on_page_1"), plain_tool("on_page_2")};
    peer.offer.capabilities["prompts"] = Json::object();
    peer.offer.prompts = {json_of(R"({"name": "first"})"), json_of(R"({"name": "second"})")};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    const bool tools = asked.method() == "tools/list";
    if (!tools && asked.method() != "prompts/list") return false;
    const std::string own = tools ? kOfTools : kOfPrompts;
    const Json* const params = find(asked.message, "params");
    const Json* const cursor = params == nullptr ? nullptr : find(*params, "cursor");
    if (cursor != nullptr && *cursor != Json(own)) {
      peer.error(asked, -32602, "Invalid cursor");
      return true;
    }
    Json result(Json::value_t::object);
    Json& items = result[tools ? "tools" : "prompts"] = Json::array();
    items.push_back((tools ? peer.offer.tools : peer.offer.prompts)[cursor == nullptr ? 0 : 1]);
    if (cursor == nullptr) result["nextCursor"] = own;
    peer.result(asked, std::move(result));
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("pagination.cursor-opaque", finding(record));
  }

 private:
  static constexpr const char* kOfTools = "page 2 of the tools";
  static constexpr const char* kOfPrompts = "page 2 of the prompts";

  static Finding finding(const Record& record) {
    const std::vector<const Heard*> tools = record.requests("tools/list");
    const std::vector<const Heard*> prompts = record.requests("prompts/list");
    if (tools.empty() || prompts.empty()) {
      return not_for_it("it did not ask for both the tools and the prompts");
    }
    const auto foreign = [](const std::vector<const Heard*>& all, const char* other) {
      return std::ranges::find_if(all,
                                  [&](const Heard* one) { return one->param("cursor") == other; });
    };
    for (const auto& [all, other, whose] :
         {std::tuple(&prompts, kOfTools, "tools/list"), {&tools, kOfPrompts, "prompts/list"}}) {
      const auto found = foreign(*all, other);
      if (found == all->end()) continue;
      return at(record, **found,
                broken("it asked " + (*found)->method() + " with the cursor \"" + other +
                       "\", which " + whose + " had given: a cursor is of its list alone"));
    }
    return passes();
  }
};

constexpr std::string_view kResumedTwiceIds[] = {"http.resume-with-last-event-id"};
constexpr std::string_view kTwoQuestionsIds[] = {"jsonrpc.client-answers-each"};
constexpr std::string_view kStreamlessIds[] = {"http.get-405-tolerated"};
constexpr std::string_view kTwoListsIds[] = {"pagination.cursor-opaque"};

constexpr ClientScenario kAgainScenarios[] = {
    {"sse-retry", "resumed-twice", Eras::kStateful, Over::kHttp, since::kPolling, kResumedTwiceIds,
     make_script<ResumedTwice>},
    {"tools_call", "two-questions", Eras::kStateful, Over::kAny, since::kElicitation,
     kTwoQuestionsIds, make_script<TwoQuestions>},
    {"tools_call", "like-id", Eras::kStateful, Over::kAny, "", kTwoQuestionsIds,
     make_script<LikeId>},
    {"tools_call", "streamless", Eras::kStateful, Over::kHttp, since::kStreamableHttp,
     kStreamlessIds, make_script<Streamless>},
    {"tools_call", "two-lists", Eras::kBoth, Over::kAny, "", kTwoListsIds, make_script<TwoLists>},
};

}  // namespace

ClientScenarios again_scenarios() { return kAgainScenarios; }

}  // namespace plumbline::conformance
