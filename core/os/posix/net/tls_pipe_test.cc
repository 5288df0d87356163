#include "core/os/posix/net/tls_pipe.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/check.h"
#include "core/base/limits.h"
#include "core/os/net/test_certificates.h"
#include "fakes/testing/pipe_log.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_pipe.h"

namespace plumbline::os {
namespace {

using fakes::Fragments;
using fakes::PipeLog;
using fakes::PipeOptions;
using fakes::SimLoop;
using fakes::SimPipe;
using net::TlsClient;
using net::TlsServer;

// One authority for all tests: keys take time.
TestAuthority& authority() {
  static TestAuthority the_one;
  return the_one;
}

const TlsServer& server_files() {
  static const TlsServer files = authority().issue("DNS:server.example,IP:10.0.0.1,IP:::1");
  return files;
}

TlsClient trusting() {
  TlsClient client;
  client.ca_file = authority().ca_file();
  return client;
}

// TlsWorldOfPipes is a client and a server over a simulated stream.
class TlsWorldOfPipes {
 public:
  explicit TlsWorldOfPipes(const PipeOptions& options = {}, std::uint64_t seed = 1) {
    fakes::SimPipePair ends = fakes::make_sim_pipe(loop, options, Rng(seed));
    our_link = ends.near.get();
    their_link = ends.far.get();
    our_end_ = std::move(ends.near);
    their_end_ = std::move(ends.far);
  }

  // shake_hands returns what each side says of it.
  void shake_hands(const TlsClient& client, const TlsServer& server,
                   const std::string& host = "server.example") {
    client_context_.emplace(TlsContext::client(client).value());
    server_context_.emplace(TlsContext::server(server).value());
    ours = TlsPipe::client(loop, std::move(our_end_), *client_context_, host);
    theirs = TlsPipe::server(loop, std::move(their_end_), *server_context_);
    Task<Status> our_side = ours->handshake();
    Task<Status> their_side = theirs->handshake();
    our_side.start();
    their_side.start();
    check(loop.run_until_idle().ok(), "the world is restless");
    if (our_side.done()) our_result = our_side.result();
    if (our_result && !our_result->ok()) ours->close();  // As a dial that failed does.
    check(loop.run_until_idle().ok(), "the world is restless");
    if (their_side.done()) their_result = their_side.result();
  }

  void open() {
    shake_hands(trusting(), server_files());
    check(our_result->ok() && their_result->ok(), "no handshake");
    ours->start(our_log);
    theirs->start(their_log);
  }
  void settle() { check(loop.run_until_idle(10'000'000).ok(), "the world is restless"); }

  SimLoop loop;
  PipeLog our_log;
  PipeLog their_log;
  SimPipe* our_link = nullptr;
  SimPipe* their_link = nullptr;
  std::optional<Status> our_result;
  std::optional<Status> their_result;

 private:
  std::optional<TlsContext> client_context_;
  std::optional<TlsContext> server_context_;
  std::unique_ptr<net::Pipe> our_end_;
  std::unique_ptr<net::Pipe> their_end_;

 public:
  std::unique_ptr<TlsPipe> ours;
  std::unique_ptr<TlsPipe> theirs;
};

// refusal returns why a client that dials `host` refuses `server`.
std::string refusal(const TlsClient& client, const TlsServer& server, const std::string& host) {
  TlsWorldOfPipes world;
  world.shake_hands(client, server, host);
  if (!world.our_result || world.our_result->ok()) return "no refusal";
  EXPECT_EQ(world.our_result->error().code, ErrorCode::kInvalidInput);
  EXPECT_TRUE(world.their_result && !world.their_result->ok());
  return world.our_result->error().message;
}

TEST(TlsPipeTest, BothSidesAgreeOnHttp11) {
  TlsWorldOfPipes world;
  world.open();
  EXPECT_EQ(world.ours->alpn(), "http/1.1");
  EXPECT_EQ(world.theirs->alpn(), "http/1.1");
}

TEST(TlsPipeTest, AClientMayOfferNoProtocol) {
  TlsClient client = trusting();
  client.alpn.clear();
  TlsWorldOfPipes world;
  world.shake_hands(client, server_files());
  ASSERT_TRUE(world.our_result->ok());
  EXPECT_EQ(world.ours->alpn(), "");
}

TEST(TlsPipeTest, AClientThatOffersOnlyOtherProtocolsIsRefused) {
  TlsClient client = trusting();
  client.alpn = {"h2"};
  EXPECT_EQ(refusal(client, server_files(), "server.example"),
            "TLS with \"server.example\" failed: tlsv1 alert no application protocol");
}

TEST(TlsPipeTest, ACertificateIsGoodForEachOfItsNames) {
  for (const char* const host : {"server.example", "SERVER.example", "10.0.0.1", "::1"}) {
    TlsWorldOfPipes world;
    world.shake_hands(trusting(), server_files(), host);
    EXPECT_TRUE(world.our_result->ok()) << host;
  }
}

TEST(TlsPipeTest, ARefusedCertificateIsOneClearLine) {
  const std::string refused = "the certificate of \"server.example\" is refused: ";
  EXPECT_EQ(refusal(trusting(), server_files(), "other.example"),
            "the certificate of \"other.example\" is refused: it is for server.example, 10.0.0.1, "
            "::1");
  EXPECT_EQ(refusal(trusting(), server_files(), "10.0.0.2"),
            "the certificate of \"10.0.0.2\" is refused: it is for server.example, 10.0.0.1, ::1");
  EXPECT_TRUE(refusal(trusting(), authority().issue("DNS:server.example", -9, -2), "server.example")
                  .starts_with(refused + "it expired on 20"));
  EXPECT_TRUE(refusal(trusting(), authority().issue("DNS:server.example", 2, 9), "server.example")
                  .starts_with(refused + "it is not valid before 20"));
  TestAuthority stranger;
  EXPECT_EQ(refusal(trusting(), stranger.issue("DNS:server.example"), "server.example"),
            refused + "no authority that is trusted here has signed it");
  EXPECT_EQ(refusal(TlsClient{}, server_files(), "server.example"),
            refused + "no authority that is trusted here has signed it");
}

TEST(TlsPipeTest, AHostThatNoCertificateCanBeForIsRefused) {
  for (const std::string& host :
       {std::string("."), std::string("server.example\0.evil", 20), std::string(300, 'a')}) {
    EXPECT_NE(refusal(trusting(), server_files(), host).find("no name that a certificate"),
              std::string::npos);
  }
}

TEST(TlsPipeTest, WithoutVerificationAnyCertificateWillDo) {
  TlsClient client;
  client.verify = false;
  TlsWorldOfPipes world;
  world.shake_hands(client, authority().issue("DNS:other.example", -9, -2));
  EXPECT_TRUE(world.our_result->ok());
  EXPECT_TRUE(world.their_result->ok());
}

TEST(TlsPipeTest, FilesThatCannotBeUsedAreNamed) {
  TlsClient client;
  client.ca_file = "/nowhere/ca.pem";
  EXPECT_EQ(TlsContext::client(client).error().message,
            "cannot use /nowhere/ca.pem as certificates of authorities: No such file or directory");
  TlsServer server = server_files();
  const TlsServer another = authority().issue("DNS:another.example");
  server.key_file = another.key_file;
  EXPECT_EQ(TlsContext::server(server).error().message,
            "cannot use " + server.key_file + " as the key of a server: key values mismatch");
  server.certificate_file = another.key_file;
  EXPECT_TRUE(TlsContext::server(server).error().message.ends_with(
      "as the certificate of a server: no start line"));
}

TEST(TlsPipeTest, APeerThatSpeaksNoTlsIsSaidToBeSo) {
  TlsWorldOfPipes world;
  world.their_link->write("HTTP/1.1 400 Bad Request\r\n\r\n");
  world.shake_hands(trusting(), server_files());
  EXPECT_EQ(world.our_result->error().message,
            "TLS with \"server.example\" failed: wrong version number");
}

TEST(TlsPipeTest, APeerThatGoesAwayDuringTheHandshakeIsDisconnected) {
  TlsWorldOfPipes world;
  world.their_link->close_write();
  world.shake_hands(trusting(), server_files());
  EXPECT_EQ(world.our_result->error().code, ErrorCode::kDisconnected);
}

TEST(TlsPipeTest, WhatIsWrittenDuringTheLastFlightIsNotLost) {
  TlsWorldOfPipes world;
  world.shake_hands(trusting(), server_files());
  world.theirs->start(world.their_log);
  world.theirs->write("early");
  world.theirs->close_write();
  world.settle();
  world.ours->start(world.our_log);  // Nothing more comes: only the loop can deliver.
  EXPECT_EQ(world.our_log.text, "");
  world.settle();
  EXPECT_EQ(world.our_log.text, "early");
  EXPECT_TRUE(world.our_log.ended);
  EXPECT_FALSE(world.our_log.error.has_value());
}

TEST(TlsPipeTest, CloseWriteEndsOneDirection) {
  TlsWorldOfPipes world;
  world.open();
  world.ours->write("last");
  world.ours->close_write();
  world.ours->write("dropped");
  world.settle();
  EXPECT_EQ(world.their_log.text, "last");
  EXPECT_TRUE(world.their_log.ended);
  EXPECT_FALSE(world.their_log.error.has_value());
  world.theirs->write("still open");
  world.theirs->close();
  world.settle();
  EXPECT_EQ(world.our_log.text, "still open");
  EXPECT_TRUE(world.our_log.ended);
  EXPECT_FALSE(world.our_log.error.has_value());
}

TEST(TlsPipeTest, AStreamThatIsCutOffIsAnError) {
  TlsWorldOfPipes world;
  world.open();
  world.ours->write("half of it");
  world.our_link->close_write();  // Below TLS: no close_notify.
  world.settle();
  EXPECT_EQ(world.their_log.text, "half of it");
  EXPECT_EQ(world.their_log.error->code, ErrorCode::kDisconnected);
  EXPECT_EQ(world.their_log.error->message,
            "the stream was cut off: it ended without the close of TLS");
}

TEST(TlsPipeTest, BytesThatWereChangedOnTheWayBreakTheStream) {
  TlsWorldOfPipes world;
  world.open();
  world.our_link->write(std::string("\x17\x03\x03\x00\x20", 5) + std::string(32, 'x'));
  world.settle();
  EXPECT_EQ(world.their_log.text, "");
  EXPECT_EQ(world.their_log.error->code, ErrorCode::kDisconnected);
  EXPECT_EQ(world.our_log.error->code, ErrorCode::kDisconnected);  // Told by an alert.
}

TEST(TlsPipeTest, TheErrorOfTheStreamBelowIsPassedOn) {
  TlsWorldOfPipes world;
  world.open();
  world.our_link->reset();
  world.settle();
  EXPECT_EQ(world.our_log.error->message, "the connection was reset");
}

// Reader that ends its pipe in the middle of what it is given.
struct ClosingReader final : net::PipeReader {
  explicit ClosingReader(std::unique_ptr<TlsPipe> its_pipe) : pipe(std::move(its_pipe)) {}
  void on_bytes(std::string_view bytes) override {
    seen += bytes.size();
    pipe.reset();
  }
  void on_end(const Error*) override { ended = true; }

  std::unique_ptr<TlsPipe> pipe;
  std::size_t seen = 0;
  bool ended = false;
};

TEST(TlsPipeTest, AReaderMayDestroyItsPipe) {
  TlsWorldOfPipes world;
  world.shake_hands(trusting(), server_files());
  ClosingReader reader(std::move(world.ours));
  reader.pipe->start(reader);
  world.theirs->start(world.their_log);
  world.theirs->write(std::string(100'000, 'x'));
  world.settle();
  EXPECT_GT(reader.seen, 0U);
  EXPECT_FALSE(reader.ended);
  EXPECT_TRUE(world.their_log.ended);
}

// Goal: no cutting of the stream changes what arrives. Method: both sides write pieces of any
// size in any order, over a link that cuts and delays as a seed says.
RC_GTEST_PROP(TlsPipeProperty, AnyPiecesArriveInOrderHoweverTheLinkCuts, ()) {
  const Fragments fragments =
      *rc::gen::element(Fragments::kWhole, Fragments::kRandom, Fragments::kOneByte);
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  TlsWorldOfPipes world(
      PipeOptions{std::chrono::milliseconds(0), std::chrono::milliseconds(3), fragments}, seed);
  world.open();
  std::string there;
  std::string back;
  const int size_max = fragments == Fragments::kOneByte ? 2'000 : 40'000;
  const auto sizes = *rc::gen::container<std::vector<int>>(rc::gen::inRange(1, size_max));
  for (std::size_t i = 0; i < sizes.size() && i < 6; ++i) {
    const std::string piece(static_cast<std::size_t>(sizes[i]), static_cast<char>('a' + i));
    (i % 2 == 0 ? there : back) += piece;
    (i % 2 == 0 ? world.ours : world.theirs)->write(piece);
    if (i == 3) world.settle();
  }
  world.ours->close_write();
  world.theirs->close_write();
  world.settle();
  RC_ASSERT(world.their_log.text == there);
  RC_ASSERT(world.our_log.text == back);
  RC_ASSERT((world.their_log.ended && !world.their_log.error));
  RC_ASSERT((world.our_log.ended && !world.our_log.error));
}

}  // namespace
}  // namespace plumbline::os
