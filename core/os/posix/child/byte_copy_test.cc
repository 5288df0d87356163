#include "core/os/posix/child/byte_copy.h"

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/os/test_support.h"

namespace plumbline::os {
namespace {

class ByteCopyTest : public testing::Test {
 protected:
  ByteCopyTest() : in_(make_pipe().value()), out_(make_pipe().value()) {}

  // copy passes on what `may_pass` lets pass.
  void copy(std::function<bool(std::string_view)> may_pass) {
    copy_.emplace(loop_, ByteCopy::End{std::move(in_.read)}, ByteCopy::End{std::move(out_.write)},
                  std::move(may_pass), [this] { ended_ = true; });
  }

  void say(std::string_view text) {
    EXPECT_EQ(::write(in_.write.number(), text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
  }

  bool heard_anything() const { return ready_for(out_.read.number(), POLLIN); }

  // hear returns what has come out, once there is something.
  std::string hear() {
    EXPECT_TRUE(run_within(loop_, std::chrono::seconds(30), [this] { return heard_anything(); }));
    std::string text(1024, ' ');
    const ssize_t count = ::read(out_.read.number(), text.data(), text.size());
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    return text;
  }

  RealLoop loop_;
  PipeEnds in_;
  PipeEnds out_;
  std::optional<ByteCopy> copy_;
  bool ended_ = false;
};

TEST_F(ByteCopyTest, NobodyHearsAPieceBeforeItWasSeen) {
  std::vector<std::string> seen;
  copy([&](std::string_view piece) {
    EXPECT_FALSE(heard_anything()) << piece;
    seen.emplace_back(piece);
    return true;
  });
  for (const std::string piece : {"one\n", "two\n", "three\n"}) {
    say(piece);
    EXPECT_EQ(hear(), piece);
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"one\n", "two\n", "three\n"}));
}

TEST_F(ByteCopyTest, APieceThatMayNotPassIsTheEnd) {
  copy([](std::string_view piece) { return piece != "two\n"; });
  say("one\n");
  EXPECT_EQ(hear(), "one\n");
  say("two\n");
  EXPECT_EQ(hear(), "");
  EXPECT_TRUE(ended_);
  EXPECT_TRUE(copy_->ended());
}

}  // namespace
}  // namespace plumbline::os
