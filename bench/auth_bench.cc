// What an authorization costs each request: the header of a token that is kept, and the judging of
// one that is shown, beside its signature alone.

#include <chrono>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/auth/admission/access_token.h"
#include "core/auth/crypto/signing_key.h"
#include "core/auth/memory_secret_store.h"
#include "core/auth/oauth_authorizer.h"
#include "core/base/base64.h"
#include "core/base/check.h"
#include "fakes/world/sim_doors.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"

namespace plumbline::auth {
namespace {

// Of nobody: made for this.
constexpr const char* kEdKey =
    R"(-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIFMT45tifpnJAeIjA/GMGTewaPZ5ArT8YLPncqIKEme0
-----END PRIVATE KEY-----)";
constexpr const char* kEdPublic =
    R"({"crv":"Ed25519","x":"qIK3HfIRdZwq6hqGPFsMpX9Kcq2ZUNxECfLy9SSqARw","kty":"OKP"})";
constexpr const char* kEcKey =
    R"(-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgViuuVmLYVy2LEjG+
qUtLKhLe7S9gWcfkcWwO5jcwFyqhRANCAATnRESY39a0TkWOBiIG8jzBL3I/DUhK
uLYYZjvGJX40mPDOaTG83pohjzBra8GU/9I0J2GvFqnjeCyb0VUIdxhL
-----END PRIVATE KEY-----)";
constexpr const char* kEcPublic =
    R"({"kty":"EC","x":"50REmN_WtE5FjgYiBvI8wS9yPw1ISri2GGY7xiV-NJg","y":"8M5pMbzemiGPM)"
    R"(GtrwZT_0jQnYa8WqeN4LJvRVQh3GEs","crv":"P-256"})";
constexpr const char* kRsaKey =
    R"(-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCwnEIFqgTWve3X
Co9N7kgAp29t8qzuh9twZaU1IjJGsL/QKJT6GlvUxhZL0ZzaZl6Q+RRuCoyTyfdT
tXKhN/FLrKCaMpa9Q3yaAFRWR1u1K2k60OSWEI7sBQBLGS1e736bgFabrj2OWvIw
KPSfa/4X6uE33XW2StPJrMgIY5eTntyr6u/H1yNkFu02OCQSleNqREOmjTMpdUsT
p3mbxrYQWQOVV7eddpbF6d1xEwRAQrM1EVIIssXwrBZXS+1jFIkkzriOwfEf+16Q
owiNzuFDP3LW3bSzzXshnc/co9uyPWwkYdoE+bmowUI0dnVakM+n2jfZSC069S+a
yQIcGhoDAgMBAAECggEAFgSdHIyqRsVuAfnAjPQwiNhXBYuUMLbCTlx1wM6PGw4N
E9wDWrzvhvLdM72hwv6xOny7Jc7t4Lz0tzxvWpcZX5hZe2/kKBtiTObOnOUPk2Ii
n+EMJoNQ9i7XbwVoCSZtj+Brq8QIy5ceC5AHk1qI1p2DT44uDzh79/AxDg6whog6
MCDpIpTVHs25AXKJ+k94ciLfZppINrwdigB6anshUTYnyFzpVMNLBJUingA6pnNB
OjYxlYIFdNmiETAyg7ea1x9HQxvWqhVx3XmJauhIhxziKFK3bPXPfxQAHq4HpStT
bOp6Q4gKcRvi+zXOeNOqN6yBCcLWCaifHCQ0lpUowQKBgQDXEtqWuVYZQWPZFreh
ipy3byLkjjrlpvMq3xf3RjNvh4kPf3k/hG83vbYKo3trEKznJ1A6GsY5Jo0onBf8
h+jxmng80Gg0h7dwnZUwvbkciILbugrVvLrkpGw0dLEcQwnt1y5OaBLRSGwpqhyi
pE8d2ezhqSdAT+lDiocnViV9wQKBgQDSN7Ijpq+LxLUvED3mYELneD7ioOSZRUZZ
2lrDjbihPwaY2GuhY2BUjiiZqhz9mZ3MAf3SXZK4uKp8KFMkMlk1us4ZCO8KuWFO
GEumMzLAuOAMxjmyD30aZraHIOHNcwZLLOqhL1LZHOEl6pApw62d9eJpJr+hKC+5
+H9eQ/9QwwKBgQCjVmJEDcVhsNOPzzzupkKW3QR25727I6uRZ5Tf6qStkxV4e6st
nfqJLr7OHZJhoWxusOCxAByC0tBpgwKEewNiWZnvNaeuHVQnZsYjGjM3hEU9cnFA
GfEmK+kxfV30xMUJqF42lbuUzZe3nMXaj0a2uQa56qkwon/ZF5/FNBuNAQKBgCgv
XW5TPtuJDtmgUTTo0eFNqzfHaeuiwoAKra8UOGcalThCptCDHrcLNdeqHUCdTPzi
pJLCMHn/UxfI3ZvdxA/xVdSTUJ7MMT2sh0mOH/WXYb0PZ5gSPef+GoZaUs/jXSCh
xXhqg3vdeWy2Gjjhnx7DEjTno1o7RGRYjICInxXhAoGAGNbBENTdiwKedCjPgTMN
NvB1WzMKRZuHFJFRmXccyDGVsMMdMFQ1oq78TVOK7jxEX4Wf6C8l458SxiX79kH8
f+omeVvq36qyG/Xlwfj0F0TiXMXsyS1Hn6+aUMSGf53E8fJPIrOHOSFOtMXpjUAN
SWQecJK7PMdvlOlk4V380QA=
-----END PRIVATE KEY-----)";
constexpr const char* kRsaPublic =
    R"({"kty":"RSA","n":"sJxCBaoE1r3t1wqPTe5IAKdvbfKs7ofbcGWlNSIyRrC_0CiU-hpb1MYWS9Gc2m)"
    R"(ZekPkUbgqMk8n3U7VyoTfxS6ygmjKWvUN8mgBUVkdbtStpOtDklhCO7AUASxktXu9-m4BWm649jlryMC)"
    R"(j0n2v-F-rhN911tkrTyazICGOXk57cq-rvx9cjZBbtNjgkEpXjakRDpo0zKXVLE6d5m8a2EFkDlVe3nX)"
    R"(aWxendcRMEQEKzNRFSCLLF8KwWV0vtYxSJJM64jsHxH_tekKMIjc7hQz9y1t20s817IZ3P3KPbsj1sJG)"
    R"(HaBPm5qMFCNHZ1WpDPp9o32UgtOvUvmskCHBoaAw","e":"AQAB"})";

constexpr Duration kNow = std::chrono::seconds(1'900'000'000);

struct Pair {
  Pair(const char* secret, const char* open)
      : token(SigningKey::read(secret).value().sign({{"iss", "https://as.example"},
                                                     {"aud", {"https://mcp.example/mcp"}},
                                                     {"sub", "somebody"},
                                                     {"scope", "mcp:use"},
                                                     {"exp", 1'900'000'600}})) {
    keys.push_back(VerifyingKey::read(parse_json(open).value()).value());
  }

  std::string token;
  std::vector<VerifyingKey> keys;
};

void judge(benchmark::State& state, const char* secret, const char* open) {
  const Pair pair(secret, open);
  const TokenRules rules{"https://as.example", "https://mcp.example/mcp"};
  for (auto unused : state) {
    check(judge_token(pair.token, pair.keys, rules, kNow).ok(), "a good token is refused");
  }
}

void verify_alone(benchmark::State& state, const char* secret, const char* open) {
  const Pair pair(secret, open);
  const std::size_t dot = pair.token.rfind('.');
  const std::string text = pair.token.substr(0, dot);
  const std::string signature = decode_base64url(pair.token.substr(dot + 1)).value();
  for (auto unused : state) {
    check(pair.keys[0].verifies(text, signature), "a good signature is refused");
  }
}

BENCHMARK_CAPTURE(judge, RS256, kRsaKey, kRsaPublic);
BENCHMARK_CAPTURE(verify_alone, RS256, kRsaKey, kRsaPublic);
BENCHMARK_CAPTURE(judge, ES256, kEcKey, kEcPublic);
BENCHMARK_CAPTURE(verify_alone, ES256, kEcKey, kEcPublic);
BENCHMARK_CAPTURE(judge, EdDSA, kEdKey, kEdPublic);
BENCHMARK_CAPTURE(verify_alone, EdDSA, kEdKey, kEdPublic);

void header_of_a_kept_token(benchmark::State& state) {
  fakes::SimLoop loop;
  fakes::SimNetwork network(loop, fakes::PipeOptions(), Rng(1));
  const fakes::SimWallClock clock(loop, kNow);
  MemorySecretStore secrets;
  TokenManager tokens({loop, clock, secrets, network, nullptr, {}});
  const wire::Url url = wire::parse_url("https://mcp.example/mcp").value();
  OAuthAuthorizer authorizer(loop, url, tokens, nullptr, "");
  Token token;
  token.server = "https://mcp.example/mcp";
  token.access_token = std::string(800, 't');
  token.obtained = kNow;
  Task<Status> stored = tokens.store(token);
  stored.start();
  check(stored.done() && stored.result().ok(), "the token is not kept");
  for (auto unused : state) {
    Task<Result<wire::HttpHeaders>> headers = authorizer.headers_for(url);
    headers.start();
    benchmark::DoNotOptimize(headers.result().value());
  }
}
BENCHMARK(header_of_a_kept_token);

}  // namespace
}  // namespace plumbline::auth
