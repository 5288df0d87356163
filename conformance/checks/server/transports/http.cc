// Streamable HTTP, the endpoint and who may call it: spec, basic/transports.

#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/transports/http_ways.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kStrangers[] = {"http://evil.example", "http://localhost.evil.example"};

Task<Finding> serves_everything_by_post(Probe& probe) {
  const Survey& survey = probe.survey();
  for (const Listing* const list :
       {&survey.tools, &survey.resources, &survey.templates, &survey.prompts}) {
    for (const Reply& page : list->pages) {
      if (page.answered() || (page.status != 404 && page.status != 405)) continue;
      co_return about(
          broken("got " + page.describe() + " to a list at the URL that answers others"), page);
    }
  }
  co_return survey.opening.result() ? passes() : not_for_it("it does not answer server/discover");
}

// stranger_served passes unless a web page of somewhere else was given something.
Task<Finding> stranger_served(Client& client, std::string origin) {
  const wire::HttpHeaders from_there = {{"Origin", origin}};
  const Reply posted = co_await ask_harmlessly(client, from_there);
  const bool cut = posted.status == 0 && posted.how != Reply::How::kSilent;
  if (posted.status < 400 && !cut) {
    co_return about(broken("POST with Origin " + origin + " got " + posted.describe()), posted);
  }
  if (is_stateless(client.session().revision())) co_return passes();
  for (const char* const method : {"GET", "DELETE"}) {
    wire::HttpRequest request = bare_request(client, method);
    request.headers.set("Origin", origin);
    const Reply reply = co_await client.http(std::move(request));
    client.session().wire().drop(reply.exchange);
    if (reply.status >= 400 || reply.status == 0) continue;
    co_return about(broken(std::string(method) + " with Origin " + origin + " got status " +
                           std::to_string(reply.status)),
                    reply);
  }
  co_return passes();
}

// shield_of says what keeps pages of somewhere else out whatever their Origin; empty: nothing.
Task<std::string> shield_of(Probe& probe) {
  wire::HttpHeaders others = probe.user_headers();
  others.erase("Authorization");
  Client raw = probe.open_raw(others);
  if (probe.user_headers().count("Authorization") > 0) {
    wire::HttpRequest bare = bare_request(raw, "GET");
    const Reply reply = co_await raw.http(std::move(bare));
    raw.session().wire().drop(reply.exchange);
    if (reply.status == 401) co_return std::string("it wants a token, which such a page has not");
  }
  const std::string host = "evil.example:" + std::to_string(probe.subject().spec().url.port);
  Reply reply;
  if (probe.over_sse()) {
    wire::HttpRequest request = bare_request(raw, "GET");
    request.headers.set("Host", host);
    reply = co_await raw.http(std::move(request));
    raw.session().wire().drop(reply.exchange);
  } else {
    Client client = co_await open_quietly(probe);
    const wire::HttpHeaders from_there = {{"Host", host}};
    reply = co_await ask_harmlessly(client, from_there);
  }
  co_return refused_by_status(reply)
      ? "it refuses what names another Host, so a name that is bound "
        "to its address is of no use"
      : std::string();
}

// let_in is what comes of an Origin that was not refused, as `seen` says.
Task<Finding> let_in(Probe& probe, Finding seen) {
  const std::string shield = co_await shield_of(probe);
  if (shield.empty()) co_return std::move(seen);
  seen.verdict = Verdict::kWarn;
  seen.message = "arguable: " + seen.message + "; " + shield;
  co_return std::move(seen);
}

Task<Finding> checks_origins(Probe& probe) {
  if (probe.over_sse()) {
    Client raw = probe.open_raw(probe.user_headers());
    wire::HttpRequest request = bare_request(raw, "GET");
    request.headers.set("Origin", kStrangers[0]);
    const Reply reply = co_await raw.http(std::move(request));
    raw.session().wire().drop(reply.exchange);
    if (reply.status == 0) co_return undecided("the GET was not answered");
    if (refused_by_status(reply)) co_return passes();
    Finding seen = about(broken("GET with Origin " + std::string(kStrangers[0]) + " got status " +
                                std::to_string(reply.status) + ", expected 4xx"),
                         reply);
    Finding finding = co_await let_in(probe, std::move(seen));
    co_return finding;
  }
  std::vector<std::string> strangers(std::begin(kStrangers), std::end(kStrangers));
  strangers.push_back("http://" + probe.subject().spec().url.host + ".evil.example");
  for (const std::string& origin : strangers) {
    Client client = co_await open_quietly(probe);
    if (!client.session().usable()) co_return undecided("it could not be opened again");
    Finding served = co_await stranger_served(client, origin);
    if (served.verdict == Verdict::kPass) continue;
    served.message += ", expected it to be refused";
    Finding finding = co_await let_in(probe, std::move(served));
    co_return finding;
  }
  co_return passes();
}

Task<Finding> forbids_strange_origins(Probe& probe) {
  Client client = probe.client();
  const wire::HttpHeaders from_there = {{"Origin", kStrangers[0]}};
  const Reply reply = co_await ask_harmlessly(client, from_there);
  if (reply.status == 403) co_return passes();
  Finding seen = about(broken("POST with Origin " + std::string(kStrangers[0]) + " got " +
                              reply.describe() + ", expected status 403"),
                       reply);
  if (reply.status >= 400) co_return std::move(seen);
  Finding finding = co_await let_in(probe, std::move(seen));
  co_return finding;
}

// Each of these is a request as HTTP has it, written otherwise.
Task<Finding> reads_media_types(Probe& probe) {
  Client client = probe.client();
  const wire::HttpHeaders unchanged;
  const Reply plain = co_await ask_harmlessly(client, unchanged);
  if (plain.result() == nullptr) co_return undecided("an ordinary POST got " + plain.describe());
  const std::pair<const char*, const char*> writings[] = {
      {"Content-Type", "application/json; charset=utf-8"},
      {"Accept", "text/event-stream, application/json"},
      {"Accept", "application/json;q=0.9, text/event-stream;q=0.8"},
  };
  for (const auto& [name, value] : writings) {
    wire::HttpHeaders headers;
    headers.set(name, value);
    const Reply reply = co_await ask_harmlessly(client, std::move(headers));
    if (!reply.answered() && reply.status == 0) co_return undecided("got " + reply.describe());
    if (reply.result() != nullptr) continue;
    co_return broken("POST with " + std::string(name) + ": " + value + " got " + reply.describe() +
                     ", expected a result");
  }
  co_return passes();
}

// RFC 9112, section 7.1: chunks are read by whoever speaks HTTP/1.1. Some want a length (411).
Task<Finding> reads_chunked_bodies(Probe& probe) {
  Client client = probe.client();
  wire::HttpHeaders headers;
  headers.set("Transfer-Encoding", "chunked");
  const Reply reply = co_await ask_harmlessly(client, std::move(headers));
  if (reply.status == 0) co_return undecided("got " + reply.describe());
  if (reply.result() != nullptr) co_return passes();
  co_return about(broken("a POST whose body comes in chunks, without a Content-Length, got " +
                         reply.describe() +
                         ", expected a result: clients on .NET and on Node's streams send so"),
                  reply);
}

// The notification cannot be accepted: it is cut off.
Task<Finding> refuses_notifications_by_status(Probe& probe) {
  Client client = probe.client();
  wire::HttpHeaders headers;
  if (probe.stateless()) headers.set("Mcp-Method", "notifications/cancelled");
  const std::string text =
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)";
  const Reaction reaction = co_await client.provoke(text, std::move(headers));
  if (reaction.status == 0) co_return undecided("it was not answered");
  if (reaction.status < 400) {
    co_return broken("a notification that is cut off got " + reaction.describe() +
                     ", expected an HTTP error status");
  }
  for (const Json& message : reaction.messages) {
    const Json* const id = find(message, "id");
    if (id == nullptr || id->is_null()) continue;
    co_return broken("the error for a notification has the id " + dump_json(*id));
  }
  co_return passes();
}

Task<Finding> compares_header_names_without_case(Probe& probe) {
  Client client = probe.client();
  for (const bool upper : {false, true}) {
    Json request = client.request_of(std::string(client.harmless_method()), Json::object());
    const wire::HttpHeaders usual = client.session().headers_for(request);
    wire::HttpHeaders headers;
    for (const auto& [name, value] : usual.fields()) {
      std::string other = name;
      for (char& c : other) c = static_cast<char>(upper ? std::toupper(c) : std::tolower(c));
      headers.set(other, value);
    }
    if (headers.fields().empty()) co_return not_for_it("no header of MCP is sent to it");
    const Reply reply = co_await client.exchange(std::move(request), std::move(headers));
    if (reply.result() != nullptr) continue;
    co_return broken("with header names in " + std::string(upper ? "upper" : "lower") +
                     " case it answered " + reply.describe() + ", expected a result");
  }
  co_return passes();
}

Task<Finding> does_without_version(Probe& probe) {
  Client client = probe.client();
  const wire::HttpHeaders without = {{"MCP-Protocol-Version", ""}};
  const Reply reply = co_await ask_harmlessly(client, without);
  if (reply.result() != nullptr) co_return passes();
  co_return broken("without MCP-Protocol-Version it answered " + reply.describe() +
                   ", expected it to be read as the version agreed on, or as 2025-03-26");
}

Task<Finding> refuses_wrong_versions(Probe& probe) {
  Client client = probe.client();
  for (const char* const version : {"1999-01-01", "nonsense"}) {
    const wire::HttpHeaders wrong = {{"MCP-Protocol-Version", version}};
    const Reply reply = co_await ask_harmlessly(client, wrong);
    if (reply.status == 400) continue;
    co_return about(broken("MCP-Protocol-Version: " + std::string(version) + " got " +
                           reply.describe() + ", expected status 400"),
                    reply);
  }
  co_return passes();
}

bool serves_sessions(const Survey& survey) {
  const Json* const result = survey.opening.result();
  const Json* const versions = result == nullptr ? nullptr : find(*result, "supportedVersions");
  if (versions == nullptr) return true;
  for (const Json& version : *versions) {
    if (!version.is_string() || !is_stateless(version.get_ref<const std::string&>())) return true;
  }
  return false;
}

Task<Finding> has_post_alone(Probe& probe) {
  if (serves_sessions(probe.survey())) co_return not_for_it("it serves revisions with sessions");
  Client client = probe.client();
  for (const char* const method : {"GET", "DELETE"}) {
    wire::HttpRequest request = bare_request(client, method);
    const Reply reply = co_await client.http(std::move(request));
    client.session().wire().drop(reply.exchange);
    if (reply.status == 405) continue;
    co_return broken(std::string(method) + " got status " + std::to_string(reply.status) +
                     ", expected 405");
  }
  co_return passes();
}

Task<Finding> says_400_without_metadata(Probe& probe) {
  Client client = probe.client();
  Json request = client.request_of("server/discover", Json::object());
  request["params"]["_meta"].erase(kMetaCapabilities);
  const Reply reply = co_await client.exchange(std::move(request));
  if (reply.status == 400 && reply.error() != nullptr) co_return passes();
  co_return about(broken("without clientCapabilities in _meta it answered " + reply.describe() +
                         ", expected an error with status 400"),
                  reply);
}

// unable_calls returns calls that may need a capability of the client, which declares none: what
// asks for input, and what was named.
std::vector<Json> unable_calls(const Probe& probe, const Exercise& all, Client& client) {
  std::vector<Json> requests;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    if (!probe.may_call(tool) || !probe.surely_shows(name, Shows::kNeedsCapability)) continue;
    Json params = probe.call_params(tool);
    requests.push_back(client.request_declaring("tools/call", std::move(params), Json::object()));
  }
  for (const Call* const call : all.asking()) {
    requests.push_back(client.request_declaring(call->method, call->params, Json::object()));
  }
  return requests;
}

Task<Finding> says_400_without_capabilities(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  Client client = probe.client();
  std::vector<Json> requests = unable_calls(probe, all, client);
  for (Json& request : requests) {
    const Reply reply = co_await client.exchange(std::move(request));
    if (reply.code() != -32021) continue;
    if (reply.status == 400) co_return passes();
    co_return broken("got " + reply.describe() + ", expected status 400");
  }
  co_return needs(Shows::kNeedsCapability);
}

Task<Finding> says_400_to_other_versions(Probe& probe) {
  Client client = probe.client();
  Json request = client.request_of("server/discover", Json::object());
  request["params"]["_meta"][kMetaVersion] = "1900-01-01";
  const wire::HttpHeaders headers = {{"MCP-Protocol-Version", "1900-01-01"}};
  const Reply reply = co_await client.exchange(std::move(request), headers);
  if (reply.status == 400 && reply.code() == -32022) co_return passes();
  co_return broken("to version 1900-01-01 it answered " + reply.describe() +
                   ", expected status 400 and error -32022");
}

Task<Finding> says_404_to_unknown_methods(Probe& probe) {
  Client client = probe.client();
  const Reply reply = co_await client.request("plumbline/no-such-method");
  if (reply.status == 404 && reply.code() == -32601) co_return passes();
  co_return broken("to an unknown method it answered " + reply.describe() +
                   ", expected status 404 and error -32601");
}

constexpr ServerCheck kHttpChecks[] = {
    {"http.single-endpoint-post", Eras::kStateless, SessionUse::kOpens, serves_everything_by_post},
    {"http.get-delete-405", Eras::kStateless, SessionUse::kShared, has_post_alone},
    {"http.origin-validated", Eras::kBoth, SessionUse::kOpens, checks_origins},
    {"http.origin-invalid-403", Eras::kBoth, SessionUse::kShared, forbids_strange_origins},
    {"http.notification-rejected-error-status", Eras::kBoth, SessionUse::kShared,
     refuses_notifications_by_status},
    {"http.media-types-parsed", Eras::kBoth, SessionUse::kShared, reads_media_types},
    {"http.chunked-bodies-read", Eras::kBoth, SessionUse::kShared, reads_chunked_bodies},
    {"http.header-names-case-insensitive", Eras::kBoth, SessionUse::kShared,
     compares_header_names_without_case},
    {"http.protocol-version-absent-default", Eras::kStateful, SessionUse::kShared,
     does_without_version},
    {"http.protocol-version-invalid-400", Eras::kStateful, SessionUse::kShared,
     refuses_wrong_versions},
    {"http.missing-meta-400", Eras::kStateless, SessionUse::kShared, says_400_without_metadata},
    {"http.missing-client-capability-400", Eras::kStateless, SessionUse::kShared,
     says_400_without_capabilities},
    {"http.unsupported-version-400", Eras::kStateless, SessionUse::kShared,
     says_400_to_other_versions},
    {"http.unknown-method-404", Eras::kStateless, SessionUse::kShared, says_404_to_unknown_methods},
};

}  // namespace

ServerChecks http_checks() { return kHttpChecks; }

}  // namespace plumbline::conformance
