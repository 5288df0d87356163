#include "core/os/net/real_network.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/os/net/test_certificates.h"
#include "core/os/posix/net/socket.h"
#include "core/os/posix/net/socket_pipe.h"
#include "core/os/random.h"
#include "core/os/test_support.h"

namespace plumbline::os {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// What sockets promise beyond network_contract_test.cc. The peer is a plain blocking socket.
class RealNetworkTest : public testing::Test {
 protected:
  using Dialled = Result<std::unique_ptr<net::Pipe>>;

  template <typename Finished>
  bool run_until(Finished finished) {
    return run_within(loop_, seconds(30), finished);
  }

  Dialled dial(const net::Authority& to, const std::optional<net::TlsClient>& tls = {}) {
    Task<Dialled> task = network_.dial(to, tls);
    task.start();
    check(run_until([&] { return task.done(); }), "the dial is never done");
    return std::move(task.result());
  }

  std::unique_ptr<net::Listener> listen(const std::string& host = "127.0.0.1") {
    return network_
        .listen({host, 0}, std::nullopt,
                [this](std::unique_ptr<net::Pipe> pipe) { accepted_.push_back(std::move(pipe)); })
        .value();
  }

  // connect_raw returns a blocking socket that is connected to `port`.
  static Fd connect_raw(std::uint16_t port) {
    Fd socket = begin_connect(*literal_address({"127.0.0.1", port})).value();
    fcntl(socket.number(), F_SETFL, 0);
    pollfd asked{socket.number(), POLLOUT, 0};
    check(poll(&asked, 1, 10'000) == 1 && connect_error(socket) == 0, "cannot connect");
    return socket;
  }

  // accept_raw returns our end of one stream whose other end is a blocking socket.
  std::unique_ptr<net::Pipe> pipe_to_raw(Fd& raw) {
    const auto listener = listen();
    raw = connect_raw(listener->port());
    check(run_until([&] { return !accepted_.empty(); }), "nothing was accepted");
    std::unique_ptr<net::Pipe> pipe = std::move(accepted_.back());
    accepted_.clear();
    return pipe;
  }

  static void reset(Fd& socket) {
    const linger now{1, 0};
    setsockopt(socket.number(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    socket.close();
  }

  RealLoop loop_;
  RealNetwork network_{loop_};
  RecordingReader reader_;
  std::vector<std::unique_ptr<net::Pipe>> accepted_;
};

TEST_F(RealNetworkTest, WritesOfOneTurnArriveTogether) {
  Fd raw;
  const auto pipe = pipe_to_raw(raw);
  pipe->start(reader_);
  for (int i = 0; i < 100; ++i) pipe->write("0123456789");
  run_within(loop_, milliseconds(20), [] { return false; });
  std::string taken(4096, '\0');
  EXPECT_EQ(read(raw.number(), taken.data(), taken.size()), 1000);
}

TEST_F(RealNetworkTest, NothingIsDelayedByNagle) {
  const auto no_delay = [](const Fd& socket) {
    int on = 0;
    socklen_t size = sizeof on;
    getsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, &size);
    return on;
  };
  const Fd listening = open_listening(own_address({"127.0.0.1", 0}).value(), "").value();
  const Fd dialled = connect_raw(port_of(listening));
  EXPECT_EQ(no_delay(dialled), 1);
  EXPECT_EQ(no_delay(accept_one(listening.number()).value()), 1);
}

TEST_F(RealNetworkTest, WhatWasSaidBeforeAResetIsDeliveredFirst) {
  Fd raw;
  const auto pipe = pipe_to_raw(raw);
  ASSERT_EQ(write(raw.number(), "goodbye", 7), 7);
  reset(raw);
  pipe->write("into the void");
  pipe->start(reader_);
  ASSERT_TRUE(run_until([&] { return reader_.ended; }));
  EXPECT_EQ(reader_.broken_by->code, ErrorCode::kDisconnected);
  EXPECT_EQ(reader_.bytes, "goodbye");
  pipe->write("ignored");
  pipe->close_write();
}

TEST_F(RealNetworkTest, AWriteToAPeerThatIsGoneIsToldOnce) {
  Fd raw;
  const auto pipe = pipe_to_raw(raw);
  int ends = 0;
  reader_.on_ended = [&] { ++ends; };
  pipe->start(reader_);
  reset(raw);
  pipe->write("x");
  pipe->write("y");
  ASSERT_TRUE(run_until([&] { return reader_.ended; }));
  run_within(loop_, milliseconds(300), [] { return false; });
  EXPECT_EQ(ends, 1);
  EXPECT_TRUE(reader_.broken_by.has_value());
}

TEST_F(RealNetworkTest, AStreamThatIsDroppedWithBytesLeftIsResetAndNotEnded) {
  Fd raw;
  auto pipe = pipe_to_raw(raw);
  pipe->start(reader_);
  pipe->write(std::string(20U << 20U, 'x'));  // More than the system takes unread.
  run_within(loop_, milliseconds(20), [] { return false; });
  pipe.reset();
  std::string taken(1U << 20U, '\0');
  ssize_t count = 1;
  while (count > 0) count = read(raw.number(), taken.data(), taken.size());
  EXPECT_EQ(count, -1);
  EXPECT_EQ(errno, ECONNRESET);
}

TEST_F(RealNetworkTest, AListenerSurvivesThatDescriptorsRunOut) {
  const auto listener = listen();
  Fd raw = connect_raw(listener->port());  // Waits to be taken.
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const Fd highest(dup(raw.number()));
  rlimit tight = before;
  tight.rlim_cur = static_cast<rlim_t>(highest.number());  // Not one more.
  setrlimit(RLIMIT_NOFILE, &tight);
  run_within(loop_, milliseconds(120), [] { return false; });
  EXPECT_TRUE(accepted_.empty());
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_TRUE(run_until([&] { return accepted_.size() == 1; }));
}

TEST_F(RealNetworkTest, AnIpv6AddressIsAHost) {
  const Result<std::unique_ptr<net::Listener>> listener =
      network_.listen({"::1", 0}, std::nullopt, [](auto) {});
  if (!listener.ok()) GTEST_SKIP() << "this machine has no IPv6";
  EXPECT_TRUE(dial({"::1", listener.value()->port()}).ok());
  const std::uint16_t port = listener.value()->port();
  EXPECT_EQ(dial({"127.0.0.1", port}).error().code, ErrorCode::kDisconnected);
}

TEST_F(RealNetworkTest, ANameThatIsNoHostIsInvalid) {
  const Dialled dialled = dial({"no-such-host.invalid", 80});
  ASSERT_FALSE(dialled.ok());  // Without a name server it is kDisconnected: nobody could be asked.
  EXPECT_NE(dialled.error().message.find("no-such-host.invalid"), std::string::npos);
  EXPECT_EQ(dial({"", 80}).error().code, ErrorCode::kInvalidInput);
}

TEST_F(RealNetworkTest, ListeningWhereWeAreNotIsInvalid) {
  const auto elsewhere = network_.listen({"192.0.2.1", 0}, std::nullopt, [](auto) {});
  EXPECT_EQ(elsewhere.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(elsewhere.error().message,
            "cannot listen at 192.0.2.1:0: Cannot assign requested address");
  const auto nowhere = network_.listen({"no-such-host.invalid", 0}, std::nullopt, [](auto) {});
  EXPECT_EQ(nowhere.error().code, ErrorCode::kInvalidInput);
}

TEST_F(RealNetworkTest, ARefusedCertificateIsTheAnswerOfTheDial) {
  TestAuthority authority;
  const auto listener =
      network_.listen({"127.0.0.1", 0}, authority.issue("DNS:server.example"), [](auto) {}).value();
  net::TlsClient tls;
  tls.ca_file = authority.ca_file();
  const Dialled dialled = dial({"127.0.0.1", listener->port()}, tls);
  ASSERT_FALSE(dialled.ok());
  EXPECT_EQ(dialled.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(dialled.error().message,
            "the certificate of \"127.0.0.1\" is refused: it is for server.example");
}

TEST_F(RealNetworkTest, AClientThatSpeaksNoTlsIsNeverHandedOver) {
  TestAuthority authority;
  int taken = 0;
  const auto listener =
      network_.listen({"127.0.0.1", 0}, authority.issue("IP:127.0.0.1"), [&](auto) { ++taken; })
          .value();
  Fd raw = connect_raw(listener->port());
  ASSERT_EQ(write(raw.number(), "GET / HTTP/1.1\r\n\r\n", 18), 18);
  run_within(loop_, milliseconds(50), [] { return false; });
  EXPECT_EQ(taken, 0);
  std::string rest(1024, '\0');
  ssize_t count = 1;
  while (count > 0) count = read(raw.number(), rest.data(), rest.size());  // It was ended.
  net::TlsClient tls;
  tls.ca_file = authority.ca_file();
  EXPECT_TRUE(dial({"127.0.0.1", listener->port()}, tls).ok());
}

TEST(RandomTokenTest, TokensAreHexadecimalAndDiffer) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(random_token(16));
  EXPECT_EQ(tokens.size(), 100U);
  for (const std::string& token : tokens) {
    EXPECT_EQ(token.size(), 32U);
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
  }
  EXPECT_EQ(random_token(0), "");
}

}  // namespace
}  // namespace plumbline::os
