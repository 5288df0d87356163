// Resources: spec, server/resources. Updates of watched ones are in resources_watched.cc.

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listings.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoResources = "it does not declare resources";
constexpr const char* kNoneRead = "no resource could be read";

std::string read_resource(const Call& call) {
  return "reading \"" + shortened(string_or(call.params, "uri", "")) + "\" gave ";
}

Task<Finding> declares_resources(Probe& probe) {
  co_return co_await declares_feature(probe, "resources/list", "resources");
}

Task<Finding> lists_resources(Probe& probe) {
  co_return answers_list(probe.survey().resources, "resources");
}

Task<Finding> lists_the_same_resources(Probe& probe) {
  co_return co_await lists_everywhere_the_same(probe, "resources/list", "resources", "uri");
}

Task<Finding> defines_resources(Probe& probe) {
  Tally tally;
  for (const Json& resource : probe.survey().resources.items) {
    tally.saw();
    for (const char* const member : {"uri", "name"}) {
      if (find_string(resource, member)) continue;
      tally.wrong("a resource has no " + std::string(member) + " that is a string",
                  evidence_of(resource));
    }
  }
  for (const Json& item : probe.survey().templates.items) {
    tally.saw();
    const auto uri = find_string(item, "uriTemplate");
    if (!uri || !find_string(item, "name")) {
      tally.wrong("a resource template lacks uriTemplate or name", evidence_of(item));
    } else if (const std::string wrong = template_problem(*uri); !wrong.empty()) {
      tally.wrong("the uriTemplate \"" + *uri + "\" " + wrong, evidence_of(item));
    }
  }
  co_return tally.finding("it lists no resources");
}

// dialect_problem judges whether a template by RFC 6570 has variables that a client can fill in, or
// the placeholders of another dialect, which stand for themselves: "/:id", "${id}", "*".
std::string dialect_problem(std::string_view text) {
  if (mentions(text, "${")) return "has a '$' before an expression, as scripts write it";
  if (mentions(text, '{')) return "";
  const std::size_t scheme = text.find("://");
  std::string_view rest = scheme == std::string_view::npos ? text : text.substr(scheme + 2);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/', 1), rest.size());
    const std::string_view segment = rest.substr(0, end);
    const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    if (segment.size() > 2 && segment.starts_with("/:") && letter(segment[2])) {
      return "has no variable: RFC 6570 writes {" + std::string(segment.substr(2)) + "}, not \"" +
             std::string(segment.substr(1)) + "\"";
    }
    if (segment.starts_with("/[") && segment.ends_with(']')) {
      return "has no variable: RFC 6570 writes {name}, not \"" + std::string(segment.substr(1)) +
             "\"";
    }
    rest.remove_prefix(end);
  }
  if (mentions(text, '*')) return "has no variable: RFC 6570 writes {name}, not \"*\"";
  return "has no variable, so that it stands for one URI alone";
}

Task<Finding> has_right_templates(Probe& probe) {
  Tally tally;
  Finding unfilled;
  for (const Json& item : probe.survey().templates.items) {
    tally.saw();
    const auto uri = find_string(item, "uriTemplate");
    const std::string wrong = uri ? template_problem(*uri) : "is missing";
    const std::string strange = wrong.empty() ? dialect_problem(*uri) : "";
    if (!strange.empty() && unfilled.verdict == Verdict::kPass) {
      unfilled = risky("the uriTemplate \"" + shortened(*uri) + "\" " + strange);
      unfilled.evidence = evidence_of(item);
    }
    if (wrong.empty()) continue;
    tally.wrong("the uriTemplate \"" + shortened(uri.value_or("")) + "\" " + wrong,
                evidence_of(item));
  }
  if (tally.clean() && unfilled.verdict != Verdict::kPass) co_return std::move(unfilled);
  co_return tally.finding("it lists no resource templates");
}

const Json* contents_in(const Call& call) {
  const Json* const contents = find(*call.complete(), "contents");
  return contents != nullptr && contents->is_array() ? contents : nullptr;
}

// each_contents judges every entry that a read has given.
Task<Finding> each_contents(Probe& probe, std::string (*problem)(const Json& contents)) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("resources/read")) {
    const Json* const contents = contents_in(*call);
    if (contents == nullptr) {
      tally.saw();
      tally.wrong(read_resource(*call) + "a result without a contents array", call->evidence);
      continue;
    }
    for (const Json& entry : *contents) {
      tally.saw();
      const std::string wrong = problem(entry);
      if (!wrong.empty()) {
        tally.wrong(read_resource(*call) + "contents where an entry " + wrong, call->evidence);
      }
    }
  }
  co_return tally.finding(kNoneRead);
}

Task<Finding> contents_are_text_or_blob(Probe& probe) {
  co_return co_await each_contents(probe, contents_problem);
}

Task<Finding> blobs_are_base64(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("resources/read")) {
    const Json* const contents = contents_in(*call);
    if (contents == nullptr) continue;
    for (const Json& entry : *contents) {
      if (find(entry, "blob") == nullptr) continue;
      tally.saw();
      const std::string wrong = binary_problem(entry);
      if (!wrong.empty()) {
        tally.wrong(read_resource(*call) + "contents where an entry " + wrong, call->evidence);
      }
    }
  }
  co_return tally.finding("no resource has binary contents");
}

// type_of returns a media type without its parameters.
std::string type_of(const Json& entry) {
  const std::string type = lower_case(string_or(entry, "mimeType", ""));
  return std::string(trimmed(std::string_view(type).substr(0, type.find(';'))));
}

Task<Finding> reads_as_it_lists(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("resources/read")) {
    const std::string uri = string_or(call->params, "uri", "");
    const Json* const listed = Survey::item(probe.survey().resources, "uri", uri);
    const Json* const contents = contents_in(*call);
    if (listed == nullptr || contents == nullptr || type_of(*listed).empty()) continue;
    for (const Json& entry : *contents) {
      if (string_or(entry, "uri", "") != uri || type_of(entry).empty()) continue;
      tally.saw();
      if (type_of(entry) == type_of(*listed)) continue;
      tally.wrong("\"" + shortened(uri) + "\" is listed with the mimeType " + type_of(*listed) +
                      ", and read as " + type_of(entry) +
                      ": hosts choose by the list how to show it",
                  call->evidence);
    }
  }
  co_return tally.finding("no resource that was read is listed with a mimeType");
}

Task<Finding> lists_templates(Probe& probe) {
  if (!probe.survey().declares("/resources")) co_return not_for_it(kNoResources);
  if (probe.survey().templates.pages.empty()) co_return not_for_it("they were not asked for");
  const Reply& reply = probe.survey().templates.pages.front();
  if (reply.code() != -32601) co_return passes();
  co_return about(broken("resources are declared, and resources/templates/list gets error -32601, "
                         "expected a list, which may be empty: MCP Inspector and other clients "
                         "that list all show an error"),
                  reply);
}

struct UriSeen {
  std::string uri;
  const char* where;
  const Json* object;  // That has it.
};

// uris_in collects the URIs that stand anywhere in lists and results.
std::vector<UriSeen> uris_in(const Survey& survey, const Exercise& exercise) {
  std::vector<UriSeen> found;
  const auto take = [&found](const Json& object, const char* where) {
    if (const auto uri = find_string(object, "uri")) found.push_back({*uri, where, &object});
  };
  for (const Json& resource : survey.resources.items) take(resource, "resources/list");
  for (const Call* const call : exercise.completed("resources/read")) {
    const Json* const contents = contents_in(*call);
    if (contents == nullptr) continue;
    for (const Json& entry : *contents) take(entry, "resources/read");
  }
  for (const Call* const call : exercise.completed("tools/call")) {
    const Json* const content = find(*call->complete(), "content");
    if (content == nullptr || !content->is_array()) continue;
    for (const Json& block : *content) {
      const Json* const resource = find(block, "resource");
      take(resource == nullptr ? block : *resource, "tools/call");
    }
  }
  return found;
}

Task<Finding> uris_are_uris(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const UriSeen& seen : uris_in(probe.survey(), exercise)) {
    tally.saw();
    if (is_uri(seen.uri)) continue;
    tally.wrong("\"" + shortened(seen.uri) + "\" in " + seen.where + " is no URI of RFC 3986",
                evidence_of(*seen.object));
  }
  co_return tally.finding("no URI was seen");
}

Task<Finding> annotations_fit(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  const Survey& survey = probe.survey();
  const bool dated = dates_resources(probe.revision());
  Tally tally;
  const auto judge = [&](const Json& item, const std::string& whose) {
    if (find(item, "annotations") == nullptr) return;
    tally.saw();
    const std::string wrong = annotations_problem(item, dated);
    if (!wrong.empty()) tally.wrong(whose + " has annotations where " + wrong, evidence_of(item));
  };
  for (const Json& resource : survey.resources.items) {
    judge(resource, "the resource \"" + shortened(string_or(resource, "uri", "")) + "\"");
  }
  for (const Json& item : survey.templates.items) {
    judge(item, "the template \"" + shortened(string_or(item, "uriTemplate", "")) + "\"");
  }
  for (const Call& call : exercise.calls) {
    const Json* const result = call.complete();
    if (result == nullptr) continue;
    const std::string whose =
        call.method + " of \"" + shortened(string_or(call.params, "name", "")) + "\"";
    if (const Json* const content = find(*result, "content"); content && content->is_array()) {
      for (const Json& block : *content) judge(block, whose);
    }
    const Json* const messages = find(*result, "messages");
    if (messages == nullptr || !messages->is_array()) continue;
    for (const Json& message : *messages) {
      if (const Json* const block = find(message, "content")) judge(*block, whose);
    }
  }
  co_return tally.finding("nothing has annotations");
}

Task<Finding> validates_uris(Probe& probe) {
  if (!probe.survey().declares("/resources")) co_return not_for_it(kNoResources);
  Client client = probe.client();
  std::vector<Json> bad = {Json(""),
                           Json("no uri at all"),
                           Json("../../../etc/passwd"),
                           Json("//"),
                           Json("plumbline:" + std::string(20'000, 'a')),
                           Json(4711)};
  for (Json& uri : bad) {
    const std::string shown = shortened(dump_json(uri));
    Json params = Json::object();
    params["uri"] = std::move(uri);
    const Reply reply = co_await client.request("resources/read", std::move(params));
    if (reply.how == Reply::How::kClosed) co_return broken("it ended on the URI " + shown);
    if (!reply.answered() && reply.status == 0) co_return undecided("got " + reply.describe());
    const Json* const result = reply.result();
    const Json* const contents = result == nullptr ? nullptr : find(*result, "contents");
    if (contents == nullptr || contents->empty()) continue;
    co_return broken("the URI " + shown + " was read as if it were one, expected an error");
  }
  co_return passes();
}

bool serves_files(const Survey& survey) {
  for (const std::string& uri : values_of(survey.resources, "uri")) {
    if (uri.starts_with("file:")) return true;
  }
  for (const std::string& uri : values_of(survey.templates, "uriTemplate")) {
    if (uri.starts_with("file:")) return true;
  }
  return false;
}

Task<Finding> stays_within_its_files(Probe& probe) {
  if (!probe.survey().declares("/resources")) co_return not_for_it(kNoResources);
  Client client = probe.client();
  const std::vector<std::string> ways = {
      "file:///etc/passwd", "file:///../../../../../../etc/passwd",
      "file:///%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
      "file:///%252e%252e/%252e%252e/%252e%252e/etc/passwd", "../../../../../../../etc/passwd"};
  for (const std::string& uri : ways) {
    Json params = Json::object();
    params["uri"] = uri;
    const Reply reply = co_await client.request("resources/read", std::move(params));
    const Json* const result = reply.result();
    if (result == nullptr || !mentions(dump_json(*result), "root:x:0:0")) continue;
    co_return broken("reading \"" + uri + "\" gave a file of the system");
  }
  if (!serves_files(probe.survey())) co_return not_for_it("it serves no file: resources");
  co_return passes();
}

Task<Finding> tells_of_changed_resources(Probe& probe) {
  co_return co_await tells_of_a_change(probe, "resources", Shows::kResourcesChange);
}

constexpr ServerCheck kResourcesChecks[] = {
    {"resources.list-changed-notification", Eras::kBoth, SessionUse::kAlone,
     tells_of_changed_resources},
    {"resources.capability-declared", Eras::kBoth, SessionUse::kShared, declares_resources},
    {"resources.list-responds", Eras::kStateless, SessionUse::kOpens, lists_resources},
    {"resources.list-not-connection-dependent", Eras::kStateless, SessionUse::kShared,
     lists_the_same_resources},
    {"resources.definition-required-fields", Eras::kStateless, SessionUse::kOpens,
     defines_resources},
    {"resources.template-rfc6570", Eras::kStateful, SessionUse::kOpens, has_right_templates},
    {"resources.contents-shape", Eras::kBoth, SessionUse::kOpens, contents_are_text_or_blob},
    {"resources.binary-encoded", Eras::kBoth, SessionUse::kOpens, blobs_are_base64},
    {"resources.type-as-listed", Eras::kBoth, SessionUse::kOpens, reads_as_it_lists},
    {"resources.templates-listed", Eras::kBoth, SessionUse::kOpens, lists_templates},
    {"resources.uri-rfc3986", Eras::kBoth, SessionUse::kOpens, uris_are_uris},
    {"resources.annotations-valid", Eras::kBoth, SessionUse::kOpens, annotations_fit},
    {"resources.uris-validated", Eras::kBoth, SessionUse::kAlone, validates_uris},
    {"resources.path-traversal-blocked", Eras::kStateless, SessionUse::kAlone,
     stays_within_its_files},
};

}  // namespace

ServerChecks resources_checks() { return kResourcesChecks; }

}  // namespace plumbline::conformance
