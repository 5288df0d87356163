#include "core/os/overdue.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/os/child/real_spawner.h"
#include "core/os/fd.h"
#include "core/os/posix/child/real_child.h"
#include "core/os/real_loop.h"
#include "core/os/test_support.h"

namespace plumbline::os {
namespace {

constexpr std::size_t kMany = 260;

// runs returns whether the process is there, and more than a zombie.
bool runs(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(") ");
  return name_end != std::string::npos && text[name_end + 2] != 'Z';
}

[[noreturn]] void start_many_and_end(int tell) {
  raise_descriptor_limit();
  RealLoop loop;
  RealSpawner spawner(loop);
  std::vector<std::unique_ptr<net::Child>> children;
  for (std::size_t i = 0; i < kMany; ++i) {
    auto child = spawner.spawn(net::Command({"sleep", "600"}));
    if (!child.ok()) break;
    children.push_back(std::move(child).value());
    const pid_t pid = static_cast<RealChild&>(*children.back()).pid();
    if (write(tell, &pid, sizeof pid) != sizeof pid) break;
  }
  Overdue::end("ended\n", 3);
}

TEST(OverdueTest, EveryChildEndsWithTheProcessHoweverManyThereAre) {
  PipeEnds told = make_pipe().value();
  EXPECT_EXIT(start_many_and_end(told.write.number()), testing::ExitedWithCode(3), "ended");
  std::array<pid_t, kMany + 1> pids{};
  const ssize_t bytes = read(told.read.number(), pids.data(), sizeof pids);
  ASSERT_EQ(bytes, static_cast<ssize_t>(kMany * sizeof(pid_t)));
  for (std::size_t i = 0; i < kMany; ++i) {
    for (int looks = 0; runs(pids[i]) && looks < 10'000; ++looks) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_FALSE(runs(pids[i])) << "child " << i;
  }
}

}  // namespace
}  // namespace plumbline::os
