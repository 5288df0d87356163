// That each request stands for itself: spec 2026-07-28, basic#statelessness and basic/lifecycle.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/basic/initialize.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

namespace {

constexpr int kAskedMax = 4;  // One after the other.

Finding expect_missing_capability(const Reply& reply) {
  if (reply.code() != -32021) {
    return broken("a tool that cannot do without a capability got " + reply.describe() +
                  " when the request declares none, expected error -32021");
  }
  const Json* const needed = at_pointer(*reply.error(), "/data/requiredCapabilities");
  if (needed != nullptr && needed->is_object() && !needed->empty()) return passes();
  return broken("error -32021 does not name what is missing in data.requiredCapabilities");
}

// judge_unable looks at what came of a call that asks for input, by a client that can give none. It
// may do without.
Finding judge_unable(const Call& call, const Reply& reply) {
  const std::string what = call.method + " of \"" + string_or(call.params, "name", "") +
                           "\", which asks for input, got " + reply.describe() +
                           " when the request declares no capability";
  if (reply.code() == -32021) return expect_missing_capability(reply);
  if (reply.error() != nullptr) return broken(what + ", expected error -32021");
  const Json* const result = reply.result();
  if (result == nullptr) return undecided(what);
  if (string_or(*result, "resultType", "") == "input_required" && find(*result, "inputRequests")) {
    return broken(what + ": it asks all the same");
  }
  if (bool_or(*result, "isError", false)) {
    return risky(what + " with isError, expected error -32021 where it cannot do without");
  }
  return passes();
}

Task<Finding> tells_missing_capability(Probe& probe) {
  Client client = probe.client();
  const std::optional<ToolUse> use = co_await probe.tool_that(Shows::kNeedsCapability);
  if (use && use->sure) {
    Json request = client.request_declaring("tools/call", use->params, Json::object());
    const Reply reply = co_await client.exchange(std::move(request));
    Finding finding = expect_missing_capability(reply);
    if (finding.verdict != Verdict::kPass) co_return std::move(finding);
  }
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> calls = all.asking();
  std::vector<Client::Begun> begun;
  for (const Call* const call : calls) {
    begun.push_back(
        client.begin(client.request_declaring(call->method, call->params, Json::object())));
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Reply reply = co_await client.finish(std::move(begun[i]));
    Finding finding = judge_unable(*calls[i], reply);
    if (finding.verdict != Verdict::kPass) co_return std::move(finding);
  }
  const bool known = (use && use->sure) || !calls.empty();
  co_return known ? passes() : needs(Shows::kNeedsCapability);
}

// first_list_of returns a list that the server declares; empty: none.
std::string first_list_of(const Survey& survey) {
  for (const std::string feature : {"tools", "resources", "prompts"}) {
    if (survey.declares("/" + feature)) return feature + "/list";
  }
  return "";
}

// items_of returns what a list has, in no order.
std::vector<Json> items_of(const Reply& reply, const std::string& method) {
  const Json* const result = reply.result();
  const Json* const list =
      result == nullptr ? nullptr : find(*result, method.substr(0, method.find('/')));
  if (list == nullptr || !list->is_array()) return {};
  std::vector<Json> items(list->begin(), list->end());
  std::ranges::sort(items, {}, [](const Json& item) { return dump_json(item); });
  return items;
}

// memory_of_connection passes unless a new connection knows something of its earlier requests.
Task<Finding> memory_of_connection(Probe& probe, std::string method) {
  SessionOptions options = probe.usual();
  options.apart = true;
  Client client = co_await probe.open(std::move(options));
  std::vector<Reply> replies;
  for (const bool able : {false, true, false}) {
    Json request = client.request_of(method, Json::object());
    if (!able) request["params"]["_meta"][kMetaCapabilities] = Json::object();
    Reply reply = co_await client.exchange(std::move(request));
    replies.push_back(std::move(reply));
    if (able || replies.front().error() == nullptr) continue;
    co_await client.request("server/discover");
    const Reply again = co_await client.request(method);
    if (again.result() == nullptr) co_return passes();
    co_return about(broken(method + " as the first request got " + replies.front().describe() +
                           ", and a result once server/discover was asked"),
                    replies.front());
  }
  if (replies[2].result() == nullptr) co_return passes();
  const std::vector<Json> unable = items_of(replies[0], method);
  const std::vector<Json> able = items_of(replies[1], method);
  const std::vector<Json> unable_again = items_of(replies[2], method);
  if (unable == unable_again || able != unable_again) co_return passes();
  co_return broken(method +
                   " by a client without capabilities has another result once one with "
                   "capabilities has asked on the same connection");
}

Task<Finding> forgets_between_requests(Probe& probe) {
  Client client = probe.client();
  const std::optional<ToolUse> use = co_await probe.tool_that(Shows::kNeedsCapability);
  if (use && use->sure) {
    Json able =
        client.request_declaring("tools/call", use->params, all_capabilities(probe.revision()));
    const Reply before = co_await client.exchange(std::move(able));
    Json unable = client.request_declaring("tools/call", use->params, Json::object());
    const Reply after_it = co_await client.exchange(std::move(unable));
    const Finding finding = expect_missing_capability(after_it);
    if (finding.verdict != Verdict::kPass) {
      co_return broken(finding.message + ", whatever an earlier request declared");
    }
    if (before.code() == -32021) {
      co_return about(broken("it does not see what a request declares"), before);
    }
  }
  const Exercise& all = *co_await probe.exercise();
  int asked = 0;
  for (const Call* const call : all.asking()) {
    if (++asked > kAskedMax) break;
    Json first = client.request_declaring(call->method, call->params, Json::object());
    const Reply alone = co_await client.exchange(std::move(first));
    if (judge_unable(*call, alone).verdict == Verdict::kFail) continue;  // Without any memory.
    Json able =
        client.request_declaring(call->method, call->params, all_capabilities(probe.revision()));
    co_await client.exchange(std::move(able));
    Json unable = client.request_declaring(call->method, call->params, Json::object());
    const Reply reply = co_await client.exchange(std::move(unable));
    const Finding finding = judge_unable(*call, reply);
    if (finding.verdict == Verdict::kFail && reply.result() != nullptr) {
      co_return broken(finding.message + ", whatever an earlier request declared");
    }
  }
  const std::string method = first_list_of(probe.survey());
  if (!method.empty()) {
    Finding memory = co_await memory_of_connection(probe, method);
    // What is another thing by itself is so only now and then.
    if (memory.verdict != Verdict::kPass) memory = co_await memory_of_connection(probe, method);
    if (memory.verdict != Verdict::kPass) co_return std::move(memory);
  }
  Json unnamed = client.request_of("server/discover", Json::object());
  unnamed["params"]["_meta"].erase(kMetaVersion);
  const Reply known = co_await client.request("server/discover");
  const Reply reply = co_await client.exchange(std::move(unnamed));
  if (known.result() == nullptr) co_return undecided("server/discover got " + known.describe());
  if (reply.result() == nullptr) co_return passes();
  co_return broken("a request without a version got a result, as one before it had named its own");
}

// lacking returns a request of `method` without one of the things that it has to have.
Json lacking(Client& client, const std::string& method, std::string_view missing) {
  Json request = client.request_of(method, Json::object());
  if (missing == "params") {
    request.erase("params");
  } else if (missing == "_meta") {
    request["params"].erase("_meta");
  } else {
    request["params"]["_meta"].erase(std::string(missing));
  }
  return request;
}

// knows_initialize returns whether the server speaks revisions with sessions, too.
Task<bool> knows_initialize(Probe& probe) {
  const Opening opening = co_await initialize(probe, std::string(kNewestStateful));
  co_return opening.reply.result() != nullptr;
}

Task<Finding> wants_meta(Probe& probe) {
  Client client = probe.client();
  std::vector<std::string> methods = {"server/discover"};
  for (const std::string feature : {"tools", "resources", "prompts"}) {
    if (probe.survey().declares("/" + feature)) methods.push_back(feature + "/list");
  }
  Finding finding = passes();
  for (const std::string& method : methods) {
    for (const char* const missing : {"params", "_meta", kMetaVersion, kMetaCapabilities}) {
      Json request = lacking(client, method, missing);
      const Reply reply = co_await client.exchange(std::move(request));
      if (reply.code() == -32602) continue;
      const bool bare = std::string_view(missing) == "params";
      const std::string seen = method + " without " +
                               (bare ? "params and the _meta in them" : missing) + " got " +
                               reply.describe();
      const bool names_revision = std::string_view(missing) == kMetaCapabilities;
      // Over HTTP the header names a revision that the body then lacks.
      if (!names_revision && probe.over_http() && reply.code() == -32020) continue;
      // On a stream it may be taken for a request of an older revision, and answered by its rules.
      const bool refused = reply.error() != nullptr;
      const bool answered_as_old = !probe.over_http() && reply.result() != nullptr &&
                                   find(*reply.result(), "resultType") == nullptr;
      const bool may_be_old = !names_revision && (refused || answered_as_old);
      if (may_be_old && co_await knows_initialize(probe)) {
        if (refused && !probe.over_http()) continue;
        if (finding.verdict != Verdict::kPass) continue;
        finding = about(risky("arguable: " + seen +
                              ", expected error -32602; without a version it could be a request "
                              "of the older revisions, which it knows as well"),
                        reply);
        continue;
      }
      co_return about(broken(seen + ", expected error -32602"), reply);
    }
  }
  co_return std::move(finding);
}

// Calls overlap, each with a context of its own. Whether what comes fits is for the oracles.
Task<Finding> serves_many_contexts(Probe& probe) {
  Client client = probe.client();
  std::vector<Client::Begun> begun;
  for (const char* const name : {"plumbline-a", "plumbline-b", "plumbline-c"}) {
    Json request = client.request_of("server/discover", Json::object());
    request["params"]["_meta"][kMetaClientInfo]["name"] = name;
    begun.push_back(client.begin(std::move(request)));
  }
  const std::optional<ToolUse> reporting = co_await probe.tool_that(Shows::kProgress);
  for (const char* const token : {"plumbline-1", "plumbline-2"}) {
    if (!reporting) break;
    Json request = client.request_of("tools/call", reporting->params);
    request["params"]["_meta"]["progressToken"] = token;
    begun.push_back(client.begin(std::move(request)));
  }
  const std::optional<ToolUse> logging = co_await probe.tool_that(Shows::kLogs);
  for (const char* const level : {"debug", "error"}) {
    if (!logging) break;
    Json request = client.request_of("tools/call", logging->params);
    request["params"]["_meta"][kMetaLogLevel] = level;
    begun.push_back(client.begin(std::move(request)));
  }
  Finding finding = passes();
  for (Client::Begun& one : begun) {
    const Reply reply = co_await client.finish(std::move(one));
    if (reply.answered() || finding.verdict != Verdict::kPass) continue;
    finding = about(broken("got " + reply.describe() +
                           " to one of several requests at a time, expected an answer to each"),
                    reply);
  }
  co_return std::move(finding);
}

Task<Finding> has_no_favourite_connection(Probe& probe) {
  const Json* const tool = probe.callable();
  if (tool == nullptr) co_return not_for_it("it has no tool that may be called");
  SessionOptions options = probe.usual();
  options.apart = true;
  Client client = co_await probe.open(std::move(options));
  const std::vector<Reply>& pages = probe.survey().tools.pages;
  if (pages.size() > 1 && pages.front().result() != nullptr) {
    Json params(Json::value_t::object);
    params["cursor"] = string_or(*pages.front().result(), "nextCursor", "");
    const Reply page = co_await client.request("tools/list", std::move(params));
    if (page.result() == nullptr) {
      co_return broken("a cursor of one connection got " + page.describe() + " on another");
    }
  }
  const Reply reply = co_await client.request("tools/call", probe.call_params(*tool));
  if (reply.result() != nullptr) co_return passes();
  co_return broken("a tool listed on one connection got " + reply.describe() + " on another");
}

Json without_meta(Json result) {
  if (!result.is_object()) return result;
  result.erase("_meta");
  result.erase("ttlMs");
  return result;
}

Task<Finding> compares_lists_of_names(Probe& probe) {
  if (!probe.survey().declares("/tools")) co_return not_for_it("it declares no tools");
  Client client = probe.client();
  const Reply usual = co_await client.request("tools/list");
  if (usual.result() == nullptr) co_return undecided("tools/list got " + usual.describe());
  const Reply control = co_await client.request("tools/list");
  if (control.result() == nullptr ||
      without_meta(*control.result()) != without_meta(*usual.result())) {
    co_return undecided("one client is given another list each time");
  }
  for (const char* const name : {"", "claude-ai", "Visual Studio Code"}) {
    Json request = client.request_of("tools/list", Json::object());
    Json& meta = request["params"]["_meta"];
    meta[kMetaClientInfo]["name"] = name;
    if (std::string_view(name).empty()) meta.erase(kMetaClientInfo);
    const Reply reply = co_await client.exchange(std::move(request));
    const std::string who = *name == '\0' ? "a client without a name" : std::string(name);
    if (reply.result() == nullptr) {
      co_return broken("tools/list of " + who + " got " + reply.describe() +
                       ", expected the same as others get");
    }
    if (without_meta(*reply.result()) == without_meta(*usual.result())) continue;
    const Reply again = co_await client.request("tools/list");
    if (again.result() == nullptr) co_return undecided("tools/list got " + again.describe());
    if (without_meta(*again.result()) != without_meta(*usual.result())) {
      co_return undecided("the list changed by itself meanwhile");
    }
    co_return about(broken("tools/list of " + who + " has another result than that of plumbline"),
                    reply);
  }
  co_return passes();
}

// A list may change while it is compared, as other checks make it change: what differs has to
// differ again.
Task<Finding> treats_all_names_alike(Probe& probe) {
  Finding finding = co_await compares_lists_of_names(probe);
  const auto settled = [&finding] {
    return finding.verdict == Verdict::kPass || finding.verdict == Verdict::kSkip;
  };
  for (int again = 0; again < 3 && !settled(); ++again) {
    finding = co_await compares_lists_of_names(probe);
  }
  co_return std::move(finding);
}

Task<Finding> knows_discover(Probe& probe) {
  co_return about(expect_result(probe.survey().opening), probe.survey().opening);
}

Task<Finding> serves_without_discover(Probe& probe) {
  const Survey& survey = probe.survey();
  const char* const method = survey.declares("/tools")       ? "tools/list"
                             : survey.declares("/prompts")   ? "prompts/list"
                             : survey.declares("/resources") ? "resources/list"
                                                             : nullptr;
  if (method == nullptr) co_return not_for_it("it declares nothing to list");
  SessionOptions options = probe.usual();
  options.apart = true;
  Client client = co_await probe.open(std::move(options));
  const Reply reply = co_await client.request(method);
  if (reply.result() != nullptr) co_return passes();
  co_return broken(std::string(method) + " as the first request got " + reply.describe() +
                   ", expected a result");
}

constexpr ServerCheck kStatelessnessChecks[] = {
    {"lifecycle.no-prior-request-context", Eras::kStateless, SessionUse::kAlone,
     forgets_between_requests},
    {"lifecycle.multiplex-contexts", Eras::kStateless, SessionUse::kAlone, serves_many_contexts},
    {"lifecycle.no-connection-affinity", Eras::kStateless, SessionUse::kOpens,
     has_no_favourite_connection},
    {"lifecycle.missing-meta-rejected", Eras::kStateless, SessionUse::kShared, wants_meta},
    {"lifecycle.missing-client-capability-error", Eras::kStateless, SessionUse::kShared,
     tells_missing_capability},
    {"lifecycle.peer-info-not-behavioral", Eras::kStateless, SessionUse::kShared,
     treats_all_names_alike},
    {"lifecycle.discover-mandatory", Eras::kStateless, SessionUse::kOpens, knows_discover},
    {"lifecycle.requests-without-discover", Eras::kStateless, SessionUse::kOpens,
     serves_without_discover},
};

}  // namespace

ServerChecks statelessness_checks() { return kStatelessnessChecks; }

}  // namespace plumbline::conformance
