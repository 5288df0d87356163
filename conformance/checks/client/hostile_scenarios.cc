// Servers that are wrong, worn out or malicious. No clause says what a client has to do, so that
// nothing here is more than a warning: but it should live, stay bounded, and tell.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kSurvivor = "still_there";

// survived: it went on, or gave up in order.
Finding survived(const Record& record, const std::string& oddity) {
  if (record.called(kSurvivor) != nullptr) return passes();
  if (record.requests("tools/list").empty()) return never_came(record, "asked for the tools");
  if (!record.exit) return risky("it hangs after " + oddity + "; " + record.how_it_ended());
  if (record.exit->signal == 0) return passes();
  return risky("it crashed after " + oddity + "; " + record.how_it_ended());
}

class Garbage final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {plain_tool(kSurvivor)};
  }
  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list" || done_) return false;
    done_ = true;
    for (const char* const text :
         {"npm WARN deprecated something", "{\"jsonrpc\":\"2.0\",", "null", "42", "[]", "{}",
          R"({"jsonrpc":"2.0"})", R"({"jsonrpc":"1.0","method":"notifications/message"})"}) {
      peer.text(asked, text, false);
    }
    return false;
  }
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("hostile.garbage",
                 at_most_risky(went_on(record, kSurvivor, "messages that are none")));
  }

 private:
  bool done_ = false;
};

class WrongAnswers final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {plain_tool(kSurvivor)};
  }
  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list" || done_) return false;
    done_ = true;
    Json foreign(Json::value_t::object);
    foreign["jsonrpc"] = "2.0";
    for (const Json& id : {Json("nobody"), Json(987654321), Json(nullptr), Json(-1)}) {
      foreign["id"] = id;
      foreign["result"]["tools"] = Json::array();
      foreign["result"]["tools"].push_back(plain_tool("of_a_liar"));
      peer.along(asked, foreign);
    }
    Json right = foreign;
    right["id"] = asked.id();
    right["result"] = usual_answer(peer.offer, peer.revision(), asked.message).result;
    peer.along(asked, right);
    peer.text(asked, dump_json(right), true);  // Twice.
    return true;
  }
  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding =
        went_on(record, kSurvivor, "answers with ids it never used, and an answer given twice");
    if (const Heard* const call = record.called("of_a_liar")) {
      finding = at(record, *call, risky("it believed an answer with an id that it never used"));
    }
    verdicts.say("hostile.wrong-answers", at_most_risky(std::move(finding)));
  }

 private:
  bool done_ = false;
};

// BothMembers lists the tools in a response that has an error, too.
class BothMembers final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override { peer.offer.tools = {plain_tool("beside_an_error")}; }
  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    Json response(Json::value_t::object);
    response["jsonrpc"] = "2.0";
    response["id"] = asked.id();
    response["result"] = usual_answer(peer.offer, peer.revision(), asked.message).result;
    response["error"]["code"] = -32603;
    response["error"]["message"] = "both";
    peer.text(asked, dump_json(response), true);
    return true;
  }
  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = passes();
    if (record.requests("tools/list").empty()) finding = never_came(record, "asked for the tools");
    if (record.exit && record.exit->signal != 0) {
      finding =
          risky("it crashed after a response with a result and an error; " + record.how_it_ended());
    }
    if (const Heard* const call = record.called("beside_an_error")) {
      finding =
          at(record, *call,
             risky("it used the result of a response that has an error, too. JSON-RPC has one "
                   "of the two: others, the official TypeScript SDK among them, take such a "
                   "response for none, or for the error"));
    }
    verdicts.say("hostile.result-and-error", std::move(finding));
  }
};

class EndlessPages final : public Script {
 public:
  void prepare(ScriptedPeer&) override {}
  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    if (++pages_ > kPagesMax) {
      peer.error(asked, -32603, "enough");
      return true;
    }
    Json result(Json::value_t::object);
    result["tools"] = Json::array();
    result["tools"].push_back(plain_tool("again"));
    result["nextCursor"] = "again";
    peer.result(asked, std::move(result));
    return true;
  }
  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = never_came(record, "asked for a second page");
    if (pages_ > kPagesMax) {
      finding = risky("it asked " + std::to_string(kPagesMax) +
                      " times for the page of one and the same cursor");
    } else if (pages_ > 1) {
      finding = passes();
    }
    verdicts.say("hostile.endless-pages", std::move(finding));
  }

 private:
  static constexpr int kPagesMax = 300;
  int pages_ = 0;
};

class Flood final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {plain_tool(kSurvivor)};
  }
  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list" || done_) return false;
    done_ = true;
    for (int i = 0; i < 1'000; ++i) {
      peer.along(asked, notification("notifications/message",
                                     json_of(R"({"level": "debug", "data": "flood"})")));
    }
    return false;
  }
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("hostile.flood",
                 at_most_risky(went_on(record, kSurvivor, "1000 notifications at once")));
  }

 private:
  bool done_ = false;
};

class Huge final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    Json tool = plain_tool(kSurvivor);
    tool["description"] = letters(3'000'000);
    peer.offer.tools = {std::move(tool)};
  }
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("hostile.huge-message", survived(record, "a message of 3 MB"));
  }
};

class Deep final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override { peer.offer.tools = {plain_tool(kSurvivor)}; }
  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    Json response(Json::value_t::object);
    response["jsonrpc"] = "2.0";
    response["id"] = asked.id();
    response["result"] = usual_answer(peer.offer, peer.revision(), asked.message).result;
    std::string text = dump_json(response);
    const std::string deep = std::string(5'000, '[') + std::string(5'000, ']');
    text.insert(text.size() - 1, ",\"plumbline\":" + deep);
    peer.text(asked, text, true);
    return true;
  }
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("hostile.deep-json", survived(record, "5000 arrays inside each other"));
  }
};

class WrongShapes final : public Script {
 public:
  void prepare(ScriptedPeer&) override {}
  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    peer.result(asked, json_of(R"({"tools": {"length": -1}, "nextCursor": 7})"));
    return true;
  }
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("hostile.wrong-shapes", survived(record, "a list of tools that is none"));
  }
};

class Death final : public Script {
 public:
  void prepare(ScriptedPeer&) override {}
  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || died_) return died_;
    died_ = true;
    peer.cut(asked);
    return true;
  }
  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = never_came(record, "called a tool");
    if (died_) {
      const bool crashed = record.exit && record.exit->signal != 0;
      finding = record.exit && !crashed
                    ? passes()
                    : risky("the server ended in the middle of a call, and the client " +
                            std::string(crashed ? "crashed" : "had not ended when it was stopped") +
                            "; " + record.how_it_ended());
    }
    verdicts.say("hostile.death", std::move(finding));
  }

 private:
  bool died_ = false;
};

class UnknownFields final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override { peer.offer.tools = {plain_tool(kSurvivor)}; }
  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    Answer answer = usual_answer(peer.offer, peer.revision(), asked.message);
    if (answer.result.is_null()) return false;
    if (asked.method() == "tools/list") {
      answer.result["tools"][0]["plumblineField"] = json_of(R"({"a": [1, null]})");
    }
    answer.result["plumblineField"] = 7;
    peer.result(asked, std::move(answer.result));
    return true;
  }
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("hostile.unknown-fields",
                 at_most_risky(went_on(record, kSurvivor, "results with fields it does not know")));
  }
};

constexpr std::string_view kGarbageIds[] = {"hostile.garbage"};
constexpr std::string_view kWrongAnswersIds[] = {"hostile.wrong-answers"};
constexpr std::string_view kBothMembersIds[] = {"hostile.result-and-error"};
constexpr std::string_view kEndlessIds[] = {"hostile.endless-pages"};
constexpr std::string_view kFloodIds[] = {"hostile.flood"};
constexpr std::string_view kHugeIds[] = {"hostile.huge-message"};
constexpr std::string_view kDeepIds[] = {"hostile.deep-json"};
constexpr std::string_view kWrongShapesIds[] = {"hostile.wrong-shapes"};
constexpr std::string_view kDeathIds[] = {"hostile.death"};
constexpr std::string_view kUnknownFieldsIds[] = {"hostile.unknown-fields"};

constexpr ClientScenario kHostileScenarios[] = {
    {"tools_call", "garbage", Eras::kBoth, Over::kAny, "", kGarbageIds, make_script<Garbage>},
    {"tools_call", "wrong-answers", Eras::kBoth, Over::kAny, "", kWrongAnswersIds,
     make_script<WrongAnswers>},
    {"tools_call", "result-and-error", Eras::kBoth, Over::kAny, "", kBothMembersIds,
     make_script<BothMembers>},
    {"tools_call", "endless-pages", Eras::kBoth, Over::kAny, "", kEndlessIds,
     make_script<EndlessPages>},
    {"tools_call", "flood", Eras::kBoth, Over::kAny, "", kFloodIds, make_script<Flood>},
    {"tools_call", "huge-message", Eras::kBoth, Over::kAny, "", kHugeIds, make_script<Huge>},
    {"tools_call", "deep-json", Eras::kBoth, Over::kAny, "", kDeepIds, make_script<Deep>},
    {"tools_call", "wrong-shapes", Eras::kBoth, Over::kAny, "", kWrongShapesIds,
     make_script<WrongShapes>},
    {"tools_call", "death", Eras::kBoth, Over::kAny, "", kDeathIds, make_script<Death>},
    {"tools_call", "unknown-fields", Eras::kBoth, Over::kAny, "", kUnknownFieldsIds,
     make_script<UnknownFields>},
};

}  // namespace

ClientScenarios hostile_scenarios() { return kHostileScenarios; }

}  // namespace plumbline::conformance
