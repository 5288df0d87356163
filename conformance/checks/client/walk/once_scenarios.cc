// What is done once, and as it was said: calls that the server failed, addresses of resources, and
// the type of a stream that stands.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kDestroys = "changes_something";

// Failing answers a call of a tool that changes something by a status, the first time.
template <int kStatus>
class Failing final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    Json tool = bare_tool(kDestroys);
    tool["annotations"] = {
        {"readOnlyHint", false}, {"destructiveHint", true}, {"idempotentHint", false}};
    peer.offer.tools = {std::move(tool), bare_tool("behind_a_failed_call")};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || asked.param("name") != kDestroys || failed_) return false;
    failed_ = true;
    wire::HttpResponse response;
    response.status = kStatus;
    peer.respond(asked.exchange, response);
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    if (!failed_) return verdicts.say("tools.calls-once", never_came(record, "called a tool"));
    const std::vector<const Heard*> calls = record.requests("tools/call");
    const auto again = std::ranges::count_if(
        calls, [](const Heard* one) { return one->param("name") == kDestroys; });
    if (again < 2) return verdicts.say("tools.calls-once", passes());
    verdicts.say(
        "tools.calls-once",
        at(record, *calls.back(),
           risky("a call of a tool that destroys and is not idempotent came to status " +
                 std::to_string(kStatus) + ", and it was sent again, " + std::to_string(again) +
                 " times in all: the server may have done it before it failed")));
  }

 private:
  bool failed_ = false;
};

constexpr const char* kAddresses[] = {
    "test://Host/Path",   "test://host/a/../b",      "test://host:80/x",
    "test://host",        "test://host/%7Euser",     "test://host/a%20b?q=%2f#",
    "urn:Example:A:b%3a", "HTTP://Example.COM/x",    "file:///c:/Notes/a.md",
    "test:///",           "test://host/x?b=2&a=1&a="};

// Addressed lists resources whose addresses a reader of URLs writes in another way.
//
// Spec, server/resources: a resource is known by its uri, a text.
class AddressedResources final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.capabilities["resources"] = Json::object();
    for (const char* const uri : kAddresses) {
      Json one(Json::value_t::object);
      one["uri"] = uri;
      one["name"] = std::string("of ") + uri;
      peer.offer.resources.push_back(std::move(one));
    }
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("resources.read-uri-as-listed", finding(record));
  }

 private:
  static Finding finding(const Record& record) {
    const std::vector<const Heard*> reads = record.requests("resources/read");
    if (reads.empty()) return never_came(record, "read a resource");
    for (const Heard* const one : reads) {
      const std::string uri = one->param("uri");
      const bool listed =
          std::ranges::any_of(kAddresses, [&](const char* address) { return uri == address; });
      if (listed) continue;
      return at(record, *one,
                risky("it read a resource by the uri \"" + uri +
                      "\", which no list has: a server that compares texts, as the SDKs do, has "
                      "nothing there; hand the uri on as it was listed"));
    }
    return passes();
  }
};

constexpr const char* kPinged = "a-ping-on-the-stream";
constexpr Duration kForStreams = std::chrono::milliseconds(250);
constexpr Duration kForAnswers = std::chrono::milliseconds(900);

// TypedStream asks something on the stream that the client opens, whose type has a parameter, or,
// to compare with that, has none.
template <bool kPlain>
class TypedStream final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {bare_tool("behind_a_typed_stream")};
  }

  std::string_view stream_type() const override {
    return kPlain ? "text/event-stream" : "text/event-stream; charset=utf-8";
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list" || asked_) return false;
    asked_ = true;
    // The stream may be opened beside this request.
    peer.later(kForStreams, [this, &peer] {
      Json question = notification("ping", Json());
      question["id"] = kPinged;
      opened_ = peer.tell(dump_json(question));
      if (opened_) peer.record().asked.push_back(Json(kPinged));
    });
    peer.later(kForAnswers, [&peer, asked] { peer.usual(asked); });
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const bool answered = record.response_to(Json(kPinged)) != nullptr;
    untyped_ = !kPlain && opened_ && !answered;
    if (untyped_) return;  // Perhaps it answers nothing there.
    Finding finding = passes();
    if (!opened_) finding = not_for_it("it opens no stream of its own");
    if (kPlain && opened_ && !answered) finding = not_for_it("it answers no ping on its stream");
    if (kPlain && answered) {
      finding = risky(
          "it answers a ping on a stream with Content-Type: text/event-stream, and none on one "
          "with text/event-stream; charset=utf-8, as servers on Starlette send it: what they say "
          "by themselves is lost");
    }
    verdicts.say("http.answer-forms-read", std::move(finding));
  }

  std::vector<const ClientScenario*> left() const override;

 private:
  bool asked_ = false;
  bool opened_ = false;
  bool untyped_ = false;
};

constexpr std::string_view kOnceIds[] = {"tools.calls-once"};
constexpr std::string_view kAddressIds[] = {"resources.read-uri-as-listed"};
constexpr std::string_view kTypedIds[] = {"http.answer-forms-read"};

constexpr ClientScenario kPlainStream = {"tools_call",
                                         "plain-stream",
                                         Eras::kStateful,
                                         Over::kHttp,
                                         since::kStreamableHttp,
                                         kTypedIds,
                                         make_script<TypedStream<true>>};

template <bool kPlain>
std::vector<const ClientScenario*> TypedStream<kPlain>::left() const {
  if (!untyped_) return {};
  return {&kPlainStream};
}

constexpr ClientScenario kOnceScenarios[] = {
    {"tools_call", "typed-stream", Eras::kStateful, Over::kHttp, since::kStreamableHttp, kTypedIds,
     make_script<TypedStream<false>>},
    {"tools_call", "failing-call", Eras::kBoth, Over::kHttp, since::kStreamableHttp, kOnceIds,
     make_script<Failing<500>>},
    {"tools_call", "busy-call", Eras::kBoth, Over::kHttp, since::kStreamableHttp, kOnceIds,
     make_script<Failing<503>>},
    {"tools_call", "odd-addresses", Eras::kBoth, Over::kAny, since::kStreamableHttp, kAddressIds,
     make_script<AddressedResources>},
};

}  // namespace

ClientScenarios once_scenarios() { return kOnceScenarios; }

}  // namespace plumbline::conformance
