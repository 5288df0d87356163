#include "core/service/caller.h"

#include <gtest/gtest.h>

namespace plumbline::service {
namespace {

std::string caller(std::string peer, std::vector<std::string> chains) {
  wire::HttpHeaders headers;
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

}  // namespace
}  // namespace plumbline::service
