// What a server makes of an Mcp-Name whose bytes no header value may have: spec 2026-07-28,
// basic/transports/streamable-http, Value Encoding, Server Validation.

#include <string>
#include <utility>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

namespace {

constexpr std::int64_t kWrongName = -32020;
constexpr const char* kNameOfNothing = "plumbline-caf\xc3\xa9";
constexpr const char* kUriOfNothing = "plumbline://caf\xc3\xa9";

// UnknownName is a request by a name that nothing has.
struct UnknownName {
  const char* method;
  const char* key;
  const char* name;
};

UnknownName unknown_name(const Survey& survey) {
  if (survey.declares("/tools")) return {"tools/call", "name", kNameOfNothing};
  if (survey.declares("/prompts")) return {"prompts/get", "name", kNameOfNothing};
  if (survey.declares("/resources")) return {"resources/read", "uri", kUriOfNothing};
  return {nullptr, nullptr, nullptr};
}

Json request_by(Client& client, const UnknownName& named) {
  Json params = Json::object();
  params[named.key] = named.name;
  return client.request_of(named.method, std::move(params));
}

// Who looks for what is named before the header would answer each of the three alike: the header of
// another name shows that it is looked at first.
Task<Finding> refuses_raw_names(Probe& probe) {
  const UnknownName named = unknown_name(probe.survey());
  if (named.method == nullptr)
    co_return not_for_it("it declares nothing that is asked for by name");
  Client client = probe.client();
  const Reply encoded = co_await client.exchange(request_by(client, named));
  const wire::HttpHeaders another = {{"Mcp-Name", "plumbline-other"}};
  const Reply other = co_await client.exchange(request_by(client, named), another);
  if (!encoded.answered() || encoded.code() == kWrongName || other.code() != kWrongName) {
    co_return not_for_it("it does not look at Mcp-Name before it looks for what is named");
  }
  const wire::HttpHeaders bare = {{"Mcp-Name", named.name}};
  const Reply raw = co_await client.exchange(request_by(client, named), bare);
  const bool alike = raw.answered() && raw.status == encoded.status &&
                     raw.code() == encoded.code() && raw.code() != kWrongName;
  if (!alike) co_return passes();
  co_return about(broken("an Mcp-Name with bytes above 0x7f as they are was taken for that of " +
                         std::string(named.method) + ": got " + raw.describe() +
                         ", as with the name in base64; expected status 400 and error -32020"),
                  raw);
}

constexpr ServerCheck kHttpNamesChecks[] = {
    {"http.name-header-invalid-chars-rejected", Eras::kStateless, SessionUse::kShared,
     refuses_raw_names},
};

}  // namespace

ServerChecks http_names_checks() { return kHttpNamesChecks; }

}  // namespace plumbline::conformance
