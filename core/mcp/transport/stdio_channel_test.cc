#include "core/mcp/transport/stdio_channel.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::transport {
namespace {

using Log = std::vector<std::string>;

// HandPipe is worked by the test: it records what is written and says what arrives.
class HandPipe final : public net::Pipe {
 public:
  void start(net::PipeReader& reader) override { reader_ = &reader; }
  void write(std::string bytes) override { written += bytes; }
  void close_write() override { written += "<eof>"; }
  void close() override { reader_ = nullptr; }

  bool open() const { return reader_ != nullptr; }
  void arrive(std::string_view bytes) {
    if (open() && !bytes.empty()) reader_->on_bytes(bytes);
  }
  void end(const Error* error) {
    if (open()) reader_->on_end(error);
  }

  std::string written;

 private:
  net::PipeReader* reader_ = nullptr;
};

// Recorder writes down what it receives, and does what the test wants on the message "stop".
class Recorder final : public MessageReceiver {
 public:
  void on_message(Json message) override {
    log.push_back(dump_json(message));
    if (message == "stop") on_stop();
  }
  void on_garbage(std::string_view bytes, const Error& error) override {
    log.push_back("garbage: " + std::string(bytes));
    errors.push_back(error);
    if (bytes == "stop") on_stop();
  }
  void on_closed(const Error* error) override {
    log.push_back(error == nullptr ? "closed" : "closed: " + error->message);
    on_stop();
  }

  Log log;
  std::vector<Error> errors;
  std::function<void()> on_stop = [] {};
};

class StdioChannelTest : public testing::Test {
 protected:
  StdioChannelTest() { channel_->start(receiver_); }

  HandPipe pipe_;
  Recorder receiver_;
  std::unique_ptr<StdioChannel> channel_ = std::make_unique<StdioChannel>(pipe_, 1000);
};

TEST_F(StdioChannelTest, APeerWithLengthHeadersIsToldApartAtOnce) {
  pipe_.arrive("Content-Length: 17\r\n\r\n{\"jsonrpc\":");
  ASSERT_EQ(receiver_.log.size(), 1U);
  EXPECT_NE(receiver_.log.front().find("Content-Length headers"), std::string::npos);
  pipe_.arrive("\"2.0\"}\n");
  EXPECT_EQ(receiver_.log.size(), 1U) << "nothing after the end";
}

TEST_F(StdioChannelTest, AHeaderAmongMessagesIsGarbageLikeAnyOther) {
  pipe_.arrive("Content-Length: soon\n[1]\ncontent-length: 3\n[2]\n");
  EXPECT_EQ(receiver_.log,
            (Log{"garbage: Content-Length: soon", "[1]", "garbage: content-length: 3", "[2]"}));
}

TEST_F(StdioChannelTest, MessagesAreOneLineEachInOrder) {
  channel_->send(Json{{"text", "two\nlines"}});
  channel_->send(Json(7));
  EXPECT_EQ(pipe_.written, "{\"text\":\"two\\nlines\"}\n7\n");
}

TEST_F(StdioChannelTest, LinesArriveAsMessagesInOrder) {
  pipe_.arrive("{\"id\":1}\n{\"id\"");
  pipe_.arrive(":2}\r\n\n[3]\n");
  EXPECT_EQ(receiver_.log, (Log{"{\"id\":1}", "{\"id\":2}", "[3]"}));
}

TEST_F(StdioChannelTest, GarbageBetweenMessagesIsReportedAndPassed) {
  pipe_.arrive("1\nServer ready!\n\xff\xfe\n2\n");
  EXPECT_EQ(receiver_.log, (Log{"1", "garbage: Server ready!", "garbage: \xff\xfe", "2"}));
}

TEST_F(StdioChannelTest, GarbageIsHandedOverWhole) {
  pipe_.arrive(std::string(900, 'x') + "\n");
  ASSERT_EQ(receiver_.log.size(), 1U);
  EXPECT_EQ(receiver_.log[0], "garbage: " + std::string(900, 'x'));
}

TEST_F(StdioChannelTest, ALineBeyondTheLimitIsGarbageOnceAndTheNextOneArrives) {
  for (int i = 0; i < 100; ++i) pipe_.arrive(std::string(100, 'x'));
  pipe_.arrive("\n7\n");
  ASSERT_EQ(receiver_.log, (Log{"garbage: " + std::string(256, 'x'), "7"}));
  EXPECT_EQ(receiver_.errors[0].code, ErrorCode::kLimitReached);
  EXPECT_EQ(receiver_.errors[0].message, "a line of more than 1000 bytes");
}

TEST_F(StdioChannelTest, ATooDeepMessageIsGarbage) {
  pipe_.arrive(std::string(200, '[') + std::string(200, ']') + "\n1\n");
  ASSERT_EQ(receiver_.errors.size(), 1U);
  EXPECT_EQ(receiver_.errors[0].code, ErrorCode::kLimitReached);
  EXPECT_EQ(receiver_.log.back(), "1");
}

TEST_F(StdioChannelTest, HalfALineAtTheEndIsGarbageBeforeClosed) {
  pipe_.arrive("1\n{\"id\":");
  pipe_.end(nullptr);
  EXPECT_EQ(receiver_.log, (Log{"1", "garbage: {\"id\":", "closed"}));
}

TEST_F(StdioChannelTest, ABrokenPipeClosesWithItsError) {
  const Error error{ErrorCode::kDisconnected, "reset"};
  pipe_.end(&error);
  EXPECT_EQ(receiver_.log, Log{"closed: reset"});
}

TEST_F(StdioChannelTest, CloseSendEndsOurDirectionOnly) {
  channel_->send(Json(1));
  channel_->close_send();
  pipe_.arrive("2\n");
  EXPECT_EQ(pipe_.written, "1\n<eof>");
  EXPECT_EQ(receiver_.log, Log{"2"});
}

TEST_F(StdioChannelTest, NothingIsCalledOrSentAfterClose) {
  channel_->close();
  EXPECT_FALSE(pipe_.open());
  channel_->send(Json(1));
  channel_->close_send();
  channel_->close();
  EXPECT_EQ(pipe_.written, "");
  EXPECT_TRUE(receiver_.log.empty());
}

TEST_F(StdioChannelTest, TheReceiverMayCloseTheChannelInAMessage) {
  receiver_.on_stop = [this] { channel_->close(); };
  pipe_.arrive("1\n\"stop\"\n2\n");
  EXPECT_EQ(receiver_.log, (Log{"1", "\"stop\""}));
}

TEST_F(StdioChannelTest, TheReceiverMayDestroyTheChannelInAnyCall) {
  receiver_.on_stop = [this] { channel_.reset(); };
  pipe_.arrive("1\n\"stop\"\n2\n");
  EXPECT_EQ(receiver_.log, (Log{"1", "\"stop\""}));

  channel_ = std::make_unique<StdioChannel>(pipe_);
  channel_->start(receiver_);
  pipe_.arrive("stop\n3\n");
  EXPECT_EQ(receiver_.log.back(), "garbage: stop");

  channel_ = std::make_unique<StdioChannel>(pipe_);
  channel_->start(receiver_);
  pipe_.arrive("stop");
  pipe_.end(nullptr);
  EXPECT_EQ(receiver_.log.back(), "garbage: stop");

  channel_ = std::make_unique<StdioChannel>(pipe_);
  channel_->start(receiver_);
  pipe_.end(nullptr);
  EXPECT_EQ(receiver_.log.back(), "closed");
}

// Whatever is sent through one channel arrives through another, cut anywhere.
RC_GTEST_PROP(StdioChannelPropTest, WhatIsSentArrivesHoweverItIsCut, ()) {
  const auto texts = *rc::gen::arbitrary<std::vector<std::string>>();
  HandPipe out;
  Recorder nobody;
  StdioChannel sender(out);
  sender.start(nobody);
  Log expected;
  for (const std::string& text : texts) {
    const Json message = {{"text", text}};
    expected.push_back(dump_json(parse_json(dump_json(message)).value()));
    sender.send(message);
  }
  HandPipe in;
  Recorder receiver;
  StdioChannel channel(in);
  channel.start(receiver);
  const auto size = *rc::gen::inRange<std::size_t>(1, 20);
  for (std::size_t at = 0; at < out.written.size(); at += size) {
    in.arrive(std::string_view(out.written).substr(at, size));
  }
  RC_ASSERT(receiver.log == expected);
}

}  // namespace
}  // namespace plumbline::transport
