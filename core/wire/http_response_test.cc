#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/wire/http.h"

namespace plumbline::wire {
namespace {

using Log = std::vector<std::string>;

std::string text_of_event(const HttpResponseReader::Event& event) {
  if (const auto* head = std::get_if<HttpResponseReader::Head>(&event)) {
    return std::to_string(head->status);
  }
  if (const auto* body = std::get_if<HttpResponseReader::Body>(&event)) return body->bytes;
  if (const auto* end = std::get_if<HttpResponseReader::End>(&event)) {
    return end->keep_alive ? "end" : "end, close";
  }
  return "broken";
}

class HttpResponseReaderTest : public testing::Test {
 protected:
  Log read(std::string_view bytes) {
    reader_.feed(bytes);
    return events();
  }

  Log finish() {
    reader_.finish();
    return events();
  }

  Log events() {
    Log log;
    while (const auto event = reader_.next()) log.push_back(text_of_event(*event));
    return log;
  }

  HttpResponseReader reader_;
};

TEST_F(HttpResponseReaderTest, TheHeadComesBeforeTheBodyAndTheBodyAsItArrives) {
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nContent-Le"), Log{});
  EXPECT_EQ(read("ngth: 5\r\n\r\n"), Log{"200"});
  EXPECT_EQ(read("ab"), Log{"ab"});
  EXPECT_TRUE(reader_.started());
  EXPECT_EQ(read("cde"), (Log{"cde", "end"}));
  EXPECT_FALSE(reader_.started());
  EXPECT_EQ(finish(), Log{});
}

TEST_F(HttpResponseReaderTest, ChunksComeDecoded) {
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc"),
            (Log{"200", "abc"}));
  EXPECT_EQ(read("\r\n0\r\nX: trailer\r\n\r\nHTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n"),
            (Log{"end", "404", "end"}));
}

TEST_F(HttpResponseReaderTest, ABodyWithoutLengthEndsWithTheConnection) {
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\n\r\nab"), (Log{"200", "ab"}));
  EXPECT_EQ(read("c"), Log{"c"});
  EXPECT_EQ(finish(), Log{"end, close"});
}

TEST_F(HttpResponseReaderTest, SomeResponsesHaveNoBody) {
  EXPECT_EQ(read("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 X\r\nContent-Length: 7\r\n\r\n"),
            (Log{"204", "end", "304", "end"}));
  reader_.expect_no_body();
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"), (Log{"200", "end"}));
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"), (Log{"200", "abc", "end"}));
}

TEST_F(HttpResponseReaderTest, InterimResponsesAreSkipped) {
  reader_.expect_no_body();
  EXPECT_EQ(read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nX: y\r\n\r\n"), Log{});
  EXPECT_TRUE(reader_.started());
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"), (Log{"200", "end"}));
}

TEST_F(HttpResponseReaderTest, WhatFollowsAnUpgradeIsGivenUpUnread) {
  EXPECT_EQ(read("HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nHTTP/"), (Log{"101", "end, close"}));
  EXPECT_EQ(read("1.1 200"), Log{});
  EXPECT_EQ(reader_.drain(), "HTTP/1.1 200");
}

TEST_F(HttpResponseReaderTest, BytesBehindTheEndAreGivenUpBeforeTheyAreRead) {
  reader_.feed("HTTP/1.1 204 X\r\n\r\nmore");
  EXPECT_TRUE(reader_.next());
  EXPECT_TRUE(reader_.next());
  EXPECT_TRUE(reader_.started());
  reader_.feed("!");
  EXPECT_EQ(reader_.drain(), "more!");
  EXPECT_FALSE(reader_.started());
}

TEST_F(HttpResponseReaderTest, TheConnectionPersistsAsTheVersionAndThePeerSay) {
  const std::string rest = "Content-Length: 0\r\n\r\n";
  EXPECT_EQ(read("HTTP/1.0 200 OK\r\n" + rest), (Log{"200", "end, close"}));
  EXPECT_EQ(read("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + rest), (Log{"200", "end"}));
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nConnection: x, close\r\n" + rest), (Log{"200", "end, close"}));
}

TEST(HttpResponseEndTest, EndingTooEarlyIsBroken) {
  const std::string whole = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    HttpResponseReader reader;
    reader.feed(whole.substr(0, size));
    reader.finish();
    std::string last;
    while (const auto event = reader.next()) last = text_of_event(*event);
    EXPECT_EQ(last, size == 0 ? "" : size == whole.size() ? "end" : "broken") << size;
  }
}

TEST(HttpResponseEndTest, WhatIsNoHttpIsBroken) {
  for (const std::string bytes :
       {"SSH-2.0-OpenSSH_9\r\n", "HTTP/2 200\r\n", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 099 X\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"}) {
    HttpResponseReader reader;
    reader.feed(bytes);
    reader.feed("HTTP/1.1 204 X\r\n\r\n");
    std::string last;
    while (const auto event = reader.next()) last = text_of_event(*event);
    EXPECT_EQ(last, "broken") << bytes;
  }
}

TEST(HttpResponseEndTest, AnEndlessHeadIsBrokenAndAnEndlessBodyIsNot) {
  HttpResponseReader reader({.header_bytes_max = 50, .body_bytes_max = 10});
  reader.feed("HTTP/1.1 200 OK\r\n\r\n");
  for (int i = 0; i < 100; ++i) {
    reader.feed("0123456789");
    while (const auto event = reader.next()) EXPECT_NE(text_of_event(*event), "broken");
  }
  HttpResponseReader other({.header_bytes_max = 50, .body_bytes_max = 10});
  other.feed("HTTP/1.1 200 OK\r\nX: " + std::string(40, 'x'));
  EXPECT_EQ(text_of_event(other.next().value()), "broken");
}

}  // namespace
}  // namespace plumbline::wire
