#include "core/net/http_access.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace plumbline::net {
namespace {

using wire::HttpHeaders;
using wire::HttpRequest;

HttpRequest with(HttpHeaders headers, std::string target = "/mcp", std::string method = "POST") {
  return {std::move(method), std::move(target), std::move(headers), ""};
}

// status returns that of the refusal, 0 for what is let in.
int status(HttpRequest request, const HttpAccess& access) {
  const auto stranger = refuse_stranger(request, access);
  return stranger ? stranger->status : 0;
}

int posted(HttpHeaders headers, const HttpAccess& access = HttpAccess::at("127.0.0.1")) {
  return status(with(std::move(headers)), access);
}

// Names that a page could have bound to us, and what is no name at all.
const std::vector<std::string> kForeignHosts = {"evil.example",
                                                "evil.example:8080",
                                                "127.0.0.1.evil.example",
                                                "localhost.evil.example",
                                                "localhost.",
                                                "evil.example@127.0.0.1",
                                                "127.0.0.1@evil.example",
                                                "127.0.0.1:80:80",
                                                "127.0.0.1:http",
                                                "127.0.0.1:99999",
                                                "127.0.0.1 evil.example",
                                                "127.0.0.1,evil.example",
                                                "127.0.0.1/evil",
                                                "[::1",
                                                "[::1]evil.example",
                                                "[::1]x80",
                                                "[127.0.0.1.evil.example]",
                                                "[evil.example]",
                                                "::1",
                                                "1.2.3.4.example",
                                                "%6cocalhost",
                                                "",
                                                ":80"};

TEST(HttpAccessTest, NamesOfOthersAreRefused) {
  for (const std::string& host : kForeignHosts) {
    EXPECT_EQ(posted({{"Host", host}}), 403) << host;
    EXPECT_EQ(posted({{"Host", host}}, HttpAccess::at("sessions.example")), 403) << host;
  }
  EXPECT_EQ(posted(HttpHeaders{}), 403);
  EXPECT_EQ(posted({{"Host", "192.168.1.5"}}), 403);
  EXPECT_EQ(posted({{"Host", "[fe80::1]"}}), 403);
  EXPECT_EQ(posted({{"Host", "somewhere"}}), 403);
}

TEST(HttpAccessTest, OwnNamesAreServedHoweverTheyAreWritten) {
  for (const char* host : {"127.0.0.1", "127.0.0.1:8080", "localhost", "LOCALHOST:1", "[::1]",
                           "[::1]:8080", "[0000::1]"}) {
    const bool shortest = std::string(host) != "[0000::1]";
    EXPECT_EQ(posted({{"Host", host}}), shortest ? 0 : 403) << host;
  }
  HttpAccess named = HttpAccess::at("Sessions.Example");
  EXPECT_EQ(posted({{"Host", "sessions.example:80"}}, named), 0);
  named.hosts.emplace_back("10.0.0.7");
  EXPECT_EQ(posted({{"Host", "10.0.0.7"}}, named), 0);
  EXPECT_EQ(posted({{"Host", "10.0.0.8"}}, named), 403);
}

// No owner of a domain can make his pages come from these.
TEST(HttpAccessTest, WhoListensEverywhereIsServedUnderAddressesAndPrivateNames) {
  for (const char* everywhere : {"0.0.0.0", "::", "0"}) {
    const HttpAccess access = HttpAccess::at(everywhere);
    for (const char* host : {"192.168.1.5:8080", "203.0.113.9", "[fe80::1]:80", "plumbline:80",
                             "host.docker.internal", "judge.ns.svc.cluster.local", "localhost"}) {
      EXPECT_EQ(posted({{"Host", host}}, access), 0) << host;
    }
    for (const std::string& host : kForeignHosts) {
      EXPECT_EQ(posted({{"Host", host}}, access), 403) << host;
    }
    for (const char* host : {"1.2.3", "1.2.3.256", "1.2.3.4.", "local", "evil.local.example"}) {
      const bool bare = std::string(host) == "local";
      EXPECT_EQ(posted({{"Host", host}}, access), bare ? 0 : 403) << host;
    }
  }
  HttpAccess listed;
  listed.only_hosts = true;
  listed.hosts.emplace_back("mcp.example");
  listed.listens_at("0.0.0.0");
  EXPECT_EQ(posted({{"Host", "mcp.example"}}, listed), 0);
  EXPECT_EQ(posted({{"Host", "192.168.1.5"}}, listed), 403);
}

TEST(HttpAccessTest, PagesOfOthersAreRefused) {
  for (const char* origin :
       {"http://evil.example", "https://evil.example:443", "null", "", "file://", "127.0.0.1",
        "http://127.0.0.1.evil.example", "http://localhost.", "http://user@localhost",
        "http://localhost/path", "ftp://localhost", "http:/localhost", "http://[::1",
        "chrome-extension://abcdefgh", "http://evil.example http://localhost", "http://"}) {
    EXPECT_EQ(posted({{"Host", "127.0.0.1:8080"}, {"Origin", origin}}), 403) << origin;
  }
  EXPECT_EQ(posted({{"Host", "localhost"},
                    {"Origin", "http://localhost"},
                    {"Origin", "http://evil.example"}}),
            400);
}

TEST(HttpAccessTest, PagesOfThisMachineAndThoseThatAreNamedMayCall) {
  HttpAccess access = HttpAccess::at("127.0.0.1");
  access.origins = {"https://app.example"};
  for (const char* origin :
       {"http://localhost:6274", "https://127.0.0.1", "http://[::1]:3000", "https://app.example"}) {
    EXPECT_EQ(posted({{"Host", "127.0.0.1:8080"}, {"Origin", origin}}, access), 0) << origin;
  }
  EXPECT_EQ(posted({{"Host", "127.0.0.1"}, {"Origin", "http://app.example"}}, access), 403);
  EXPECT_EQ(posted({{"Host", "127.0.0.1"}, {"Origin", "https://app.example:444"}}, access), 403);
  access.any_origin = true;
  EXPECT_EQ(posted({{"Host", "127.0.0.1"}, {"Origin", "null"}}, access), 0);
  EXPECT_EQ(posted({{"Host", "evil.example"}, {"Origin", "null"}}, access), 403);
}

TEST(HttpAccessTest, WhereNoPageMayCallOurOwnStillMay) {
  HttpAccess access = HttpAccess::at("0.0.0.0");
  access.host_origins = false;
  EXPECT_EQ(posted({{"Host", "10.0.0.7:80"}, {"Origin", "http://10.0.0.7"}}, access), 0);
  EXPECT_EQ(posted({{"Host", "Box:443"}, {"Origin", "https://box"}}, access), 0);
  EXPECT_EQ(posted({{"Host", "10.0.0.7:80"}, {"Origin", "https://10.0.0.7"}}, access), 403);
  EXPECT_EQ(posted({{"Host", "10.0.0.7"}, {"Origin", "http://10.0.0.8"}}, access), 403);
  EXPECT_EQ(posted({{"Host", "localhost:1"}, {"Origin", "http://localhost:2"}}, access), 403);
  access.any_host = true;
  EXPECT_EQ(posted({{"Host", "evil.example"}, {"Origin", "http://evil.example"}}, access), 403);
}

// An image, a script, a form or a link of another site has no Origin.
TEST(HttpAccessTest, WhatOtherSitesHaveABrowserSendIsRefused) {
  HttpAccess access = HttpAccess::at("127.0.0.1");
  const auto sent = [&access](const char* site, const char* mode, const char* to) {
    return status(with({{"Host", "localhost"},
                        {"Sec-Fetch-Site", site},
                        {"Sec-Fetch-Mode", mode},
                        {"Sec-Fetch-Dest", to}},
                       "/", "GET"),
                  access);
  };
  for (const char* site : {"cross-site", "same-site", "other"}) {
    EXPECT_EQ(sent(site, "no-cors", "image"), 403);
    EXPECT_EQ(sent(site, "navigate", "document"), 403);
  }
  EXPECT_EQ(sent("same-origin", "cors", "empty"), 0);
  EXPECT_EQ(sent("none", "navigate", "document"), 0);
  access.pages = true;
  EXPECT_EQ(sent("cross-site", "navigate", "document"), 0);
  EXPECT_EQ(sent("cross-site", "navigate", "iframe"), 403);
  EXPECT_EQ(sent("cross-site", "no-cors", "script"), 403);
  EXPECT_EQ(posted({{"Host", "localhost"},
                    {"Sec-Fetch-Site", "cross-site"},
                    {"Sec-Fetch-Mode", "navigate"},
                    {"Sec-Fetch-Dest", "document"}},
                   access),
            403);
}

TEST(HttpAccessTest, ATargetIsAPathOrNamesTheSameHost) {
  const HttpAccess access = HttpAccess::at("127.0.0.1");
  HttpRequest whole = with({{"Host", "127.0.0.1:80"}}, "http://127.0.0.1/mcp?a=b");
  EXPECT_FALSE(refuse_stranger(whole, access));
  EXPECT_EQ(whole.target, "/mcp?a=b");
  EXPECT_EQ(whole.headers.get("Host"), "127.0.0.1");
  EXPECT_EQ(status(with({{"Host", "127.0.0.1"}}, "http://evil.example/mcp"), access), 400);
  EXPECT_EQ(status(with({{"Host", "127.0.0.1"}}, "http://127.0.0.1:81/mcp"), access), 400);
  EXPECT_EQ(status(with({{"Host", "evil.example"}}, "http://evil.example/mcp"), access), 403);
  EXPECT_EQ(status(with(HttpHeaders{}, "http://evil.example/mcp"), access), 403);
  for (const char* target :
       {"evil.example:443", "mcp", "http://", "http://u@127.0.0.1/", "file:/"}) {
    EXPECT_EQ(status(with({{"Host", "127.0.0.1"}}, target), access), 400) << target;
  }
  EXPECT_EQ(status(with({{"Host", "127.0.0.1"}}, "*", "OPTIONS"), access), 0);
}

TEST(HttpAccessTest, ProbesCallByAddressAndNoPageDoes) {
  HttpAccess access = HttpAccess::at("127.0.0.1");
  access.probes = {"/healthz"};
  EXPECT_EQ(status(with({{"Host", "10.0.0.7"}}, "/healthz?x", "GET"), access), 0);
  EXPECT_EQ(status(with({{"Host", "10.0.0.7"}}, "/healthz/x", "GET"), access), 403);
  EXPECT_EQ(status(with({{"Host", "10.0.0.7"}}, "/healthz", "POST"), access), 403);
  EXPECT_EQ(
      status(with({{"Host", "127.0.0.1"}, {"Origin", "http://evil.example"}}, "/healthz", "GET"),
             access),
      403);
}

}  // namespace
}  // namespace plumbline::net
