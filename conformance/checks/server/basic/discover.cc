// server/discover: spec 2026-07-28, server/discover.

#include <set>
#include <string>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kMetaOfVersion = "io.modelcontextprotocol/protocolVersion";

bool is_list_of_texts(const Json* list) {
  if (list == nullptr || !list->is_array() || list->empty()) return false;
  for (const Json& item : *list) {
    if (!item.is_string()) return false;
  }
  return true;
}

Task<Finding> has_the_shape(Probe& probe) {
  const Json* const result = probe.survey().opening.result();
  if (result == nullptr) co_return undecided("server/discover gave no result");
  if (!is_list_of_texts(find(*result, "supportedVersions"))) {
    co_return broken("supportedVersions is no list of versions");
  }
  const Json* const capabilities = find(*result, "capabilities");
  if (capabilities == nullptr || !capabilities->is_object()) {
    co_return broken("capabilities is no object");
  }
  const std::string scope = string_or(*result, "cacheScope", "");
  if (scope != "public" && scope != "private") {
    co_return broken("cacheScope is neither \"public\" nor \"private\"");
  }
  if (int_or(*result, "ttlMs", -1) < 0) co_return broken("ttlMs is no number from 0 on");
  const Json* const instructions = find(*result, "instructions");
  if (instructions == nullptr || instructions->is_string()) co_return passes();
  co_return broken("instructions is no string");
}

// modern returns those of a list of versions that are spoken without a session.
std::set<std::string> modern(const Json* list) {
  std::set<std::string> versions;
  if (list == nullptr || !list->is_array()) return versions;
  for (const Json& item : *list) {
    if (item.is_string() && item >= Json(kStatelessRevision))
      versions.insert(item.get<std::string>());
  }
  return versions;
}

Task<Reply> ask_in(Client client, std::string version) {
  Json request = client.request_of("server/discover", Json::object());
  request["params"]["_meta"][kMetaOfVersion] = version;
  const wire::HttpHeaders headers({{"MCP-Protocol-Version", std::move(version)}});
  Reply reply = co_await client.exchange(std::move(request), headers);
  co_return reply;
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
  const Reply refused = co_await ask_in(client, "1900-01-01");
  if (refused.code() != -32022) co_return not_for_it("version 1900-01-01 is not refused by -32022");
  const std::set<std::string> named = modern(at_pointer(*refused.error(), "/data/supported"));
  if (named == listed) co_return passes();
  co_return broken(
      "data.supported of error -32022 and supportedVersions of server/discover name "
      "other versions");
}

constexpr ServerCheck kDiscoverChecks[] = {
    {"discover.result-shape", Eras::kStateless, SessionUse::kOpens, has_the_shape},
    {"discover.supported-versions-truthful", Eras::kStateless, SessionUse::kShared,
     tells_its_versions_truly},
};

}  // namespace

ServerChecks discover_checks() { return kDiscoverChecks; }

}  // namespace plumbline::conformance
