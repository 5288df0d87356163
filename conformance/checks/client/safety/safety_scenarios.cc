// What a client must not do with what a server shows it: fetch, follow, trust. The judge puts
// addresses of its trap where nobody has to look.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

// untouched says whether nobody asked the trap for a path that begins with `path`.
Finding untouched(const Record& record, std::string_view path, const std::string& what) {
  for (const HttpHeard& heard : record.trapped) {
    if (heard.request.target.starts_with(path)) {
      return at(record, heard, broken("it fetched " + what + " by itself"));
    }
  }
  return record.requests("tools/list").empty() ? never_came(record, "asked for the tools")
                                               : passes();
}

// Schemas holds references to the network, in what goes in and in what comes out.
class RemoteSchemas final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    Json tool = plain_tool("with_remote_schemas");
    tool["inputSchema"]["properties"]["a"] = Json::object();
    tool["inputSchema"]["properties"]["a"]["$ref"] = peer.trap().url("/schema/in.json");
    tool["outputSchema"]["type"] = "object";
    tool["outputSchema"]["properties"]["sum"]["$ref"] = peer.trap().url("/schema/out.json");
    peer.offer.tools = {plain_tool("add_numbers"), std::move(tool)};
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const Finding finding = untouched(record, "/schema/", "the target of a $ref");
    verdicts.say("schema.no-network-ref", finding);
    verdicts.say("schema.ref-fetch-off-by-default", finding);
  }
};

// Icons stands at addresses that no client may load icons from.
class UnsafeIcons final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    Json tool = plain_tool("with_icons");
    Json& icons = tool["icons"] = Json::array();
    const std::string http = peer.trap().url("/icon.png");
    for (const std::string& source :
         {http, "ws" + http.substr(4), "ftp" + http.substr(4), std::string("file:///etc/hosts"),
          std::string("javascript:alert(1)")}) {
      Json icon(Json::value_t::object);
      icon["src"] = source;
      icon["mimeType"] = "image/png";
      icons.push_back(std::move(icon));
    }
    peer.offer.tools = {std::move(tool)};
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("base.icons-reject-unsafe-schemes",
                 untouched(record, "/icon", "an icon over plain http"));
  }
};

// OldCode answers a stateless request with errors of the range that has no meaning.
class MeaninglessCode final : public Script {
 public:
  void prepare(ScriptedPeer&) override {}

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || refused_ != 0) return false;
    refused_ = peer.record().heard.back().place;
    Json data = json_of(R"({"requiredCapabilities": {"sampling": {}}, "requested": "x"})");
    data["supported"] = Json::array();
    data["supported"].push_back(kNewestStateful);
    peer.error(asked, -32004, "Unsupported protocol version", std::move(data));
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = never_came(record, "called a tool");
    if (refused_ != 0) {
      finding = passes();
      const Heard* const fallen = record.first_after(
          refused_, [](const Heard& message) { return message.method() == "initialize"; });
      if (fallen != nullptr) {
        finding = at(record, *fallen,
                     broken("error -32004 has no meaning, and it was followed by initialize"));
      }
    }
    verdicts.say("jsonrpc.error-code-legacy-range-no-meaning", std::move(finding));
  }

 private:
  std::size_t refused_ = 0;
};

// Composition is a schema that takes a naive validator for ever.
class Composition final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    Json schema = json_of(R"({"type": "number"})");
    for (int depth = 0; depth < 24; ++depth) {
      Json both(Json::value_t::object);
      both["allOf"] = Json::array();
      both["allOf"].push_back(schema);
      schema = std::move(both);
    }
    Json tool = plain_tool("with_a_deep_schema");
    tool["inputSchema"]["properties"]["a"] = schema;
    tool["outputSchema"]["type"] = "object";
    tool["outputSchema"]["properties"]["loop"] = json_of(R"({"$ref": "#/properties/loop"})");
    peer.offer.tools = {std::move(tool)};
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding =
        went_on(record, "with_a_deep_schema", "deep schemas that refer to themselves");
    if (finding.verdict == Verdict::kFail && record.exit && record.exit->signal == 0) {
      finding = not_for_it("it would not use a tool with such a schema");
    }
    verdicts.say("schema.composition-bounds", std::move(finding));
  }
};

constexpr std::string_view kRemoteSchemasIds[] = {"schema.no-network-ref",
                                                  "schema.ref-fetch-off-by-default"};
constexpr std::string_view kUnsafeIconsIds[] = {"base.icons-reject-unsafe-schemes"};
constexpr std::string_view kMeaninglessIds[] = {"jsonrpc.error-code-legacy-range-no-meaning"};
constexpr std::string_view kCompositionIds[] = {"schema.composition-bounds"};

constexpr ClientScenario kSafetyScenarios[] = {
    {"json-schema-ref-no-deref", "remote-schemas", Eras::kBoth, Over::kAny, "", kRemoteSchemasIds,
     make_script<RemoteSchemas>},
    {"tools_call", "unsafe-icons", Eras::kBoth, Over::kAny, since::kIcons, kUnsafeIconsIds,
     make_script<UnsafeIcons>},
    {"tools_call", "meaningless-code", Eras::kStateless, Over::kAny, "", kMeaninglessIds,
     make_script<MeaninglessCode>},
    {"tools_call", "deep-schemas", Eras::kStateless, Over::kAny, "", kCompositionIds,
     make_script<Composition>},
};

}  // namespace

ClientScenarios safety_scenarios() { return kSafetyScenarios; }

}  // namespace plumbline::conformance
