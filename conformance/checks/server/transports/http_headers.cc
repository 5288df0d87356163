// What a stateless request over HTTP repeats in its headers, and what a server makes of it: spec
// 2026-07-28, basic/transports/streamable-http, Request Headers, Server Validation.

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "conformance/wire/mirrored.h"
#include "core/base/base64.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoName = "it offers nothing that is asked for by a name and may be";
constexpr std::int64_t kMismatch = -32020;

// Fault is one thing that is wrong about the headers of a request that is right.
struct Fault {
  std::string what;  // "Mcp-Method is missing".
  Json request;
  wire::HttpHeaders headers;
};

Json discovery(Client& client) { return client.request_of("server/discover", Json::object()); }

// named_request returns a request with an Mcp-Name: one that only reads, if there is one.
std::optional<Json> named_request(const Probe& probe, Client& client) {
  const Survey& survey = probe.survey();
  Json params(Json::value_t::object);
  if (!survey.resources.items.empty()) {
    params["uri"] = string_or(survey.resources.items.front(), "uri", "");
    return client.request_of("resources/read", std::move(params));
  }
  const Json* const tool = probe.callable();
  if (tool == nullptr) return std::nullopt;
  return client.request_of("tools/call", probe.call_params(*tool));
}

// named_requests returns one of each kind that has a name. Where headers are looked at, none gets
// further.
std::vector<Json> named_requests(const Probe& probe, Client& client) {
  const Survey& survey = probe.survey();
  std::vector<Json> requests;
  const auto by = [](const char* key, const Json& item) {
    Json params(Json::value_t::object);
    params[key] = string_or(item, key, "");
    return params;
  };
  if (!survey.resources.items.empty()) {
    Json params = by("uri", survey.resources.items.front());
    requests.push_back(client.request_of("resources/read", std::move(params)));
  }
  if (!survey.prompts.items.empty()) {
    Json params = by("name", survey.prompts.items.front());
    requests.push_back(client.request_of("prompts/get", std::move(params)));
  }
  if (const Json* const tool = probe.callable()) {
    requests.push_back(client.request_of("tools/call", probe.call_params(*tool)));
  }
  return requests;
}

std::string name_in(const Json& request) {
  const Json& params = *find(request, "params");
  return find_string(params, "uri").value_or(string_or(params, "name", ""));
}

std::vector<Fault> faults_of_missing(const Probe& probe, Client& client) {
  std::vector<Fault> faults;
  faults.push_back({"Mcp-Method is missing", discovery(client), {{"Mcp-Method", ""}}});
  for (Json& named : named_requests(probe, client)) {
    const std::string what = "Mcp-Name is missing with " + string_or(named, "method", "");
    faults.push_back({what, std::move(named), {{"Mcp-Name", ""}}});
  }
  return faults;
}

std::vector<Fault> faults_of_mismatch(const Probe& probe, Client& client) {
  std::vector<Fault> faults;
  faults.push_back(
      {"Mcp-Method is of another method", discovery(client), {{"Mcp-Method", "tools/list"}}});
  faults.push_back(
      {"Mcp-Method is in upper case", discovery(client), {{"Mcp-Method", "SERVER/DISCOVER"}}});
  faults.push_back(
      {"Mcp-Method ends otherwise", discovery(client), {{"Mcp-Method", "server/plumbline"}}});
  for (const Json& named : named_requests(probe, client)) {
    const std::string of = " with " + string_or(named, "method", "");
    const std::string name = name_in(named);
    faults.push_back({"Mcp-Name is another name" + of, named, {{"Mcp-Name", "plumbline-other"}}});
    std::string loud = name;
    for (char& c : loud) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (loud == name) continue;
    Json again = named;
    again["id"] = client.session().next_id();
    faults.push_back({"Mcp-Name is in upper case" + of, std::move(again), {{"Mcp-Name", loud}}});
  }
  return faults;
}

// executed returns whether a faulty request got further than its headers.
bool executed(const Reply& reply) { return reply.result() != nullptr || reply.status < 400; }

Task<Finding> refuses_all(Client& client, std::vector<Fault> faults, bool exactly) {
  for (Fault& fault : faults) {
    const Reply reply =
        co_await client.exchange(std::move(fault.request), std::move(fault.headers));
    if (reply.status == 0) co_return undecided("got " + reply.describe());
    const bool right =
        exactly ? reply.status == 400 && reply.code() == kMismatch : !executed(reply);
    if (right) continue;
    co_return broken(fault.what + ": got " + reply.describe() +
                     (exactly ? ", expected status 400 and error -32020"
                              : ", expected it to be refused with status 400 and error -32020"));
  }
  co_return faults.empty() ? not_for_it(kNoName) : passes();
}

Task<Finding> wants_its_headers(Probe& probe) {
  Client client = probe.client();
  Finding finding = co_await refuses_all(client, faults_of_missing(probe, client), false);
  co_return finding;
}

Task<Finding> refuses_contradictions(Probe& probe) {
  Client client = probe.client();
  Finding finding = co_await refuses_all(client, faults_of_mismatch(probe, client), false);
  co_return finding;
}

Task<Finding> refuses_with_its_code(Probe& probe) {
  Client client = probe.client();
  std::vector<Fault> faults = faults_of_missing(probe, client);
  for (Fault& fault : faults_of_mismatch(probe, client)) faults.push_back(std::move(fault));
  Finding finding = co_await refuses_all(client, std::move(faults), true);
  co_return finding;
}

// marked returns the name of a request in base64 between the markers.
std::string marked(const std::string& name, const char* start, const char* end) {
  return start + encode_base64(name) + end;
}

Task<Finding> takes_other_markers_literally(Probe& probe) {
  Client client = probe.client();
  std::vector<Fault> faults;
  for (const auto& [start, end] : {std::pair("=?BASE64?", "?="), std::pair("=?base64?", "")}) {
    std::optional<Json> named = named_request(probe, client);
    if (!named) co_return not_for_it(kNoName);
    const std::string value = marked(name_in(*named), start, end);
    faults.push_back({"Mcp-Name: " + value, std::move(*named), {{"Mcp-Name", value}}});
  }
  Finding finding = co_await refuses_all(client, std::move(faults), false);
  co_return finding;
}

Task<Finding> decodes_before_it_compares(Probe& probe) {
  Client client = probe.client();
  std::optional<Json> named = named_request(probe, client);
  if (!named) co_return not_for_it(kNoName);
  const Reply plain = co_await client.exchange(*named);
  if (plain.result() == nullptr) co_return not_for_it("it does not answer " + name_in(*named));
  const wire::HttpHeaders right = {{"Mcp-Name", marked(name_in(*named), "=?base64?", "?=")}};
  (*named)["id"] = client.session().next_id();
  const Reply reply = co_await client.exchange(*named, right);
  if (reply.result() == nullptr) {
    co_return broken("with its name in base64 in Mcp-Name a request got " + reply.describe() +
                     ", expected the result that it has without");
  }
  std::vector<Fault> faults;
  for (const std::string& wrong :
       {marked("plumbline-other", "=?base64?", "?="), std::string("=?base64?%%%?=")}) {
    (*named)["id"] = client.session().next_id();
    faults.push_back({"Mcp-Name: " + wrong, *named, {{"Mcp-Name", wrong}}});
  }
  Finding finding = co_await refuses_all(client, std::move(faults), false);
  co_return finding;
}

// Annotated is a tool with a parameter that is mirrored.
struct Annotated {
  Json params;         // Of the call, with a value for the parameter.
  std::string key;     // The parameter.
  std::string header;  // Its header.
  bool required = false;
};

// annotated_tool returns one whose parameter is of `type`; empty: of any.
std::optional<Annotated> annotated_tool(const Probe& probe, const std::string& type) {
  for (const Json& tool : probe.survey().tools.items) {
    const Json* const properties = properties_of(tool);
    if (properties == nullptr || !probe.may_call(tool)) continue;
    for (const auto& [key, schema] : properties->items()) {
      const auto name = find_string(schema, "x-mcp-header");
      const std::string kind = string_or(schema, "type", "");
      if (!name || !is_header_token(*name)) continue;
      if (type.empty() ? kind != "string" && kind != "integer" : kind != type) continue;
      Annotated found{probe.call_params(tool), key, "Mcp-Param-" + *name, false};
      const Json* const required = at_pointer(tool, "/inputSchema/required");
      found.required = required && std::ranges::find(*required, Json(key)) != required->end();
      if (kind == "integer") found.params["arguments"][key] = 42;
      if (kind == "string") found.params["arguments"][key] = "plumbline";
      return found;
    }
  }
  return std::nullopt;
}

constexpr const char* kNoneAnnotated = "no tool that may be called has an x-mcp-header";

Task<Finding> compares_parameters(Probe& probe) {
  const std::optional<Annotated> tool = annotated_tool(probe, "");
  if (!tool) co_return not_for_it(kNoneAnnotated);
  Client client = probe.client();
  std::vector<Fault> faults;
  faults.push_back({tool->header + " is another value",
                    client.request_of("tools/call", tool->params),
                    {{tool->header, "7 of nine"}}});
  if (tool->params["arguments"][tool->key] == "plumbline") {
    faults.push_back({tool->header + " is in upper case",
                      client.request_of("tools/call", tool->params),
                      {{tool->header, "PLUMBLINE"}}});
  }
  Finding finding = co_await refuses_all(client, std::move(faults), true);
  co_return finding;
}

Task<Finding> wants_parameters(Probe& probe) {
  const std::optional<Annotated> tool = annotated_tool(probe, "");
  if (!tool) co_return not_for_it(kNoneAnnotated);
  Client client = probe.client();
  std::vector<Fault> faults;
  faults.push_back({tool->header + " is missing",
                    client.request_of("tools/call", tool->params),
                    {{tool->header, ""}}});
  Finding finding = co_await refuses_all(client, std::move(faults), true);
  co_return finding;
}

Task<Finding> refuses_odd_characters(Probe& probe) {
  const std::optional<Annotated> tool = annotated_tool(probe, "string");
  if (!tool) co_return not_for_it(kNoneAnnotated);
  Client client = probe.client();
  std::vector<Fault> faults;
  faults.push_back({tool->header + " has bytes above 0x7f",
                    client.request_of("tools/call", tool->params),
                    {{tool->header, "plumbline\xc3\xa9"}}});
  Finding finding = co_await refuses_all(client, std::move(faults), false);
  co_return finding;
}

Task<Finding> does_without_absent_parameters(Probe& probe) {
  std::optional<Annotated> tool = annotated_tool(probe, "integer");
  if (!tool || tool->required) tool = annotated_tool(probe, "string");
  if (!tool) co_return not_for_it(kNoneAnnotated);
  if (tool->required) co_return not_for_it("each parameter with an x-mcp-header is required");
  Client client = probe.client();
  tool->params["arguments"].erase(tool->key);
  const Reply reply = co_await client.request("tools/call", tool->params);
  if (reply.code() != kMismatch) co_return passes();
  co_return broken("without the argument " + tool->key + " and without " + tool->header +
                   " a call got " + reply.describe() + ", expected no error -32020");
}

Task<Finding> compares_numbers(Probe& probe) {
  const std::optional<Annotated> tool = annotated_tool(probe, "integer");
  if (!tool) co_return not_for_it("no tool that may be called has an x-mcp-header on an integer");
  Client client = probe.client();
  const wire::HttpHeaders as_float = {{tool->header, "42.0"}};
  Json request = client.request_of("tools/call", tool->params);
  const Reply reply = co_await client.exchange(std::move(request), as_float);
  if (reply.code() != kMismatch) co_return passes();
  co_return broken(tool->header + ": 42.0 beside the argument 42 got " + reply.describe() +
                   ", expected the two to be equal");
}

Task<Finding> calls_without_headers_elsewhere(Probe& probe) {
  const std::optional<Annotated> tool = annotated_tool(probe, "");
  if (!tool) co_return not_for_it(kNoneAnnotated);
  Client client = probe.client();
  const Reply reply = co_await client.request("tools/call", tool->params);
  co_return expect_result(reply);
}

// The version in _meta, or that of the header, may be one that it does not know at all: then it may
// say that.
Task<Finding> compares_versions(Probe& probe) {
  Client client = probe.client();
  for (const bool in_header : {false, true}) {
    Json request = discovery(client);
    wire::HttpHeaders headers;
    if (in_header) headers.set("MCP-Protocol-Version", std::string(kNewestStateful));
    if (!in_header) request["params"]["_meta"][kMetaVersion] = kNewestStateful;
    const Reply reply = co_await client.exchange(std::move(request), std::move(headers));
    const bool named = reply.code() == kMismatch || reply.code() == -32022;
    if (reply.status == 400 && named) continue;
    co_return broken(std::string("with 2025-11-25 in ") +
                     (in_header ? "MCP-Protocol-Version and 2026-07-28 in _meta"
                                : "_meta and 2026-07-28 in MCP-Protocol-Version") +
                     " it answered " + reply.describe() + ", expected status 400 and error -32020");
  }
  co_return passes();
}

// older_revision returns one without the header that initialize agrees to; or nothing.
Task<std::string> older_revision(Probe& probe) {
  SessionOptions options = probe.usual();
  options.revision = "2025-03-26";
  Client client = co_await probe.open(std::move(options));
  const std::string agreed = client.session().revision();
  if (client.session().opening().result() == nullptr) co_return std::string();
  co_return has_version_header(agreed) ? std::string() : agreed;
}

Task<Finding> wants_the_version_header(Probe& probe) {
  Client client = probe.client();
  const wire::HttpHeaders without = {{"MCP-Protocol-Version", ""}};
  const Reply reply = co_await ask_harmlessly(client, without);
  if (!executed(reply)) co_return passes();
  const Json* const versions =
      at_pointer(*probe.survey().opening.message, "/result/supportedVersions");
  if (versions && std::ranges::any_of(*versions, [](const Json& version) {
        const auto* const text = version.get_ptr<const Json::string_t*>();
        return text != nullptr && !has_version_header(*text);
      })) {
    co_return not_for_it("it serves revisions that know no such header");
  }
  const std::string seen = "without MCP-Protocol-Version it answered " + reply.describe();
  const std::string older = co_await older_revision(probe);
  if (!older.empty()) {
    co_return risky("arguable: " + seen + "; it agrees to " + older + ", which knows no header");
  }
  co_return broken(seen + ", expected status 400 and error -32020");
}

Task<Finding> ignores_session_ids(Probe& probe) {
  Client client = probe.client();
  const wire::HttpHeaders with = {{"Mcp-Session-Id", "plumbline-made-this-up"}};
  const Reply reply = co_await ask_harmlessly(client, with);
  if (reply.result() == nullptr) {
    co_return broken("with an Mcp-Session-Id it answered " + reply.describe() +
                     ", expected the header to be ignored");
  }
  if (reply.headers.count("Mcp-Session-Id") == 0) co_return passes();
  co_return broken("it answers with an Mcp-Session-Id, though this revision has no sessions");
}

Task<Finding> ignores_last_event_ids(Probe& probe) {
  Client client = probe.client();
  const wire::HttpHeaders with = {{"Last-Event-ID", "1-1"}};
  const Reply reply = co_await ask_harmlessly(client, with);
  if (reply.result() != nullptr) co_return passes();
  co_return broken("with a Last-Event-ID it answered " + reply.describe() +
                   ", expected the header to be ignored");
}

constexpr ServerCheck kHttpHeadersChecks[] = {
    {"http.protocol-version-mismatch-rejected", Eras::kStateless, SessionUse::kShared,
     compares_versions},
    {"http.missing-version-header-rejected", Eras::kStateless, SessionUse::kShared,
     wants_the_version_header},
    {"http.missing-required-header-rejected", Eras::kStateless, SessionUse::kShared,
     wants_its_headers},
    {"http.header-body-mismatch-rejected", Eras::kStateless, SessionUse::kShared,
     refuses_contradictions},
    {"http.header-validation-400-32020", Eras::kStateless, SessionUse::kShared,
     refuses_with_its_code},
    {"http.base64-sentinel-exact", Eras::kStateless, SessionUse::kShared,
     takes_other_markers_literally},
    {"http.base64-decode-before-compare", Eras::kStateless, SessionUse::kShared,
     decodes_before_it_compares},
    {"http.param-header-validated", Eras::kStateless, SessionUse::kShared, compares_parameters},
    {"http.param-header-missing-rejected", Eras::kStateless, SessionUse::kShared, wants_parameters},
    {"http.param-header-invalid-chars-rejected", Eras::kStateless, SessionUse::kShared,
     refuses_odd_characters},
    {"http.param-header-not-expected-without-value", Eras::kStateless, SessionUse::kShared,
     does_without_absent_parameters},
    {"http.integer-header-numeric-compare", Eras::kStateless, SessionUse::kShared,
     compares_numbers},
    {"http.x-mcp-header-ignored-off-http", Eras::kStateless, SessionUse::kShared,
     calls_without_headers_elsewhere},
    {"http.session-id-ignored", Eras::kStateless, SessionUse::kShared, ignores_session_ids},
    {"http.last-event-id-ignored", Eras::kStateless, SessionUse::kShared, ignores_last_event_ids},
};

}  // namespace

ServerChecks http_headers_checks() { return kHttpHeadersChecks; }

}  // namespace plumbline::conformance
