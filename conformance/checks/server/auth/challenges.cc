// How a challenge is written, and who can read it: RFC 9110, sections 11.2 and 15.5.2; RFC 6750,
// section 3; Fetch, section 3.3.2.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/auth/door.h"
#include "conformance/checks/server/check.h"
#include "conformance/peer/preflight.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// outside returns the first character of `value` that RFC 6750 has not in scope, error and
// error_description, as it is told; empty: there is none.
std::string outside(std::string_view value) {
  for (const char one : value) {
    const auto code = static_cast<unsigned char>(one);
    if (code == '"' || code == '\\') return std::string(1, one);
    if (code >= 0x20 && code <= 0x7e) continue;
    return code < 0x20 ? "a control character" : "a letter outside ASCII";
  }
  return {};
}

// uncut returns the name of a parameter before which there is a blank and no comma; empty: each has
// one. The first stands behind the scheme.
std::string uncut(std::string_view field) {
  bool quoted = false;
  for (std::size_t at = 1; at < field.size(); ++at) {
    if (field[at - 1] == '"') {
      const bool ends = quoted;
      quoted = !quoted;
      if (!ends) continue;
      std::string_view rest = field.substr(at);
      if (!rest.starts_with(' ')) continue;
      rest = trimmed(rest);
      const std::size_t end = rest.find_first_of("= ,");
      if (end == std::string_view::npos || end == 0 || rest[end] != '=') continue;
      return std::string(rest.substr(0, end));
    }
    if (quoted && field[at - 1] == '\\') ++at;
  }
  return {};
}

// misprint says how the challenge of `reply` is not written as one; empty: it is.
std::string misprint(const Reply& reply) {
  for (const auto& [name, value] : reply.headers.fields()) {
    if (!equals_ignoring_case(name, "WWW-Authenticate")) continue;
    const std::string after = uncut(value);
    if (after.empty()) continue;
    return "has no comma before " + clipped(after) +
           ": clients that read it by its grammar find no such parameter (RFC 9110, section 11.2)";
  }
  const std::optional<Challenge> bearer = bearer_challenge(reply.headers);
  if (!bearer) return {};
  for (const char* const name : {"scope", "error", "error_description"}) {
    const std::string other = outside(bearer->param(name).value_or(""));
    if (other.empty()) continue;
    return std::string("has ") + other + " in " + name +
           ", expected characters that RFC 6750 (section 3) lets it have";
  }
  return {};
}

// parted_by_commas returns whether the commas of `scope` stand between scopes of the metadata.
bool parted_by_commas(const std::string& scope, const Json& document) {
  const Json* const known = find(document, "scopes_supported");
  if (scope.find(',') == std::string::npos || known == nullptr || !known->is_array()) return false;
  std::size_t parts = 0;
  for (std::size_t at = 0; at <= scope.size(); ++parts) {
    const std::size_t end = std::min(scope.find(',', at), scope.size());
    const Json part = std::string(trimmed(std::string_view(scope).substr(at, end - at)));
    if (std::find(known->begin(), known->end(), part) == known->end()) return false;
    at = end + 1;
  }
  return parts > 1;
}

Task<Finding> writes_it_by_its_grammar(Probe& probe) {
  const LookedUp found = co_await look_up(probe);
  if (!found.door.shut) co_return not_for_it(found.door.open);
  if (found.door.bearer.scheme.empty()) co_return not_for_it("its 401 has no challenge for Bearer");
  const Reply unknown = co_await knock(probe, found.door.way, kUnknownToken);
  const std::vector<const Reply*> all = {&found.door.refusal, &unknown};
  for (const Reply* const reply : all) {
    const std::string wrong = misprint(*reply);
    if (wrong.empty()) continue;
    const std::string whom = reply == &unknown ? "with an unknown token" : "without a token";
    co_return about(broken("the challenge of a request " + whom + " " + wrong), *reply);
  }
  const std::string scope = found.door.bearer.param("scope").value_or("");
  if (!parted_by_commas(scope, found.metadata.document)) co_return passes();
  co_return about(risky("its challenge has the scope \"" + clipped(scope) +
                        "\", and its metadata each part of it: scopes are parted by blanks, and "
                        "clients ask for this one as it stands (RFC 6750, section 3)"),
                  found.door.refusal);
}

bool shows_challenge(const wire::HttpHeaders& headers) {
  return std::ranges::any_of(headers.fields(), [](const auto& field) {
    return equals_ignoring_case(field.first, "Access-Control-Expose-Headers") &&
           names_header(field.second, "WWW-Authenticate");
  });
}

// Pages of other origins that are let in with a token have to get one first.
Task<Finding> lets_pages_read_it(Probe& probe) {
  const LookedUp found = co_await look_up(probe);
  if (!found.door.shut) co_return not_for_it(found.door.open);
  wire::HttpHeaders headers = probe.user_headers();
  headers.set("Origin", kInspectorPage);
  const Reply usual = co_await knock_with(probe, found.door.way, headers);
  headers.erase("Authorization");
  const Reply refused = co_await knock_with(probe, found.door.way, headers);
  if (!may_read(usual) && !may_read(refused)) {
    co_return not_for_it("it lets no pages of other origins in");
  }
  const std::string breaks = ": clients in a browser, such as MCP Inspector, cannot sign in";
  if (!may_read(refused)) {
    co_return about(risky("it lets pages of other origins in, and its 401 has no "
                          "Access-Control-Allow-Origin" +
                          breaks),
                    refused);
  }
  const bool leads = !found.door.bearer.all("resource_metadata").empty();
  if (leads && !shows_challenge(refused.headers)) {
    co_return about(risky("it lets pages of other origins in, and Access-Control-Expose-Headers of "
                          "its 401 does not name WWW-Authenticate" +
                          breaks),
                    refused);
  }
  if (!found.metadata.document.is_object()) co_return passes();
  wire::HttpHeaders from_page;
  from_page.set("Origin", kInspectorPage);
  const Reply metadata = co_await fetch_with(probe, std::move(from_page), found.metadata.where);
  if (may_read(metadata) || metadata.status != 200) co_return passes();
  co_return about(risky("it lets pages of other origins in, and " + found.metadata.where +
                        " has no Access-Control-Allow-Origin" + breaks),
                  metadata);
}

constexpr ServerCheck kChallengeChecks[] = {
    {"auth.challenge-well-formed", Eras::kBoth, SessionUse::kOpens, writes_it_by_its_grammar},
    {"auth.challenge-for-pages", Eras::kBoth, SessionUse::kOpens, lets_pages_read_it},
};

}  // namespace

ServerChecks challenge_checks() { return kChallengeChecks; }

}  // namespace plumbline::conformance
