#include "core/connector/registry/listing.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/connector/connector_fixture.h"

namespace plumbline::registry {
namespace {

constexpr const char* kRegistry = "https://registry.example/agents";

wire::Url url(std::string_view text) { return wire::parse_url(text).value(); }

wire::HttpResponse page(std::string body) { return {200, {{"ETag", "\"1\""}}, std::move(body)}; }

std::string agent(const std::string& id, const std::string& endpoint) {
  return R"({"id": ")" + id + R"(", "endpoint": ")" + endpoint + R"("})";
}

std::string own(const std::string& id) { return agent(id, "https://registry.example/" + id); }

Listing listing_of(AllowedOrigins allowed = {}, ListingBounds bounds = {}) {
  return Listing(url(kRegistry), std::move(allowed), {}, bounds);
}

// refusal_of returns the line that one agent at `endpoint` gets, empty where it is taken.
std::string refusal_of(const std::string& endpoint, AllowedOrigins allowed = {}) {
  Listing listing = listing_of(std::move(allowed));
  EXPECT_TRUE(listing.take(page("[" + agent("a", endpoint) + "]")).ok());
  const Listed listed = listing.finish();
  EXPECT_EQ(listed.agents.size() + listed.refused.size(), 1U);
  return listed.refused.empty() ? "" : listed.refused.front();
}

TEST(ListingTest, BothFormsOfAListAreRead) {
  for (const std::string& body : {"[" + own("a") + "," + own("b") + "]",
                                  R"({"agents": [)" + own("a") + "," + own("b") + "]}"}) {
    Listing listing = listing_of();
    ASSERT_TRUE(listing.take(page(body)).ok());
    EXPECT_FALSE(listing.next().has_value());
    const Listed listed = listing.finish();
    EXPECT_EQ(listed.agents.size(), 2U);
    EXPECT_EQ(listed.agents.at("b").address.target, "/b");
    EXPECT_EQ(listed.agents.at("b").descriptor.name, "b");
    EXPECT_EQ(listed.cut, "");
    EXPECT_EQ(listed.etag, "\"1\"");
  }
}

TEST(ListingTest, PagesFollowTheirCursorsUntilOneComesAgain) {
  Listing listing = listing_of();
  ASSERT_TRUE(listing.take(page(R"({"agents": [)" + own("a") + R"(], "nextCursor": "x&y"})")).ok());
  ASSERT_TRUE(listing.next().has_value());
  EXPECT_EQ(listing.next()->target, "/agents?cursor=x%26y");
  ASSERT_TRUE(listing.take(page(R"({"agents": [)" + own("b") + R"(], "nextCursor": "x&y"})")).ok());
  EXPECT_FALSE(listing.next().has_value());
  const Listed listed = listing.finish();
  EXPECT_EQ(listed.agents.size(), 2U);
  EXPECT_EQ(listed.cut, "it names the same \"nextCursor\" again");
  EXPECT_EQ(listed.etag, "");
}

TEST(ListingTest, PagesAgentsAndBytesAreBounded) {
  const auto endless = [](ListingBounds bounds) {
    Listing listing = listing_of({}, bounds);
    for (int i = 0; listing.next(); ++i) {
      const std::string n = std::to_string(i);
      EXPECT_LT(i, 60);
      EXPECT_TRUE(
          listing.take(page(R"({"agents": [)" + own(n) + R"(], "nextCursor": ")" + n + R"("})"))
              .ok());
    }
    return listing.finish();
  };
  EXPECT_EQ(endless({5, 1U << 20U, 100}).agents.size(), 5U);
  EXPECT_EQ(endless({50, 1U << 20U, 7}).agents.size(), 7U);
  const Listed few = endless({50, 300, 100});
  EXPECT_LT(few.agents.size(), 5U);
  EXPECT_NE(few.cut, "");
}

TEST(ListingTest, WhatIsNoListIsAnErrorThatNamesTheRegistry) {
  for (const wire::HttpResponse& bad :
       {page("<html>"), page("{}"), page("3"), page(R"({"agents": {}})"),
        wire::HttpResponse{500, {}, "[]"}, wire::HttpResponse{302, {{"Location", "/b"}}, ""}}) {
    Listing listing = listing_of();
    const Status taken = listing.take(bad);
    ASSERT_FALSE(taken.ok()) << bad.body;
    EXPECT_TRUE(taken.error().message.starts_with(kRegistry)) << taken.error().message;
    EXPECT_FALSE(listing.next().has_value());
  }
}

TEST(ListingTest, ALaterPageThatFailsCutsTheList) {
  Listing listing = listing_of();
  ASSERT_TRUE(listing.take(page(R"({"agents": [)" + own("a") + R"(], "nextCursor": "2"})")).ok());
  ASSERT_TRUE(listing.lose({ErrorCode::kDisconnected, "it went away"}).ok());
  const Listed listed = listing.finish();
  EXPECT_EQ(listed.agents.size(), 1U);
  EXPECT_EQ(listed.cut, "it went away");
}

TEST(ListingTest, OneBadEntryCostsOnlyItself) {
  Listing listing = listing_of();
  ASSERT_TRUE(listing
                  .take(page("[3," + own("a") + R"(,{"id": "b"},)" + own("a") +
                             R"(,{"id": "c\u202e", "endpoint": "https://registry.example/"},)" +
                             R"({"id": "d", "endpoint": "https://registry.example/d",
                                 "capabilities": [{"name": "x", "type": "skill"}]},)" +
                             R"({"id": "e", "endpoint": "https://registry.example/e",
                                 "supportedProtocols": ["a2a"]}])"))
                  .ok());
  const Listed listed = listing.finish();
  EXPECT_EQ(listed.agents.size(), 1U);
  ASSERT_EQ(listed.refused.size(), 6U);
  EXPECT_EQ(listed.refused[0], "page 1 /0: an agent is a number, expected an object");
  EXPECT_EQ(listed.refused[1], "page 1 /2: an agent has no \"endpoint\", expected a string");
  EXPECT_EQ(listed.refused[2], "agent \"a\": its id is listed twice");
  EXPECT_NE(listed.refused[3].find("page 1 /4/id: \"id\" holds characters"), std::string::npos);
  EXPECT_NE(listed.refused[4].find("page 1 /5/capabilities/0/type"), std::string::npos);
  EXPECT_NE(listed.refused[5].find("expected mcp"), std::string::npos);
}

TEST(ListingTest, ARegistryLeadsNobodyWhereHeDidNotWantToGo) {
  EXPECT_EQ(refusal_of("https://registry.example/mcp"), "");
  EXPECT_EQ(refusal_of("wss://registry.example/mcp"), "");
  EXPECT_NE(refusal_of("https://registry.example:8443/mcp").find("at another origin"),
            std::string::npos);
  EXPECT_NE(refusal_of("https://other.example/mcp").find("at another origin"), std::string::npos);
  EXPECT_NE(refusal_of("http://registry.example/mcp").find("neither https nor wss"),
            std::string::npos);
  EXPECT_NE(refusal_of("ftp://registry.example/mcp").find("no address"), std::string::npos);
  EXPECT_NE(refusal_of("https://{base}/mcp").find("holds a variable"), std::string::npos);
  EXPECT_NE(refusal_of("https://me:pw@registry.example/").find("no address"), std::string::npos);

  AllowedOrigins any;
  ASSERT_TRUE(read_origin("any", any).ok());
  EXPECT_EQ(refusal_of("https://other.example/mcp", any), "");
  for (const char* endpoint :
       {"https://10.0.0.1/mcp", "http://127.0.0.1/mcp", "https://169.254.169.254/",
        "https://[fd00::1]/", "https://printer.local/", "https://0x7f000001/"}) {
    EXPECT_NE(refusal_of(endpoint, any).find("a private address"), std::string::npos) << endpoint;
  }

  AllowedOrigins these;
  ASSERT_TRUE(read_origin("wss://10.0.0.1/anything", these).ok());
  EXPECT_EQ(refusal_of("https://10.0.0.1/mcp", these), "");
  EXPECT_NE(refusal_of("https://10.0.0.2/mcp", these), "");
  EXPECT_FALSE(read_origin("nowhere", these).ok());
}

TEST(ListingTest, LookAlikesAreWarnedOf) {
  Listing listing(url(kRegistry), {}, {"email"}, {});
  ASSERT_TRUE(listing.take(page("[" + own("ernail") + "," + own("email") + "]")).ok());
  const Listed listed = listing.finish();
  EXPECT_EQ(listed.agents.size(), 2U);
  EXPECT_EQ(listed.warnings,
            std::vector<std::string>{"\"ernail\" looks like \"email\", and is another"});
}

TEST(ListingTest, AnAgentThatIsCalledAsItsIdIsNoLookAlike) {
  Listing listing = listing_of();
  ASSERT_TRUE(listing
                  .take(page(R"([{"id": "tickets", "name": "Tickets",
                                  "endpoint": "https://registry.example/tickets"},
                                 {"id": "desk", "name": "T1ckets",
                                  "endpoint": "https://registry.example/desk"}])"))
                  .ok());
  EXPECT_EQ(listing.finish().warnings,
            std::vector<std::string>{"\"T1ckets\" looks like \"tickets\", and is another"});
}

TEST(ListingTest, ChangesAreToldAndACutListRemovesNothing) {
  const auto listed_of = [](const std::string& body, std::string cut = "") {
    Listing listing = listing_of();
    EXPECT_TRUE(listing.take(page(body)).ok());
    Listed listed = listing.finish();
    listed.cut = std::move(cut);
    return listed;
  };
  const Listed before = listed_of("[" + own("a") + "," + own("b") + "]");
  const std::string body =
      R"([{"id": "a", "endpoint": "https://registry.example/a", "version": "2"},)" + own("c") + "]";
  const Changes changes = changes_between(before, listed_of(body));
  EXPECT_EQ(changes.added, std::vector<std::string>{"c"});
  EXPECT_EQ(changes.changed, std::vector<std::string>{"a"});
  EXPECT_EQ(changes.removed, std::vector<std::string>{"b"});
  EXPECT_TRUE(changes_between(before, listed_of(body, "cut")).removed.empty());
  EXPECT_TRUE(changes_between(before, before).none());
}

}  // namespace
}  // namespace plumbline::registry
