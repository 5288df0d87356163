// Values of as many members as can be, for shapes_test.cc: what a conversation may not bring up.

#pragma once

#include <string_view>

namespace plumbline::conformance {

struct ShapeSample {
  std::string_view shape;
  std::string_view value;
};

inline constexpr ShapeSample kShapeSamples[] = {
    {"request initialize", R"({"protocolVersion":"x","clientInfo":{"name":"a","version":"1",
      "title":"t","description":"d","websiteUrl":"http://a","icons":[{"src":"http://a",
      "mimeType":"a/b","sizes":["1x1"],"theme":"dark"}]},"capabilities":{"experimental":{"a":{}},
      "roots":{"listChanged":true},"sampling":{"tools":{},"context":{}},"elicitation":{"form":{},
      "url":{}},"tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},
      "elicitation":{"create":{}}}}}})"},
    {"result initialize", R"({"protocolVersion":"x","instructions":"i","serverInfo":{"name":"a",
      "version":"1"},"capabilities":{"experimental":{"a":{}},"logging":{},"completions":{},
      "prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},
      "tools":{"listChanged":false},"tasks":{"list":{},"cancel":{},"requests":{"tools":
      {"call":{}}}}}})"},
    {"result server/discover", R"({"resultType":"complete","ttlMs":1,"cacheScope":"public",
      "supportedVersions":["a"],"instructions":"i","capabilities":{"extensions":{"a/b":{}}},
      "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"a","version":"1"}}})"},
    {"result tools/list", R"({"resultType":"complete","ttlMs":1,"cacheScope":"public",
      "nextCursor":"c","tools":[{"name":"a","title":"t","description":"d","_meta":{"a":1},
      "icons":[{"src":"http://a"}],"inputSchema":{"$schema":"s","type":"object","properties":
      {"a":{}},"required":["a"]},"outputSchema":{"type":"object","properties":{"a":{}},
      "required":["a"]},"annotations":{"title":"t","readOnlyHint":true,"destructiveHint":true,
      "idempotentHint":true,"openWorldHint":true},"execution":{"taskSupport":"optional"}}]})"},
    {"request tools/call", R"({"name":"a","arguments":{"a":1},"task":{"ttl":5},"requestState":"s",
      "inputResponses":{"a":{"action":"accept","content":{"a":["b"]}},"b":{"roots":[{"uri":"a:b",
      "name":"n"}]}},"_meta":{"progressToken":"a","io.modelcontextprotocol/protocolVersion":"v",
      "io.modelcontextprotocol/clientCapabilities":{"extensions":{"a/b":{}}},
      "io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},
      "io.modelcontextprotocol/logLevel":"info"}})"},
    {"result tools/call", R"({"resultType":"complete","isError":true,"structuredContent":{"a":1},
      "_meta":{"a":1},"content":[{"type":"text","text":"a","_meta":{},"annotations":{"audience":
      ["user"],"priority":1,"lastModified":"d"}}]})"},
    {"result tools/call",
     R"({"resultType":"complete","content":[{"type":"image","data":"","mimeType":"a/b"}]})"},
    {"result tools/call",
     R"({"resultType":"complete","content":[{"type":"audio","data":"","mimeType":"a/b"}]})"},
    {"result tools/call", R"({"resultType":"complete","content":[{"type":"resource","resource":
      {"uri":"a:b","text":"t","mimeType":"a/b","_meta":{}}}]})"},
    {"result tools/call", R"({"resultType":"complete","content":[{"type":"resource_link","uri":
      "a:b","name":"n","title":"t","size":5,"mimeType":"a/b","description":"d","icons":[]}]})"},
    {"result prompts/list", R"({"resultType":"complete","ttlMs":1,"cacheScope":"private",
      "prompts":[{"name":"a","title":"t","description":"d","arguments":[{"name":"a","title":"t",
      "description":"d","required":true}]}]})"},
    {"result prompts/get", R"({"resultType":"complete","description":"d","messages":[{"role":"user",
      "content":{"type":"text","text":"a"}}]})"},
    {"request prompts/get", R"({"name":"a","arguments":{"a":"b"},"_meta":{
      "io.modelcontextprotocol/protocolVersion":"v",
      "io.modelcontextprotocol/clientCapabilities":{}}})"},
    {"result resources/list", R"({"resultType":"complete","ttlMs":1,"cacheScope":"private",
      "resources":[{"name":"a","title":"t","uri":"a:b","description":"d","mimeType":"a/b","size":5,
      "annotations":{"audience":["assistant"],"priority":0},"_meta":{}}]})"},
    {"result resources/templates/list", R"({"resultType":"complete","ttlMs":1,"cacheScope":"public",
      "resourceTemplates":[{"name":"a","title":"t","uriTemplate":"a:{b}","description":"d",
      "mimeType":"a/b","annotations":{"priority":0}}]})"},
    {"result resources/read", R"({"resultType":"complete","ttlMs":1,"cacheScope":"public",
      "contents":[{"uri":"a:b","blob":"","mimeType":"a/b"}]})"},
    {"request resources/subscribe", R"({"uri":"a:b"})"},
    {"request logging/setLevel", R"({"level":"debug"})"},
    {"request subscriptions/listen", R"({"notifications":{"toolsListChanged":true,
      "promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["a:b"]},
      "_meta":{"io.modelcontextprotocol/protocolVersion":"v",
      "io.modelcontextprotocol/clientCapabilities":{}}})"},
    {"result subscriptions/listen",
     R"({"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":7}})"},
    {"request completion/complete", R"({"ref":{"type":"ref/prompt","name":"a"},"argument":{
      "name":"a","value":"b"},"context":{"arguments":{"a":"b"}},"_meta":{
      "io.modelcontextprotocol/protocolVersion":"v",
      "io.modelcontextprotocol/clientCapabilities":{}}})"},
    {"request completion/complete",
     R"({"ref":{"type":"ref/resource","uri":"a:{b}"},"argument":{"name":"a","value":"b"}})"},
    {"result completion/complete",
     R"({"resultType":"complete","completion":{"values":["a"],"total":5,"hasMore":true}})"},
    {"request sampling/createMessage", R"({"messages":[{"role":"user","content":{"type":"text",
      "text":"a"}}],"maxTokens":5,"systemPrompt":"s","includeContext":"none","temperature":1,
      "stopSequences":["a"],"metadata":{"a":1},"modelPreferences":{"hints":[{"name":"a"}],
      "costPriority":0,"speedPriority":1,"intelligencePriority":1},"task":{"ttl":5},
      "tools":[{"name":"a","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"auto"}})"},
    {"request sampling/createMessage", R"({"maxTokens":5,"messages":[{"role":"user","content":[{
      "type":"tool_result","toolUseId":"a","content":[{"type":"text","text":"a"}],"isError":true,
      "structuredContent":{"a":1}}]}]})"},
    {"result sampling/createMessage", R"({"role":"assistant","model":"m","stopReason":"endTurn",
      "content":{"type":"image","data":"","mimeType":"a/b"}})"},
    {"result sampling/createMessage", R"({"role":"assistant","model":"m","content":[{
      "type":"tool_use","id":"a","name":"b","input":{"a":1}}]})"},
    {"request elicitation/create", R"({"message":"m","mode":"form","task":{"ttl":5},
      "requestedSchema":{"$schema":"s","type":"object","required":["a"],"properties":{"a":{
      "type":"string","title":"t","description":"d","minLength":1,"maxLength":2,"format":"email",
      "default":"d"}}}})"},
    {"request elicitation/create", R"({"message":"m","requestedSchema":{"type":"object",
      "properties":{"b":{"type":"number","minimum":1,"maximum":2,"default":1}}}})"},
    {"request elicitation/create", R"({"message":"m","requestedSchema":{"type":"object",
      "properties":{"b":{"type":"boolean","default":true}}}})"},
    {"request elicitation/create", R"({"message":"m","requestedSchema":{"type":"object",
      "properties":{"b":{"type":"string","enum":["a"],"enumNames":["b"],"default":"a"}}}})"},
    {"request elicitation/create", R"({"message":"m","requestedSchema":{"type":"object",
      "properties":{"b":{"type":"string","oneOf":[{"const":"a","title":"b"}]}}}})"},
    {"request elicitation/create", R"({"message":"m","requestedSchema":{"type":"object",
      "properties":{"b":{"type":"array","minItems":1,"maxItems":2,"default":["a"],"items":{
      "type":"string","enum":["a"]}}}}})"},
    {"request elicitation/create", R"({"message":"m","requestedSchema":{"type":"object",
      "properties":{"b":{"type":"array","items":{"anyOf":[{"const":"a","title":"b"}]}}}}})"},
    {"request elicitation/create",
     R"({"message":"m","mode":"url","url":"http://a","elicitationId":"e"})"},
    {"result elicitation/create", R"({"action":"accept","content":{"a":"b"}})"},
    {"result roots/list", R"({"roots":[{"uri":"file:///a","name":"n","_meta":{"a":1}}]})"},
    {"request tasks/get", R"({"taskId":"t"})"},
    {"result tasks/get", R"({"taskId":"t","status":"working","statusMessage":"m","createdAt":"c",
      "lastUpdatedAt":"l","ttl":null,"pollInterval":5})"},
    {"result tasks/list", R"({"nextCursor":"c","tasks":[{"taskId":"t","status":"failed",
      "createdAt":"c","lastUpdatedAt":"l","ttl":5}]})"},
    {"notification notifications/cancelled", R"({"requestId":1,"reason":"r","_meta":{"a":1}})"},
    {"notification notifications/progress",
     R"({"progressToken":1,"progress":1,"total":2,"message":"m"})"},
    {"notification notifications/message", R"({"level":"info","logger":"l","data":{"a":1}})"},
    {"notification notifications/tools/list_changed",
     R"({"_meta":{"io.modelcontextprotocol/subscriptionId":7}})"},
    {"notification notifications/resources/updated", R"({"uri":"a:b"})"},
    {"notification notifications/elicitation/complete", R"({"elicitationId":"e"})"},
    {"notification notifications/tasks/status", R"({"taskId":"t","status":"completed",
      "createdAt":"c","lastUpdatedAt":"l","ttl":5})"},
    {"notification notifications/subscriptions/acknowledged",
     R"({"notifications":{"toolsListChanged":true}})"},
};

}  // namespace plumbline::conformance
