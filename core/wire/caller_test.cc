#include "core/wire/caller.h"

#include <gtest/gtest.h>

namespace plumbline::wire {
namespace {

std::string caller(std::string peer, std::vector<std::string> chains) {
  HttpHeaders headers;
  for (std::string& chain : chains) headers.add("X-Forwarded-For", std::move(chain));
  return caller_of(std::move(peer), headers, {"127.0.0.1", "10.0.0.2"});
}

TEST(CallerTest, AProxyIsBelievedAndNobodyElse) {
  EXPECT_EQ(caller("192.0.2.7", {"192.0.2.1"}), "192.0.2.7");
  EXPECT_EQ(caller("127.0.0.1", {"192.0.2.7"}), "192.0.2.7");
  EXPECT_EQ(caller("127.0.0.1", {"192.0.2.1, 192.0.2.7"}), "192.0.2.7");
  EXPECT_EQ(caller("127.0.0.1", {"192.0.2.1", "192.0.2.7,10.0.0.2"}), "192.0.2.7");
  EXPECT_EQ(caller("127.0.0.1", {}), "127.0.0.1");
  EXPECT_EQ(caller("127.0.0.1", {"192.0.2.7, "}), "127.0.0.1") << "it has said nothing";
  EXPECT_EQ(caller("127.0.0.1", {std::string(10'000, 'x')}), "127.0.0.1") << "no address";
}

TEST(CallerTest, ANetworkIsWhatOneCallerHas) {
  EXPECT_EQ(network_of("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(network_of(""), "");
  EXPECT_EQ(network_of("::ffff:192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(network_of("2001:DB8:0:7:1:2:3:4"), "2001:db8:0:7::/64");
  EXPECT_EQ(network_of("2001:db8:0:7::9"), "2001:db8:0:7::/64");
  EXPECT_EQ(network_of("2001:0db8:0000:0007::"), "2001:db8:0:7::/64");
  EXPECT_EQ(network_of("2001:db8::1"), "2001:db8:0:0::/64");
  EXPECT_EQ(network_of("::1"), "0:0:0:0::/64");
  EXPECT_EQ(network_of("fe80::1%eth0"), "fe80:0:0:0::/64");
}

}  // namespace
}  // namespace plumbline::wire
