#include "conformance/oracles/oracle_cases_fixture.h"

#include "conformance/catalogue/requirement.h"

namespace plumbline::conformance {

namespace {

using enum OracleCase::Sides;

constexpr OracleCase kSessionCases[] = {
    {"progress.token-type", kNewestStateful, kBoth, R"(s 1 ping {"_meta":{"progressToken":"a"}})",
     R"(s 1 ping {"_meta":{"progressToken":1.5}})"},
    {"progress.token-unique", kNewestStateful, kBoth,
     R"(s 1 ping {"_meta":{"progressToken":"a"}}
        c =1 {}
        s 2 ping {"_meta":{"progressToken":"a"}})",
     R"(s 1 ping {"_meta":{"progressToken":"a"}}
        s 2 ping {"_meta":{"progressToken":"a"}})"},
    {"progress.increases", kNewestStateful, kBoth,
     R"(c 1 x {"_meta":{"progressToken":7}}
        s - notifications/progress {"progressToken":7,"progress":1}
        s - notifications/progress {"progressToken":7,"progress":1.5})",
     R"(c 1 x {"_meta":{"progressToken":7}}
        s - notifications/progress {"progressToken":7,"progress":1}
        s - notifications/progress {"progressToken":7,"progress":1})"},
    {"progress.message-informative", kNewestStateful, kBoth,
     R"(s - notifications/progress {"message":"half of it"})",
     R"(s - notifications/progress {"message":""})"},
    {"progress.only-active-tokens", kNewestStateful, kBoth,
     R"(c 1 x {"_meta":{"progressToken":7}}
        s - notifications/progress {"progressToken":7,"progress":1})",
     R"(c 1 x {"_meta":{"progressToken":7}}
        s - notifications/progress {"progressToken":"7","progress":1})"},
    {"progress.only-active-tokens", kNewestStateful, kBoth,
     R"(c 1 x {"_meta":{"progressToken":7}}
        s =1 {}
        c 2 x {"_meta":{"progressToken":8}}
        s - notifications/progress {"progressToken":8,"progress":1}
        s =2 {})",
     R"(c 1 x {"_meta":{"progressToken":7}}
        s =1 {}
        c 2 x {"_meta":{"progressToken":8}}
        s - notifications/progress {"progressToken":7,"progress":1}
        s =2 {})"},
    {"progress.stops-after-completion", kNewestStateful, kBoth,
     R"(c 1 x {"_meta":{"progressToken":7}}
        s - notifications/progress {"progressToken":7,"progress":1}
        s =1 {})",
     R"(c 1 x {"_meta":{"progressToken":7}}
        s =1 {}
        s - notifications/progress {"progressToken":7,"progress":1})"},
    {"progress.stops-after-completion", kNewestStateful, kBoth,
     R"(c 1 x {"_meta":{"progressToken":7}}
        s =1 {"task":{"taskId":"t"}}
        s - notifications/progress {"progressToken":7,"progress":1})",
     R"(c 1 x {"_meta":{"progressToken":7}}
        @2
        s =1 {}
        wait 900
        @3
        s - notifications/progress {"progressToken":7,"progress":1})"},

    {"progress.task-keeps-token", kNewestStateful, kBoth,
     R"(c 1 x {"_meta":{"progressToken":7}}
        s =1 {"task":{"taskId":"t"}}
        s - notifications/progress {"progressToken":7,"progress":1})",
     R"(c 1 x {"_meta":{"progressToken":7}}
        s =1 {"task":{"taskId":"t"}}
        s - notifications/progress {"progressToken":"t","progress":1})"},
    {"progress.task-stops-at-terminal", kNewestStateful, kBoth,
     R"(c 1 x {"_meta":{"progressToken":7}}
        s =1 {"task":{"taskId":"t"}}
        c 2 tasks/get {"taskId":"t"}
        s =2 {"taskId":"t","status":"working"}
        s - notifications/progress {"progressToken":7,"progress":1})",
     R"(c 1 x {"_meta":{"progressToken":7}}
        s =1 {"task":{"taskId":"t"}}
        c 2 tasks/get {"taskId":"t"}
        s =2 {"taskId":"t","status":"completed"}
        s - notifications/progress {"progressToken":7,"progress":1})"},
    {"cancellation.tasks-use-own-method", kNewestStateful, kBoth, "s 1 tasks/cancel",
     R"(s 1 x
        c =1 {"task":{"taskId":"t"}}
        wait 900
        s - notifications/cancelled {"requestId":1})"},

    {"cancellation.references-own-in-flight", kNewestStateful, kBoth,
     R"(s 1 ping
        s - notifications/cancelled {"requestId":1})",
     R"(c 1 ping
        s - notifications/cancelled {"requestId":1})"},
    {"cancellation.references-own-in-flight", kNewestStateful, kBoth,
     R"(s 1 ping
        s - notifications/cancelled {"requestId":1}
        c =1 {})",
     R"(s 1 ping
        c =1 {}
        wait 900
        s - notifications/cancelled {"requestId":1})"},
    {"cancellation.request-id-present", kNewestStateful, kBoth,
     R"(s - notifications/cancelled {"requestId":1})",
     R"(s - notifications/cancelled {"reason":"bored"})"},
    {"cancellation.server-cancelled-only-for-listen", kNewestStateless, kServer,
     R"(c 1 subscriptions/listen
        s - notifications/cancelled {"requestId":1})",
     R"(c 1 tools/call
        s - notifications/cancelled {"requestId":1})"},
    {"cancellation.no-response-after", kNewestStateful, kBoth,
     R"(c 1 tools/call
        c - notifications/cancelled {"requestId":1}
        wait 100
        s =1 {})",
     R"(c 1 tools/call
        c - notifications/cancelled {"requestId":1}
        c 2 ping
        s =2 {}
        wait 900
        s =1 {})"},
    {"cancellation.no-response-after", kNewestStateful, kServer,
     R"(c 1 tools/call {"name":"slow"}
        s =1 {"content":[]}
        c 2 tools/call {"name":"slow"}
        c - notifications/cancelled {"requestId":2}
        s =2 {"content":[]})",
     R"(c 1 tools/call {"name":"slow"}
        s =1 {"content":[]}
        c 2 tools/call {"name":"slow"}
        c - notifications/cancelled {"requestId":2}
        s !2 {"code":0,"message":"Request cancelled"})"},
    {"cancellation.no-response-after", kNewestStateful, kServer,
     R"(c 1 tools/call {"name":"slow"}
        s =1 {"content":[]}
        c 2 tools/call {"name":"slow"}
        c - notifications/cancelled {"requestId":2}
        s =2 {"content":[{"type":"text","text":"It is too long"}],"isError":true})",
     R"(c 1 tools/call {"name":"slow"}
        s =1 {"content":[]}
        c 2 tools/call {"name":"slow"}
        c - notifications/cancelled {"requestId":2}
        s =2 {"content":[{"type":"text","text":"Request cancelled"}],"isError":true})"},
    {"cancellation.no-response-after", kNewestStateful, kServer,
     R"(@1
        c 1 tools/call
        @2
        c - notifications/cancelled {"requestId":1}
        @3
        c 2 ping
        s =2 {}
        wait 900
        @1
        s =1 {}
        @2
        status 202)",
     R"(@1
        c 1 tools/call
        @2
        c - notifications/cancelled {"requestId":1}
        status 202
        @3
        c 2 ping
        s =2 {}
        wait 900
        @1
        s =1 {})"},
    {"cancellation.no-messages-after-cancel", kNewestStateless, kServer,
     R"(c 1 tools/call {"_meta":{"progressToken":7}}
        c - notifications/cancelled {"requestId":1}
        wait 900
        s - notifications/progress {"progressToken":7,"progress":1}
        c 2 tools/list
        s =2 {})",
     R"(c 1 tools/call {"_meta":{"progressToken":7}}
        c - notifications/cancelled {"requestId":1}
        c 2 tools/list
        s =2 {}
        wait 900
        s - notifications/progress {"progressToken":7,"progress":1})"},
    {"cancellation.no-messages-after-cancel", kNewestStateless, kServer,
     R"(c 1 tools/call {"name":"slow"}
        c - notifications/cancelled {"requestId":1}
        c 2 tools/list
        s =2 {}
        s !1 {"code":-32800,"message":"cancelled"})",
     R"(c 0 tools/call {"name":"slow"}
        s =0 {}
        c 1 tools/call {"name":"slow"}
        c - notifications/cancelled {"requestId":1}
        c 2 tools/list
        s =2 {}
        s !1 {"code":-32800,"message":"cancelled"})"},
    {"cancellation.no-messages-after-cancel", kNewestStateless, kServer,
     R"(c 1 subscriptions/listen {}
        s - notifications/subscriptions/acknowledged {"_meta":{"mcp:subscriptionId":1}}
        c - notifications/cancelled {"requestId":1})",
     R"(c 1 subscriptions/listen {}
        s - notifications/subscriptions/acknowledged {"_meta":{"mcp:subscriptionId":1}}
        c - notifications/cancelled {"requestId":1}
        s =1 {})"},
    {"cancellation.no-messages-after-cancel", kNewestStateless, kServer,
     R"(c 1 subscriptions/listen {}
        s - notifications/subscriptions/acknowledged {"_meta":{"mcp:subscriptionId":1}}
        c - notifications/cancelled {"requestId":1})",
     R"(c 1 subscriptions/listen {}
        s - notifications/subscriptions/acknowledged {"_meta":{"mcp:subscriptionId":1}}
        c - notifications/cancelled {"requestId":1}
        s !1 {"code":-32800,"message":"cancelled"})"},

    {"logging.capability-declared", kNewestStateless, kServer,
     R"(c 1 server/discover
        s =1 {"capabilities":{"logging":{}}}
        s - notifications/message {"level":"info","data":1})",
     R"(c 1 server/discover
        s =1 {"capabilities":{}}
        s - notifications/message {"level":"info","data":1})"},
    {"logging.level-values", kNewestStateful, kServer,
     R"(s - notifications/message {"level":"info","data":1})",
     R"(s - notifications/message {"level":"INFO","data":1})"},
    {"logging.level-values", kNewestStateful, kServer,
     R"(c 1 logging/setLevel {"level":"verbose"}
        s !1 {"code":-32602,"message":"no"}
        s - notifications/message {"level":"alert","data":null})",
     R"(c 1 logging/setLevel {"level":"notice"}
        s !1 {"code":-32602,"message":"no"})"},
    {"logging.level-values", kNewestStateful, kServer,
     R"(c raw {"jsonrpc":"[","id":1,"method":"logging/setLevel","params":{"level":"error"}}
        s !1 {"code":-32600,"message":"no"}
        s - notifications/message {"level":"alert","data":null})",
     R"(c raw {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"error"}}
        s !1 {"code":-32600,"message":"no"})"},
    {"logging.no-message-without-level", kNewestStateless, kServer,
     R"(c 1 x {"_meta":{"io.modelcontextprotocol/logLevel":"info"}}
        s - notifications/message {"level":"info","data":1}
        s =1 {})",
     R"(c 1 x {"_meta":{"io.modelcontextprotocol/logLevel":"info"}}
        s =1 {}
        wait 900
        c 2 x
        s - notifications/message {"level":"info","data":1})"},
    {"logging.below-level-suppressed", kNewestStateless, kServer,
     R"(c 1 x {"_meta":{"io.modelcontextprotocol/logLevel":"info"}}
        s - notifications/message {"level":"notice","data":1})",
     R"(c 1 x {"_meta":{"io.modelcontextprotocol/logLevel":"info"}}
        s - notifications/message {"level":"debug","data":1})"},
    {"logging.only-on-request-stream", kNewestStateless, kServer,
     R"(@1
        c 1 tools/call
        s - notifications/message {"level":"notice","data":1})",
     R"(@1
        c 1 subscriptions/listen
        s - notifications/message {"level":"notice","data":1})"},

    {.id = "lifecycle.server-waits-for-initialized",
     .revision = kNewestStateful,
     .side = kServer,
     .good = R"(c 0 initialize {"protocolVersion":"2025-11-25"}
                s =0 {"protocolVersion":"2025-11-25"}
                wait 200
                s 1 ping
                c - notifications/initialized
                s 2 roots/list)",
     .bad = R"(c 0 initialize {"protocolVersion":"2025-11-25"}
               s =0 {"protocolVersion":"2025-11-25"}
               wait 200
               s 2 roots/list
               c - notifications/initialized)",
     .greeted = false},
    {"lifecycle.only-negotiated-capabilities", kNewestStateful, kServer, "s 1 roots/list",
     "s 1 sampling/createMessage {}"},
    {"lifecycle.only-negotiated-capabilities", kNewestStateful, kServer, "c 1 tools/call\n s =1 {}",
     "s - notifications/tools/list_changed"},
    {"lifecycle.only-negotiated-capabilities", kNewestStateful, kClient, "c 1 tools/list",
     "c 1 prompts/list"},
    {"lifecycle.no-undeclared-client-capability", kNewestStateless, kServer,
     R"(c 1 tools/call {"_meta":{"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}
        s =1 {"inputRequests":{"a":{"method":"roots/list"}}})",
     R"(c 1 tools/call {"_meta":{"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}
        s =1 {"inputRequests":{"a":{"method":"sampling/createMessage"}}})"},
    {"lifecycle.respect-negotiated-version", "2025-03-26", kServer, "s 1 ping",
     "s 1 elicitation/create"},
    {"lifecycle.respect-negotiated-version", kNewestStateful, kClient, "c 1 tasks/get",
     "c - notifications/tasks"},
    {"versioning.single-version-per-session", kNewestStateful, kBoth, "c 1 tools/call\n s =1 {}",
     R"(c 1 tools/call
        s =1 {"resultType":"input_required"})"},
    {"base.result-type-required", kNewestStateless, kServer,
     R"(c 1 tools/list
        s =1 {"resultType":"complete"})",
     R"(c 1 tools/list
        s =1 {})"},
    {"base.result-type-known-set", kNewestStateless, kServer,
     R"(c 1 x {"_meta":{"io.modelcontextprotocol/clientCapabilities":{"extensions":{"a.b/c":{}}}}}
        s =1 {"resultType":"c"})",
     R"(c 1 x {"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}
        s =1 {"resultType":"c"})"},
    {"mrtr.unsupported-methods", kNewestStateless, kServer,
     R"(c 1 completion/complete
        s =1 {"resultType":"complete"})",
     R"(c 1 completion/complete
        s =1 {"resultType":"input_required"})"},
    {"subscriptions.close-result-subscription-id", kNewestStateless, kServer,
     R"(c 1 subscriptions/listen
        s =1 {"_meta":{"io.modelcontextprotocol/subscriptionId":1}})",
     R"(c 1 subscriptions/listen
        s =1 {"_meta":{"io.modelcontextprotocol/subscriptionId":"1"}})"},
    {"lifecycle.server-info-on-results", kNewestStateless, kServer,
     R"(c 1 x
        s =1 {"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}})",
     R"(c 1 x
        s =1 {"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"}}})"},

    {"schema.content-types-by-revision", "2024-11-05", kServer,
     R"(c 1 tools/call
        s =1 {"content":[{"type":"text","text":"a"}]})",
     R"(c 1 tools/call
        s =1 {"content":[{"type":"audio","data":"","mimeType":"a/b"}]})"},
    {"schema.content-types-by-revision", kNewestStateful, kBoth,
     R"(c 1 sampling/createMessage {"messages":[]}
        s =1 {"content":[{"type":"tool_use"}]})",
     R"(c 1 sampling/createMessage {"messages":[]}
        s =1 {"content":{"type":"resource"}})"},
    {"schema.schemas-valid", kNewestStateful, kServer,
     R"(c 1 tools/list
        s =1 {"tools":[{"name":"a","inputSchema":{"type":"object"}}]})",
     R"(c 1 tools/list
        s =1 {"tools":[{"name":"a","inputSchema":{"type":"objekt"}}]})"},
    {"schema.schemas-valid", kNewestStateful, kBoth,
     R"(s 1 elicitation/create {"requestedSchema":{"type":"object"}})",
     R"(s 1 elicitation/create {"requestedSchema":{"type":"object","required":"a"}})"},
    {"schema.prefer-2020-12", kNewestStateful, kBoth,
     R"(s 1 elicitation/create {"requestedSchema":{"type":"object"}})",
     R"(s 1 elicitation/create {"requestedSchema":{"$schema":"https://example.com/mine"}})"},
    {"schema.messages-validate", kNewestStateful, kBoth, "c 1 ping\n s =1 {}",
     R"(c 1 roots/list
        s =1 {"roots":[{"name":"no uri"}]})"},
    {"schema.messages-validate", kNewestStateful, kBoth,
     R"(s - notifications/progress {"progressToken":1,"progress":1})",
     "s - notifications/progress"},
    // The id that a server makes of what is none is no other request's.
    {"schema.messages-validate", kNewestStateful, kServer,
     R"(@1
        c 1 tools/list {}
        s =1 {"tools":[]}
        @2
        c raw {"jsonrpc":"2.0","id":1.5,"method":"ping"}
        s raw {"jsonrpc":"2.0","id":1,"result":{}})",
     R"(@1
        c 1 tools/list {}
        s =1 {})",
     true, false, true},
    {"schema.messages-validate", kNewestStateless, kServer,
     R"(c 1 tools/call
        s =1 {"resultType":"complete","content":[],"structuredContent":[1]})",
     R"(c 1 tools/call
        s =1 {"resultType":"complete","content":[{"type":"text"}]})"},
};

}  // namespace

std::span<const OracleCase> oracle_cases_of_sessions() { return kSessionCases; }

}  // namespace plumbline::conformance
