// A client whose user is in the script: MCP_CONFORMANCE_CONTEXT says what the user answers, which
// roots are permitted and which models there are. Only a client that goes by it is judged by it.
// Spec: client/elicitation, client/sampling, client/roots.

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kLarge = "plumbline-large";
constexpr const char* kSmall = "plumbline-small";
constexpr const char* kFolder = "file:///";
constexpr const char* kNoFolder = "file:///plumbline-no-such-folder";
constexpr int kTokensMax = 20;

// Question is one thing that is asked while a tool runs.
struct Question {
  std::string name;
  std::string method;
  Json params;
};

class ScriptedUser final : public Script {
 public:
  Json context() const override {
    Json user = json_of(R"({"answers": ["decline", "cancel"]})");
    for (const char* const model : {kLarge, kSmall}) user["models"].push_back(model);
    for (const char* const uri : {kFolder, kNoFolder}) user["roots"].push_back(uri);
    Json context(Json::value_t::object);
    context["user"] = std::move(user);
    return context;
  }

  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {bare_tool("ask_the_user")};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call") return false;
    if (came_) {
      keep_retry(asked);
      return false;
    }
    came_ = true;
    call_ = asked;
    declared_ = peer.record().capabilities(&peer.record().heard[asked.heard]);
    collect(peer);
    if (questions_.empty()) return false;
    if (!peer.stateless()) {
      ask_next(peer);
      return true;
    }
    Json result(Json::value_t::object);
    result["resultType"] = "input_required";
    for (Question& question : questions_) {
      Json& request = result["inputRequests"][question.name];
      request["method"] = question.method;
      request["params"] = std::move(question.params);
    }
    peer.result(asked, std::move(result));
    return true;
  }

  void on_response(ScriptedPeer& peer, const Heard& response) override {
    const Json& id = *response.id();
    if (questions_.empty() || id != Json(questions_.front().name)) return;
    const Json* const result = find(response.message, "result");
    answers_[questions_.front().name] = result == nullptr ? Json() : *result;
    questions_.pop_front();
    ask_next(peer);
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding none = never_came(record, "called a tool");
    if (came_) none = not_for_it("it does not offer what this is about, or gave no answer");
    const auto say = [&](std::string_view id, bool answered,
                         Finding (ScriptedUser::*found)() const) {
      verdicts.say(id, came_ && answered ? (this->*found)() : none);
    };
    say("elicitation.decline-and-cancel-options", has("form-1") && has("form-2"),
        &ScriptedUser::declines);
    say("sampling.hints-in-order", has("hints-1") && has("hints-2"), &ScriptedUser::takes_hints);
    say("sampling.max-tokens-respected", has("hints-1"), &ScriptedUser::is_short);
    say("sampling.tool-choice-required", has("tool"), &ScriptedUser::uses_a_tool);
    say("sampling.tool-choice-none", has("no-tool"), &ScriptedUser::leaves_tools_alone);
    say("resources.annotations-valid", has("hints-1"), &ScriptedUser::annotates);
    say("elicitation.id-unique-and-opaque", has("url-1") && answers_.contains("url-2"),
        &ScriptedUser::takes_any_id);
    say("roots.only-permitted-exposed", has("roots-1"), &ScriptedUser::permits);
    say("roots.accessibility-monitored", has("roots-1"), &ScriptedUser::watches);
    verdicts.say("roots.list-changed-notified",
                 has("roots-1") && has("roots-2") ? tells_changes(record) : none);
  }

 private:
  bool has(const std::string& name) const {
    const auto found = answers_.find(name);
    return found != answers_.end() && found->second.is_object();
  }
  const Json& answer(const std::string& name) const { return answers_.find(name)->second; }

  void put(std::string name, std::string method, Json params) {
    questions_.push_back({std::move(name), std::move(method), std::move(params)});
  }

  // collect gathers what the client says that it can be asked.
  void collect(ScriptedPeer& peer) {
    if (find(declared_, "roots") != nullptr) put("roots-1", "roots/list", Json::object());
    if (find(declared_, "elicitation") != nullptr) {
      put("form-1", "elicitation/create", form_params("Will you decline?"));
      put("form-2", "elicitation/create", form_params("Will you cancel?"));
    }
    if (at_pointer(declared_, "/elicitation/url") != nullptr) {
      put("url-1", "elicitation/create", url(peer, "e-1"));
      put("url-2", "elicitation/create", url(peer, " \xC3\xA9/\"{}\\ 0"));
    }
    if (find(declared_, "sampling") != nullptr) {
      put("hints-1", "sampling/createMessage", sample({kLarge, kSmall}));
      put("hints-2", "sampling/createMessage", sample({kSmall, kLarge}));
    }
    if (at_pointer(declared_, "/sampling/tools") != nullptr) {
      Json params = sample({});
      params["toolChoice"]["mode"] = "required";
      params["tools"] = json_of(R"([{"name": "look_up", "inputSchema": {"type": "object"}}])");
      put("tool", "sampling/createMessage", params);
      params["toolChoice"]["mode"] = "none";
      put("no-tool", "sampling/createMessage", std::move(params));
    }
    const bool again = find(declared_, "roots") != nullptr && !peer.stateless();
    if (again) put("roots-2", "roots/list", Json::object());
  }

  static Json url(ScriptedPeer& peer, std::string id) {
    Json params(Json::value_t::object);
    params["mode"] = "url";
    params["message"] = "Please look at this";
    params["elicitationId"] = std::move(id);
    params["url"] = peer.trap().url("/asked");
    return params;
  }

  static Json sample(const std::vector<const char*>& models) {
    Json params = json_of(R"json({"messages": [{"role": "user",
        "content": {"type": "text", "text": "Tell a long story"}}]})json");
    params["maxTokens"] = kTokensMax;
    for (const char* const model : models) {
      Json hint(Json::value_t::object);
      hint["name"] = model;
      params["modelPreferences"]["hints"].push_back(std::move(hint));
    }
    return params;
  }

  void ask_next(ScriptedPeer& peer) {
    if (questions_.empty()) return peer.usual(call_);
    const Question& question = questions_.front();
    peer.ask_with(call_, Json(question.name), question.method, question.params);
  }

  void keep_retry(const Asked& asked) {
    const Json* const given = at_pointer(asked.message, "/params/inputResponses");
    if (given == nullptr || !given->is_object() || !answers_.empty()) return;
    for (const auto& [name, response] : given->items()) answers_[name] = response;
  }

  Finding declines() const {
    const std::string first = string_or(answer("form-1"), "action", "");
    const std::string second = string_or(answer("form-2"), "action", "");
    if (first != "decline" && second != "cancel") {
      return not_for_it("its user's answers are not those of the context");
    }
    if (first == "decline" && second == "cancel") return passes();
    return broken("its user declined and then cancelled, and it answered \"" + first + "\" and \"" +
                  second + "\"");
  }

  Finding takes_hints() const {
    const std::string first = string_or(answer("hints-1"), "model", "");
    const std::string second = string_or(answer("hints-2"), "model", "");
    for (const std::string& model : {first, second}) {
      if (model != kLarge && model != kSmall) {
        return not_for_it("its models are not those of the context");
      }
    }
    if (first == kLarge && second == kSmall) return passes();
    return broken("it has the models " + std::string(kLarge) + " and " + kSmall +
                  ", and of hints in either order it took \"" + first + "\" and \"" + second +
                  "\", expected the first");
  }

  // A word is at least a token, for all models that there are; twice as many leave room.
  Finding is_short() const {
    std::istringstream text(dump_json(answer("hints-1")));
    std::string word;
    int words = 0;
    while (text >> word) ++words;
    if (words <= 2 * kTokensMax) return passes();
    return broken("a sample with maxTokens " + std::to_string(kTokensMax) + " has " +
                  std::to_string(words) + " words");
  }

  Finding uses_a_tool() const {
    if (dump_json(answer("tool")).find("\"tool_use\"") != std::string::npos) return passes();
    return broken("with toolChoice required a sample uses no tool: " + shown(&answer("tool")));
  }

  Finding leaves_tools_alone() const {
    if (dump_json(answer("no-tool")).find("\"tool_use\"") == std::string::npos) return passes();
    return broken("with toolChoice none a sample uses a tool: " + shown(&answer("no-tool")));
  }

  Finding annotates() const {
    const Json* const content = find(answer("hints-1"), "content");
    if (content == nullptr) return not_for_it("its sample has no content");
    Json blocks = Json::array();
    if (content->is_array()) {
      blocks = *content;
    } else {
      blocks.push_back(*content);
    }
    Finding finding = not_for_it("its sample has no annotations");
    for (const Json& block : blocks) {
      const Json* const notes = find(block, "annotations");
      if (notes == nullptr) continue;
      if (finding.verdict == Verdict::kSkip) finding = passes();
      const Json* const audience = find(*notes, "audience");
      const Json* const priority = find(*notes, "priority");
      const bool to_somebody =
          audience == nullptr ||
          (audience->is_array() && std::ranges::all_of(*audience, [](const Json& role) {
             return role == "user" || role == "assistant";
           }));
      const bool in_range =
          priority == nullptr || (priority->is_number() && *priority >= 0 && *priority <= 1);
      if (!to_somebody || !in_range) finding = broken("a sample has " + shown(notes));
    }
    return finding;
  }

  Finding takes_any_id() const {
    if (has("url-2")) return passes();
    return broken(
        "it answered an elicitation with the elicitationId \"e-1\", and refused the same "
        "with one of other characters, which mean nothing to it");
  }

  std::set<std::string> roots(const std::string& name) const {
    std::set<std::string> uris;
    const Json* const listed = find(answer(name), "roots");
    if (listed == nullptr || !listed->is_array()) return uris;
    for (const Json& root : *listed) uris.insert(string_or(root, "uri", ""));
    return uris;
  }

  // lists_given returns whether the client lists what the context permits.
  bool lists_given() const {
    const std::set<std::string> uris = roots("roots-1");
    return uris.contains(kFolder) || uris.contains(kNoFolder);
  }

  Finding permits() const {
    if (!lists_given()) return not_for_it("its roots are not those of the context");
    for (const std::string& uri : roots("roots-1")) {
      if (uri == kFolder || uri == kNoFolder) continue;
      return broken("it lists the root " + uri + ", which its user did not permit");
    }
    return passes();
  }

  Finding watches() const {
    if (!lists_given()) return not_for_it("its roots are not those of the context");
    if (!roots("roots-1").contains(kNoFolder)) return passes();
    return risky("it lists the root " + std::string(kNoFolder) + ", where there is no folder");
  }

  Finding tells_changes(const Record& record) const {
    const Json* const tells = at_pointer(declared_, "/roots/listChanged");
    if (tells == nullptr || *tells != true) return not_for_it("it does not declare listChanged");
    if (roots("roots-1") == roots("roots-2")) return not_for_it("its roots did not change");
    if (!record.notifications("notifications/roots/list_changed").empty()) return passes();
    return broken(
        "its roots changed from one roots/list to the next, and it declared listChanged, "
        "but sent no notifications/roots/list_changed");
  }

  Asked call_;
  Json declared_;
  bool came_ = false;
  std::deque<Question> questions_;
  std::map<std::string, Json> answers_;  // Null for an error.
};

constexpr std::string_view kRootsOfUserIds[] = {"roots.only-permitted-exposed",
                                                "roots.accessibility-monitored",
                                                "roots.list-changed-notified",
                                                "sampling.hints-in-order",
                                                "sampling.max-tokens-respected",
                                                "resources.annotations-valid",
                                                "elicitation.decline-and-cancel-options",
                                                "sampling.tool-choice-required",
                                                "sampling.tool-choice-none",
                                                "elicitation.id-unique-and-opaque"};

constexpr ClientScenario kScriptedUserScenarios[] = {
    {"tools_call", "scripted-user", Eras::kBoth, Over::kAny, "", kRootsOfUserIds,
     make_script<ScriptedUser>},
};

}  // namespace

ClientScenarios scripted_user_scenarios() { return kScriptedUserScenarios; }

}  // namespace plumbline::conformance
