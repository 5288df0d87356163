// Gateways before what is out of the common: a server whose pages have no end, errors of other
// methods than tools/call, extensions that a client declares, and tokens as they were written.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/differences.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

std::ptrdiff_t lists_heard(const MirrorServer& mirror) {
  return std::ranges::count_if(mirror.heard(), [](const MirrorServer::Heard& one) {
    return string_or(one.message, "method", "") == "tools/list";
  });
}

// No clause bounds a list; but who gathers its pages for a client follows cursors of a stranger.
Task<Finding> bounds_pages(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  probe.mirror().set_endless(true);
  const std::ptrdiff_t before = lists_heard(probe.mirror());
  Client client(*session, probe.check());
  Json params(Json::value_t::object);
  const Reply reply = co_await client.request("tools/list", std::move(params));
  const std::ptrdiff_t times = lists_heard(probe.mirror()) - before;
  probe.mirror().set_endless(false);
  if (reply.answered() || reply.status != 0 || times < 2) co_return passes();
  co_return about(
      risky("a server gives the same nextCursor with each page, and a client that asked for its "
            "first page got " +
            reply.describe() + "; the server was asked " + std::to_string(times) +
            " times: expected an error, or a page"),
      reply);
}

constexpr std::pair<const char*, Ask> kFailing[] = {{"prompts/get", Ask::kPrompt},
                                                    {"completion/complete", Ask::kCompletion}};

Json params_of(GatewayProbe* probe, std::string_view method) {
  Json params(Json::value_t::object);
  const std::string prompt = probe->exchanges().prompt(kMirrorPrompt);
  if (method == "prompts/get") {
    params["name"] = prompt;
    params["arguments"]["who"] = probe->new_mark();
    return params;
  }
  params["ref"]["type"] = "ref/prompt";
  params["ref"]["name"] = prompt;
  params["argument"]["name"] = "who";
  params["argument"]["value"] = probe->new_mark();
  return params;
}

Task<Finding> keeps_other_errors(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Client client(*session, probe.check());
  Finding found = not_for_it("it passes neither prompts/get nor completion/complete on");
  for (const auto& [method, ask] : kFailing) {
    const Exchanged* const known = co_await probe.exchanges().of(ask, probe.check());
    if (!known->reached) continue;
    probe.mirror().forget_said();
    probe.mirror().do_next(method, {MirrorServer::Next::What::kFail});
    Json params = params_of(&probe, method);
    const Reply reply = co_await client.request(method, std::move(params));
    const auto& said = probe.mirror().said();
    const auto failed = std::ranges::find_if(
        said, [](const MirrorServer::Said& one) { return one.response.contains("error"); });
    if (failed == said.end()) continue;  // It may have kept an answer.
    found = passes();
    const Json sent = failed->response["error"];
    const Json got = reply.error() == nullptr ? Json::object() : *reply.error();
    const std::vector<Difference> all = differences(sent, got);
    const auto lost =
        std::ranges::find_if(all, [](const Difference& one) { return one.before.has_value(); });
    if (lost == all.end()) continue;
    co_return about(broken("of an error to " + std::string(method) + ", " +
                           said_of(*lost, "the server", "the client")),
                    reply);
  }
  co_return std::move(found);
}

Json echo_params(GatewayProbe* probe, const std::string& mark) {
  Json params(Json::value_t::object);
  params["name"] = probe->exchanges().tool("echo");
  params["arguments"] = GatewayProbe::marked(mark);
  return params;
}

// RFC 9110, section 11.1, gives the name of a scheme no case; servers go by its letters all the
// same.
Task<Finding> keeps_credentials(GatewayProbe& probe) {
  constexpr const char* kCredentials = "Authorization";
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("its clients send no headers");
  const auto given = session->subject().spec().headers.get(kCredentials);
  const std::string mark = probe.new_mark();
  const std::string sent = given ? std::string(*given) : "Bearer plumbline-" + mark;
  wire::HttpHeaders headers;
  headers.set(kCredentials, sent);
  Client client(*session, probe.check());
  Json message = client.request_of("tools/call", echo_params(&probe, mark));
  const Reply reply = co_await client.exchange(std::move(message), std::move(headers));
  const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
  if (heard.empty() && (reply.status == 401 || reply.status == 403)) {
    co_return not_for_it("it takes no token that it does not know: --header gives it one");
  }
  if (heard.empty()) co_return undecided(kNeverReached);
  const std::string token = sent.substr(sent.find(' ') + 1);
  const std::string got(heard.front().headers.get(kCredentials).value_or(""));
  if (got.find(token) == std::string::npos) co_return not_for_it("it hands no tokens on");
  if (got == sent) co_return passes();
  const std::string scheme = got.substr(0, got.find(' '));
  co_return about(
      risky("a client sent its token as \"" + clipped(sent.substr(0, sent.find(' '))) +
            " ...\", and the server got it as \"" + clipped(scheme) +
            " ...\" in Authorization: servers that read the scheme letter by letter, such as those "
            "of Linear and Amplitude, refuse it"),
      reply);
}

constexpr const char* kAppsExtension = "io.modelcontextprotocol/ui";

// declared_to returns what the server was told that this client can do; null: nothing.
Json declared_to(const MirrorServer& mirror, const MirrorServer::Heard& call) {
  const Json* declared = mirror.declared(call.session);
  if (is_stateless(call.revision)) {
    declared =
        at_pointer(call.message, "/params/_meta/io.modelcontextprotocol~1clientCapabilities");
  }
  return declared == nullptr ? Json() : *declared;
}

// told_of calls echo as a client that declares `capabilities`, and returns what the server was told
// of that; null: it cannot be compared.
Task<Json> told_of(GatewayProbe* probe, Session* session, Json capabilities) {
  const std::string mark = probe->new_mark();
  Client client(*session, probe->check());
  Json params = echo_params(probe, mark);
  Json message =
      is_stateless(probe->revision())
          ? client.request_declaring("tools/call", std::move(params), std::move(capabilities))
          : client.request_of("tools/call", std::move(params));
  co_await client.exchange(std::move(message));
  const std::vector<MirrorServer::Heard> heard = probe->heard(mark);
  if (heard.empty() || heard.front().revision != probe->revision()) co_return Json();
  Json declared = declared_to(probe->mirror(), heard.front());
  if (declared.is_null()) declared = Json::object();
  co_return declared;
}

// untold_of returns which of the features of a client the server is not told of; empty: none.
std::string untold_of(const Json& capabilities, const Json& told) {
  std::string names;
  for (const char* const feature : {"elicitation", "sampling", "roots"}) {
    if (find(capabilities, feature) == nullptr || find(told, feature) != nullptr) continue;
    names += (names.empty() ? "" : ", ") + std::string(feature);
  }
  return names;
}

// told_before returns whether the server was told of a client that can be asked by all of `lost`,
// in the revision of the probe.
bool told_before(GatewayProbe* probe, const std::string& lost) {
  const std::string& revision = probe->revision();
  return std::ranges::any_of(probe->mirror().heard(), [&](const MirrorServer::Heard& heard) {
    const bool opens = string_or(heard.message, "method", "") == "initialize";
    const Json* const version = at_pointer(heard.message, "/params/protocolVersion");
    const bool same = opens ? version != nullptr && *version == Json(revision)
                            : is_stateless(revision) && heard.revision == revision;
    const Json* const capabilities = at_pointer(
        heard.message, opens ? "/params/capabilities"
                             : "/params/_meta/io.modelcontextprotocol~1clientCapabilities");
    if (!same || capabilities == nullptr) return false;
    const std::string left = untold_of(all_capabilities(revision), *capabilities);
    return left.size() < lost.size();
  });
}

constexpr const char* kNotAsked =
    ": tools that ask, such as those of FastMCP with ctx.elicit, ctx.sample and ctx.list_roots, "
    "fail, or do without";

// Who opens sessions of its own is a client by itself, which need not be able to do all that its
// clients can; but it cannot do more for one of them than for the next.
Task<Finding> declares_client_features(GatewayProbe& probe) {
  const Json all = all_capabilities(probe.revision());
  Session* const bare = co_await probe.enter("", Json::object());
  Session* const first = co_await probe.enter();
  if (bare == nullptr || first == nullptr) co_return undecided(probe.why());
  Json nothing = Json::object();
  const Json less = co_await told_of(&probe, bare, std::move(nothing));
  Json declared = all;
  const Json told = co_await told_of(&probe, first, std::move(declared));
  if (less.is_null() || told.is_null()) {
    co_return not_for_it("no call comes to the server in the revision of its client");
  }
  const std::string lost = untold_of(all, told);
  if (lost.empty()) co_return passes();
  const std::optional<bool> between = co_await probe.stands_between(first);
  if (!between) co_return undecided(kNeverReached);
  const bool another = told_before(&probe, lost);
  if (*between && !another) {
    co_return not_for_it("it is a client of its own, which declares no " + lost);
  }
  co_return risky(
      "a client declares " + lost + ", and the server was told of " + shortened(dump_json(told)) +
      (another ? ", and of more for another client that declares the same" : "") + kNotAsked);
}

Task<Finding> keeps_client_extensions(GatewayProbe& probe) {
  Json capabilities = all_capabilities(probe.revision());
  capabilities["extensions"][kAppsExtension]["mimeTypes"] =
      Json::array({"text/html;profile=mcp-app"});
  Session* const session = co_await probe.enter("", capabilities);
  if (session == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  Client client(*session, probe.check());
  Json params = echo_params(&probe, mark);
  Json message = is_stateless(probe.revision())
                     ? client.request_declaring("tools/call", std::move(params), capabilities)
                     : client.request_of("tools/call", std::move(params));
  co_await client.exchange(std::move(message));
  const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
  if (heard.empty()) co_return undecided(kNeverReached);
  const Json declared = declared_to(probe.mirror(), heard.front());
  if (declared.empty()) co_return not_for_it("the server is told of no capabilities");
  const Json* const extensions = find(declared, "extensions");
  if (extensions != nullptr && find(*extensions, kAppsExtension) != nullptr) co_return passes();
  co_return risky("a client declares the extension " + std::string(kAppsExtension) +
                  ", and the server was told of " + shortened(dump_json(declared)) +
                  ": servers of MCP Apps show it no pages");
}

// is_listed returns whether the mirror's tool can be listed, whatever its name here.
bool is_listed(const Exchanged& tools, std::string_view name) {
  const std::string pointer = "/tools/" + std::string(name);
  return std::ranges::none_of(tools.back, [&](const Difference& one) {
    return one.pointer == pointer && !one.after.has_value();
  });
}

Task<Finding> calls_by_name(GatewayProbe& probe) {
  const Exchanged* const tools = co_await probe.exchanges().of(Ask::kTools, probe.check());
  if (!tools->lacks.empty()) co_return not_for_it(tools->lacks);
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::string usual = probe.new_mark();
  co_await probe.call(*session, "echo", GatewayProbe::marked(usual));
  if (probe.heard(usual).empty()) co_return undecided(kNeverReached);
  for (const std::string name : {"rows.read", "rows_read", "rows-set", "fail", "log", "stream"}) {
    if (!is_listed(*tools, name)) continue;
    const std::string mark = probe.new_mark();
    const Reply reply = co_await probe.call(*session, name, GatewayProbe::marked(mark));
    const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
    const std::string called = "a call of the tool \"" + name + "\" ";
    if (heard.empty()) {
      co_return about(broken(called + "did not reach the server, and came to " + reply.describe()),
                      reply);
    }
    const Json* const asked = at_pointer(heard.front().message, "/params/name");
    if (asked != nullptr && *asked == Json(name)) continue;
    co_return about(broken(called + "reached the server as one of " +
                           shortened(asked == nullptr ? "nothing" : dump_json(*asked))),
                    reply);
  }
  co_return passes();
}

constexpr std::size_t kNameLettersMax = 128;

// Spec 2025-11-25, server/tools, Tool Names.
Task<Finding> names_tools_rightly(GatewayProbe& probe) {
  const Exchanged* const tools = co_await probe.exchanges().of(Ask::kTools, probe.check());
  if (!tools->lacks.empty()) co_return not_for_it(tools->lacks);
  const std::string name = probe.exchanges().tool("echo");
  if (name == "echo") co_return not_for_it("it does not rename tools");
  const bool lettered = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
  if (lettered && name.size() <= kNameLettersMax) co_return passes();
  Finding made = broken("it lists the tool \"echo\" as \"" + shortened(name) +
                        "\": names have 1 to 128 of A-Z, a-z, 0-9, _, - and . alone, and hosts "
                        "refuse tools of other names");
  made.evidence = tools->evidence;
  co_return made;
}

constexpr GatewayCheck kOddChecks[] = {
    {"gateway.keeps-other-errors", keeps_other_errors},
    {"gateway.keeps-credentials", keeps_credentials},
    {"gateway.keeps-client-extensions", keeps_client_extensions},
    {"gateway.declares-client-features", declares_client_features},
    {"gateway.bounds-pages", bounds_pages},
    {"gateway.calls-by-name", calls_by_name},
    {"gateway.names-tools-rightly", names_tools_rightly},
};

}  // namespace

GatewayChecks odd_checks() { return kOddChecks; }

}  // namespace plumbline::conformance
