#include "core/wire/lines.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace plumbline::wire {
namespace {

class LineReaderTest : public testing::Test {
 protected:
  // read feeds `bytes` and writes down what comes out.
  void read(std::string_view bytes) {
    reader_.feed(bytes);
    drain();
  }

  void finish() {
    reader_.finish();
    drain();
  }

  void drain() {
    while (const std::optional<Line> line = reader_.next()) {
      const char* const kind = line->kind == Line::Kind::kComplete  ? ""
                               : line->kind == Line::Kind::kTooLong ? "too long: "
                                                                    : "unterminated: ";
      log_.push_back(kind + std::string(line->bytes));
    }
  }

  LineReader reader_{10};
  std::vector<std::string> log_;
};

using Log = std::vector<std::string>;

TEST_F(LineReaderTest, LinesEndInLfOrCrlf) {
  read("one\ntwo\r\nthree\n");
  EXPECT_EQ(log_, (Log{"one", "two", "three"}));
}

TEST_F(LineReaderTest, ALineWaitsForItsNewline) {
  read("on");
  EXPECT_TRUE(log_.empty());
  read("e\nt");
  EXPECT_EQ(log_, Log{"one"});
  read("wo\n");
  EXPECT_EQ(log_, (Log{"one", "two"}));
}

TEST_F(LineReaderTest, BlankLinesAreSkippedAndSpacesKept) {
  read("\n \t\n\r\n a \n");
  read(" ");
  read("\n b\n");
  EXPECT_EQ(log_, (Log{" a ", " b"}));
}

TEST_F(LineReaderTest, ACarriageReturnInsideALineIsPartOfIt) {
  read("a\rb\r\r\n");
  EXPECT_EQ(log_, Log{"a\rb\r"});
}

TEST_F(LineReaderTest, ALineOfExactlyTheLimitPasses) {
  read("0123456789\n0123456789\r\n");
  read("0123456789\r");
  read("\n");
  EXPECT_EQ(log_, (Log{"0123456789", "0123456789", "0123456789"}));
}

TEST_F(LineReaderTest, ALineBeyondTheLimitIsReportedOnceAndSkipped) {
  read("0123456789a");
  EXPECT_EQ(log_, Log{"too long: 0123456789"});
  for (int i = 0; i < 1000; ++i) read("more and more");
  read("end\nnext\n");
  EXPECT_EQ(log_, (Log{"too long: 0123456789", "next"}));
}

TEST_F(LineReaderTest, BytesLeftAtTheEndAreUnterminated) {
  read("one\ntw");
  finish();
  EXPECT_EQ(log_, (Log{"one", "unterminated: tw"}));
}

TEST_F(LineReaderTest, BlanksLeftAtTheEndAreNothing) {
  read("one\n \r");
  finish();
  EXPECT_EQ(log_, Log{"one"});
}

TEST_F(LineReaderTest, ALongLineCutOffAtTheEndIsReportedOnce) {
  read("0123456789abcdef");
  finish();
  EXPECT_EQ(log_, Log{"too long: 0123456789"});
}

TEST(LineReaderLimitTest, OnlyTheBeginningOfALongLineIsShown) {
  LineReader reader(1000);
  const std::string line(1001, 'x');
  reader.feed(line);
  const std::optional<Line> found = reader.next();
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->kind, Line::Kind::kTooLong);
  EXPECT_EQ(found->bytes.size(), kLineStartBytesMax);
}

}  // namespace
}  // namespace plumbline::wire
