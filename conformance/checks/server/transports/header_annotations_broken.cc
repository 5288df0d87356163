#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

// properties_in returns the parameters of the one annotated tool where `message` lists the tools;
// nullptr: it does not.
Json* properties_in(Interceptor& interceptor, Json& message) {
  Json* const tools = edit::result_of(interceptor, message, "tools/list");
  Json* const tool = edit::in_list(tools, "tools", "test_x_mcp_header");
  return tool == nullptr ? nullptr : &(*tool)["inputSchema"]["properties"];
}

Deviation annotated(std::string_view id, std::string_view what,
                    void (*from_server)(Interceptor&, Json),
                    std::vector<std::string_view> also = {},
                    Transport transport = Transport::kStdio) {
  Deviation deviation;
  deviation.id = id;
  deviation.revision = "2026-07-28";
  deviation.transport = transport;
  deviation.what = what;
  deviation.from_server = from_server;
  deviation.also = std::move(also);
  return deviation;
}

const Deviation kHeaderAnnotationsDeviations[] = {
    annotated("http.x-mcp-header-not-empty", "mirrors a parameter into a header without a name",
              [](Interceptor& interceptor, Json message) {
                if (Json* const properties = properties_in(interceptor, message)) {
                  (*properties)["query"]["x-mcp-header"] = "";
                }
                interceptor.say(message);
              },
              {"http.x-mcp-header-token-syntax"}),
    annotated(
        "http.x-mcp-header-token-syntax", "mirrors a parameter into a header with a space",
        [](Interceptor& interceptor, Json message) {
          if (Json* const properties = properties_in(interceptor, message)) {
            (*properties)["query"]["x-mcp-header"] = "My Query";
          }
          interceptor.say(message);
        },
        {}, Transport::kHttp),
    annotated(
        "http.x-mcp-header-no-control-chars", "splits a header by the name of a parameter",
        [](Interceptor& interceptor, Json message) {
          if (Json* const properties = properties_in(interceptor, message)) {
            (*properties)["query"]["x-mcp-header"] = "Query: 1\r\nX-Injected";
          }
          interceptor.say(message);
        },
        {"http.x-mcp-header-token-syntax"}, Transport::kHttp),
    annotated("http.x-mcp-header-unique", "mirrors two parameters into one header",
              [](Interceptor& interceptor, Json message) {
                if (Json* const properties = properties_in(interceptor, message)) {
                  (*properties)["query"]["x-mcp-header"] = "REGION";
                }
                interceptor.say(message);
              }),
    annotated("http.x-mcp-header-primitive-types", "mirrors a list",
              [](Interceptor& interceptor, Json message) {
                if (Json* const properties = properties_in(interceptor, message)) {
                  (*properties)["tags"]["type"] = "array";
                  (*properties)["tags"]["items"]["type"] = "string";
                  (*properties)["tags"]["x-mcp-header"] = "Tags";
                }
                interceptor.say(message);
              }),
    annotated("http.x-mcp-header-primitive-types", "mirrors what may be of any type",
              [](Interceptor& interceptor, Json message) {
                if (Json* const properties = properties_in(interceptor, message)) {
                  (*properties)["tags"]["x-mcp-header"] = "Tags";
                }
                interceptor.say(message);
              }),
    annotated("http.x-mcp-header-primitive-types", "mirrors what has its type behind a $ref",
              [](Interceptor& interceptor, Json message) {
                if (Json* const properties = properties_in(interceptor, message)) {
                  (*properties)["tag"]["$ref"] = "#/properties/query";
                  (*properties)["tag"]["x-mcp-header"] = "Tag";
                }
                interceptor.say(message);
              },
              {"schema.hosts-accept"}),
    annotated("http.x-mcp-header-statically-reachable", "mirrors parameters with names of any kind",
              [](Interceptor& interceptor, Json message) {
                if (Json* const properties = properties_in(interceptor, message)) {
                  Json& more = (*properties)["labels"]["additionalProperties"];
                  more["type"] = "string";
                  more["x-mcp-header"] = "Label";
                }
                interceptor.say(message);
              }),
    annotated("http.x-mcp-header-no-indirect-path", "mirrors a parameter in one of two cases",
              [](Interceptor& interceptor, Json message) {
                if (Json* const properties = properties_in(interceptor, message)) {
                  Json other = Json::object();
                  other["properties"]["zone"]["type"] = "string";
                  other["properties"]["zone"]["x-mcp-header"] = "Zone";
                  (*properties)["place"]["anyOf"].push_back(std::move(other));
                }
                interceptor.say(message);
              },
              {"http.x-mcp-header-statically-reachable"}),
};

}  // namespace

Deviations header_annotations_deviations() { return kHeaderAnnotationsDeviations; }

}  // namespace plumbline::conformance
