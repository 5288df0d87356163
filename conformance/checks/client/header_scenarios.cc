// Arguments that are mirrored in headers: spec 2026-07-28, basic/transports/streamable-http.

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "conformance/checks/client/forms/exact_arguments.h"
#include "conformance/checks/client/script_kit.h"
#include "conformance/wire/mirrored.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kMirroring = "test_custom_headers";

// MirrorRule is what the header of one argument has to be.
struct MirrorRule {
  std::string_view id;
  std::string_view argument;  // As a JSON pointer below arguments.
  std::string_view header;
  std::string_view expected;  // Of a value; nothing when there is to be no header.
  bool present = true;
};

// Mirrored offers a tool with annotated parameters of every kind, and says in the context how to
// call it.
class Mirrored final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    Json tool = bare_tool(kMirroring);
    tool["inputSchema"]["properties"] = json_of(R"json({
        "region": {"type": "string", "x-mcp-header": "Region"},
        "count": {"type": "integer", "x-mcp-header": "Count"},
        "verbose": {"type": "boolean", "x-mcp-header": "Verbose"},
        "quiet": {"type": "boolean", "x-mcp-header": "Quiet"},
        "empty": {"type": "string", "x-mcp-header": "Empty"},
        "spaced": {"type": "string", "x-mcp-header": "Spaced"},
        "padded": {"type": "string", "x-mcp-header": "Padded"},
        "foreign": {"type": "string", "x-mcp-header": "Foreign"},
        "broken": {"type": "string", "x-mcp-header": "Broken"},
        "lookalike": {"type": "string", "x-mcp-header": "Lookalike"},
        "nothing": {"type": "string", "x-mcp-header": "Nothing"},
        "absent": {"type": "string", "x-mcp-header": "Absent"},
        "outer": {"type": "object", "properties": {
            "inner": {"type": "string", "x-mcp-header": "Inner"}}},
        "inner": {"type": "string"},
        "plain": {"type": "string"}})json");
    peer.offer.tools = {std::move(tool)};
  }

  Json context() const override {
    Json told(Json::value_t::object);
    Json call(Json::value_t::object);
    call["name"] = kMirroring;
    call["arguments"] = json_of(R"json({
        "region": "us-west1", "count": -42, "verbose": true, "quiet": false, "empty": "",
        "spaced": "us west 1", "padded": " padded ", "foreign": "Hello, 世界",
        "broken": "one\r\nX-Injected: two", "lookalike": "=?base64?literal?=",
        "nothing": null, "outer": {"inner": "the nested one"}, "inner": "the outer one",
        "plain": "not mirrored"})json");
    told["toolCalls"] = Json::array();
    told["toolCalls"].push_back(std::move(call));
    return told;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const Heard* const call = record.called(kMirroring);
    for (const MirrorRule& rule : kRules) {
      verdicts.say(rule.id, call == nullptr ? never_came(record, "called test_custom_headers")
                                            : carries(record, *call, rule));
    }
    verdicts.say("tools.call-arguments-exact", exact(record, call));
  }

  static constexpr MirrorRule kRules[] = {
      {"http.param-header-support", "/region", "Region", "us-west1"},
      {"http.param-value-type-conversion", "/region", "Region", "us-west1"},
      {"http.param-value-type-conversion", "/count", "Count", "-42"},
      {"http.param-value-type-conversion", "/verbose", "Verbose", "true"},
      {"http.param-value-type-conversion", "/quiet", "Quiet", "false"},
      {"http.param-header-included-when-value", "/empty", "Empty", ""},
      {"http.param-header-included-when-value", "/quiet", "Quiet", "false"},
      {"http.param-value-base64-unsafe", "/spaced", "Spaced", "us west 1"},
      {"http.param-value-base64-unsafe", "/padded", "Padded", "=?base64?IHBhZGRlZCA=?="},
      {"http.param-value-base64-unsafe", "/foreign", "Foreign", "=?base64?SGVsbG8sIOS4lueVjA==?="},
      {"http.base64-sentinel-exact", "/padded", "Padded", "=?base64?IHBhZGRlZCA=?="},
      {"http.param-value-encoded", "/broken", "Broken", "=?base64?b25lDQpYLUluamVjdGVkOiB0d28=?="},
      {"http.base64-sentinel-lookalike-encoded", "/lookalike", "Lookalike",
       "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="},
      {"http.param-header-omitted-when-null", "/nothing", "Nothing", "", false},
      {"http.param-header-omitted-when-absent", "/absent", "Absent", "", false},
      {"http.param-header-exact-path", "/outer/inner", "Inner", "the nested one"},
  };

 private:
  // exact leaves the argument that is null to the client: the schema wants a text there.
  static Finding exact(const Record& record, const Heard* call) {
    if (call == nullptr) return never_came(record, "called test_custom_headers");
    if (!is_marked(*call, "not mirrored")) return not_for_it("it calls with arguments of its own");
    static const Json kTold = Mirrored().context();
    Json told = *at_pointer(kTold, "/toolCalls/0/arguments");
    if (at_pointer(*call->params(), "/arguments/nothing") == nullptr) told.erase("nothing");
    const std::string wrong = difference_of(*call, told);
    return wrong.empty() ? passes() : at(record, *call, broken(wrong));
  }

  static Finding carries(const Record& record, const Heard& call, const MirrorRule& rule) {
    const Json* const given =
        call.params() ? at_pointer(*call.params(), "/arguments" + std::string(rule.argument))
                      : nullptr;
    if (given == nullptr && rule.present) {
      return not_for_it("it did not pass the argument " + std::string(rule.argument.substr(1)));
    }
    if (given != nullptr && !rule.present && !given->is_null()) {
      return not_for_it("it passed a value for " + std::string(rule.argument.substr(1)));
    }
    const std::string name = "Mcp-Param-" + std::string(rule.header);
    const std::optional<std::string> header = whole_header(record.headers(call), name);
    if (!rule.present) {
      if (!header) return passes();
      return at(record, record.http[call.exchange],
                broken(name + " is there, but the argument has no value"));
    }
    std::string expected(rule.expected);
    if (expected_of(*given) != expected_of_rule(rule)) expected = header_text(expected_of(*given));
    // What needs no base64 may come in it all the same: a server has to decode before it compares.
    const std::string encoded = base64_text(expected_of(*given));
    if (header && (*header == expected || *header == encoded)) return passes();
    return at(record, record.http[call.exchange],
              broken(name + " is " + header_or_none(record.headers(call), name) + ", expected \"" +
                     expected + "\""));
  }

  // A client may pass other arguments than it was told.
  static std::string expected_of(const Json& given) {
    return given.is_string() ? given.get<std::string>() : dump_json(given);
  }
  static std::string expected_of_rule(const MirrorRule& rule) {
    static const Json kTold = Mirrored().context();
    const Json* const told =
        at_pointer(kTold, "/toolCalls/0/arguments" + std::string(rule.argument));
    return told ? expected_of(*told) : "";
  }
};

// UnsafeIntegers asks for calls with whole numbers at the edge of what JavaScript can tell apart.
class UnsafeIntegers final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    Json tool = bare_tool("test_safe_integers");
    tool["inputSchema"]["properties"] =
        json_of(R"({"count": {"type": "integer", "x-mcp-header": "Count"}})");
    peer.offer.tools = {std::move(tool)};
  }

  Json context() const override {
    return json_of(R"({"toolCalls": [
        {"name": "test_safe_integers", "arguments": {"count": 9007199254740991}},
        {"name": "test_safe_integers", "arguments": {"count": 9007199254740992}},
        {"name": "test_safe_integers", "arguments": {"count": -9007199254740992}}]})");
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const Complaint complaint = [&](const Heard& call) -> std::string {
      const Json* const given = at_pointer(*call.params(), "/arguments/count");
      const bool whole = given != nullptr && given->is_number_integer();
      const std::int64_t count = whole ? given->get<std::int64_t>() : 0;
      const std::string header = header_or_none(record.headers(call), "Mcp-Param-Count");
      if (count > kSafeMax || count < -kSafeMax) {
        return header == "none" ? "" : "Mcp-Param-Count is " + header + ", which is not safe";
      }
      if (!whole || header == "\"" + std::to_string(count) + "\"") return "";
      return "Mcp-Param-Count is " + header + ", expected \"" + std::to_string(count) + "\"";
    };
    verdicts.say("http.x-mcp-header-integer-safe-range",
                 each_of(record, record.requests("tools/call"), complaint, "it called no tool"));
  }

 private:
  static constexpr std::int64_t kSafeMax = (std::int64_t{1} << 53) - 1;
};

// InvalidTools offers one good tool between many whose annotations are wrong.
class InvalidTools final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools.clear();
    for (const char* const schema :
         {R"({"x": {"type": "string", "x-mcp-header": ""}})",
          R"({"x": {"type": "string", "x-mcp-header": "My Region"}})",
          R"({"x": {"type": "string", "x-mcp-header": "Region:Primary"}})",
          R"({"x": {"type": "string", "x-mcp-header": "Région"}})",
          R"({"x": {"type": "string", "x-mcp-header": "Tab\tbed"}})",
          R"({"x": {"type": "string", "x-mcp-header": "Twice"},
              "y": {"type": "string", "x-mcp-header": "TWICE"}})",
          R"({"x": {"type": "string", "x-mcp-header": null}})",
          R"({"x": {"type": "string", "x-mcp-header": ["Region"]}})",
          R"({"x": {"type": "object", "x-mcp-header": "Object"}})",
          R"({"x": {"type": "array", "x-mcp-header": "Array",
                    "items": {"type": "string"}}})"}) {
      Json tool = bare_tool("invalid_" + std::to_string(peer.offer.tools.size()));
      wrong_[string_or(tool, "name", "")] = schema;
      tool["inputSchema"]["properties"] = json_of(schema);
      peer.offer.tools.push_back(std::move(tool));
    }
    Json good = bare_tool("valid_tool");
    good["inputSchema"]["properties"] =
        json_of(R"({"region": {"type": "string", "x-mcp-header": "Region"}})");
    peer.offer.tools.push_back(std::move(good));
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const std::vector<const Heard*> calls = record.requests("tools/call");
    Finding finding = never_came(record, "called a tool");
    if (!calls.empty()) finding = passes();
    for (const Heard* const call : calls) {
      if (call->param("name") == "valid_tool") continue;
      finding = at(
          record, *call,
          broken("it called " + call->param("name") +
                 ", whose x-mcp-header annotation is not valid: " + wrong_[call->param("name")]));
      break;
    }
    verdicts.say("http.x-mcp-header-invalid-tool-excluded", std::move(finding));
  }

 private:
  std::map<std::string, std::string> wrong_;  // The properties of each wrong tool, by its name.
};

// OddNames has a tool and a resource that no header can carry as they are.
class OddNames final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {bare_tool("w\xC3\xB6rld")};
    peer.offer.capabilities["resources"] = Json::object();
    peer.offer.resources = {json_of(R"({"uri": "test://w\u00f6rld", "name": "w"})")};
  }
  void judge(const Record&, Verdicts&) override {}  // The rules do.
};

constexpr std::string_view kMirroredIds[] = {"http.param-header-support",
                                             "http.param-value-type-conversion",
                                             "http.param-header-included-when-value",
                                             "http.param-value-base64-unsafe",
                                             "http.base64-sentinel-exact",
                                             "http.param-value-encoded",
                                             "http.base64-sentinel-lookalike-encoded",
                                             "http.param-header-omitted-when-null",
                                             "http.param-header-omitted-when-absent",
                                             "http.param-header-exact-path",
                                             "tools.call-arguments-exact"};
constexpr std::string_view kUnsafeIntegersIds[] = {"http.x-mcp-header-integer-safe-range"};
constexpr std::string_view kInvalidToolsIds[] = {"http.x-mcp-header-invalid-tool-excluded"};
constexpr std::string_view kOddNamesIds[] = {"http.mcp-name-base64"};

constexpr ClientScenario kHeaderScenarios[] = {
    {"http-custom-headers", "custom-headers", Eras::kStateless, Over::kHttp, "", kMirroredIds,
     make_script<Mirrored>},
    {"http-custom-headers", "unsafe-integers", Eras::kStateless, Over::kHttp, "",
     kUnsafeIntegersIds, make_script<UnsafeIntegers>},
    {"http-invalid-tool-headers", "invalid-tool-headers", Eras::kStateless, Over::kHttp, "",
     kInvalidToolsIds, make_script<InvalidTools>},
    {"tools_call", "odd-names", Eras::kStateless, Over::kHttp, "", kOddNamesIds,
     make_script<OddNames>},
};

}  // namespace

ClientScenarios header_scenarios() { return kHeaderScenarios; }

}  // namespace plumbline::conformance
