// What is read of a resource that is not there: spec, server/resources, Error Handling.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/catalogue/outcomes.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/learned_values.h"
#include "conformance/checks/server/listings.h"
#include "conformance/checks/server/probe.h"
#include "core/wire/uri_template.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoneDeclared = "it does not declare resources";
constexpr std::size_t kTemplatesTried = 6;

// missing_uri returns a URI like those that the server has, of something that is not there.
std::string missing_uri(const Survey& survey) {
  const std::vector<std::string> uris = values_of(survey.resources, "uri");
  const std::size_t end = uris.empty() ? std::string::npos : uris.front().find("://");
  const std::string scheme = end == std::string::npos ? "test" : uris.front().substr(0, end);
  return scheme + "://plumbline-no-such-resource/1";
}

// missing_of_templates returns what templates make of values that are not there. A search finds
// nothing with a right to.
std::vector<std::string> missing_of_templates(const Survey& survey) {
  std::vector<std::string> uris;
  for (const std::string& pattern : values_of(survey.templates, "uriTemplate")) {
    const std::optional<std::string> uri =
        wire::expand_template(pattern, [](std::string_view name) -> std::optional<std::string> {
          if (!wire::is_plain_expression(name) || searches_by(name)) return std::nullopt;
          return "plumbline-no-such-" + std::string(name);
        });
    if (uri && *uri != pattern) uris.push_back(*uri);
  }
  return uris;
}

Task<Reply> read_missing(Probe& probe, std::string uri) {
  Client client = probe.client();
  Json params = Json::object();
  params["uri"] = std::move(uri);
  co_return co_await client.call("resources/read", std::move(params));
}

// has_nothing_of_templates: what a template makes of a value that is not there is read as nothing.
Task<Finding> has_nothing_of_templates(Probe& probe, std::string expected) {
  std::size_t tries = 0;
  for (const std::string& uri : missing_of_templates(probe.survey())) {
    if (++tries > probe.as_many(kTemplatesTried)) break;
    const Reply reply = co_await read_missing(probe, uri);
    const Json* const contents =
        reply.result() == nullptr ? nullptr : find(*reply.result(), "contents");
    if (contents == nullptr || !contents->is_array() || !contents->empty()) continue;
    Finding finding = about(broken("\"" + uri +
                                   "\", which a template makes of a made-up value, was "
                                   "read as empty contents, expected " +
                                   expected),
                            reply);
    finding.reason = outcome::kEmptyResult;
    co_return std::move(finding);
  }
  co_return passes();
}

Task<Finding> refuses_missing(Probe& probe, std::int64_t code) {
  if (!probe.survey().declares("/resources")) co_return not_for_it(kNoneDeclared);
  const std::vector<std::string> uris = {missing_uri(probe.survey()),
                                         "plumbline-none:no-such-resource"};
  for (const std::string& uri : uris) {
    const Reply reply = co_await read_missing(probe, uri);
    Finding finding = expect_error(reply, {code});
    if (finding.verdict == Verdict::kPass) continue;
    finding.message.insert(0, "resources/read of \"" + uri + "\" ");
    co_return std::move(finding);
  }
  co_return passes();
}

Task<Finding> refuses_missing_by_32002(Probe& probe) {
  Finding empty = co_await has_nothing_of_templates(probe, "error -32002");
  if (empty.verdict != Verdict::kPass) co_return std::move(empty);
  co_return co_await refuses_missing(probe, -32002);
}

Task<Finding> refuses_missing_by_32602(Probe& probe) {
  co_return co_await refuses_missing(probe, -32602);
}

Task<Finding> has_no_empty_contents(Probe& probe) {
  if (!probe.survey().declares("/resources")) co_return not_for_it(kNoneDeclared);
  const Reply reply = co_await read_missing(probe, missing_uri(probe.survey()));
  const Json* const result = reply.result();
  if (!reply.answered()) co_return undecided("got " + reply.describe());
  if (result == nullptr) {
    co_return co_await has_nothing_of_templates(probe, "error -32602");
  }
  const Json* const contents = find(*result, "contents");
  if (contents != nullptr && !contents->empty()) {
    co_return not_for_it("it has contents for any URI");
  }
  co_return broken(
      "a resource that is not there was read as empty contents, expected error -32602");
}

constexpr ServerCheck kResourcesMissingChecks[] = {
    {"resources.not-found-32002", Eras::kStateful, SessionUse::kShared, refuses_missing_by_32002},
    {"resources.not-found-error", Eras::kStateless, SessionUse::kShared, refuses_missing_by_32602},
    {"resources.no-empty-contents-for-missing", Eras::kStateless, SessionUse::kShared,
     has_no_empty_contents},
};

}  // namespace

ServerChecks resources_missing_checks() { return kResourcesMissingChecks; }

}  // namespace plumbline::conformance
