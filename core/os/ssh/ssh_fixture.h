// What the tests of SSH share: servers that run as ordinary children, with keys of their own.

#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/os/child/real_paths.h"
#include "core/os/child/real_spawner.h"
#include "core/os/files/temporary_folder.h"
#include "core/os/real_loop.h"
#include "core/os/ssh/ssh_dialer.h"
#include "core/os/test_support.h"

namespace plumbline::os {

class SshTest : public testing::Test {
 protected:
  // try_port returns whether `port` can be reached.
  static bool answers(int port) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(static_cast<std::uint16_t>(port));
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool reached = connect(fd, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0;
    close(fd);
    return reached;
  }

  static int free_port() {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    bind(fd, reinterpret_cast<sockaddr*>(&at), size);
    getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size);
    close(fd);
    return ntohs(at.sin_port);
  }

  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  static std::string text_of(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::string output_of(std::vector<std::string> argv) {
    auto child = spawner_.spawn(net::Command(std::move(argv)));
    if (!child.ok()) return "error: " + child.error().message;
    RecordingReader reader;
    child.value()->stdio().start(reader);
    child.value()->stdio().close_write();
    run_within(loop_, std::chrono::seconds(20), [&reader] { return reader.ended; });
    return reader.bytes;
  }

  // make_key makes a key pair and returns its public half, "ssh-ed25519 AAAA...".
  std::string make_key(const std::string& name) {
    output_of({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path(name)});
    const std::string whole = text_of(path(name) + ".pub");
    return whole.substr(0, whole.find(' ', whole.find(' ') + 1));
  }

  // start_openssh runs sshd on 127.0.0.1, with `more` lines of configuration, and knows its key.
  void start_openssh(const std::string& more = "") {
    if (!RealPaths().is_program("/usr/sbin/sshd")) GTEST_SKIP() << "no openssh-server";
    mkdir("/run/sshd", 0755);  // Without it sshd does not start for root.
    host_key_ = make_key("host");
    std::ofstream(path("authorized")) << make_key("user") << "\n";
    port_ = free_port();
    std::ofstream(path("sshd_config"))
        << "Port " << port_ << "\nListenAddress 127.0.0.1\nHostKey " << path("host")
        << "\nAuthorizedKeysFile " << path("authorized")
        << "\nPidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\n"
        << more;
    start_server({"/usr/sbin/sshd", "-D", "-e", "-f", path("sshd_config")});
  }

  void start_server(std::vector<std::string> argv) {
    auto child = spawner_.spawn(net::Command(std::move(argv)));
    ASSERT_TRUE(child.ok()) << child.error().message;
    server_ = std::move(child).value();
    for (int tries = 0; tries < 200 && !answers(port_); ++tries) {
      run_within(loop_, std::chrono::milliseconds(50), [] { return false; });
    }
    ASSERT_TRUE(answers(port_)) << server_->stderr_tail();
    know(host_key_);
  }

  void know(const std::string& key) {
    std::ofstream(path("known")) << "[127.0.0.1]:" << port_ << " " << key << "\n";
  }

  net::RemoteAccess access() const {
    net::RemoteAccess to;
    to.host = "127.0.0.1";
    to.port = port_;
    to.known_hosts_path = path("known");
    to.key_path = path("user");
    return to;
  }

  Result<std::unique_ptr<net::RemoteHost>> dial(net::RemoteAccess to) {
    Task<Result<std::unique_ptr<net::RemoteHost>>> task =
        dialer_.connect(std::move(to), after(loop_.now(), std::chrono::seconds(10)));
    task.start();
    EXPECT_TRUE(run_within(loop_, std::chrono::seconds(20), [&task] { return task.done(); }));
    return std::move(task.result());
  }

  net::RemoteEnd run(net::RemoteHost& host, std::string line,
                     Duration timeout = std::chrono::seconds(20), std::size_t max = 1U << 20U) {
    Task<Result<net::RemoteEnd>> task = host.run(std::move(line), after(loop_.now(), timeout), max);
    task.start();
    EXPECT_TRUE(run_within(loop_, std::chrono::seconds(40), [&task] { return task.done(); }));
    EXPECT_TRUE(task.result().ok());
    return task.result().ok() ? std::move(task.result()).value() : net::RemoteEnd();
  }

  RealLoop loop_;
  RealSpawner spawner_{loop_};
  SshDialer dialer_{loop_};
  TemporaryFolder folder_ = std::move(TemporaryFolder::make()).value();
  std::string host_key_;
  int port_ = 0;
  std::unique_ptr<net::Child> server_;
};

}  // namespace plumbline::os
