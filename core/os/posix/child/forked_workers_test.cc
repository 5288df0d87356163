#include "core/os/posix/child/forked_workers.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/check.h"

namespace plumbline::os {
namespace {

// Told is all news of one task.
struct Told {
  std::vector<std::string> said;
  bool done = false;
  std::string died;
  std::string errors;
  std::uint64_t counted = 0;
};

std::map<std::uint64_t, Told> hear_all(Workers& workers) {
  std::map<std::uint64_t, Told> all;
  while (const std::optional<Workers::News> news = workers.next()) {
    Told& told = all[news->task];
    EXPECT_FALSE(told.done || !told.died.empty()) << "news after the end";
    if (news->kind == Workers::News::Kind::kSaid) told.said.push_back(news->text);
    if (news->kind == Workers::News::Kind::kDone) told.done = true;
    if (news->kind != Workers::News::Kind::kDied) continue;
    told.died = news->text;
    told.errors = news->errors;
    told.counted = news->said;
  }
  return all;
}

TEST(ForkedWorkersTest, EveryTaskIsDoneOnceAndItsTextsKeepTheirOrder) {
  ForkedWorkers workers(3, [](std::string_view task, const Workers::Say& say) {
    for (int i = 0; i < 3; ++i) say(std::string(task) + ' ' + std::to_string(i));
  });
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(workers.give(std::to_string(i)), static_cast<std::uint64_t>(i));
  }
  const std::map<std::uint64_t, Told> all = hear_all(workers);
  ASSERT_EQ(all.size(), 100U);
  for (const auto& [task, told] : all) {
    const std::string name = std::to_string(task);
    EXPECT_EQ(told.said, (std::vector<std::string>{name + " 0", name + " 1", name + " 2"}));
    EXPECT_TRUE(told.done);
  }
}

TEST(ForkedWorkersTest, WhatEndsAWorkerEndsOneTask) {
  ForkedWorkers workers(2, [](std::string_view task, const Workers::Say& say) {
    say("before");
    check(task != "3", "a planted bug");
    if (task == "5") raise(SIGKILL);
    if (task == "7") _exit(23);
    say("after");
  });
  for (int i = 0; i < 20; ++i) workers.give(std::to_string(i));
  const std::map<std::uint64_t, Told> all = hear_all(workers);
  ASSERT_EQ(all.size(), 20U);
  EXPECT_EQ(all.at(3).died, "check failed: a planted bug, signal 6 (SIGABRT)");
  EXPECT_NE(all.at(3).errors.find("forked_workers_test.cc:"), std::string::npos);
  EXPECT_EQ(all.at(5).died, "signal 9 (SIGKILL)");
  EXPECT_EQ(all.at(7).died, "exit code 23");
  for (const auto& [task, told] : all) {
    const bool dies = task == 3 || task == 5 || task == 7;
    EXPECT_EQ(told.done, !dies) << task;
    EXPECT_EQ(dies ? told.counted : told.said.size(), dies ? 1U : 2U) << task;
  }
}

TEST(ForkedWorkersTest, ASanitizersSummaryIsTheCause) {
  ForkedWorkers workers(1, [](std::string_view, const Workers::Say&) {
    const std::string_view report =
        "=1=ERROR: x on address 0x1\n  #0\nSUMMARY: AddressSanitizer: heap-use-after-free a.cc:3\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, report.data(), report.size());
    _exit(1);
  });
  workers.give("");
  EXPECT_EQ(hear_all(workers).at(0).died,
            "SUMMARY: AddressSanitizer: heap-use-after-free a.cc:3, exit code 1");
}

TEST(ForkedWorkersTest, TextsOfAnySizeArriveWhole) {
  ForkedWorkers workers(2, [](std::string_view task, const Workers::Say& say) {
    say("");
    say(std::string(task) + std::string(3'000'000, '\n'));
  });
  workers.give(std::string(3'000'000, 'x'));
  const Told told = hear_all(workers).at(0);
  ASSERT_EQ(told.said.size(), 2U);
  EXPECT_EQ(told.said[0], "");
  EXPECT_EQ(told.said[1], std::string(3'000'000, 'x') + std::string(3'000'000, '\n'));
}

TEST(ForkedWorkersTest, OnesThatTalkWithoutEndToStandardErrorDoNotHang) {
  ForkedWorkers workers(1, [](std::string_view, const Workers::Say&) {
    const std::string line(1'000'000, 'e');
    for (int i = 0; i < 3; ++i) {
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
    }
    std::abort();
  });
  workers.give("");
  const Told told = hear_all(workers).at(0);
  EXPECT_EQ(told.died, "signal 6 (SIGABRT)");
  EXPECT_EQ(told.errors.size(), ForkedWorkers::kErrorBytesMax);
}

TEST(ForkedWorkersTest, AnObjectThatGoesTakesItsProcessesAlong) {
  std::string pid;
  {
    ForkedWorkers workers(1, [](std::string_view, const Workers::Say& say) {
      say(std::to_string(getpid()) + std::string(ForkedWorkers::kTextBytesAtOnce, ' '));
      for (;;) pause();
    });
    workers.give("");
    pid = workers.next()->text;
  }
  EXPECT_NE(kill(static_cast<pid_t>(std::stol(pid)), 0), 0);
}

}  // namespace
}  // namespace plumbline::os
