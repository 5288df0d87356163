// server/discover: spec 2026-07-28, server/discover.

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/checks/server/basic/initialize.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

namespace {

bool is_list_of_texts(const Json* list) {
  if (list == nullptr || !list->is_array() || list->empty()) return false;
  for (const Json& item : *list) {
    if (!item.is_string()) return false;
  }
  return true;
}

// shape_of judges the result of server/discover.
Finding shape_of(const Json& result) {
  if (!is_list_of_texts(find(result, "supportedVersions"))) {
    return broken("supportedVersions is no list of versions");
  }
  const Json* const capabilities = find(result, "capabilities");
  if (capabilities == nullptr || !capabilities->is_object()) {
    return broken("capabilities is no object");
  }
  const std::string scope = string_or(result, "cacheScope", "");
  if (scope != "public" && scope != "private") {
    return broken("cacheScope is neither \"public\" nor \"private\"");
  }
  if (int_or(result, "ttlMs", -1) < 0) return broken("ttlMs is no number from 0 on");
  const Json* const instructions = find(result, "instructions");
  if (instructions == nullptr || instructions->is_string()) return passes();
  return broken("instructions is no string");
}

Task<Finding> has_the_shape(Probe& probe) {
  const Reply& opening = probe.survey().opening;
  if (opening.result() == nullptr) co_return undecided("server/discover gave no result");
  co_return about(shape_of(*opening.result()), opening);
}

// modern returns those of a list of versions that are spoken without a session.
std::set<std::string> modern(const Json* list) {
  std::set<std::string> versions;
  if (list == nullptr || !list->is_array()) return versions;
  for (const Json& item : *list) {
    if (item.is_string() && item >= Json(since::kStateless)) {
      versions.insert(item.get<std::string>());
    }
  }
  return versions;
}

Task<Reply> ask_in(Client client, std::string version) {
  Json request = client.request_of("server/discover", Json::object());
  request["params"]["_meta"][kMetaVersion] = version;
  const wire::HttpHeaders headers({{"MCP-Protocol-Version", std::move(version)}});
  Reply reply = co_await client.exchange(std::move(request), headers);
  co_return reply;
}

// newest_old returns the newest version of a list that needs a handshake; empty: none.
std::string newest_old(const Json* list) {
  std::string newest;
  for (const std::string_view revision : kRevisions) {
    if (is_stateless(revision) || list == nullptr || !list->is_array()) continue;
    for (const Json& item : *list) {
      if (item == Json(revision)) newest = revision;
    }
  }
  return newest;
}

// old_version opens a session in the newest version listed that has sessions; `where` is the list.
Task<Finding> old_version(Probe& probe, std::string where, const Json* list) {
  const std::string listed = newest_old(list);
  if (listed.empty()) co_return passes();
  const Opening opened = co_await initialize(probe, listed);
  const Reply& opening = opened.reply;
  if (!opening.answered() && opening.status < 400) co_return passes();
  if (opening.result() != nullptr) co_return passes();
  Finding finding =
      broken(where + " has " + listed + ", and initialize in it got " + opening.describe());
  finding.evidence = opened.evidence;
  co_return std::move(finding);
}

Task<Finding> tells_its_versions_truly(Probe& probe) {
  const Json* const result = probe.survey().opening.result();
  if (result == nullptr) co_return undecided("server/discover gave no result");
  const std::set<std::string> listed = modern(find(*result, "supportedVersions"));
  Client client = probe.client();
  for (const std::string& version : listed) {
    const Reply reply = co_await ask_in(client, version);
    if (reply.code() == -32022) {
      co_return broken("supportedVersions has " + version + ", and a request in it got " +
                       reply.describe());
    }
  }
  if (!listed.contains(probe.revision())) {
    co_return about(broken("supportedVersions has no " + probe.revision() +
                           ", and requests in it are answered"),
                    probe.survey().opening);
  }
  Finding old =
      co_await old_version(probe, "supportedVersions", find(*result, "supportedVersions"));
  if (old.verdict != Verdict::kPass) co_return std::move(old);
  const Reply refused = co_await ask_in(client, "1900-01-01");
  if (refused.code() != -32022) co_return not_for_it("version 1900-01-01 is not refused by -32022");
  const Json* const supported = at_pointer(*refused.error(), "/data/supported");
  Finding old_in_error = co_await old_version(probe, "data.supported of error -32022", supported);
  if (old_in_error.verdict != Verdict::kPass) co_return std::move(old_in_error);
  const std::set<std::string> named = modern(supported);
  if (named == listed) co_return passes();
  co_return broken(
      "data.supported of error -32022 and supportedVersions of server/discover name "
      "other versions");
}

// whole_params are such that a request cannot be refused for them.
Json whole_params(std::string_view method) {
  Json params = Json::object();
  if (method == "prompts/get") params["name"] = "plumbline";
  if (method == "resources/read") params["uri"] = "test://plumbline";
  if (method == "completion/complete") {
    params["ref"]["type"] = "ref/prompt";
    params["ref"]["name"] = "plumbline";
    params["argument"]["name"] = "argument";
    params["argument"]["value"] = "";
  }
  return params;
}

Task<Finding> has_no_hidden_methods(Probe& probe) {
  struct Method {
    const char* name;
    const char* capability;
  };
  constexpr std::array<Method, 6> kMethods = {{{"tools/list", "/tools"},
                                               {"prompts/list", "/prompts"},
                                               {"prompts/get", "/prompts"},
                                               {"resources/list", "/resources"},
                                               {"resources/read", "/resources"},
                                               {"completion/complete", "/completions"}}};
  Client client = probe.client();
  int asked = 0;
  for (const Method& method : kMethods) {
    if (probe.survey().declares(method.capability)) continue;
    ++asked;
    const Reply reply = co_await client.request(method.name, whole_params(method.name));
    if (reply.code() == -32601) continue;
    co_return about(broken(std::string(method.name) + " got " + reply.describe() + ", and " +
                           (method.capability + 1) + " is not declared: expected error -32601"),
                    reply);
  }
  co_return asked > 0 ? passes() : not_for_it("it declares everything");
}

constexpr ServerCheck kDiscoverChecks[] = {
    {"discover.result-shape", Eras::kStateless, SessionUse::kOpens, has_the_shape},
    {"discover.supported-versions-truthful", Eras::kStateless, SessionUse::kShared,
     tells_its_versions_truly},
    {"lifecycle.unadvertised-method-not-found", Eras::kStateless, SessionUse::kShared,
     has_no_hidden_methods},
};

}  // namespace

ServerChecks discover_checks() { return kDiscoverChecks; }

}  // namespace plumbline::conformance
