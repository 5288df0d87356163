#include <string>

#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

namespace {

using wire::HttpHeaders;
using wire::HttpRequest;
using wire::HttpResponse;
using Answer = std::optional<HttpResponse>;

bool mentions(const HttpRequest& request, std::string_view text) {
  return request.body.find(text) != std::string::npos;
}

// mismatch is what a server says to headers that it takes for wrong.
HttpResponse mismatch(const HttpRequest& request) {
  const Result<Json> asked = parse_json(request.body);
  const Json* const id = asked.ok() ? find(asked.value(), "id") : nullptr;
  Json error(Json::value_t::object);
  error["jsonrpc"] = "2.0";
  error["id"] = id == nullptr ? Json() : *id;
  error["error"]["code"] = -32020;
  error["error"]["message"] = "header mismatch";
  return {400, {{"Content-Type", "application/json"}}, dump_json(error)};
}

// knows_no_initialize is what a server of the stateless revision alone says to older clients.
HttpResponse knows_no_initialize(const HttpRequest& request) {
  HttpResponse response = mismatch(request);
  Json error = parse_json(response.body).value();
  error["error"]["code"] = -32022;
  error["error"]["message"] = "Unsupported protocol version";
  error["error"]["data"]["supported"] = Json::array({"2026-07-28"});
  error["error"]["data"]["requested"] = "an older one";
  response.body = dump_json(error);
  return response;
}

Deviation bent(std::string_view id, std::string_view what, Answer (*request)(HttpRequest&),
               std::vector<std::string_view> also = {}) {
  Deviation deviation;
  deviation.id = id;
  deviation.revision = "2026-07-28";
  deviation.transport = Transport::kHttp;
  deviation.what = what;
  deviation.request = request;
  deviation.also = std::move(also);
  return deviation;
}

Deviation restated(std::string_view id, std::string_view what,
                   void (*response)(const HttpRequest&, int&, HttpHeaders&)) {
  Deviation deviation = bent(id, what, nullptr);
  deviation.response = response;
  return deviation;
}

const Deviation kHttpHeadersDeviations[] = {
    restated("http.missing-meta-400", "answers what lacks its capabilities with 200",
             [](const HttpRequest& request, int& status, HttpHeaders&) {
               const bool asks = mentions(request, "server/discover");
               if (asks && !mentions(request, "clientCapabilities")) status = 200;
             }),
    restated("http.missing-client-capability-400", "asks for capabilities with 200",
             [](const HttpRequest& request, int& status, HttpHeaders&) {
               if (mentions(request, "clientCapabilities\":{}")) status = 200;
             }),
    restated("http.unsupported-version-400", "answers other versions with 200",
             [](const HttpRequest& request, int& status, HttpHeaders&) {
               if (mentions(request, "1900-01-01")) status = 200;
             }),
    restated("http.unknown-method-404", "answers unknown methods with 200",
             [](const HttpRequest&, int& status, HttpHeaders&) {
               if (status == 404) status = 200;
             }),
    restated("http.header-validation-400-32020", "answers another method in the header with 422",
             [](const HttpRequest& request, int& status, HttpHeaders&) {
               const auto method = request.headers.get("Mcp-Method");
               if (method == "tools/list" && mentions(request, "server/discover")) status = 422;
             }),
    bent("http.protocol-version-mismatch-rejected", "does not compare versions",
         [](HttpRequest& request) -> Answer {
           const std::string other = "protocolVersion\":\"2025-11-25";
           const std::size_t at = request.body.find(other);
           if (at != std::string::npos) {
             request.body.replace(at, other.size(), "protocolVersion\":\"2026-07-28");
           }
           return std::nullopt;
         }),
    {.id = "http.session-ended-404",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "says of a session that is not there that it has ended it",
     .response =
         [](const HttpRequest& request, int& status, HttpHeaders&) {
           if (request.method == "DELETE" && status == 404) status = 200;
         }},
    {.id = "http.missing-version-header-rejected",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "does without the version header, though it is of this revision alone",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (interceptor.method_asked(message) == "server/discover" && find(message, "result")) {
             message["result"]["supportedVersions"] = Json::array({"2026-07-28"});
           }
           if (at_pointer(message, "/error/data/supported") != nullptr) {
             message["error"]["data"]["supported"] = Json::array({"2026-07-28"});
           }
           interceptor.say(message);
         },
     .request = [](HttpRequest& request) -> Answer {
       if (mentions(request, "\"initialize\"")) return knows_no_initialize(request);
       if (request.headers.count("MCP-Protocol-Version") == 0) {
         request.headers.set("MCP-Protocol-Version", "2026-07-28");
       }
       return std::nullopt;
     },
     .also = {"versioning.dual-era-server-selects-by-opening", "http.get-delete-405",
              "tasks.extension-not-in-legacy-revision"}},
    bent("http.missing-required-header-rejected", "does without Mcp-Method",
         [](HttpRequest& request) -> Answer {
           if (request.headers.count("Mcp-Method") == 0 && mentions(request, "server/discover")) {
             request.headers.set("Mcp-Method", "server/discover");
           }
           return std::nullopt;
         },
         {"http.header-validation-400-32020"}),
    bent("http.header-body-mismatch-rejected", "compares the first part of Mcp-Method alone",
         [](HttpRequest& request) -> Answer {
           if (request.headers.get("Mcp-Method") == "server/plumbline") {
             request.headers.set("Mcp-Method", "server/discover");
           }
           return std::nullopt;
         },
         {"http.header-validation-400-32020"}),
    bent("http.header-body-mismatch-rejected", "does not compare Mcp-Name of prompts",
         [](HttpRequest& request) -> Answer {
           if (!mentions(request, "prompts/get")) return std::nullopt;
           const Result<Json> asked = parse_json(request.body);
           const Json* const name =
               asked.ok() ? at_pointer(asked.value(), "/params/name") : nullptr;
           if (name != nullptr && request.headers.count("Mcp-Name") > 0) {
             request.headers.set("Mcp-Name", name->get<std::string>());
           }
           return std::nullopt;
         },
         {"http.header-validation-400-32020"}),
    bent("http.header-body-mismatch-rejected", "compares Mcp-Method without case",
         [](HttpRequest& request) -> Answer {
           if (request.headers.get("Mcp-Method") == "SERVER/DISCOVER") {
             request.headers.set("Mcp-Method", "server/discover");
           }
           return std::nullopt;
         },
         {"http.header-validation-400-32020"}),
    bent("http.base64-sentinel-exact", "knows the marker in upper case",
         [](HttpRequest& request) -> Answer {
           std::string name(request.headers.get("Mcp-Name").value_or(""));
           if (name.starts_with("=?BASE64?")) {
             request.headers.set("Mcp-Name", name.replace(2, 6, "base64"));
           }
           return std::nullopt;
         }),
    bent("http.base64-decode-before-compare", "decodes nothing",
         [](HttpRequest& request) -> Answer {
           const auto name = request.headers.get("Mcp-Name");
           if (!name || !name->starts_with("=?base64?")) return std::nullopt;
           return mismatch(request);
         }),
    bent("http.name-header-invalid-chars-rejected", "takes the bytes of UTF-8 for the name",
         [](HttpRequest& request) -> Answer {
           if (request.headers.get("Mcp-Name") == "plumbline-caf\xc3\xa9") {
             request.headers.set("Mcp-Name", "=?base64?cGx1bWJsaW5lLWNhZsOp?=");
           }
           return std::nullopt;
         }),
    bent("http.param-header-validated", "does not compare parameters",
         [](HttpRequest& request) -> Answer {
           if (request.headers.get("Mcp-Param-Priority") == "7 of nine") {
             request.headers.set("Mcp-Param-Priority", "42");
           }
           return std::nullopt;
         }),
    bent("http.param-header-missing-rejected", "does without the headers of parameters",
         [](HttpRequest& request) -> Answer {
           const bool has = request.headers.count("Mcp-Param-Priority") > 0;
           if (!has && mentions(request, "\"priority\":42")) {
             request.headers.set("Mcp-Param-Priority", "42");
           }
           return std::nullopt;
         }),
    bent("http.param-header-invalid-chars-rejected", "drops bytes that it does not know",
         [](HttpRequest& request) -> Answer {
           if (request.headers.get("Mcp-Param-Region") == "plumbline\xc3\xa9") {
             request.headers.set("Mcp-Param-Region", "plumbline");
           }
           return std::nullopt;
         }),
    bent("http.param-header-not-expected-without-value", "wants a header for every parameter",
         [](HttpRequest& request) -> Answer {
           const bool has = request.headers.count("Mcp-Param-Priority") > 0;
           const bool calls = mentions(request, "test_x_mcp_header");
           if (has || !calls || mentions(request, "priority")) return std::nullopt;
           return mismatch(request);
         }),
    bent("http.integer-header-numeric-compare", "compares numbers as texts",
         [](HttpRequest& request) -> Answer {
           if (request.headers.get("Mcp-Param-Priority") != "42.0") return std::nullopt;
           return mismatch(request);
         }),
    bent("http.session-id-ignored", "looks for a session",
         [](HttpRequest& request) -> Answer {
           if (request.headers.count("Mcp-Session-Id") == 0) return std::nullopt;
           return HttpResponse{404, {}, ""};
         },
         {"versioning.dual-era-server-selects-by-opening",
          "tasks.extension-not-in-legacy-revision"}),
    bent("http.last-event-id-ignored", "refuses to resume",
         [](HttpRequest& request) -> Answer {
           if (request.headers.count("Last-Event-ID") == 0) return std::nullopt;
           return HttpResponse{400, {}, ""};
         }),
    {.id = "http.x-mcp-header-ignored-off-http",
     .revision = "2026-07-28",
     .what = "looks for headers where there are none",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json asked = interceptor.asked(message);
           const Json* const tool = at_pointer(asked, "/params/name");
           if (tool != nullptr && *tool == Json("test_x_mcp_header")) {
             message.erase("result");
             message["error"]["code"] = -32020;
             message["error"]["message"] = "header mismatch";
           }
           interceptor.say(message);
         },
     .also = {"jsonrpc.error-code-defined-meaning"}},
};

}  // namespace

Deviations http_headers_deviations() { return kHttpHeadersDeviations; }

}  // namespace plumbline::conformance
