#include "core/mcp/client/client_era.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/mcp/protocol/meta_keys.h"
#include "core/mcp/protocol/methods.h"

namespace plumbline::mcp {

namespace {

using FailureKind = Failure::Kind;
using VerdictKind = OpeningVerdict::Kind;

bool supports(const ClientOptions& options, Revision revision) {
  const auto& listed = options.supported;
  return listed.empty() || revision == options.preferred ||
         std::find(listed.begin(), listed.end(), revision) != listed.end();
}

Json client_info(const ClientOptions& options, Revision revision) {
  Json info(Json::value_t::object);
  info["name"] = options.client_name;
  info["version"] = options.client_version;
  if (!options.client_title.empty() && has_titles(revision)) info["title"] = options.client_title;
  return info;
}

OpeningVerdict fail(Failure why) {
  OpeningVerdict verdict;
  verdict.why = std::move(why);
  return verdict;
}

OpeningVerdict try_again(Revision revision) {
  OpeningVerdict verdict;
  verdict.kind = VerdictKind::kTryAgain;
  verdict.revision = revision;
  return verdict;
}

OpeningVerdict open_with(ServerInfo server) {
  OpeningVerdict verdict;
  verdict.kind = VerdictKind::kOpen;
  verdict.server = std::move(server);
  return verdict;
}

OpeningVerdict broken_opening(std::string why) {
  return fail(Failure(FailureKind::kInvalidReply, std::move(why)));
}

OpeningVerdict no_common(const ClientOptions& options, const std::string& theirs) {
  return fail(Failure(FailureKind::kRefused, "the server speaks only protocol version " + theirs +
                                                 ", which we do not; we asked for " +
                                                 std::string(name_of(options.preferred))));
}

std::vector<std::string> names_in(const Json* list) {
  std::vector<std::string> names;
  if (list == nullptr || !list->is_array()) return names;
  for (const Json& item : *list) {
    if (item.is_string()) names.push_back(item.get_ref<const std::string&>());
  }
  return names;
}

// choose returns the newest revision that both sides have, ours by preference.
std::optional<Revision> choose(const ClientOptions& options,
                               const std::vector<std::string>& theirs) {
  std::optional<Revision> best;
  for (const std::string& name : theirs) {
    const std::optional<Revision> revision = parse_revision(name);
    if (!revision || !supports(options, *revision)) continue;
    if (*revision == options.preferred) return revision;
    if (!best || *best < *revision) best = revision;
  }
  return best;
}

// versions_in finds what looks like protocol versions in a text: "2025-06-18".
std::vector<std::string> versions_in(std::string_view text) {
  std::vector<std::string> found;
  for (const Revision revision : all_revisions()) {
    const std::string_view name = name_of(revision);
    if (text.find(name) != std::string_view::npos) found.emplace_back(name);
  }
  return found;
}

// judge_initialize_error goes on with an older revision when the refusal names one: some servers
// refuse what they do not know where they should have answered with what they do. Each try is older
// than the one before.
OpeningVerdict judge_initialize_error(const ClientOptions& options, Revision asked, Failure why) {
  if (why.kind != FailureKind::kRpc && why.kind != FailureKind::kRefused) {
    return fail(std::move(why));
  }
  std::vector<std::string> theirs = names_in(find(why.data, "supported"));
  if (theirs.empty()) theirs = versions_in(why.message);
  const auto no_older = [asked](const std::string& name) {
    const std::optional<Revision> revision = parse_revision(name);
    return !revision || is_stateless(*revision) || *revision >= asked;
  };
  std::erase_if(theirs, no_older);
  const std::optional<Revision> older = choose(options, theirs);
  return older ? try_again(*older) : fail(std::move(why));
}

OpeningVerdict judge_discover_error(const ClientOptions& options, Revision asked, bool again,
                                    Failure why) {
  if (why.kind == FailureKind::kRpc && why.code == rpc::kUnsupportedVersion) {
    const std::vector<std::string> theirs = names_in(find(why.data, "supported"));
    const std::optional<Revision> common = choose(options, theirs);
    if (common && !is_stateless(*common)) return try_again(*common);
    // Also when it is the one that was asked for: a server may know better a moment later.
    if (common && !again) return try_again(*common);
    if (!theirs.empty()) why.message += "; it speaks " + dump_json(Json(theirs));
    return fail(std::move(why));
  }
  if (why.kind == FailureKind::kRpc &&
      (why.code == rpc::kMissingClientCapability || why.code == rpc::kHeaderMismatch)) {
    return fail(std::move(why));
  }
  const std::optional<Revision> legacy = newest_stateful(options);
  const bool unknown_there = why.kind == FailureKind::kRpc || why.kind == FailureKind::kTimeout ||
                             why.kind == FailureKind::kRefused;
  if (legacy && unknown_there) return try_again(*legacy);
  if (unknown_there) {
    why.message = "the server does not speak protocol version " + std::string(name_of(asked)) +
                  ", and we speak no older one: " + why.message;
  }
  return fail(std::move(why));
}

}  // namespace

std::optional<Revision> newest_stateful(const ClientOptions& options) {
  if (!is_stateless(options.preferred)) return options.preferred;
  std::optional<Revision> newest;
  for (const Revision revision : all_revisions()) {
    if (!is_stateless(revision) && supports(options, revision)) newest = revision;
  }
  return newest;
}

Json client_capabilities(const ClientOptions& options, Revision revision) {
  Json out(Json::value_t::object);
  if (options.on_list_roots) {
    out["roots"] = Json::object();
    if (options.roots_list_changed && !is_stateless(revision)) out["roots"]["listChanged"] = true;
  }
  if (options.on_sample) {
    out["sampling"] = Json::object();
    if (options.sampling_tools && has_sampling_tools(revision)) {
      out["sampling"]["tools"] = Json::object();
    }
  }
  if (options.on_elicit && has_elicitation(revision)) {
    out["elicitation"] = Json::object();
    if (options.url_elicitation && has_url_elicitation(revision)) {
      out["elicitation"]["form"] = Json::object();
      out["elicitation"]["url"] = Json::object();
    }
  }
  if (options.tasks && has_task_extension(revision)) {
    out["extensions"][std::string(kTaskExtension)] = Json::object();
  }
  if (options.experimental.is_object()) out["experimental"] = options.experimental;
  return out;
}

Json request_meta(const ClientOptions& options, Revision revision) {
  Json meta(Json::value_t::object);
  meta.emplace(kMetaVersion, name_of(revision));
  meta.emplace(kMetaCapabilities, client_capabilities(options, revision));
  meta.emplace(kMetaClientInfo, client_info(options, revision));
  if (!options.log_level.empty()) meta.emplace(kMetaLogLevel, options.log_level);
  return meta;
}

ClientOpening opening_of(const ClientOptions& options, Revision revision) {
  Json params(Json::value_t::object);
  if (is_stateless(revision)) {
    params["_meta"] = request_meta(options, revision);
    return ClientOpening{"server/discover", std::move(params)};
  }
  params["protocolVersion"] = name_of(revision);
  params["capabilities"] = client_capabilities(options, revision);
  params["clientInfo"] = client_info(options, revision);
  return ClientOpening{"initialize", std::move(params)};
}

OpeningVerdict judge_initialize(const ClientOptions& options, Revision asked,
                                const Reply<Json>& answer) {
  if (!answer.ok()) return judge_initialize_error(options, asked, answer.error());
  const Json& result = answer.value();
  const std::optional<std::string> version = find_string(result, "protocolVersion");
  if (!version) return broken_opening("initialize: no string protocolVersion");
  const std::optional<Revision> revision = parse_revision(*version);
  if (!revision || is_stateless(*revision) || !supports(options, *revision)) {
    return no_common(options, dump_json(Json(*version)));
  }
  const Json* const capabilities = find(result, "capabilities");
  if (capabilities == nullptr || !capabilities->is_object()) {
    return broken_opening("initialize: no object capabilities");
  }
  const Json* const info = find(result, "serverInfo");
  if (info == nullptr || !info->is_object())
    return broken_opening("initialize: no object serverInfo");
  const std::optional<std::string> name = find_string(*info, "name");
  const std::optional<std::string> number = find_string(*info, "version");
  if (!name || !number) return broken_opening("initialize: serverInfo has no name or no version");
  ServerInfo out;
  out.revision = *revision;
  out.name = *name;
  out.version = *number;
  out.instructions = string_or(result, "instructions", "");
  out.capabilities = *capabilities;
  return open_with(std::move(out));
}

OpeningVerdict judge_discover(const ClientOptions& options, Revision asked, bool again,
                              const Reply<Json>& answer) {
  if (!answer.ok()) return judge_discover_error(options, asked, again, answer.error());
  Reply<Json> read = read_result(asked, "server/discover", answer.value());
  if (!read.ok()) return fail(std::move(read).error());
  const Json& result = read.value();
  const Json* const versions = find(result, "supportedVersions");
  if (versions == nullptr || !versions->is_array()) {
    // Some older servers answer whatever they do not know, with nothing in it.
    const std::optional<Revision> legacy = newest_stateful(options);
    if (versions == nullptr && legacy) return try_again(*legacy);
    return broken_opening("server/discover: no array supportedVersions");
  }
  const Json* const capabilities = find(result, "capabilities");
  if (capabilities == nullptr || !capabilities->is_object()) {
    return broken_opening("server/discover: no object capabilities");
  }
  ServerInfo out;
  out.versions = names_in(versions);
  const std::optional<Revision> common = choose(options, out.versions);
  if (!common) return no_common(options, dump_json(*versions));
  if (!is_stateless(*common)) return try_again(*common);
  out.revision = *common;
  if (const Json* const info = find_meta(result, kMetaServerInfo)) {
    out.name = string_or(*info, "name", "");
    out.version = string_or(*info, "version", "");
  }
  out.instructions = string_or(result, "instructions", "");
  out.capabilities = *capabilities;
  return open_with(std::move(out));
}

std::optional<std::string> not_of(Revision revision, std::string_view method) {
  constexpr std::array kStateful = {"ping", "logging/setLevel", "resources/subscribe",
                                    "resources/unsubscribe"};
  constexpr std::array kStateless = {"server/discover", "subscriptions/listen"};
  const auto named = [method](const char* name) { return method == name; };
  const bool absent = is_stateless(revision)
                          ? std::any_of(kStateful.begin(), kStateful.end(), named)
                          : std::any_of(kStateless.begin(), kStateless.end(), named);
  if (!absent) return std::nullopt;
  return "protocol version " + std::string(name_of(revision)) + " has no " + std::string(method);
}

Reply<Json> read_result(Revision revision, std::string_view method, Json result) {
  const auto broken = [method](std::string why) {
    return Failure(FailureKind::kInvalidReply, std::string(method) + ": " + std::move(why));
  };
  if (std::optional<std::string> what = result_problem(method, result, revision)) {
    return broken(*std::move(what));
  }
  if (!is_stateless(revision)) return result;
  const Json* const type = find(result, "resultType");
  if (type == nullptr) return result;
  if (*type != "complete") return broken("unknown resultType " + dump_json(*type));
  result.erase("resultType");
  return result;
}

}  // namespace plumbline::mcp
