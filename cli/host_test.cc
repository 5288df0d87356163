#include "cli/host.h"

#include <gtest/gtest.h>

#include "cli/real_world.h"
#include "core/base/errors/errors.h"

namespace plumbline::cli {
namespace {

TEST(HostTest, EveryComplaintHasAnId) {
  RealWorld world;
  Host host(world);
  testing::internal::CaptureStderr();
  const auto unnamed = [](const char* words) { return Error{ErrorCode::kInvalidInput, words}; };
  EXPECT_EQ(host.complain(the_error("server.no-program", "x"), kExitUnreachable), kExitUnreachable);
  EXPECT_EQ(host.complain(unnamed("no program \"y\" in PATH"), kExitUsage), kExitUsage);
  EXPECT_EQ(host.complain(unnamed("nor this"), kExitFailed), kExitFailed);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "plumbline: no program \"x\" in PATH [server.no-program]\n"
            "plumbline: no program \"y\" in PATH [cli.other-input]\n"
            "plumbline: nor this [cli.other-trouble]\n");
}

}  // namespace
}  // namespace plumbline::cli
