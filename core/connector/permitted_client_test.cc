#include "core/connector/permitted_client.h"

#include <gtest/gtest.h>

#include "core/connector/connector_fixture.h"

namespace plumbline::connector {
namespace {

TEST(PermittedClientTest, WhatAServerMayNotBeAskedIsNeitherFoundNorCalled) {
  TinyLoop loop;
  FakeMcp inner(loop);
  inner.discovery.manifest = manifest_of({tool("a", "write", "Writes."),
                                          resource("a", "notes", "file:///notes", "text/plain"),
                                          tool("b", "write", "Writes.")});
  PermittedClient client(inner, {{"a", {"resources/read"}}});
  Task<Discovery> looking = client.discover();
  looking.start();
  loop.run();
  ASSERT_TRUE(looking.done());
  const Manifest& manifest = looking.result().manifest;
  ASSERT_EQ(manifest.servers.size(), 2U);
  ASSERT_EQ(manifest.servers[0].capabilities.size(), 1U);
  EXPECT_EQ(manifest.servers[0].capabilities[0].name, "notes");
  EXPECT_EQ(manifest.servers[1].capabilities.size(), 1U);

  McpRequest request;
  request.server = "a";
  request.method = "tools/call";
  Task<mcp::Reply<Json>> calling = client.invoke(request);
  calling.start();
  loop.run();
  ASSERT_TRUE(calling.done());
  ASSERT_FALSE(calling.result().ok());
  EXPECT_EQ(calling.result().error().kind, mcp::Failure::Kind::kRefused);
  EXPECT_EQ(calling.result().error().message, "\"a\" may not be asked tools/call");
  EXPECT_TRUE(inner.requests.empty());
}

}  // namespace
}  // namespace plumbline::connector
