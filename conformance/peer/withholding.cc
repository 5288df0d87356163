#include "conformance/peer/withholding.h"

#include <memory>
#include <string>
#include <utility>

#include "conformance/peer/opening.h"
#include "conformance/peer/withheld.h"
#include "core/base/text.h"
#include "core/json/json.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kRefusalEntries = 2;  // initialize and its answer.

// may_be_for_what_is_declared returns whether initialize was refused, and not for who asks, where,
// or by which version.
bool may_be_for_what_is_declared(const Reply& refusal) {
  if (refusal.result() != nullptr || refusal.status == 401 || refusal.status == 403) return false;
  if (refusal.status == 404 || refusal.status == 405 || refusal.status == 429) return false;
  if (refusal.error() == nullptr) return refusal.status == 400 || refusal.status / 100 == 5;
  return lower_case(dump_json(*refusal.error())).find("version") == std::string::npos;
}

// takes returns whether initialize with `capabilities` gets a result.
Task<bool> takes(Subject& subject, SessionOptions options, Json capabilities) {
  options.capabilities = std::move(capabilities);
  options.initialized = false;
  Result<std::unique_ptr<Session>> opened = co_await open_session(subject, std::move(options), 0);
  if (!opened.ok()) co_return false;
  const std::unique_ptr<Session> session = std::move(opened).value();
  const bool taken = session->opening().result() != nullptr;
  co_await session->close();
  co_return taken;
}

}  // namespace

Task<void> withhold_what_is_refused(Subject& subject, SessionOptions options, Reply refusal) {
  const Json all = options.capabilities;
  if (!all.is_object() || all.empty() || !may_be_for_what_is_declared(refusal)) co_return;
  if (!co_await takes(subject, options, Json::object())) co_return;
  Withheld found;
  Withheld together;
  for (auto one = all.begin(); one != all.end(); ++one) {
    Json alone = Json::object();
    alone[one.key()] = *one;
    together.capabilities.push_back({one.key(), *one, nullptr});
    if (co_await takes(subject, options, alone)) continue;
    Json bare = Json::object();
    bare[one.key()] = Json::object();
    const bool takes_bare = bare != alone && co_await takes(subject, options, bare);
    found.capabilities.push_back({one.key(), *one, takes_bare ? Json::object() : Json()});
  }
  if (found.capabilities.empty()) found = std::move(together);
  found.refusal = refusal.describe();
  found.evidence = subject.log().evidence_of(0, kRefusalEntries, refusal.places);
  subject.withheld() = std::move(found);
}

}  // namespace plumbline::conformance
