// The design's second example with a real sshd: a service is looked at on another machine.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/agents/agent.h"
#include "core/agents/supervisor/supervisor_fixture.h"
#include "core/os/real_file_store.h"
#include "core/os/ssh/ssh_fixture.h"
#include "core/os/wall_clock.h"

#ifdef PLUMBLINE_LIBSSH

namespace plumbline::agents::supervisor {
namespace {

namespace cl = command_line;

class RemoteExampleTest : public os::SshTest {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(path("bin"));
    std::ofstream(path("bin/systemctl")) << "#!/bin/sh\necho \"$2.service - active (running)\"\n";
    std::filesystem::permissions(path("bin/systemctl"), std::filesystem::perms::owner_all);
    start_openssh("SetEnv PATH=" + path("bin") + ":/usr/bin:/bin\n");
    services_.remote.dialer = &dialer_;
    services_.remote.desk = &desk_;
    services_.remote.access = access();
  }

  void finish(Task<void> task) {
    task.start();
    ASSERT_TRUE(os::run_within(loop_, std::chrono::seconds(60), [&] { return task.done(); }));
  }

  // call answers each question with `approves`.
  void call(const Json& commands, bool approves) {
    run_ = std::make_unique<SupervisorRun>(services_, loop_, nullptr, nullptr);
    const std::string host = "127.0.0.1:" + std::to_string(port_);
    finish(run_->start(
        supervisor_state("remote_cli", {{"remote_host", host}, {"commands", commands}}, {})));
    for (asked_ = 0; run_->review() != nullptr; ++asked_) finish(run_->resume(approval(approves)));
  }
  Json result(std::size_t at = 0) { return run_->state().commands.cli_results.at(at); }

  os::RealFileStore files_;
  os::RealWallClock clock_;
  cl::AuditLog audit_{files_, clock_, path("audit.jsonl"), "desk"};
  cl::RemotePolicy policy_{{.enabled = true, .programs = {"systemctl", "df"}, .blocked = {}}};
  cl::RemoteDesk desk_{policy_, loop_, &audit_};
  ScriptShelf shelf_{loop_};
  SupervisorServices services_{shelf_};
  std::unique_ptr<SupervisorRun> run_;
  int asked_ = 0;
};

TEST_F(RemoteExampleTest, TheStatusOfNginxComesBack) {
  call({"systemctl status nginx"}, true);
  EXPECT_EQ(asked_, 1);
  EXPECT_EQ(string_or(result(), "status", ""), "success") << dump_json(result());
  EXPECT_EQ(string_or(result(), "stdout", ""), "nginx.service - active (running)\n");
  EXPECT_NE(run_->state().answer.response_content.find("nginx.service - active"),
            std::string::npos);
}

TEST_F(RemoteExampleTest, WhatIsRefusedDoesNotRun) {
  call({"systemctl stop nginx", "reboot", "cat /etc/passwd"}, true);
  EXPECT_EQ(asked_, 0);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(string_or(result(i), "status", ""), "blocked");
  call({"systemctl status nginx"}, false);
  EXPECT_EQ(asked_, 1);
  EXPECT_EQ(string_or(result(), "status", ""), "blocked");
}

TEST_F(RemoteExampleTest, AChangedKeyOfTheHostIsRefusedLoudly) {
  know(make_key("another"));
  call({"systemctl status nginx"}, true);
  EXPECT_NE(string_or(result(), "error", "").find("THE KEY OF 127.0.0.1 HAS CHANGED"),
            std::string::npos)
      << dump_json(result());
}

}  // namespace
}  // namespace plumbline::agents::supervisor

#endif
