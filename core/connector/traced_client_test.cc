#include "core/connector/traced_client.h"

#include <vector>

#include <gtest/gtest.h>

#include "core/connector/connector_fixture.h"

namespace plumbline::connector {
namespace {

class SpanNotes final : public trace::SpanSink {
 public:
  void on_span(trace::Span span) override { spans.push_back(std::move(span)); }
  std::vector<trace::Span> spans;
};

class TracedClientTest : public testing::Test {
 protected:
  void invoke(McpClient& client, McpRequest request) {
    Task<mcp::Reply<Json>> calling = client.invoke(std::move(request));
    calling.start();
    loop_.run();
    ASSERT_TRUE(calling.done());
  }

  static McpRequest call(const std::string& parent) {
    McpRequest request;
    request.server = "files";
    request.method = "tools/call";
    request.params = {{"name", "read"}, {"arguments", {{"path", "/secret"}}}};
    name_parent(request, parent);
    return request;
  }

  TinyLoop loop_;
  FakeMcp inner_{loop_};
  SpanNotes notes_;
  Redactor redactor_;
  trace::Tracer tracer_{loop_, Duration(), [](std::size_t count) { return std::string(count, 7); },
                        redactor_, notes_};
};

TEST_F(TracedClientTest, TheServerIsToldTheSpanOfTheCall) {
  TracedClient client(inner_, &tracer_);
  invoke(client, call("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
  ASSERT_EQ(notes_.spans.size(), 1U);
  const trace::Span& span = notes_.spans[0];
  EXPECT_EQ(span.name, "tools/call read");
  EXPECT_EQ(span.parent_id, "b7ad6b7169203331");
  EXPECT_EQ(std::get<std::string>(span.attributes.at("mcp.method.name")), "tools/call");
  EXPECT_EQ(std::get<std::string>(span.attributes.at("gen_ai.tool.name")), "read");
  ASSERT_EQ(inner_.requests.size(), 1U);
  EXPECT_EQ(parent_in(inner_.requests[0].params), trace::traceparent(span.context));
  EXPECT_EQ(span.context.trace_id, "0af7651916cd43dd8448eb211c80319c");
}

TEST_F(TracedClientTest, WithoutATracerTheRequestIsPassedOnAsItIs) {
  TracedClient client(inner_, nullptr);
  invoke(client, call(""));
  ASSERT_EQ(inner_.requests.size(), 1U);
  EXPECT_EQ(inner_.requests[0].params, call("").params);
  McpRequest odd;
  odd.params = {{"_meta", "no object"}};
  name_parent(odd, "x");
  EXPECT_EQ(odd.params, (Json{{"_meta", "no object"}}));
  EXPECT_EQ(parent_in(Json{{"_meta", {{"traceparent", 7}}}}), "");
}

TEST_F(TracedClientTest, WhatGoesWrongIsToldWithoutWhatWasSaid) {
  TracedClient client(inner_, &tracer_);
  inner_.replies = {error_result("no such file as /secret"), mcp::Failure(-32602, "unknown tool"),
                    mcp::Failure(mcp::Failure::Kind::kTimeout, "no answer")};
  for (int i = 0; i < 3; ++i) invoke(client, call(""));
  std::vector<std::string> types;
  for (const trace::Span& span : notes_.spans) {
    types.push_back(std::get<std::string>(span.attributes.at("error.type")));
    EXPECT_EQ(span.error->find("/secret"), std::string::npos);
  }
  EXPECT_EQ(types, (std::vector<std::string>{"tool_error", "-32602", "timeout"}));
}

}  // namespace
}  // namespace plumbline::connector
