// How long results may be kept: spec 2026-07-28, server/utilities/caching.

#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listings.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

namespace {

// Cacheable is one result that has to say how long it may be kept.
struct Cacheable {
  std::string method;
  const Reply* reply;
};

void add_pages(std::vector<Cacheable>& all, const char* method, const Listing& listing) {
  for (const Reply& page : listing.pages) {
    if (page.result() != nullptr) all.push_back({method, &page});
  }
}

std::vector<Cacheable> cacheables(const Survey& survey, const Exercise& exercise) {
  std::vector<Cacheable> all;
  if (survey.opening.result() != nullptr) all.push_back({"server/discover", &survey.opening});
  add_pages(all, "tools/list", survey.tools);
  add_pages(all, "prompts/list", survey.prompts);
  add_pages(all, "resources/list", survey.resources);
  add_pages(all, "resources/templates/list", survey.templates);
  for (const Call* const call : exercise.completed("resources/read")) {
    all.push_back({"resources/read", &call->reply});
  }
  return all;
}

std::string hint_problem(const Json& result) {
  const Json* const ttl = find(result, "ttlMs");
  const Json* const scope = find(result, "cacheScope");
  if (ttl == nullptr) return "no ttlMs";
  if (!as_int(*ttl)) return "ttlMs " + dump_json(*ttl) + ", expected a whole number";
  if (scope == nullptr) return "no cacheScope";
  if (*scope == Json("public") || *scope == Json("private")) return "";
  return "cacheScope " + dump_json(*scope) + ", expected \"public\" or \"private\"";
}

// each_cacheable judges every result that may be kept.
Task<Finding> each_cacheable(Probe& probe, std::string (*problem)(const Json& result)) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Cacheable& one : cacheables(probe.survey(), exercise)) {
    tally.saw();
    const std::string wrong = problem(*one.reply->result());
    if (!wrong.empty()) tally.wrong(one.method + " has " + wrong, *one.reply);
  }
  co_return tally.finding("nothing that may be kept was answered");
}

Task<Finding> says_how_long(Probe& probe) {
  co_return co_await each_cacheable(probe, hint_problem);
}

std::string ttl_problem(const Json& result) {
  const Json* const ttl = find(result, "ttlMs");
  if (ttl == nullptr || !ttl->is_number()) return "";
  return *ttl >= Json(0) ? "" : "ttlMs " + dump_json(*ttl) + ", expected 0 or more";
}

Task<Finding> never_says_less_than_nothing(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  bool seen = false;
  for (const Cacheable& one : cacheables(probe.survey(), exercise)) {
    const Json* const ttl = find(*one.reply->result(), "ttlMs");
    seen = seen || (ttl != nullptr && ttl->is_number());
  }
  if (!seen) co_return not_for_it("no result has a ttlMs");
  co_return co_await each_cacheable(probe, ttl_problem);
}

Task<Finding> keeps_questions_out(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call& call : exercise.calls) {
    const Json* const result = call.reply.result();
    if (result == nullptr || string_or(*result, "resultType", "") != "input_required") continue;
    tally.saw();
    for (const char* const hint : {"ttlMs", "cacheScope"}) {
      if (find(*result, hint) == nullptr) continue;
      tally.wrong("an input_required result of " + call.method + " has " + hint, call.evidence);
      break;
    }
  }
  co_return tally.finding("nothing asked for input");
}

Task<Finding> has_one_scope_a_list(Probe& probe) {
  Tally tally;
  const Survey& survey = probe.survey();
  for (const Listing* const listing :
       {&survey.tools, &survey.prompts, &survey.resources, &survey.templates}) {
    if (listing->pages.size() < 2) continue;
    tally.saw();
    const Json* const first = listing->pages.front().result();
    for (const Reply& page : listing->pages) {
      const Json* const result = page.result();
      if (result == nullptr || first == nullptr) continue;
      const std::string here = string_or(*result, "cacheScope", "none");
      const std::string there = string_or(*first, "cacheScope", "none");
      if (here == there) continue;
      tally.wrong("one list has the cacheScope \"" + there + "\" on its first page and \"" + here +
                      "\" on another",
                  page);
      break;
    }
  }
  co_return tally.finding("no list has a second page");
}

Task<Finding> answers_early_again(Probe& probe) {
  Client client = probe.client();
  for (const char* const feature : {"tools", "resources", "prompts"}) {
    if (!probe.survey().declares("/" + std::string(feature))) continue;
    const std::string method = std::string(feature) + "/list";
    for (int time = 0; time < 2; ++time) {
      const Reply reply = co_await client.request(method);
      if (reply.result() != nullptr) continue;
      co_return broken("got " + reply.describe() + " to " + method +
                       " when it was asked again, expected a result");
    }
    co_return passes();
  }
  co_return not_for_it("it lists nothing");
}

constexpr ServerCheck kCachingChecks[] = {
    {"caching.hints-required", Eras::kStateless, SessionUse::kOpens, says_how_long},
    {"caching.ttl-non-negative", Eras::kStateless, SessionUse::kOpens,
     never_says_less_than_nothing},
    {"caching.no-hints-on-input-required", Eras::kStateless, SessionUse::kOpens,
     keeps_questions_out},
    {"caching.page-scope-consistent", Eras::kStateless, SessionUse::kOpens, has_one_scope_a_list},
    {"caching.early-refetch", Eras::kStateless, SessionUse::kShared, answers_early_again},
};

}  // namespace

ServerChecks caching_checks() { return kCachingChecks; }

}  // namespace plumbline::conformance
