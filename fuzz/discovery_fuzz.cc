// Any bytes as what servers answer to somebody who looks for the authorization server: a challenge,
// then a line an answer, "STATUS BODY". The search comes to its end in few steps, asks nobody that
// it must not ask, and the answers of the other steps are read without a crash.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/auth/steps/addresses.h"
#include "core/auth/steps/client.h"
#include "core/auth/steps/discovery.h"
#include "core/auth/steps/grant.h"
#include "core/base/check.h"
#include "fuzz/script.h"

namespace {

using namespace plumbline;

constexpr int kSearchStepsMax = 10;

wire::HttpResponse response_of(std::string_view line) {
  wire::HttpResponse answer;
  answer.status = static_cast<int>(fuzzing::take_number(line));
  answer.body = std::string(line);
  return answer;
}

// check_place: what a public server names is https, and no machine that only we can reach.
void check_place(const wire::Url& url) {
  check(url.scheme == "https", "somebody is asked in the clear");
  check(!auth::is_private(url.host), "a private machine is asked");
}

void check_found(const auth::Found& found, const wire::Url& server) {
  check(auth::covers(found.resource, server), "a token is asked for another resource");
  check_place(wire::parse_url(found.server.token_endpoint).value());
}

void read_answers(const wire::HttpResponse& answer, const auth::ServerMetadata& server) {
  (void)auth::advice_on(answer);
  check(auth::refusal_of(answer).find('\n') == std::string::npos, "a refusal is one line");
  const auto token = auth::read_token_answer(answer, {"read"});
  if (token.ok()) check(!token.value().access_token.empty(), "a token is something");
  const auto client = auth::read_registration(answer, server, "http://127.0.0.1/back");
  if (!client.ok()) return;
  check(!client.value().id.empty(), "a client has an id");
  check(auth::read_client(to_json(client.value())) == client.value(), "a client is kept whole");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view script(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(script.find('\n'), script.size());
  wire::HttpHeaders headers;
  headers.add("WWW-Authenticate", std::string(script.substr(0, end)));
  script.remove_prefix(std::min(end + 1, script.size()));
  const wire::Url server = wire::parse_url("https://mcp.example/a/mcp").value();
  const bool oldest = size % 2 == 1;
  auth::Discovery search(server, auth::challenge_of(headers),
                         oldest ? mcp::Revision::k2025_03_26 : mcp::Revision::k2025_11_25);
  int steps = 0;
  fuzzing::for_each_line(script, [&](std::string_view line) {
    const wire::HttpResponse answer = response_of(line);
    read_answers(answer, {});
    const std::optional<wire::Url> place = search.next();
    if (!place) return;
    check(++steps <= kSearchStepsMax, "the search does not end");
    check_place(*place);
    search.take(answer);
  });
  while (search.next()) {
    check(++steps <= kSearchStepsMax, "the search does not end");
    search.take(Error{ErrorCode::kDisconnected, "nobody answers"});
  }
  if (search.result().ok()) check_found(search.result().value(), server);
  return 0;
}
