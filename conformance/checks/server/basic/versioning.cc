// Which version is spoken: spec, basic/lifecycle#version-negotiation, and basic/versioning since
// 2026-07-28.

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/outcomes.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revision_names.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/basic/initialize.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/wire/mirrored.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kFuture = "2999-01-01";
constexpr Duration kCheapStart = std::chrono::milliseconds(400);  // Of a process.

bool is_stateful_revision(const std::string& version) {
  return std::ranges::find(kRevisions, version) != kRevisions.end() && !is_stateless(version);
}

std::string offered(const Reply& reply) {
  const Json* const result = reply.result();
  return result == nullptr ? "" : string_or(*result, "protocolVersion", "");
}

// shown_by adds to a finding what was said when the server was opened so.
Finding shown_by(Finding finding, const Opening& opening) {
  if (finding.reason.empty()) finding.reason = opening.reply.outcome();
  finding.evidence.insert(finding.evidence.end(), opening.evidence.begin(), opening.evidence.end());
  return finding;
}

// names_supported returns whether an error lists versions, as an example of the specification does.
bool names_supported(const Reply& reply) {
  const Json* const error = reply.error();
  const Json* const listed = error == nullptr ? nullptr : at_pointer(*error, "/data/supported");
  return listed != nullptr && listed->is_array() && !listed->empty();
}

// asks_for returns whether it should be asked for `revision`: each costs a process over stdio, and
// where one revision alone is judged the others are not of interest.
bool asks_for(Probe& probe, std::string_view revision) {
  if (is_stateless(revision)) return false;
  return !probe.over_stdio() || revision == probe.revision() || probe.knows_opening(revision);
}

// takes_in_header returns whether a session takes requests that say `version`, and refuses those
// with one that there is not: it looks, and speaks it.
Task<bool> takes_in_header(Probe* probe, std::string version) {
  Client client = co_await probe->open(probe->usual());
  if (!client.session().usable()) co_return false;
  for (const std::string& said : {std::string(kNoRevision), version}) {
    const wire::HttpHeaders headers({{"MCP-Protocol-Version", said}});
    Json ping = client.request_of("ping", Json::object());
    const Reply reply = co_await client.exchange(std::move(ping), headers);
    const bool right = said == version ? reply.result() != nullptr : reply.status == 400;
    if (!right) co_return false;
  }
  co_return true;
}

// judge_headers looks for a version that initialize does not agree to, and requests may say.
Task<Finding> judge_headers(Probe* probe, const std::map<std::string, Opening>* openings) {
  for (const auto& [asked, opening] : *openings) {
    const std::string offer = offered(opening.reply);
    const bool another = is_stateful_revision(asked) && is_stateful_revision(offer) &&
                         asked != offer && has_version_header(asked);
    if (!another || !probe->over_http() || !co_await takes_in_header(probe, asked)) continue;
    co_return shown_by(
        risky("asked for " + asked + " it answers " + offer + ", and takes requests that say " +
              asked + " in MCP-Protocol-Version: if it speaks that, it is to agree to it"),
        opening);
  }
  co_return passes();
}

Task<Finding> echoes_supported_versions(Probe& probe) {
  std::map<std::string, Opening> openings;
  for (const std::string_view revision : kRevisions) {
    if (!asks_for(probe, revision)) continue;
    const std::string version(revision);
    const Opening opening = co_await initialize(probe, version);
    openings[version] = opening;
    const std::string offer = offered(opening.reply);
    if (header_text(offer) == offer) continue;
    co_return shown_by(broken("asked for " + version + " it answers with the version " +
                              dump_json(Json(offer)) + ", which no header can carry"),
                       opening);
  }
  openings[kFuture] = co_await initialize(probe, kFuture);
  for (const auto& [asked, opening] : openings) {
    const auto found = openings.find(offered(opening.reply));
    if (found == openings.end() || offered(found->second.reply) == found->first) continue;
    const std::string answer = offered(found->second.reply);
    co_return shown_by(broken("asked for " + found->first + " it answers " +
                              (answer.empty() ? "with no version" : answer) +
                              ", and to others it offers " + found->first),
                       found->second);
  }
  co_return co_await judge_headers(&probe, &openings);
}

// judge_counter_offer looks at what a server answers to a version that it cannot know.
Finding judge_counter_offer(const Reply& reply, const std::string& unknown) {
  const std::string offer = offered(reply);
  if (offer.empty() && names_supported(reply)) {
    return risky("asked for " + unknown + " it answers " + reply.describe() +
                 " and names its versions, expected a result with one of them");
  }
  if (offer.empty() && unknown == kNoDate) {
    Finding finding = risky("asked for a version that is no date it answers " + reply.describe() +
                            ", expected a result with a version that it supports");
    finding.reason = outcome::kUndatedVersion;
    return finding;
  }
  if (offer.empty() || offer == unknown) {
    return broken("asked for " + unknown + " it answers " +
                  (offer.empty() ? reply.describe() : "that it speaks it") +
                  ", expected a result with a version that it supports");
  }
  if (!is_no_revision(offer)) return passes();
  return broken("asked for " + unknown + " it offers " + shortened(offer) +
                ", which is no revision of the protocol");
}

// answers_as_usual returns whether the server answers one that is opened as usual. A machine that
// has much to do may be late with a new process: then silence tells nothing.
Task<bool> answers_as_usual(Probe& probe) {
  const Client client = co_await probe.open(probe.usual());
  co_return client.session().usable();
}

// unversioned returns whether it should be opened without a version: over stdio it costs a process.
bool unversioned(Probe& probe) { return !probe.over_stdio() || probe.start_cost() < kCheapStart; }

// judge_without_version opens without protocolVersion, which some clients leave out: by an error,
// or with a version that there is.
Task<Finding> judge_without_version(Probe& probe) {
  const Opening opening = co_await initialize(probe, "");
  const std::string offer = offered(opening.reply);
  if (opening.reply.result() == nullptr || offer.empty() || !is_no_revision(offer))
    co_return passes();
  co_return shown_by(broken("initialize without protocolVersion is answered with the version " +
                            shortened(offer) + ", which is no revision of the protocol"),
                     opening);
}

Task<Finding> makes_a_counter_offer(Probe& probe) {
  std::vector<std::string> unknown = {kFuture, kNoDate};
  // Over stdio it costs a process.
  if (!probe.over_stdio() || probe.start_cost() < kCheapStart) unknown.push_back("1999-01-01");
  for (const std::string& version : unknown) {
    const Opening opening = co_await initialize(probe, version);
    const bool silent = opening.reply.how == Reply::How::kSilent;
    if (silent && !co_await answers_as_usual(probe)) {
      co_return undecided("it answers no initialize in time");
    }
    const Json* const result = opening.reply.result();
    const Json* const offers = result == nullptr ? nullptr : find(*result, "protocolVersion");
    if (offers != nullptr && !offers->is_string()) {
      co_return not_for_it("its protocolVersion is no string: lifecycle.server-answers-initialize");
    }
    const Finding finding = judge_counter_offer(opening.reply, version);
    if (finding.verdict != Verdict::kPass) co_return shown_by(finding, opening);
    const std::string offer = offered(opening.reply);
    const Opening again = co_await initialize(probe, offer);
    const std::string answer = offered(again.reply);
    if (answer == offer) continue;
    co_return shown_by(broken("it offers " + offer + ", and asked for that it answers " +
                              (answer.empty() ? again.reply.describe() : answer)),
                       again);
  }
  if (!unversioned(probe)) co_return passes();
  co_return co_await judge_without_version(probe);
}

Task<Finding> offers_its_newest(Probe& probe) {
  const Opening opening = co_await initialize(probe, kFuture);
  const std::string offer = offered(opening.reply);
  if (!is_stateful_revision(offer)) co_return not_for_it("it offers no version that we know");
  for (const std::string_view revision : kRevisions) {
    if (revision <= offer || !asks_for(probe, revision)) continue;
    const Opening newer = co_await initialize(probe, std::string(revision));
    if (offered(newer.reply) != revision) continue;
    co_return shown_by(broken("it offers " + offer + " to a client of " + kFuture +
                              ", and speaks " + std::string(revision)),
                       newer);
  }
  co_return passes();
}

Task<Finding> handles_a_mismatch(Probe& probe) {
  const Opening opening = co_await initialize(probe, kNoDate);
  if (opening.reply.how != Reply::How::kSilent) co_return passes();
  co_return shown_by(broken("got " + opening.reply.describe() +
                            " to initialize with an unknown version, expected an answer or the end "
                            "of the connection"),
                     opening);
}

Finding expect_unsupported(const Reply& reply, const std::string& what, const std::string& asked) {
  if (reply.code() != -32022) {
    return about(broken(what + " got " + reply.describe() + ", expected error -32022"), reply);
  }
  if (!names_supported(reply)) {
    return about(broken("the error -32022 has no data.supported"), reply);
  }
  const Json* const requested = at_pointer(*reply.error(), "/data/requested");
  if (requested != nullptr && *requested == asked) return passes();
  return about(broken("data.requested of the error -32022 is " +
                      (requested == nullptr ? "missing" : dump_json(*requested)) + ", expected " +
                      dump_json(Json(asked))),
               reply);
}

// first_list returns a list that it declares; empty: none.
std::string first_list(const Survey& survey) {
  for (const std::string feature : {"tools", "resources", "prompts"}) {
    if (survey.declares("/" + feature)) return feature + "/list";
  }
  return "";
}

Task<Finding> refuses_unsupported_versions(Probe& probe) {
  Client client = probe.client();
  const std::vector<std::string> methods = {"server/discover", first_list(probe.survey())};
  for (const std::string& method : methods) {
    if (method.empty()) continue;
    for (const std::string version : {"1900-01-01", kFuture, "plumbline"}) {
      Json request = client.request_of(method, Json::object());
      request["params"]["_meta"][kMetaVersion] = version;
      const wire::HttpHeaders headers({{"MCP-Protocol-Version", version}});
      const Reply reply = co_await client.exchange(std::move(request), headers);
      Finding finding = expect_unsupported(reply, method + " in version " + version, version);
      if (finding.verdict != Verdict::kPass) co_return std::move(finding);
    }
  }
  co_return passes();
}

Task<Finding> works_without_extensions(Probe& probe) {
  if (!probe.survey().declares("/extensions")) co_return not_for_it("it declares no extension");
  const Json* const tool = probe.callable();
  if (tool == nullptr) co_return not_for_it("it has no tool that may be called");
  Client client = probe.client();
  const Reply reply = co_await client.call("tools/call", probe.call_params(*tool));
  if (!reply.answered()) co_return undecided("a tool got " + reply.describe());
  const Json* const result = reply.result();
  const std::string type = result == nullptr ? "" : string_or(*result, "resultType", "complete");
  if (type.empty() || type == "complete" || type == "input_required") co_return passes();
  co_return broken("a result of type " + type + " to a client that declares no extension");
}

Task<Finding> opens_by_both_eras(Probe& probe) {
  const Opening opening = co_await initialize(probe, std::string(kNewestStateful));
  if (opening.reply.result() == nullptr) co_return not_for_it("it does not know initialize");
  if (opening.then.result() == nullptr) {
    co_return broken("after initialize, ping without _meta got " + opening.then.describe() +
                     ", expected a result");
  }
  co_return about(expect_result(probe.survey().opening), probe.survey().opening);
}

Task<Finding> names_versions_to_the_old(Probe& probe) {
  const Opening opening = co_await initialize(probe, std::string(kNewestStateful));
  const Reply& reply = opening.reply;
  if (reply.result() != nullptr) co_return not_for_it("it knows initialize");
  const std::string said = reply.answered() ? dump_json(*reply.message) : reply.body;
  const auto is_named = [&said](std::string_view revision) {
    return is_stateless(revision) && said.find(revision) != std::string::npos;
  };
  if (std::ranges::any_of(kRevisions, is_named)) co_return passes();
  co_return shown_by(broken("initialize got " + reply.describe() +
                            ", expected an error that names the versions it supports"),
                     opening);
}

// UsualReply is what came of a request that whoever declares it has to answer.
struct UsualReply {
  std::string method;
  Reply reply;
};

// refused returns whether a request was refused as such, before anybody looked at its method.
bool refused(const UsualReply& asked) {
  return asked.reply.status >= 400 && asked.reply.result() == nullptr;
}

// ask_the_usual asks what whoever declares it has to answer: a ping, and each list.
Task<std::vector<UsualReply>> ask_the_usual(Probe& probe) {
  Client client = probe.client();
  const Survey& survey = probe.survey();
  std::vector<UsualReply> all;
  const Reply ping = co_await client.request("ping");
  all.push_back(UsualReply{"ping", ping});
  const std::pair<const char*, const Listing*> lists[] = {
      {"tools", &survey.tools}, {"resources", &survey.resources}, {"prompts", &survey.prompts}};
  for (const auto& [feature, listing] : lists) {
    const bool listed = survey.declares("/" + std::string(feature)) && !listing->pages.empty();
    if (listed) all.push_back(UsualReply{std::string(feature) + "/list", listing->pages.front()});
  }
  co_return std::move(all);
}

// What initialize has agreed on is served: a ping, each list that is declared, and a call.
Task<Finding> serves_what_it_accepts(Probe& probe) {
  std::vector<UsualReply> all = co_await ask_the_usual(probe);
  const std::string accepted = "it accepted " + probe.revision() + " in initialize, and ";
  const auto failed = std::ranges::find_if(
      all, [](const UsualReply& asked) { return asked.reply.answered() && !asked.reply.result(); });
  const bool all_refused = std::ranges::all_of(all, refused);
  // Where the revision is judged whole, each of them has rules of its own.
  if (failed != all.end() && !all_refused && !probe.survey().judged_whole) {
    co_return about(broken(accepted + failed->method + " got " + failed->reply.describe() +
                           ", expected a result"),
                    failed->reply);
  }
  if (const Json* const tool = probe.callable(); tool != nullptr && all_refused) {
    Client client = probe.client();
    Json params = probe.call_params(*tool);
    const Reply called = co_await client.request("tools/call", std::move(params));
    all.push_back(UsualReply{"tools/call", called});
  }
  if (!std::ranges::all_of(all, refused)) co_return passes();
  const UsualReply& first = all.front();
  co_return about(broken(accepted + "refuses every request of a client that says so: " +
                         first.method + " got " + first.reply.describe()),
                  first.reply);
}

constexpr ServerCheck kVersioningChecks[] = {
    {"versioning.accepted-is-served", Eras::kStateful, SessionUse::kShared, serves_what_it_accepts,
     true},
    {"versioning.server-echoes-supported", Eras::kStateful, SessionUse::kOpens,
     echoes_supported_versions},
    {"versioning.server-counter-offers", Eras::kStateful, SessionUse::kOpens,
     makes_a_counter_offer},
    {"versioning.server-counter-offers-latest", Eras::kStateful, SessionUse::kOpens,
     offers_its_newest},
    {"versioning.mismatch-handled", Eras::kStateful, SessionUse::kOpens, handles_a_mismatch},
    {"versioning.unsupported-version-error", Eras::kStateless, SessionUse::kShared,
     refuses_unsupported_versions},
    {"versioning.extension-fallback", Eras::kStateless, SessionUse::kShared,
     works_without_extensions},
    {"versioning.dual-era-server-selects-by-opening", Eras::kStateless, SessionUse::kOpens,
     opens_by_both_eras},
    {"versioning.modern-only-initialize-error-names-versions", Eras::kStateless, SessionUse::kOpens,
     names_versions_to_the_old},
};

}  // namespace

ServerChecks versioning_checks() { return kVersioningChecks; }

}  // namespace plumbline::conformance
