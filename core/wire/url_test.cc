#include "core/wire/url.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::wire {
namespace {

Url url(std::string scheme, std::string host, std::uint16_t port, std::string target) {
  return {std::move(scheme), std::move(host), port, std::move(target)};
}

// resolved returns `reference` relative to the base of RFC 3986, section 5.4, as text.
std::string resolved(std::string_view reference) {
  const Result<Url> base = parse_url("http://a/b/c/d;p?q");
  const Result<Url> whole = resolve_url(base.value(), reference);
  return whole.ok() ? whole.value().origin() + whole.value().target : "refused";
}

TEST(UrlTest, AUrlHasItsParts) {
  EXPECT_EQ(parse_url("http://example.com/mcp?x=1#top").value(),
            url("http", "example.com", 80, "/mcp?x=1"));
  EXPECT_EQ(parse_url("HTTPS://Example.COM:8443").value(), url("https", "example.com", 8443, "/"));
  EXPECT_EQ(parse_url("ws://h?q").value(), url("ws", "h", 80, "/?q"));
  EXPECT_EQ(parse_url("wss://h:/a%20b").value(), url("wss", "h", 443, "/a%20b"));
  EXPECT_EQ(parse_url("http://[::1]:80/").value(), url("http", "::1", 80, "/"));
  EXPECT_EQ(parse_url("http://127.0.0.1:8080/").value(), url("http", "127.0.0.1", 8080, "/"));
}

TEST(UrlTest, HostHeaderAndOriginLeaveOutThePortOfTheScheme) {
  EXPECT_EQ(url("https", "h", 443, "/").host_header(), "h");
  EXPECT_EQ(url("http", "h", 443, "/").host_header(), "h:443");
  EXPECT_EQ(url("http", "::1", 8080, "/").host_header(), "[::1]:8080");
  EXPECT_EQ(url("wss", "h", 8443, "/x").origin(), "wss://h:8443");
  EXPECT_TRUE(url("wss", "h", 1, "/").secure());
  EXPECT_FALSE(url("http", "h", 443, "/").secure());
}

TEST(UrlTest, WhatIsNoUrlOfOursIsRefused) {
  for (const std::string text : {"",
                                 "example.com",
                                 "/mcp",
                                 "ftp://h/",
                                 "mailto:a@b",
                                 "http:",
                                 "http:///x",
                                 "http:/x",
                                 "http://user@h/",
                                 "http://u:p@h/",
                                 "http://:80/",
                                 "http://h:0/",
                                 "http://h:65536/",
                                 "http://h:x/",
                                 "http://h h/",
                                 "http://h/a b",
                                 "http://h/\r\nX: y",
                                 "http://ex%61mple/",
                                 "http://a,b/",
                                 "http://[::1/",
                                 "http://[v1.x]/",
                                 "http://h/%zz",
                                 "http://h\\@x/"}) {
    EXPECT_FALSE(parse_url(text).ok()) << text;
  }
  EXPECT_FALSE(parse_url("http://h/" + std::string(100'000, 'x')).ok());
}

// The examples of RFC 3986, sections 5.4.1 and 5.4.2.
TEST(UrlTest, AReferenceIsResolvedAsTheStandardSays) {
  EXPECT_EQ(resolved("g"), "http://a/b/c/g");
  EXPECT_EQ(resolved("./g"), "http://a/b/c/g");
  EXPECT_EQ(resolved("g/"), "http://a/b/c/g/");
  EXPECT_EQ(resolved("/g"), "http://a/g");
  EXPECT_EQ(resolved("//g"), "http://g/");
  EXPECT_EQ(resolved("?y"), "http://a/b/c/d;p?y");
  EXPECT_EQ(resolved("g?y#s"), "http://a/b/c/g?y");
  EXPECT_EQ(resolved(""), "http://a/b/c/d;p?q");
  EXPECT_EQ(resolved(".."), "http://a/b/");
  EXPECT_EQ(resolved("../../g"), "http://a/g");
  EXPECT_EQ(resolved("../../../g"), "http://a/g");
  EXPECT_EQ(resolved("../../../../g"), "http://a/g");
  EXPECT_EQ(resolved("../../.."), "http://a/");
  EXPECT_EQ(resolved("/../g"), "http://a/g");
  EXPECT_EQ(resolved("..g"), "http://a/b/c/..g");
  EXPECT_EQ(resolved("/./g"), "http://a/g");
  EXPECT_EQ(resolved("g;x=1/../y"), "http://a/b/c/y");
  EXPECT_EQ(resolved("/g/."), "http://a/g/");
  EXPECT_EQ(resolved("/g//h/.."), "http://a/g//");
  EXPECT_EQ(resolved("https://x:1/y"), "https://x:1/y");
  EXPECT_EQ(resolved("/%2Fg/h%2e?x=%2F"), "http://a/%2Fg/h%2e?x=%2F") << "nothing is decoded";
  EXPECT_EQ(resolved("file:///etc"), "refused");
  EXPECT_EQ(resolved("//u@g"), "refused");
  EXPECT_EQ(resolved("a b"), "refused");
}

}  // namespace
}  // namespace plumbline::wire
