// What every Network promises, run over the simulated one, over sockets and over TLS on sockets.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/check.h"
#include "core/base/limits.h"
#include "core/base/rng.h"
#include "core/net/network.h"
#include "core/os/net/real_network.h"
#include "core/os/net/test_certificates.h"
#include "core/os/real_loop.h"
#include "core/os/test_support.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"

namespace plumbline::os {
namespace {

using net::Authority;
using net::Listener;
using net::Pipe;
using std::chrono::milliseconds;
using std::chrono::seconds;

template <fakes::Fragments kFragments>
struct SimWorld {
  template <typename Finished>
  bool run_until(Finished finished) {
    return loop.run_until(finished).ok();
  }
  void settle() { check(loop.run_until_idle(limits::kTurnsMax).ok(), "the world is restless"); }

  fakes::SimLoop loop;
  fakes::SimNetwork network{loop, fakes::PipeOptions{milliseconds(1), milliseconds(5), kFragments},
                            Rng(7)};
  std::optional<net::TlsServer> server_tls;
  std::optional<net::TlsClient> client_tls;
};
using WholeSimWorld = SimWorld<fakes::Fragments::kWhole>;
using CutSimWorld = SimWorld<fakes::Fragments::kRandom>;

struct SocketWorld {
  template <typename Finished>
  bool run_until(Finished finished) {
    return run_within(loop, seconds(30), finished);
  }
  void settle() {
    run_within(loop, milliseconds(50), [] { return false; });
  }

  RealLoop loop;
  RealNetwork network{loop};
  std::optional<net::TlsServer> server_tls;
  std::optional<net::TlsClient> client_tls;
};

struct TlsWorld : SocketWorld {
  TlsWorld() {
    server_tls = authority.issue("IP:127.0.0.1,DNS:localhost");
    client_tls.emplace();
    client_tls->ca_file = authority.ca_file();
  }
  TestAuthority authority;
};

template <typename World>
class NetworkContractTest : public testing::Test {
 protected:
  using Dialled = Result<std::unique_ptr<Pipe>>;

  std::unique_ptr<Listener> listen(std::uint16_t port = 0) {
    Result<std::unique_ptr<Listener>> made =
        world_.network.listen({"127.0.0.1", port}, world_.server_tls, [this](auto pipe) {
          accepted_.push_back(std::move(pipe));
          on_accepted_();
        });
    check(made.ok(), "cannot listen");
    return std::move(made).value();
  }

  Task<Dialled> begin(std::uint16_t port, std::string host = "127.0.0.1") {
    Task<Dialled> task = world_.network.dial({std::move(host), port}, world_.client_tls);
    task.start();
    return task;
  }
  Dialled finish(Task<Dialled> task) {
    if (!world_.run_until([&] { return task.done(); })) {
      return Error{ErrorCode::kUnsupported, "the dial is never done"};
    }
    return std::move(task.result());
  }

  // connect makes one stream, both ends started.
  void connect() {
    listener_ = listen();
    Dialled dialled = finish(begin(listener_->port()));
    check(dialled.ok(), "cannot dial");
    ours_ = std::move(dialled).value();
    check(world_.run_until([&] { return !accepted_.empty(); }), "nothing was accepted");
    theirs_ = std::move(accepted_.front());
    accepted_.clear();
    ours_->start(our_reader_);
    theirs_->start(their_reader_);
  }

  World world_;
  RecordingReader our_reader_;
  RecordingReader their_reader_;
  std::function<void()> on_accepted_ = [] {};
  std::unique_ptr<Listener> listener_;
  std::vector<std::unique_ptr<Pipe>> accepted_;
  std::unique_ptr<Pipe> ours_;
  std::unique_ptr<Pipe> theirs_;
};

using Worlds = testing::Types<WholeSimWorld, CutSimWorld, SocketWorld, TlsWorld>;
TYPED_TEST_SUITE(NetworkContractTest, Worlds);

// noise is bytes that would show a piece lost, doubled or swapped.
std::string noise(std::size_t size) {
  Rng rng(size);
  std::string bytes;
  while (bytes.size() < size) bytes += std::to_string(rng.next());
  bytes.resize(size);
  return bytes;
}

TYPED_TEST(NetworkContractTest, BytesArriveInOrderBothWays) {
  this->connect();
  this->ours_->write("one ");
  this->ours_->write("two");
  this->theirs_->write("three");
  EXPECT_TRUE(this->our_reader_.bytes.empty());
  ASSERT_TRUE(this->world_.run_until(
      [&] { return this->our_reader_.bytes.size() + this->their_reader_.bytes.size() == 12; }));
  EXPECT_EQ(this->their_reader_.bytes, "one two");
  EXPECT_EQ(this->our_reader_.bytes, "three");
}

TYPED_TEST(NetworkContractTest, ADialIsNeverDoneAtOnce) {
  const auto listener = this->listen();
  Task<Result<std::unique_ptr<Pipe>>> task = this->begin(listener->port());
  EXPECT_FALSE(task.done());
  EXPECT_TRUE(this->finish(std::move(task)).ok());
}

TYPED_TEST(NetworkContractTest, NobodyListensIsDisconnected) {
  const std::uint16_t port = this->listen()->port();  // Not any more.
  const auto dialled = this->finish(this->begin(port));
  ASSERT_FALSE(dialled.ok());
  EXPECT_EQ(dialled.error().code, ErrorCode::kDisconnected);
  EXPECT_EQ(dialled.error().message,
            "cannot connect to 127.0.0.1:" + std::to_string(port) + ": Connection refused");
}

TYPED_TEST(NetworkContractTest, LocalhostIsTheSameHost) {
  const auto listener = this->listen();
  EXPECT_TRUE(this->finish(this->begin(listener->port(), "localhost")).ok());
}

TYPED_TEST(NetworkContractTest, APlaceHasOneListenerAtATime) {
  auto listener = this->listen();
  const Authority same{"127.0.0.1", listener->port()};
  const auto second = this->world_.network.listen(same, this->world_.server_tls, [](auto) {});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(second.error().message,
            "cannot listen at " + describe(same) + ": Address already in use");
  listener.reset();
  EXPECT_EQ(this->listen(same.port)->port(), same.port);
}

TYPED_TEST(NetworkContractTest, ManyStreamsAtOnceStayApart) {
  constexpr std::size_t kStreams = 40;
  const auto listener = this->listen();
  std::vector<Task<Result<std::unique_ptr<Pipe>>>> dials;
  for (std::size_t i = 0; i < kStreams; ++i) dials.push_back(this->begin(listener->port()));
  std::vector<std::unique_ptr<Pipe>> ends;
  for (auto& dial : dials) ends.push_back(std::move(this->finish(std::move(dial))).value());
  ASSERT_TRUE(this->world_.run_until([&] { return this->accepted_.size() == kStreams; }));
  std::vector<RecordingReader> readers(2 * kStreams);
  for (std::size_t i = 0; i < kStreams; ++i) {
    ends[i]->start(readers[i]);
    this->accepted_[i]->start(readers[kStreams + i]);
    ends[i]->write(std::to_string(i) + ";");
  }
  ASSERT_TRUE(this->world_.run_until([&] {
    return std::all_of(readers.begin() + kStreams, readers.end(),
                       [](const auto& reader) { return reader.bytes.ends_with(';'); });
  }));
  std::set<std::string> heard;
  for (std::size_t i = 0; i < kStreams; ++i) heard.insert(readers[kStreams + i].bytes);
  EXPECT_EQ(heard.size(), kStreams);
}

TYPED_TEST(NetworkContractTest, MebibytesPassIntactBothWaysAtOnce) {
  this->connect();
  const std::string there = noise(3U << 20U);
  const std::string back = noise((3U << 20U) + 1);
  this->ours_->write(there);
  for (std::size_t at = 0; at < back.size(); at += 100'000) {
    this->theirs_->write(back.substr(at, 100'000));
  }
  this->ours_->close_write();
  this->theirs_->close_write();
  ASSERT_TRUE(
      this->world_.run_until([&] { return this->our_reader_.ended && this->their_reader_.ended; }));
  EXPECT_TRUE(this->their_reader_.bytes == there);
  EXPECT_TRUE(this->our_reader_.bytes == back);
  EXPECT_FALSE(this->our_reader_.broken_by.has_value());
  EXPECT_FALSE(this->their_reader_.broken_by.has_value());
}

TYPED_TEST(NetworkContractTest, CloseWriteEndsOneDirectionAfterWhatIsQueued) {
  this->connect();
  this->ours_->write("last");
  this->ours_->close_write();
  this->ours_->write("dropped");
  ASSERT_TRUE(this->world_.run_until([&] { return this->their_reader_.ended; }));
  EXPECT_EQ(this->their_reader_.bytes, "last");
  EXPECT_FALSE(this->their_reader_.broken_by.has_value());
  this->theirs_->write("still open");
  EXPECT_TRUE(this->world_.run_until([&] { return this->our_reader_.bytes == "still open"; }));
  EXPECT_FALSE(this->our_reader_.ended);
}

TYPED_TEST(NetworkContractTest, WhatWasWrittenBeforeAStreamIsDestroyedStillArrives) {
  this->connect();
  this->ours_->write("goodbye");
  this->ours_.reset();
  ASSERT_TRUE(this->world_.run_until([&] { return this->their_reader_.ended; }));
  EXPECT_EQ(this->their_reader_.bytes, "goodbye");
  EXPECT_FALSE(this->their_reader_.broken_by.has_value());
}

TYPED_TEST(NetworkContractTest, NothingIsCalledAfterClose) {
  this->connect();
  this->theirs_->write("x");
  this->ours_->close();
  this->ours_->write("y");
  this->ours_->close_write();
  this->ours_->close();
  EXPECT_TRUE(this->world_.run_until([&] { return this->their_reader_.ended; }));
  this->world_.settle();
  EXPECT_TRUE(this->our_reader_.bytes.empty());
  EXPECT_FALSE(this->our_reader_.ended);
}

TYPED_TEST(NetworkContractTest, AStreamMayBeDestroyedByItsReader) {
  this->connect();
  this->our_reader_.on_more = [&] { this->ours_.reset(); };
  this->their_reader_.on_ended = [&] { this->theirs_.reset(); };
  this->theirs_->write(noise(200'000));
  ASSERT_TRUE(this->world_.run_until([&] { return this->their_reader_.ended; }));
  EXPECT_FALSE(this->our_reader_.ended);
}

TYPED_TEST(NetworkContractTest, AFullQueueEndsTheStreamForBoth) {
  this->connect();
  const std::string mebibyte(1U << 20U, 'x');
  for (std::size_t i = 0; i <= limits::kWriteQueueBytesMax >> 20U; ++i) {
    this->ours_->write(mebibyte);
  }
  EXPECT_FALSE(this->our_reader_.ended);
  ASSERT_TRUE(
      this->world_.run_until([&] { return this->our_reader_.ended && this->their_reader_.ended; }));
  EXPECT_EQ(this->our_reader_.broken_by->code, ErrorCode::kLimitReached);
  ASSERT_TRUE(this->their_reader_.broken_by.has_value());
  EXPECT_EQ(this->their_reader_.broken_by->code, ErrorCode::kDisconnected);
}

TYPED_TEST(NetworkContractTest, AListenerMayBeDestroyedByWhoeverTakesAStream) {
  this->listener_ = this->listen();
  this->on_accepted_ = [&] { this->listener_.reset(); };
  const std::uint16_t port = this->listener_->port();
  const auto dialled = this->finish(this->begin(port));
  ASSERT_TRUE(dialled.ok());
  ASSERT_TRUE(this->world_.run_until([&] { return !this->accepted_.empty(); }));
  EXPECT_FALSE(this->finish(this->begin(port)).ok());
  dialled.value()->start(this->our_reader_);  // Streams that were taken live on.
  this->accepted_.front()->start(this->their_reader_);
  this->accepted_.front()->write("alive");
  EXPECT_TRUE(this->world_.run_until([&] { return this->our_reader_.bytes == "alive"; }));
}

TYPED_TEST(NetworkContractTest, ADialMayBeDroppedAtAnyTurn) {
  const auto listener = this->listen();
  for (int turns = 0; turns < 8; ++turns) {
    Task<Result<std::unique_ptr<Pipe>>> task = this->begin(listener->port());
    int left = turns;
    this->world_.run_until([&] { return task.done() || left-- == 0; });
  }
  EXPECT_TRUE(this->finish(this->begin(listener->port())).ok());
}

}  // namespace
}  // namespace plumbline::os
