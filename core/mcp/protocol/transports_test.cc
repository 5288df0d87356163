#include "core/mcp/protocol/transports.h"

#include <gtest/gtest.h>

namespace plumbline::mcp {
namespace {

TEST(TransportsTest, EachReadsBackAsItIsWritten) {
  for (const Transport transport :
       {Transport::kStdio, Transport::kStreamableHttp, Transport::kSse, Transport::kWebSocket}) {
    EXPECT_EQ(parse_transport(name_of(transport)), transport) << name_of(transport);
  }
}

TEST(TransportsTest, ConfigurationsSpellStreamableHttpInThreeWays) {
  EXPECT_EQ(name_of(Transport::kStreamableHttp), "http");
  EXPECT_EQ(parse_transport("streamable-http"), Transport::kStreamableHttp);
  EXPECT_EQ(parse_transport("streamableHttp"), Transport::kStreamableHttp);
  EXPECT_EQ(parse_transport("HTTP"), std::nullopt);
  EXPECT_EQ(parse_transport("carrier pigeon"), std::nullopt);
}

}  // namespace
}  // namespace plumbline::mcp
