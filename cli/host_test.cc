#include "cli/host.h"

#include <gtest/gtest.h>

#include "cli/real_world.h"

namespace plumbline::cli {
namespace {

TEST(HostTest, EveryComplaintHasAnId) {
  RealWorld world;
  Host host(world);
  testing::internal::CaptureStderr();
  EXPECT_EQ(host.complain("no program \"x\" in PATH", kExitUnreachable), kExitUnreachable);
  EXPECT_EQ(host.complain("nobody has said this before", kExitUsage), kExitUsage);
  EXPECT_EQ(host.complain("nor this", kExitFailed), kExitFailed);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "plumbline: no program \"x\" in PATH [server.no-program]\n"
            "plumbline: nobody has said this before [cli.other-input]\n"
            "plumbline: nor this [cli.other-trouble]\n");
}

}  // namespace
}  // namespace plumbline::cli
