// What a server may have and few have: an address that ends in a slash and has a query, answers in
// gzip, long lines, schemas that are composed, questions that are cancelled, forms with several
// choices; and one that is silent from the beginning.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/asking/asking.h"
#include "conformance/checks/client/script_kit.h"
#include "conformance/wire/gzip.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kSlashed = "/mcp/";
constexpr std::string_view kQueried = "/mcp?tenant=one%20two&empty=";

// Addressed is at an address of which nothing may be left out.
template <const std::string_view& kTarget>
class Addressed final : public Script {
 public:
  std::string_view target() const override { return kTarget; }
  bool serves(std::string_view path) const override { return path == "/mcp" || path == "/mcp/"; }

  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {bare_tool("at_a_whole_address")};
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("http.address-as-given", finding(record));
  }

 private:
  static Finding finding(const Record& record) {
    for (const HttpHeard& heard : record.http) {
      const std::string& asked = heard.request.target;
      if (asked.empty() || asked == kTarget) continue;
      return at(record, heard,
                broken("it was given an address that ends in " + std::string(kTarget) +
                       ", and asked for " + clipped(asked) +
                       ": servers are not there, or know neither tenant nor key"));
    }
    return passes();
  }
};

// packed_answer gives a result as a whole answer in gzip.
void packed_answer(ScriptedPeer& peer, const Asked& asked, Json result) {
  Json response(Json::value_t::object);
  response["jsonrpc"] = "2.0";
  response["id"] = asked.id();
  response["result"] = completed(std::move(result), peer.revision(), asked.method(), 0);
  wire::HttpResponse whole;
  whole.status = 200;
  whole.headers.set("Content-Type", "application/json");
  whole.headers.set("Content-Encoding", "gzip");
  whole.headers.set("Vary", "Accept-Encoding");
  whole.body = gzip_of(dump_json(response));
  peer.note(response, asked.exchange);
  peer.record().heard[asked.heard].answered = peer.now();
  peer.respond(asked.exchange, whole);
}

constexpr const char* kPacked = "of_a_list_in_gzip";

// Packed answers in gzip whoever says that it accepts that.
class Packed final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override { peer.offer.tools = {plain_tool(kPacked)}; }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    listed_ = true;
    if (!accepts_gzip(peer.record().http[asked.exchange].request.headers)) return false;
    packed_ = true;
    Json result(Json::value_t::object);
    result["tools"].push_back(plain_tool(kPacked));
    packed_answer(peer, asked, std::move(result));
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = never_came(record, "asked for the tools");
    if (listed_) finding = not_for_it("it does not say that it accepts gzip");
    if (packed_) {
      finding = went_on(record, kPacked,
                        "an answer with Content-Encoding: gzip, which its Accept-Encoding accepts");
    }
    verdicts.say("http.compressed-answers-read", std::move(finding));
  }

 private:
  bool listed_ = false;
  bool packed_ = false;
};

constexpr const char* kBehindLongLine = "of_a_list_in_a_long_line";
constexpr std::size_t kLongLine = 100'000;  // Beyond 64 KiB, at which readers of lines give up.

// LongLine lists a tool with much to say of itself: all in one line.
class LongLine final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    Json tool = plain_tool(kBehindLongLine);
    tool["description"] = letters(kLongLine);
    peer.offer.tools = {std::move(tool)};
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("base.long-lines-read",
                 at_most_risky(went_on(record, kBehindLongLine,
                                       "a list of the tools in one line of 100 KB, longer than "
                                       "the 64 KiB at which some readers give up")));
  }
};

constexpr const char* kComposedTools[] = {"of_all_of", "of_any_of", "of_one_of", "of_if_and_then"};
constexpr const char* kPlainTools[] = {"of_a_plain_schema", "of_another_plain_schema"};

// Composed has tools whose inputSchema is composed at its root.
//
// Spec 2026-07-28, server/tools, Tool: inputSchema is a JSON Schema whose type is object.
class Composed final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools.clear();
    const char* const extras[] = {R"({"allOf": [{"required": ["mode"]}]})",
                                  R"({"anyOf": [{"required": ["mode"]}]})",
                                  R"({"oneOf": [{"required": ["mode"]}]})",
                                  R"({"if": {"properties": {"mode": {"const": "small"}}},
            "then": {"properties": {"size": {"maximum": 10}}}})"};
    for (std::size_t i = 0; i < std::size(kComposedTools); ++i) {
      Json tool = bare_tool(kComposedTools[i]);
      tool["inputSchema"] = json_of(R"({"type": "object", "properties": {
          "mode": {"type": "string", "enum": ["small", "large"]}, "size": {"type": "number"}}})");
      tool["inputSchema"].update(json_of(extras[i]));
      peer.offer.tools.push_back(std::move(tool));
    }
    for (const char* const name : kPlainTools) peer.offer.tools.push_back(bare_tool(name));
  }

  Json context() const override {
    Json told(Json::value_t::object);
    told["toolCalls"] = Json::array();
    for (const char* const name : kComposedTools) {
      Json call(Json::value_t::object);
      call["name"] = name;
      call["arguments"]["mode"] = "small";
      told["toolCalls"].push_back(std::move(call));
    }
    for (const char* const name : kPlainTools) {
      Json call(Json::value_t::object);
      call["name"] = name;
      call["arguments"] = Json::object();
      told["toolCalls"].push_back(std::move(call));
    }
    return told;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("tools.composed-schemas-taken", finding(record));
  }

 private:
  static Finding finding(const Record& record) {
    std::string left;
    for (const char* const name : kComposedTools) {
      if (record.called(name) == nullptr) left += (left.empty() ? "" : ", ") + std::string(name);
    }
    const bool all_plain = std::ranges::all_of(
        kPlainTools, [&](const char* name) { return record.called(name) != nullptr; });
    if (left.empty()) return passes();
    if (!all_plain) return never_came(record, "called the tools that it lists");
    return risky(
        "it called each tool with a plain inputSchema, and not " + left +
        ": a schema may have allOf, anyOf, oneOf and if at its root, and the tool is lost");
  }
};

constexpr const char* kBehindCancelled = "behind_a_cancelled_question";
constexpr Duration kSilence = std::chrono::milliseconds(300);

// CancelsItsOwn asks something under the id of the request that it is to answer, and cancels that.
class CancelsItsOwn final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {plain_tool(kBehindCancelled)};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list" || done_) return false;
    done_ = true;
    peer.ask_with(asked, asked.id(), "ping", Json::object());
    Json told = notification("notifications/cancelled", Json::object());
    told["params"]["requestId"] = asked.id();
    told["params"]["reason"] = "the server no longer wants to know";
    peer.along(asked, told);
    peer.later(kSilence, [&peer, asked] { peer.usual(asked); });
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("cancellation.own-direction",
                 went_on(record, kBehindCancelled,
                         "notifications/cancelled for a ping of the server that had the id of its "
                         "own tools/list: it ends requests of its sender alone"));
  }

 private:
  bool done_ = false;
};

constexpr Duration kOpeningMax = std::chrono::seconds(6);

// Mute never answers initialize.
class Mute final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override { peer.offer.tools = {bare_tool("never_seen")}; }

  bool on_request(ScriptedPeer&, const Asked& asked) override {
    if (asked.method() != "initialize") return false;
    if (opening_.is_null()) opening_ = asked.id();
    return true;
  }

  Duration silence_max(Duration usual) const override { return std::min(usual, kOpeningMax); }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = not_for_it("it did not give initialize up in time");
    if (opening_.is_null()) finding = never_came(record, "sent initialize");
    if (!opening_.is_null() && record.exit) finding = passes();
    for (const Heard* const notice : record.notifications("notifications/cancelled")) {
      const Json* const id = notice->params() ? find(*notice->params(), "requestId") : nullptr;
      if (id == nullptr || *id != opening_) continue;
      finding = at(record, *notice,
                   broken("it cancels initialize, which was not answered in time: a client that "
                          "gives up closes the connection"));
    }
    verdicts.say("cancellation.not-initialize", std::move(finding));
  }

 private:
  Json opening_;
};

// Several has a form in which more than one value may be chosen.
//
// Spec 2025-11-25, client/elicitation, Requested Schema: multi-select enums.
class Several final : public Asking {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {bare_tool("asks_for_several")};
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("elicitation.multi-select-taken", finding(record));
  }

 protected:
  std::string method() const override { return "elicitation/create"; }

  Json params(ScriptedPeer&) override {
    return json_of(
        R"json({"mode": "form", "message": "Which days?", "requestedSchema": {"type": "object",
      "properties": {
        "days": {"type": "array", "title": "Days", "minItems": 1, "default": ["monday"],
                 "items": {"type": "string", "enum": ["monday", "friday"]}},
        "hours": {"type": "array", "title": "Hours", "minItems": 1, "default": ["9"],
                  "items": {"anyOf": [{"const": "9", "title": "At nine"},
                                      {"const": "17", "title": "At five"}]}}},
      "required": ["days", "hours"]}})json");
  }

 private:
  Finding finding(const Record& record) const {
    if (!asked()) return never_came(record, "called a tool");
    if (declared(record, "elicitation").is_null()) return not_for_it("it has no elicitation");
    if (!error_.is_null() && answer_.is_null()) {
      return broken(
          "it has elicitation, and answered a form with fields of the type array, in "
          "which several values may be chosen, with error " +
          shown(&error_) + ": the form may have them");
    }
    const std::string action = answer_.is_object() ? string_or(answer_, "action", "") : "";
    if (action.empty()) return unanswered(record);
    if (action != "accept") return not_for_it("it accepted no form");
    const Json* const content = find(answer_, "content");
    for (const char* const name : {"days", "hours"}) {
      const Json* const value = content == nullptr ? nullptr : find(*content, name);
      const bool several =
          value != nullptr && value->is_array() && std::ranges::all_of(*value, [](const Json& one) {
            return one == "monday" || one == "friday" || one == "9" || one == "17";
          });
      if (several && !value->empty()) continue;
      return broken("of a form in which several values may be chosen it accepted " +
                    std::string(name) + " as " + shown(value) +
                    ", expected an array of one or more of the values");
    }
    return passes();
  }
};

constexpr std::string_view kAddressedIds[] = {"http.address-as-given"};
constexpr std::string_view kPackedIds[] = {"http.compressed-answers-read"};
constexpr std::string_view kLongLineIds[] = {"base.long-lines-read"};
constexpr std::string_view kComposedIds[] = {"tools.composed-schemas-taken"};
constexpr std::string_view kCancelsIds[] = {"cancellation.own-direction"};
constexpr std::string_view kMuteIds[] = {"cancellation.not-initialize"};
constexpr std::string_view kSeveralIds[] = {"elicitation.multi-select-taken"};

constexpr ClientScenario kRareScenarios[] = {
    {"tools_call", "mute", Eras::kStateful, Over::kAny, "", kMuteIds, make_script<Mute>},
    {"tools_call", "slash-at-the-end", Eras::kBoth, Over::kHttp, since::kStreamableHttp,
     kAddressedIds, make_script<Addressed<kSlashed>>},
    {"tools_call", "query-of-the-address", Eras::kBoth, Over::kHttp, since::kStreamableHttp,
     kAddressedIds, make_script<Addressed<kQueried>>},
    {"tools_call", "gzip-answers", Eras::kBoth, Over::kHttp, since::kStreamableHttp, kPackedIds,
     make_script<Packed>},
    {"tools_call", "long-line", Eras::kBoth, Over::kAny, "", kLongLineIds, make_script<LongLine>},
    {"tools_call", "composed-schemas", Eras::kStateless, Over::kAny, "", kComposedIds,
     make_script<Composed>},
    {"tools_call", "cancelled-question", Eras::kStateful, Over::kAny, "", kCancelsIds,
     make_script<CancelsItsOwn>},
    {"elicitation-sep1034-client-defaults", "several-choices", Eras::kBoth, Over::kAny,
     since::kUrlElicitation, kSeveralIds, make_script<Several>},
};

}  // namespace

ClientScenarios rare_scenarios() { return kRareScenarios; }

}  // namespace plumbline::conformance
