#include "fakes/world/sim_network.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fakes/testing/pipe_log.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::fakes {
namespace {

using net::Authority;
using std::chrono::milliseconds;

// What every Network must do is tested in core/os/net/network_contract_test.cc; here is what only a
// simulated one does.
class SimNetworkTest : public testing::Test {
 protected:
  Result<std::unique_ptr<net::Listener>> listen(Authority at) {
    return network_.listen(std::move(at), std::nullopt, [this](std::unique_ptr<net::Pipe> p) {
      accepted_.push_back(std::move(p));
    });
  }

  using Dialled = Result<std::unique_ptr<net::Pipe>>;

  Dialled dial(Authority to, std::optional<net::TlsClient> tls = {}) {
    Task<Dialled> task = network_.dial(std::move(to), std::move(tls));
    check(loop_.run_task(task).ok(), "the dial is never done");
    return std::move(task.result());
  }

  SimLoop loop_;
  SimNetwork network_{loop_, PipeOptions{milliseconds(3), milliseconds(3)}, Rng(1)};
  std::vector<std::unique_ptr<net::Pipe>> accepted_;
};

TEST_F(SimNetworkTest, AnyNameIsAHostAndOnlyItsOwn) {
  const auto listener = listen({"server.example", 443});
  ASSERT_TRUE(listener.ok());
  EXPECT_TRUE(dial({"server.example", 443}).ok());
  EXPECT_EQ(dial({"other.example", 443}).error().code, ErrorCode::kDisconnected);
  EXPECT_EQ(dial({"server.example", 80}).error().message,
            "cannot connect to server.example:80: Connection refused");
}

TEST_F(SimNetworkTest, TheLocalHostHasThreeNames) {
  const auto listener = listen({"127.0.0.1", 80});
  ASSERT_TRUE(listener.ok());
  EXPECT_TRUE(dial({"localhost", 80}).ok());
  EXPECT_TRUE(dial({"::1", 80}).ok());
  EXPECT_FALSE(listen({"localhost", 80}).ok());
}

TEST_F(SimNetworkTest, PortsAreGivenInOrder) {
  const auto first = listen({"a.example", 0});
  const auto second = listen({"a.example", 0});
  const auto other = listen({"b.example", 0});
  EXPECT_EQ(first.value()->port(), 49152);
  EXPECT_EQ(second.value()->port(), 49153);
  EXPECT_EQ(other.value()->port(), 49152);
}

TEST_F(SimNetworkTest, ADialTakesTheLatencyOfAWrite) {
  const auto listener = listen({"a.example", 1});
  EXPECT_TRUE(dial({"a.example", 1}).ok());
  EXPECT_EQ(loop_.now(), Instant() + milliseconds(3));
}

TEST_F(SimNetworkTest, TlsIsRecordedAndIgnored) {
  const net::TlsServer files{"cert.pem", "key.pem"};
  const auto listener = network_.listen({"a.example", 443}, files, [](auto) {});
  net::TlsClient tls;
  tls.ca_file = "ca.pem";
  EXPECT_TRUE(dial({"a.example", 443}, tls).ok());
  ASSERT_EQ(network_.dials().size(), 1U);
  EXPECT_EQ(network_.dials()[0].to, (Authority{"a.example", 443}));
  EXPECT_EQ(network_.dials()[0].tls->ca_file, "ca.pem");
  EXPECT_EQ(network_.listening_with({"a.example", 443})->key_file, "key.pem");
  EXPECT_FALSE(network_.listening_with({"b.example", 443}).has_value());
}

TEST_F(SimNetworkTest, ALinkHookFindsBothEnds) {
  const auto listener = listen({"a.example", 1});
  std::string linked;
  network_.on_link([&](const Authority& to, SimPipe&, SimPipe& theirs) {
    linked = describe(to);
    theirs.reset();
  });
  const Dialled ours = dial({"a.example", 1});
  PipeLog log;
  ours.value()->start(log);
  ASSERT_TRUE(loop_.run_until_idle().ok());
  EXPECT_EQ(linked, "a.example:1");
  EXPECT_EQ(log.error->code, ErrorCode::kDisconnected);
}

TEST_F(SimNetworkTest, AHostThatIsSwitchedOffIsWaitedFor) {
  const auto listener = listen({"a.example", 1});
  network_.hang_dials(true);
  Task<Dialled> task = network_.dial({"a.example", 1}, {});
  EXPECT_EQ(loop_.run_task(task).error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_TRUE(loop_.idle());
}

}  // namespace
}  // namespace plumbline::fakes
