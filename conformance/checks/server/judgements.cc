#include "conformance/checks/server/judgements.h"

#include <algorithm>
#include <utility>

namespace plumbline::conformance {

namespace {

std::string listed(std::initializer_list<std::int64_t> codes) {
  std::string text;
  for (const std::int64_t code : codes) text += (text.empty() ? "" : " or ") + std::to_string(code);
  return text.empty() ? "an error" : "error " + text;
}

bool is_client_error(int status) { return status >= 400 && status < 500; }
bool is_server_error(int status) { return status >= 500; }

Finding refused(const Reaction& reaction, std::initializer_list<std::int64_t> codes) {
  if (!reaction.alive) return broken("it no longer answers, expected " + listed(codes));
  if (reaction.unanswered > Duration{}) {
    return broken("got " + reaction.describe() + ", expected " + listed(codes) +
                  " or a status of 4xx; the server answers other requests");
  }
  if (const Json* const response = reaction.error()) {
    const std::optional<std::int64_t> code = find_int((*response)["error"], "code");
    if (code && std::ranges::find(codes, *code) != codes.end()) return passes();
    // No page says which of several faults is told first.
    return risky("got " + reaction.describe() + ", expected " + listed(codes));
  }
  if (is_client_error(reaction.status)) return passes();
  if (is_server_error(reaction.status)) {
    return risky("got " + reaction.describe() + ": refused, but 5xx says that it is the server " +
                 "that is wrong; expected " + listed(codes) + " or a status of 4xx");
  }
  if (reaction.status == 0 && reaction.response() == nullptr) {
    return risky("it was dropped without a word; JSON-RPC 2.0 answers with " + listed(codes));
  }
  return broken("got " + reaction.describe() + ", expected " + listed(codes));
}

}  // namespace

Finding expect_error(const Reply& reply, std::initializer_list<std::int64_t> codes) {
  if (reply.resumable && !reply.answered())
    return undecided("the rest of its stream was not awaited");
  const std::optional<std::int64_t> code = reply.code();
  const bool one = codes.size() == 0 || (code && std::ranges::find(codes, *code) != codes.end());
  if (reply.error() != nullptr && one) return passes();
  return about(broken("got " + reply.describe() + ", expected " + listed(codes)), reply);
}

Finding expect_result(const Reply& reply) {
  if (reply.resumable && !reply.answered())
    return undecided("the rest of its stream was not awaited");
  if (reply.result() != nullptr) return passes();
  return about(broken("got " + reply.describe() + ", expected a result"), reply);
}

Finding expect_refused(const Reaction& reaction, std::initializer_list<std::int64_t> codes) {
  return about(refused(reaction, codes), reaction);
}

Finding shuts_out(const std::string& when, const Reply& opening) {
  return about(broken(when + ", initialize got " + opening.describe() +
                      ", expected a session of its own: whoever comes second, or comes back after "
                      "a crash, is shut out"),
               opening);
}

std::vector<Evidence> evidence_of(const Json& message) {
  return {Evidence{0, "<-", message, true}};
}

Finding showing(Finding finding, const Json& message) {
  finding.evidence = evidence_of(message);
  return finding;
}

}  // namespace plumbline::conformance
