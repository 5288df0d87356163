// Wrong gateways that change what is handed back, and what is handed on.

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kSpoken = kNewestStateful;

std::string name_asked(const Interceptor& interceptor, const Json& message) {
  const Json asked = interceptor.asked(message);
  const Json* const name = at_pointer(asked, "/params/name");
  return name != nullptr && name->is_string() ? name->get<std::string>() : "";
}

// rich_without passes the result of rich on without what `path` names.
void rich_without(Interceptor& interceptor, Json message, std::string_view path) {
  if (name_asked(interceptor, message) == "rich") edit::erase_at(message, path);
  interceptor.say(message);
}

// lacking passes a response to `method` on without what `path` names.
void lacking(Interceptor& interceptor, Json message, std::string_view method,
             std::string_view path) {
  if (interceptor.method_asked(message) == method) edit::erase_at(message, path);
  interceptor.say(message);
}

// asked_without passes a request of `method` on without what `path` names.
void asked_without(Interceptor& interceptor, Json message, std::string_view method,
                   std::string_view path) {
  if (string_or(message, "method", "") == method) edit::erase_at(message, path);
  interceptor.pass(message);
}

// not_found answers a request of `method` by itself.
void not_found(Interceptor& interceptor, Json message, std::string_view method) {
  if (string_or(message, "method", "") != method) return interceptor.pass(message);
  Json response(Json::value_t::object);
  response["jsonrpc"] = "2.0";
  response["id"] = message["id"];
  response["error"]["code"] = -32601;
  response["error"]["message"] = "Method not found";
  interceptor.say(response);
}

Deviation from_server(std::string_view id, std::string_view what,
                      void (*change)(Interceptor&, Json), std::vector<std::string_view> also = {}) {
  Deviation deviation{id, kSpoken, Transport::kHttp, what, change};
  deviation.also = std::move(also);
  return deviation;
}

Deviation from_client(std::string_view id, std::string_view what,
                      void (*change)(Interceptor&, Json), std::vector<std::string_view> also = {}) {
  Deviation deviation{id, kSpoken, Transport::kHttp, what};
  deviation.from_client_message = change;
  deviation.also = std::move(also);
  return deviation;
}

std::vector<Deviation> of_calls() {
  std::vector<Deviation> all;
  all.push_back(from_server("gateway.keeps-content", "keeps the first item of content alone",
                            [](Interceptor& interceptor, Json message) {
                              if (name_asked(interceptor, message) == "rich") {
                                Json& content = message["result"]["content"];
                                content = Json::array({content.front()});
                              }
                              interceptor.say(message);
                            }));
  all.push_back(
      from_server("gateway.keeps-text", "trims text", [](Interceptor& interceptor, Json message) {
        if (name_asked(interceptor, message) == "rich") {
          message["result"]["content"][0]["text"] = "First";
        }
        interceptor.say(message);
      }));
  all.push_back(from_server("gateway.keeps-media", "says that audio is an octet-stream",
                            [](Interceptor& interceptor, Json message) {
                              if (name_asked(interceptor, message) == "rich") {
                                message["result"]["content"][2]["mimeType"] =
                                    "application/octet-stream";
                              }
                              interceptor.say(message);
                            }));
  all.push_back(from_server("gateway.keeps-resource-links", "drops titles of links",
                            [](Interceptor& interceptor, Json message) {
                              rich_without(interceptor, std::move(message),
                                           "/result/content/*/title");
                            }));
  all.push_back(from_server("gateway.keeps-embedded-resources", "drops types of what is embedded",
                            [](Interceptor& interceptor, Json message) {
                              rich_without(interceptor, std::move(message),
                                           "/result/content/*/resource/mimeType");
                            }));
  all.push_back(from_server("gateway.keeps-content-annotations", "drops annotations of content",
                            [](Interceptor& interceptor, Json message) {
                              rich_without(interceptor, std::move(message),
                                           "/result/content/*/annotations");
                            }));
  all.push_back(from_server("gateway.keeps-content-meta", "drops _meta of content",
                            [](Interceptor& interceptor, Json message) {
                              rich_without(interceptor, std::move(message),
                                           "/result/content/*/_meta");
                            }));
  all.push_back(from_server("gateway.keeps-structured-content", "drops structuredContent of rich",
                            [](Interceptor& interceptor, Json message) {
                              rich_without(interceptor, std::move(message),
                                           "/result/structuredContent");
                            }));
  all.push_back(from_server("gateway.keeps-result-meta", "drops _meta of the result of rich",
                            [](Interceptor& interceptor, Json message) {
                              rich_without(interceptor, std::move(message), "/result/_meta");
                            }));
  all.push_back(from_server(
      "gateway.keeps-is-error", "drops isError", [](Interceptor& interceptor, Json message) {
        lacking(interceptor, std::move(message), "tools/call", "/result/isError");
      }));
  all.push_back(from_server("gateway.keeps-failures", "drops the structure of failures",
                            [](Interceptor& interceptor, Json message) {
                              if (at_pointer(message, "/result/isError")) {
                                message["result"].erase("structuredContent");
                              }
                              interceptor.say(message);
                            }));
  all.push_back(from_client("gateway.keeps-request-meta", "drops _meta of requests but the token",
                            [](Interceptor& interceptor, Json message) {
                              asked_without(interceptor, std::move(message), "tools/call",
                                            "/params/_meta/plumbline.dev~1asked");
                            }));
  all.push_back(from_client("gateway.keeps-empty-arguments", "drops arguments that are null",
                            [](Interceptor& interceptor, Json message) {
                              asked_without(interceptor, std::move(message), "tools/call",
                                            "/params/arguments/null");
                            },
                            {"gateway.keeps-values"}));
  return all;
}

std::vector<Deviation> of_features() {
  std::vector<Deviation> all;
  all.push_back(from_client("gateway.passes-prompts", "knows no prompts/get",
                            [](Interceptor& interceptor, Json message) {
                              not_found(interceptor, std::move(message), "prompts/get");
                            }));
  all.push_back(from_server("gateway.keeps-prompt-messages", "drops _meta in messages of prompts",
                            [](Interceptor& interceptor, Json message) {
                              lacking(interceptor, std::move(message), "prompts/get",
                                      "/result/messages/*/content/_meta");
                            }));
  all.push_back(from_client("gateway.keeps-prompt-requests", "drops an argument of prompts",
                            [](Interceptor& interceptor, Json message) {
                              asked_without(interceptor, std::move(message), "prompts/get",
                                            "/params/arguments/tone");
                            }));
  all.push_back(from_client("gateway.passes-resources", "knows no resources/read",
                            [](Interceptor& interceptor, Json message) {
                              not_found(interceptor, std::move(message), "resources/read");
                            }));
  all.push_back(from_server("gateway.keeps-resource-text", "hands back the first item alone",
                            [](Interceptor& interceptor, Json message) {
                              lacking(interceptor, std::move(message), "resources/read",
                                      "/result/contents/1/text");
                            }));
  all.push_back(from_server("gateway.keeps-resource-blobs", "calls blobs text",
                            [](Interceptor& interceptor, Json message) {
                              if (at_pointer(message, "/result/contents/0/blob")) {
                                Json& item = message["result"]["contents"][0];
                                item["text"] = item["blob"];
                                item.erase("blob");
                              }
                              interceptor.say(message);
                            }));
  all.push_back(from_server("gateway.keeps-contents-types", "drops mimeType of what is read",
                            [](Interceptor& interceptor, Json message) {
                              lacking(interceptor, std::move(message), "resources/read",
                                      "/result/contents/*/mimeType");
                            }));
  all.push_back(from_server("gateway.keeps-contents-meta", "drops _meta of what is read",
                            [](Interceptor& interceptor, Json message) {
                              lacking(interceptor, std::move(message), "resources/read",
                                      "/result/contents/*/_meta");
                            }));
  all.push_back(from_client("gateway.passes-completion", "knows no completion/complete",
                            [](Interceptor& interceptor, Json message) {
                              not_found(interceptor, std::move(message), "completion/complete");
                            }));
  all.push_back(from_server("gateway.keeps-completions", "drops total of completions",
                            [](Interceptor& interceptor, Json message) {
                              lacking(interceptor, std::move(message), "completion/complete",
                                      "/result/completion/total");
                            }));
  all.push_back(from_client("gateway.keeps-completion-requests", "drops context of completions",
                            [](Interceptor& interceptor, Json message) {
                              asked_without(interceptor, std::move(message), "completion/complete",
                                            "/params/context");
                            }));
  all.push_back(from_client("gateway.passes-log-level", "knows no logging/setLevel",
                            [](Interceptor& interceptor, Json message) {
                              not_found(interceptor, std::move(message), "logging/setLevel");
                            }));
  all.push_back(from_client("gateway.passes-subscriptions", "knows no resources/subscribe",
                            [](Interceptor& interceptor, Json message) {
                              not_found(interceptor, std::move(message), "resources/subscribe");
                            }));
  all.push_back(from_server("gateway.keeps-resource-errors", "answers -32603 for -32002",
                            [](Interceptor& interceptor, Json message) {
                              if (at_pointer(message, "/error/data/uri")) {
                                message["error"]["code"] = -32603;
                              }
                              interceptor.say(message);
                            }));
  all.push_back(from_server("gateway.keeps-error-messages", "puts its name before errors",
                            [](Interceptor& interceptor, Json message) {
                              if (at_pointer(message, "/error/data/uri")) {
                                message["error"]["message"] = "MCP error: not found";
                              }
                              interceptor.say(message);
                            }));
  return all;
}

// first_line reads events of one line of data alone.
bool first_line(const wire::HttpRequest& request, wire::SseEvent& event) {
  const bool calls = request.body.find("\"tools/call\"") != std::string::npos;
  return !calls || event.data.find('\n') == std::string::npos;
}

}  // namespace

std::vector<Deviation> result_deviations() {
  std::vector<Deviation> all = of_calls();
  for (Deviation& one : of_features()) all.push_back(std::move(one));
  Deviation reader{"gateway.reads-streams", kSpoken, Transport::kHttp,
                   "drops events of several lines"};
  reader.event = first_line;
  all.push_back(std::move(reader));
  return all;
}

}  // namespace plumbline::conformance
