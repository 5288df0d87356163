#include "core/auth/admission/method_scopes.h"

#include <algorithm>

#include "core/auth/steps/metadata.h"
#include "core/json/json.h"
#include "core/mcp/protocol/mcp_headers.h"

namespace plumbline::auth {

namespace {

void add_needed(const std::vector<MethodScope>& rules, const Json& message,
                std::vector<std::string>& needed) {
  const std::string method = string_or(message, "method", "");
  const std::string target = transport::mirrored_name(message).value_or("");
  for (const MethodScope& rule : rules) {
    const bool meant = rule.method == method && (rule.target.empty() || rule.target == target);
    if (meant) needed = united(std::move(needed), {rule.scope});
  }
}

}  // namespace

std::vector<std::string> scopes_needed(const std::vector<MethodScope>& rules,
                                       const wire::HttpRequest& request) {
  std::vector<std::string> needed;
  if (rules.empty()) return needed;
  if (request.headers.get("Upgrade")) {
    for (const MethodScope& rule : rules) needed = united(std::move(needed), {rule.scope});
    return needed;
  }
  // What nobody can read nobody carries out.
  const Result<Json> body = parse_json(request.body);
  if (!body.ok()) return needed;
  if (!body.value().is_array()) add_needed(rules, body.value(), needed);
  if (body.value().is_array()) {
    for (const Json& message : body.value()) add_needed(rules, message, needed);
  }
  return needed;
}

}  // namespace plumbline::auth
