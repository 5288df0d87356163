// OutsideFixture is what a command in a sandbox must not reach: a folder with a file and a Unix
// socket, an abstract one of the folder's name, a port at loopback, shared memory.

#pragma once

#include <netinet/in.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/os/fd.h"
#include "core/os/files/temporary_folder.h"

namespace plumbline::os {

class OutsideFixture {
 public:
  // Everybody may use all of it.
  OutsideFixture() {
    std::ofstream(path() + "/file") << "secret";
    listen_at(path() + "/socket");
    listen_at('\0' + path());
    for (const char* const name : {"", "/file", "/socket"}) {
      std::filesystem::permissions(path() + name, std::filesystem::perms::all);
    }
    listen_at_loopback();
    memory_ = ::shmget(key(), 4096, IPC_CREAT | 0666);
  }
  ~OutsideFixture() { ::shmctl(memory_, IPC_RMID, nullptr); }
  OutsideFixture(const OutsideFixture&) = delete;
  OutsideFixture& operator=(const OutsideFixture&) = delete;

  // listen_in makes Unix sockets in `folder`, for streams and for datagrams, that anybody may use.
  void listen_in(const std::string& folder) {
    listen_at(folder + "/socket");
    listen_at(folder + "/datagrams", SOCK_DGRAM);
    for (const char* const name : {"/socket", "/datagrams"}) {
      std::filesystem::permissions(folder + name, std::filesystem::perms::all);
    }
  }

  std::string path() const { return folder_.path(); }
  int port() const { return port_; }
  static key_t key() { return static_cast<key_t>(0x50000000 + ::getpid()); }

 private:
  void listen_at(const std::string& name, int type = SOCK_STREAM) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path, sizeof address.sun_path - 1);
    const std::size_t end = name.size() + (name.front() == '\0' ? 0 : 1);
    listen(AF_UNIX, &address, offsetof(sockaddr_un, sun_path) + end, type);
  }

  void listen_at_loopback() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listen(AF_INET, &address, sizeof address);
    socklen_t size = sizeof address;
    EXPECT_EQ(
        ::getsockname(listening_.back().number(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }

  void listen(int family, const void* address, std::size_t size, int type = SOCK_STREAM) {
    const Fd& fd = listening_.emplace_back(::socket(family, type | SOCK_CLOEXEC, 0));
    EXPECT_EQ(
        ::bind(fd.number(), static_cast<const sockaddr*>(address), static_cast<socklen_t>(size)),
        0);
    if (type == SOCK_STREAM) {
      EXPECT_EQ(::listen(fd.number(), 8), 0);
    }
  }

  TemporaryFolder folder_ = std::move(TemporaryFolder::make()).value();
  std::vector<Fd> listening_;
  int port_ = 0;
  int memory_ = -1;
};

}  // namespace plumbline::os
