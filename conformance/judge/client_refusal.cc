#include "conformance/judge/client_refusal.h"

#include <algorithm>

#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance {

namespace {

// is_modern returns whether a request is one of a stateless revision.
bool is_modern(const Heard& message) {
  if (!message.is_request()) return false;
  return message.method() == "server/discover" || message.meta(kMetaVersion) != nullptr;
}

// listens_alone returns whether all that came over HTTP was a GET.
bool listens_alone(const Record& record) {
  return record.http.size() > 1 &&
         std::ranges::all_of(record.http.begin() + 1, record.http.end(),
                             [](const HttpHeard& heard) { return heard.request.method == "GET"; });
}

}  // namespace

std::string refusal_of(const Record& record) {
  if (!record.spawned) return record.why_ended;
  const bool in_order = !record.exit || (record.exit->code == 0 && record.exit->signal == 0);
  if (!record.connected() && !in_order) {
    return "the client did not connect: " + record.how_it_ended();
  }
  if (record.requests().empty() && listens_alone(record)) {
    return "the client asked for a stream and sent nothing, as over HTTP+SSE: " +
           record.how_it_ended();
  }
  if (record.requests().empty()) return {};
  const bool opens = !record.requests("initialize").empty();
  const bool modern = record.first(is_modern) != nullptr;
  const bool speaks = record.stateless() ? modern || !opens : opens || !modern;
  if (!speaks) return "the client does not speak " + record.revision;
  return {};
}

}  // namespace plumbline::conformance
