#include "conformance/oracles/oracle_cases_fixture.h"

#include <iterator>

#include "conformance/catalogue/requirement.h"

namespace plumbline::conformance {

namespace {

using enum OracleCase::Sides;

constexpr OracleCase kCases[] = {
    {"jsonrpc.version-is-2.0", kNewestStateful, kBoth, "c 1 ping\n s =1 {}",
     R"(c 1 ping
        s raw {"id":1,"result":{}})"},
    {"jsonrpc.conforms-to-2-0", kNewestStateful, kBoth,
     "c 1 ping\n s =1 {}\n s - notifications/x {}", "c 1 ping\n s =1 {}\n s =1 {}"},
    {"jsonrpc.conforms-to-2-0", kNewestStateful, kBoth, "c 1 ping\n s !1 {}", "c 1 ping\n s =2 {}"},
    {"jsonrpc.conforms-to-2-0", kNewestStateful, kBoth,
     R"(c raw {"jsonrpc":"2.0","id":7}
        s !7 {})",
     R"(s raw {"jsonrpc":"2.0","id":7})"},
    {"jsonrpc.conforms-to-2-0", kNewestStateless, kBoth, "c 1 ping\n s !null {}", "s raw 17"},
    {"jsonrpc.conforms-to-2-0", kNewestStateless, kBoth, "s - notifications/message {}",
     R"(s raw [{"jsonrpc":"2.0","method":"notifications/message","params":{}}])"},
    {"jsonrpc.request-id-string-or-integer", kNewestStateful, kBoth, "s 1 ping\n s \"a\" ping",
     "s 1.5 ping"},
    {"jsonrpc.request-id-string-or-integer", kNewestStateful, kBoth, "s 1 ping",
     R"(s raw {"jsonrpc":"2.0","id":{},"method":""})"},
    {"jsonrpc.request-id-not-null", kNewestStateful, kBoth, "s 1 ping", "s null ping"},
    {"jsonrpc.request-id-not-null", kNewestStateful, kBoth, "s 1 ping",
     R"(s raw {"jsonrpc":"2.0","id":null,"method":""})"},
    {"jsonrpc.request-id-unique-in-session", kNewestStateful, kBoth,
     "c 1 ping\n s 1 ping\n s \"1\" ping", "s 1 ping\n c =1 {}\n s 1 ping"},
    {"jsonrpc.response-result-xor-error", kNewestStateful, kBoth, "c 1 ping\n s =1 {}",
     R"(c 1 ping
        s raw {"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}})"},
    {"jsonrpc.result-field-present", kNewestStateless, kServer, "c 1 tools/list\n s =1 {}",
     R"(c 1 tools/list
        s raw {"jsonrpc":"2.0","id":1})"},
    {"jsonrpc.result-is-object", kNewestStateful, kBoth, "c 1 ping\n s =1 {}",
     "c 1 ping\n s =1 true"},
    {"jsonrpc.notification-no-id", kNewestStateful, kBoth, "s - notifications/progress {}",
     "s 5 notifications/progress {}"},
    {"jsonrpc.params-by-name", kNewestStateful, kBoth, R"(s 1 ping {"_meta":{}})",
     R"(s raw {"jsonrpc":"2.0","id":1,"method":"ping","params":[1]})"},
    {"jsonrpc.params-by-name", kNewestStateful, kBoth, R"(s 1 ping {"_meta":{}})",
     R"(s raw {"jsonrpc":"2.0","id":1,"method":"","params":7})"},
    {"jsonrpc.no-batching", kNewestStateful, kBoth, "c 1 ping\n s =1 {}",
     R"(c 1 ping
        s raw [{"jsonrpc":"2.0","id":1,"result":{}}])"},
    {.id = "jsonrpc.no-batching",
     .revision = kNewestStateful,
     .good = "c 1 ping\n s =1 {}",
     .bad = R"(c raw [{"jsonrpc":"2.0","id":1,"method":"ping"}]
               s raw [{"jsonrpc":"2.0","id":1,"result":{}}])",
     .risky = true},
    {"jsonrpc.notifications-known", kNewestStateful, kServer,
     "s - notifications/tools/list_changed {}", "s - codex/event {}"},
    {"stdio.single-message-lines", kNewestStateful, kBoth, "c 1 ping\n s =1 {}",
     R"(c 1 ping
        s raw [{"jsonrpc":"2.0","id":1,"result":{}}])"},
    {"jsonrpc.server-sends-no-requests", kNewestStateless, kServer, "c 1 tools/list\n s =1 {}",
     "s 1 roots/list"},
    {"base.transport-delivers-patterns", kNewestStateless, kServer, "c 1 tools/list\n s =1 {}",
     "s 1 roots/list"},
    {"base.transport-delivers-patterns", kNewestStateless, kClient, "c 1 tools/list\n s =1 {}",
     "s 1 roots/list\n c =1 {}"},

    {"jsonrpc.error-object-code-message", kNewestStateful, kBoth,
     R"(c 1 ping
        s !1 {"code":1,"message":"no"})",
     R"(c 1 ping
        s !1 {"code":1,"message":null})"},
    {"jsonrpc.error-code-integer", kNewestStateful, kBoth,
     R"(c 1 ping
        s !1 {"code":1,"message":"no"})",
     R"(c 1 ping
        s !1 {"code":"1","message":"no"})"},
    {"jsonrpc.error-message-concise", kNewestStateful, kBoth,
     R"(c 1 ping
        s !1 {"code":1,"message":"no"})",
     R"(c 1 ping
        s !1 {"code":1,"message":"no\n  at line 5"})"},
    {"jsonrpc.error-code-legacy-range-unused", kNewestStateless, kBoth,
     R"(c 1 tools/list
        s !1 {"code":-32601,"message":"no"})",
     R"(c 1 tools/list
        s !1 {"code":-32001,"message":"no"})"},
    {"jsonrpc.error-code-reserved-range-undefined", kNewestStateless, kBoth,
     R"(c 1 tools/list
        s !1 {"code":-32022,"message":"no"})",
     R"(c 1 tools/list
        s !1 {"code":-32023,"message":"no"})"},
    {"jsonrpc.error-code-defined-meaning", kNewestStateless, kBoth,
     R"(c 1 tools/list
        s !1 {"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"x"}})",
     R"(c 1 tools/list
        s !1 {"code":-32022,"message":"no"})"},
    {"jsonrpc.error-code-defined-meaning", kNewestStateless, kBoth,
     R"(c 1 tools/call
        s !1 {"code":-32021,"message":"no","data":{"requiredCapabilities":{"roots":{}}}})",
     R"(c 1 tools/call
        s !1 {"code":-32020,"message":"no"})"},
    {"jsonrpc.error-code-retired", kNewestStateless, kServer,
     R"(c 1 resources/read
        s !1 {"code":-32602,"message":"no"})",
     R"(c 1 resources/read
        s !1 {"code":-32002,"message":"no"})"},
    {"jsonrpc.error-code-custom-outside-reserved", kNewestStateless, kBoth,
     R"(c 1 tools/list
        s !1 {"code":-31000,"message":"no"})",
     R"(c 1 tools/list
        s !1 {"code":-32500,"message":"no"})"},

    {"base.meta-prefix-syntax", kNewestStateful, kBoth, R"(s 1 ping {"_meta":{"com.example/a":1}})",
     R"(s 1 ping {"_meta":{"com..example/a":1}})"},
    {"base.meta-prefix-syntax", kNewestStateless, kBoth,
     R"(s - notifications/x {"_meta":{"a1.b-c/d":1}})",
     R"(s - notifications/x {"_meta":{"1a/d":1}})"},
    {"base.meta-label-charset", kNewestStateful, kBoth,
     R"(s 1 ping {"_meta":{"com.ex-ample/a":1}})", R"(s 1 ping {"_meta":{"com.example-/a":1}})"},
    {"base.meta-prefix-reverse-dns", kNewestStateful, kBoth,
     R"(s 1 ping {"_meta":{"com.example/a":1}})", R"(s 1 ping {"_meta":{"example.com/a":1}})"},
    {"base.meta-name-syntax", kNewestStateful, kBoth,
     R"(s 1 ping {"_meta":{"a_b.c":1,"com.example/":1}})", R"(s 1 ping {"_meta":{"_a":1}})"},
    {"base.meta-reserved-prefix-not-used", kNewestStateful, kBoth,
     R"(s 1 ping {"_meta":{"com.example.mcp/a":1,"io.modelcontextprotocol/related-task":{}}})",
     R"(s 1 ping {"_meta":{"com.mcp.tools/a":1}})"},
    {.id = "base.meta-reserved-prefix-not-used",
     .revision = kNewestStateful,
     .good = R"(s 1 ping {"_meta":{"com.example/a":1}})",
     .bad = R"(s 1 ping {"_meta":{"io.modelcontextprotocol/new":1}})",
     .risky = true},
    {"base.trace-context-format", kNewestStateless, kBoth,
     "s - notifications/x {\"_meta\":{\"tracestate\":\"a=1,b=2\",\"traceparent\":"
     "\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\"}}",
     R"(s - notifications/x {"_meta":{"traceparent":"00-0-0-01"}})"},
    {"versioning.extension-id-naming", kNewestStateless, kServer,
     R"(c 1 server/discover
        s =1 {"capabilities":{"extensions":{"com.example/a":{}}}})",
     R"(c 1 server/discover
        s =1 {"capabilities":{"extensions":{"plain":{}}}})"},
    {"versioning.extension-id-naming", kNewestStateless, kClient,
     R"(c 1 x {"_meta":{"mcp:clientCapabilities":{"extensions":{"a.b/c":{}}}}})",
     R"(c 1 x {"_meta":{"mcp:clientCapabilities":{"extensions":{"a.b/c":1}}}})"},

    {"base.utf8-encoding", kNewestStateful, kBoth, "s - notifications/x {\"a\":\"\xC3\xA9\"}",
     "s text {\"a\":\"\xE9\xE9\"}"},
    {.id = "base.utf8-encoding",
     .revision = kNewestStateful,
     .good = R"(s - notifications/x {"a":"\ud83c\udf55"})",
     .bad = R"(s text {"jsonrpc":"2.0","id":1,"result":{"a":"\ud83c\udf55 \ud83c"}})",
     .risky = true},
    {"jsonrpc.conforms-to-2-0", kNewestStateful, kBoth, "c 1 ping\n s =1 {}",
     R"(s text {"jsonrpc":"2.0","id":1,"result":{"mean":NaN}})"},
    {"stdio.stdout-only-mcp", kNewestStateful, kServer, "c 1 ping\n s =1 {}",
     "s text Server is ready"},
    {"stdio.newline-delimited", kNewestStateful, kBoth, "c 1 ping\n s =1 {}",
     R"(s text {"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0","method":"x"})"},
    {"stdio.no-embedded-newlines", kNewestStateful, kBoth, "c 1 ping\n s =1 {}",
     R"(s text {"jsonrpc":"2.0",
        s text  "id":1,
        s text  "result":{}})"},
};

}  // namespace

std::vector<OracleCase> oracle_cases() {
  std::vector<OracleCase> all(std::begin(kCases), std::end(kCases));
  const std::span<const OracleCase> more = oracle_cases_of_sessions();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace plumbline::conformance
