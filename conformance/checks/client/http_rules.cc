// Rules about every HTTP request of a client: spec, basic/transports, Streamable HTTP.

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/checks/client/rule_kit.h"
#include "conformance/peer/client/scenario.h"
#include "conformance/wire/header_names.h"
#include "conformance/wire/mirrored.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoHttp = "it made no such HTTP request";

// holds returns whether a header lists `token` ("text/event-stream"), whatever stands behind it.
bool holds(const wire::HttpHeaders& headers, std::string_view name, std::string_view token) {
  for (const wire::HttpHeaders::Field& field : headers.fields()) {
    if (!wire::equals_ignoring_case(field.first, name)) continue;
    std::string lowered = field.second;
    std::ranges::transform(lowered, lowered.begin(), [](unsigned char c) {
      return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    });
    if (lowered.find(token) != std::string::npos) return true;
  }
  return false;
}

Finding accepts_both(const Record& record) {
  return each_http(
      record, "POST",
      [](const HttpHeard& heard) -> std::string {
        const wire::HttpHeaders& headers = heard.request.headers;
        if (holds(headers, "Accept", "application/json") &&
            holds(headers, "Accept", "text/event-stream")) {
          return "";
        }
        return "a POST has Accept " + header_or_none(headers, "Accept") +
               ", expected application/json and text/event-stream";
      },
      kNoHttp);
}

Finding gets_events(const Record& record) {
  return each_http(
      record, "GET",
      [](const HttpHeard& heard) -> std::string {
        if (holds(heard.request.headers, "Accept", "text/event-stream")) return "";
        return "a GET has Accept " + header_or_none(heard.request.headers, "Accept") +
               ", expected text/event-stream";
      },
      "it made no GET");
}

Finding sends_json(const Record& record) {
  return each_http(
      record, "POST",
      [](const HttpHeard& heard) -> std::string {
        if (!heard.posted.json) return "the body of a POST is no JSON";
        if (holds(heard.request.headers, "Content-Type", "application/json")) return "";
        return "a POST has Content-Type " + header_or_none(heard.request.headers, "Content-Type") +
               ", expected application/json";
      },
      kNoHttp);
}

Finding sends_one_message(const Record& record) {
  return each_http(
      record, "POST",
      [](const HttpHeard& heard) -> std::string {
        if (!heard.posted.json) return "the body of a POST is no message";
        return heard.posted.array ? "the body of a POST is an array" : "";
      },
      kNoHttp);
}

Finding posts_messages(const Record& record) {
  for (const HttpHeard& heard : record.elsewhere) {
    if (heard.posted.method.empty() || !heard.posted.speaks) continue;
    return at(record, heard,
              broken("a message was sent by " + heard.request.method + " to " +
                     heard.request.target + ", expected a POST to the address that it was given"));
  }
  return each_http(
      record, "",
      [](const HttpHeard& heard) -> std::string {
        const std::string& method = heard.request.method;
        if (method == "POST") {
          return heard.request.body.empty() ? "a POST without a message" : "";
        }
        if (heard.request.body.empty()) return "";
        return "a message came with " + method + ", expected POST";
      },
      kNoHttp);
}

Finding mixes_no_batches(const Record& record) {
  bool any = false;
  Finding finding = each_http(
      record, "POST",
      [&any](const HttpHeard& heard) -> std::string {
        any |= heard.posted.array;
        return heard.posted.mixed ? "an array holds responses beside other messages" : "";
      },
      kNoHttp);
  if (finding.verdict == Verdict::kPass && !any) return not_for_it("it sent no arrays");
  return finding;
}

// goes_on returns whether the client, once `opening` had been answered, said anything more in this
// session: one that does not like the version in the answer does not.
bool goes_on(const Record& record, std::size_t opening) {
  for (std::size_t i = opening + 1; i < record.http.size(); ++i) {
    const HttpHeard& heard = record.http[i];
    if (heard.request.method != "POST" || heard.posted.method == "server/discover") continue;
    if (heard.posted.method == "initialize") return false;
    if (record.http[opening].ended && heard.at >= *record.http[opening].ended) return true;
  }
  return false;
}

}  // namespace

Finding each_after_opening(const Record& record, const HttpComplaint& complaint) {
  bool seen = false;
  std::optional<Instant> open;
  for (std::size_t i = 1; i < record.http.size(); ++i) {
    const HttpHeard& heard = record.http[i];
    const bool posts = heard.request.method == "POST";
    if (posts && heard.posted.method == "server/discover") continue;
    if (posts && heard.posted.method == "initialize") {
      open = std::nullopt;
      if (heard.ended && heard.status == 200 && goes_on(record, i)) open = *heard.ended;
      continue;
    }
    if (!open || heard.at < *open) continue;
    seen = true;
    std::string wrong = complaint(heard);
    if (!wrong.empty()) return at(record, heard, broken(std::move(wrong)));
  }
  return seen ? passes() : not_for_it("nothing came after initialize");
}

namespace {

Finding repeats_the_session(const Record& record) {
  if (record.session_id.empty()) return not_for_it("no session id was given");
  std::set<std::string_view> given;
  for (const HttpHeard& heard : record.http) given.insert(heard.session);
  return each_after_opening(record, [&](const HttpHeard& heard) -> std::string {
    const std::optional<std::string> id = whole_header(heard.request.headers, kSessionHeader);
    if (id && !id->empty() && given.contains(*id)) return "";
    return heard.request.method + " has the session id " +
           header_or_none(heard.request.headers, kSessionHeader) +
           ", expected the one it was given";
  });
}

// is_dated returns whether `text` has the form of a revision.
bool is_dated(std::string_view text) {
  return text.size() == 10 && text[4] == '-' && text[7] == '-' &&
         text.find_first_not_of("0123456789-") == std::string_view::npos;
}

Finding says_the_version(const Record& record) {
  const HttpComplaint complaint = [&](const HttpHeard& heard) -> std::string {
    const std::optional<std::string> version = whole_header(heard.request.headers, kVersionHeader);
    if (!version || version->empty()) {
      return heard.request.method + " without the header MCP-Protocol-Version";
    }
    if (*version == record.revision || is_dated(*version)) return "";
    return heard.request.method + " with MCP-Protocol-Version \"" + *version +
           "\", which is no revision: a server has to answer 400. Expected " + record.revision;
  };
  if (!record.stateless()) return each_after_opening(record, complaint);
  return each_http(record, "POST", complaint, kNoHttp);
}

// dated_version returns the revision that a request names in its header; nothing: it names none,
// which is told by http.protocol-version-header.
std::optional<std::string> dated_version(const wire::HttpHeaders& headers) {
  const std::optional<std::string> version = whole_header(headers, kVersionHeader);
  return version && is_dated(*version) ? version : std::nullopt;
}

bool names_no_revision(const Record& record) {
  return std::ranges::any_of(record.http, [](const HttpHeard& heard) {
    const wire::HttpHeaders& headers = heard.request.headers;
    return headers.count(kVersionHeader) > 0 && !dated_version(headers);
  });
}

constexpr const char* kSeeTheVersionHeader =
    "its header names no revision: see http.protocol-version-header";

Finding says_the_version_agreed_on(const Record& record) {
  Finding finding = each_after_opening(record, [&](const HttpHeard& heard) -> std::string {
    const std::optional<std::string> version = dated_version(heard.request.headers);
    if (!version || *version == record.revision) return "";
    return "MCP-Protocol-Version is " + *version + ", but " + record.revision + " was agreed on";
  });
  const bool holds = finding.verdict == Verdict::kPass;
  return holds && names_no_revision(record) ? not_for_it(kSeeTheVersionHeader) : finding;
}

std::vector<const Heard*> modern_requests(const Record& record) {
  std::vector<const Heard*> asked = record.requests();
  std::erase_if(asked, [](const Heard* one) { return one->method() == "initialize"; });
  return asked;
}

Finding says_one_version(const Record& record) {
  const Complaint complaint = [&](const Heard& message) -> std::string {
    const Json* const version = message.meta(kMetaVersion);
    const std::optional<std::string> header = dated_version(record.headers(message));
    if (version == nullptr || !header || *version == *header) return "";
    return "MCP-Protocol-Version is " + *header + ", in the body it is " + shown(version);
  };
  Finding finding = each_of(record, modern_requests(record), complaint, "nothing was asked");
  const bool holds = finding.verdict == Verdict::kPass;
  return holds && names_no_revision(record) ? not_for_it(kSeeTheVersionHeader) : finding;
}

Finding names_the_method(const Record& record) {
  const Complaint complaint = [&](const Heard& message) -> std::string {
    const std::optional<std::string> header = whole_header(record.headers(message), "Mcp-Method");
    if (header && *header == message.method()) return "";
    return "Mcp-Method is " + header_or_none(record.headers(message), "Mcp-Method") +
           ", the body has the method " + message.method();
  };
  return each_of(record, modern_requests(record), complaint, "nothing was asked");
}

// named_by returns what Mcp-Name has to say; empty: the header is not for this method.
std::string named_by(const Heard& message) {
  const std::string method = message.method();
  if (method == "tools/call" || method == "prompts/get") return message.param("name");
  if (method == "resources/read") return message.param("uri");
  return "";
}

Finding names_check(const Record& record, bool plain) {
  const Complaint complaint = [&](const Heard& message) -> std::string {
    const std::optional<std::string> header = whole_header(record.headers(message), "Mcp-Name");
    const std::string expected = header_text(named_by(message));
    if (header && *header == expected) return "";
    return "Mcp-Name is " + header_or_none(record.headers(message), "Mcp-Name") + ", expected \"" +
           expected + "\"";
  };
  const std::vector<const Heard*> named = record.all([&](const Heard& message) {
    const std::string name = named_by(message);
    return message.is_request() && !name.empty() && (header_text(name) == name) == plain;
  });
  return each_of(record, named, complaint, "it used nothing with such a name");
}

Finding names_what_it_uses(const Record& record) { return names_check(record, true); }
Finding encodes_what_it_names(const Record& record) { return names_check(record, false); }

Finding ends_its_session(const Record& record) {
  if (record.session_id.empty()) return not_for_it("no session id was given");
  if (!record.exit || record.refused) return not_for_it("the session did not end by the client");
  if (record.notifications("notifications/initialized").empty()) {
    return not_for_it("the session was not opened");
  }
  for (const HttpHeard& heard : record.http) {
    if (heard.request.method != "DELETE") continue;
    const std::optional<std::string_view> id = heard.request.headers.get(kSessionHeader);
    if (id && *id == record.session_id) return passes();
    return at(record, heard, broken("DELETE has another session id than the one given"));
  }
  return broken("it ended without a DELETE of its session");
}

Finding compares_names_of_headers(const Record& record) {
  // The judge spells its headers oddly: see HttpScriptedPeer.
  if (record.session_id.empty()) return not_for_it("no session id was given");
  Finding finding = repeats_the_session(record);
  if (finding.verdict != Verdict::kFail) return finding;
  const bool none = std::ranges::none_of(record.http, [](const HttpHeard& heard) {
    return heard.request.headers.count(kSessionHeader) > 0;
  });
  if (!none) return not_for_it("it knows the header, but does not always send it");
  finding.message = "the header mCP-sESSION-iD was not understood: " + finding.message;
  return finding;
}

constexpr ClientRule kHttpRules[] = {
    {"http.post-per-message", posts_messages},
    {"http.accept-header-both-types", accepts_both},
    {"http.body-is-json", sends_json},
    {"http.single-message-body", sends_one_message},
    {"http.body-batch-kinds", mixes_no_batches},
    {"http.get-accept-event-stream", gets_events},
    {"http.session-id-echoed", repeats_the_session},
    {"http.session-delete", ends_its_session},
    {"http.header-names-case-insensitive", compares_names_of_headers},
    {"http.protocol-version-header", says_the_version},
    {"http.protocol-version-is-negotiated", says_the_version_agreed_on},
    {"http.protocol-version-header-matches-body", says_one_version},
    {"http.mcp-method-header", names_the_method},
    {"http.mcp-name-header", names_what_it_uses},
    {"http.mcp-name-base64", encodes_what_it_names},
};

}  // namespace

ClientRules http_rules() { return kHttpRules; }

}  // namespace plumbline::conformance
