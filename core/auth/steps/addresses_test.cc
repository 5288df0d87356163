#include "core/auth/steps/addresses.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::auth {
namespace {

wire::Url url(std::string_view text) { return wire::parse_url(text).value(); }

TEST(AddressesTest, PrivateAddressesAreKnownHoweverTheyAreWritten) {
  for (const char* const host :
       {"localhost",       "a.localhost", "127.0.0.1",       "127.8.9.1",
        "10.1.2.3",        "172.16.0.1",  "172.31.255.1",    "192.168.1.1",
        "169.254.169.254", "100.64.0.1",  "0.0.0.0",         "::1",
        "fe80::1",         "fd00::1",     "::ffff:10.0.0.1", "2130706433",
        "0x7f000001",      "127.1",       "printer.local",   "metadata.google.internal"}) {
    EXPECT_TRUE(is_private(host)) << host;
  }
  for (const char* const host : {"example.com", "8.8.8.8", "172.32.0.1", "2001:db8::1", "1.example",
                                 "192.169.0.1", "abc.def", "decade.face"}) {
    EXPECT_FALSE(is_private(host)) << host;
  }
}

TEST(AddressesTest, OnlyThisMachineMaySpeakInTheClear) {
  const wire::Url here = url("http://127.0.0.1:1/mcp");
  EXPECT_TRUE(allowed_url("http://localhost:9/token", here).ok());
  EXPECT_TRUE(allowed_url("https://as.example/token", here).ok());
  EXPECT_FALSE(allowed_url("http://as.example/token", here).ok());
  EXPECT_FALSE(allowed_url("ws://localhost/token", here).ok());
  EXPECT_FALSE(allowed_url("file:///etc/passwd", here).ok());
  EXPECT_FALSE(allowed_url("https://me:secret@as.example/", here).ok());
}

TEST(AddressesTest, APublicServerLeadsToNoPrivateAddress) {
  const wire::Url there = url("https://mcp.example/mcp");
  EXPECT_FALSE(allowed_url("https://169.254.169.254/latest", there).ok());
  EXPECT_FALSE(allowed_url("http://localhost:9/token", there).ok());
  EXPECT_TRUE(allowed_url("https://as.example/token", there).ok());
  EXPECT_TRUE(allowed_url("https://10.0.0.2/token", url("https://10.0.0.1/mcp")).ok());
}

TEST(AddressesTest, AResourceIsNamedAsTheSpecificationSays) {
  EXPECT_EQ(canonical_resource(url("HTTPS://Host.Example:443/")), "https://host.example");
  EXPECT_EQ(canonical_resource(url("https://h.example/mcp#top")), "https://h.example/mcp");
  EXPECT_EQ(canonical_resource(url("https://h.example:8443/a/mcp")),
            "https://h.example:8443/a/mcp");
}

TEST(AddressesTest, ATokenForOneResourceIsNoneForAnother) {
  const wire::Url server = url("https://h.example/a/mcp");
  for (const char* const good :
       {"https://h.example/a/mcp", "https://H.example/a/mcp/", "https://h.example/a",
        "https://h.example", "https://h.example/"}) {
    EXPECT_TRUE(covers(good, server)) << good;
  }
  for (const char* const bad : {"https://h.example/a/mc", "https://h.example/b", "http://h.example",
                                "https://evil.example/a/mcp", "https://h.example:444/", "h", ""}) {
    EXPECT_FALSE(covers(bad, server)) << bad;
  }
}

TEST(AddressesTest, WellKnownAddressesHaveThePathInserted) {
  EXPECT_EQ(well_known(url("https://h.example/a/b/?q=1"), "x"),
            "https://h.example/.well-known/x/a/b");
  EXPECT_EQ(well_known(url("https://h.example/"), "x"), "https://h.example/.well-known/x");
}

}  // namespace
}  // namespace plumbline::auth
