// What a client says to messages that are none: spec, basic#messages, and JSON-RPC 2.0 behind it.

#include <chrono>
#include <string>
#include <utility>

#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

// Malformed sends one thing that is no request, and a ping to see who is still there.
class Malformed : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {plain_tool("after_what_is_none")};
    peer.record().hostile = true;
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || came_) return false;
    came_ = true;
    peer.text(asked, text(), false);
    peer.ask_with(asked, Json("after"), "ping", nullptr);
    peer.later(std::chrono::milliseconds(600), [&peer, asked] { peer.usual(asked); });
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say(id(), finding(record));
  }

 protected:
  virtual std::string_view id() const = 0;
  virtual std::string text() const = 0;
  virtual std::string what() const = 0;
  virtual std::int64_t code() const = 0;

  // is_answer returns whether the client answered what is no request: by its id, or by an error
  // without one.
  virtual bool is_answer(const Heard& heard) const {
    if (!heard.message.is_object() || !heard.method().empty()) return false;
    const Json* const id = heard.id();
    if (id != nullptr && *id == Json("judge-wrong")) return true;
    return (id == nullptr || id->is_null()) && find(heard.message, "error") != nullptr;
  }

 private:
  Finding finding(const Record& record) const {
    if (!came_) return never_came(record, "called a tool");
    const std::string expected = ", expected error " + std::to_string(code());
    for (const Heard& heard : record.heard) {
      if (!is_answer(heard)) continue;
      const Json* const error = find(heard.message, "error");
      if (error == nullptr) {
        return at(record, heard,
                  broken(what() + " was answered with " + shown(&heard.message) + expected));
      }
      if (int_or(*error, "code", 0) == code()) return passes();
      // Which error it is follows from JSON-RPC alone.
      return at(
          record, heard,
          risky(what() + " was answered with error " + shown(find(*error, "code")) + expected));
    }
    if (record.response_to("after") != nullptr) {
      return not_for_it("it drops " + what() + " without a word, and lives on");
    }
    return risky("after " + what() + " it answers nothing more; " + record.how_it_ended());
  }

  bool came_ = false;
};

class NoJson final : public Malformed {
 protected:
  std::string_view id() const override { return "jsonrpc.parse-error-code"; }
  std::string text() const override { return R"({"jsonrpc": "2.0", "method": "ping", "id": )"; }
  std::string what() const override { return "what is no JSON"; }
  std::int64_t code() const override { return -32700; }
};

class NoRequest final : public Malformed {
 protected:
  std::string_view id() const override { return "jsonrpc.invalid-request-code"; }
  std::string text() const override {
    return R"({"jsonrpc": "2.0", "id": "judge-wrong", "method": 1})";
  }
  std::string what() const override { return "a request whose method is a number"; }
  std::int64_t code() const override { return -32600; }
};

class EmptyBatch final : public Malformed {
 protected:
  std::string_view id() const override { return "jsonrpc.batch-empty-invalid"; }
  std::string text() const override { return "[]"; }
  std::string what() const override { return "an empty array"; }
  std::int64_t code() const override { return -32600; }

 private:
  bool is_answer(const Heard& heard) const override {
    return (heard.message.is_array() && heard.message.empty()) || Malformed::is_answer(heard);
  }
};

constexpr std::string_view kNoJsonIds[] = {"jsonrpc.parse-error-code"};
constexpr std::string_view kNoRequestIds[] = {"jsonrpc.invalid-request-code"};
constexpr std::string_view kEmptyBatchIds[] = {"jsonrpc.batch-empty-invalid"};

constexpr ClientScenario kMalformedScenarios[] = {
    {"tools_call", "no-json", Eras::kStateful, Over::kAny, "", kNoJsonIds, make_script<NoJson>},
    {"tools_call", "no-request", Eras::kStateful, Over::kAny, "", kNoRequestIds,
     make_script<NoRequest>},
    {"tools_call", "empty-array", Eras::kStateful, Over::kAny, "", kEmptyBatchIds,
     make_script<EmptyBatch>},
};

}  // namespace

ClientScenarios malformed_scenarios() { return kMalformedScenarios; }

}  // namespace plumbline::conformance
