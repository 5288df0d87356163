#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/wire/http.h"

namespace plumbline::wire {
namespace {

using Log = std::vector<std::string>;

class HttpRequestReaderTest : public testing::Test {
 protected:
  // read feeds `bytes` and writes down the requests that come out.
  void read(std::string_view bytes) {
    reader_.feed(bytes);
    while (const std::optional<HttpRequest> request = reader_.next()) {
      log_.push_back(request->method + " " + request->target + " " + request->body +
                     (request->keep_alive ? "" : " close"));
    }
  }

  // status_of returns the status of the problem that `bytes` are to a new reader, 0 for none.
  static int status_of(std::string_view bytes, HttpLimits limits = {}) {
    HttpRequestReader reader(limits);
    reader.feed(bytes);
    reader.next();
    return reader.problem() ? reader.problem()->status : 0;
  }

  // status_with returns the same of a POST with `fields` and the body "abc".
  static int status_with(const std::string& fields) {
    return status_of("POST / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\nabc");
  }

  HttpRequestReader reader_;
  Log log_;
};

TEST_F(HttpRequestReaderTest, ARequestHasMethodTargetFieldsAndBody) {
  reader_.feed("POST /mcp?x=1 HTTP/1.1\r\nHost: a:80\r\nX-One:  two words \r\n");
  EXPECT_FALSE(reader_.next());
  reader_.feed("Content-Length: 3\r\n\r\nab");
  EXPECT_FALSE(reader_.next());
  reader_.feed("c");
  const std::optional<HttpRequest> request = reader_.next();
  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, "POST");
  EXPECT_EQ(request->target, "/mcp?x=1");
  EXPECT_EQ(request->headers,
            (HttpHeaders{{"Host", "a:80"}, {"X-One", "two words"}, {"Content-Length", "3"}}));
  EXPECT_EQ(request->body, "abc");
  EXPECT_TRUE(request->keep_alive);
}

TEST_F(HttpRequestReaderTest, PipelinedRequestsComeInOrder) {
  read(
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n\r\nPUT /2 HTTP/1.1\r\nHost: a\r\nContent-Length: "
      "1\r\n\r\n"
      "xGET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(log_, (Log{"GET /1 ", "PUT /2 x", "GET /3  close"}));
  EXPECT_TRUE(reader_.idle());
}

TEST_F(HttpRequestReaderTest, TheConnectionPersistsAsTheVersionAndThePeerSay) {
  read(
      "GET /1 HTTP/1.0\r\n\r\nGET /2 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
      "GET /3 HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n");
  EXPECT_EQ(log_, (Log{"GET /1  close", "GET /2 ", "GET /3  close"}));
}

TEST_F(HttpRequestReaderTest, ChunksAreJoinedAndExtensionsAndTrailersDropped) {
  read(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
      "3\r\nabc\r\n00A ; x=\"y\"\r\n0123456789\r\n0\r\nContent-Length: 5\r\nX: y\r\n\r\n"
      "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(log_, (Log{"POST / abc0123456789", "GET /2 "}));
}

TEST_F(HttpRequestReaderTest, ThePeerThatWaitsForContinueIsToldOnce) {
  read("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n");
  EXPECT_TRUE(reader_.wants_continue());
  EXPECT_FALSE(reader_.wants_continue());
  read("x");
  EXPECT_EQ(log_, Log{"POST / x"});
  EXPECT_FALSE(reader_.wants_continue());
}

TEST_F(HttpRequestReaderTest, APeerThatDoesNotWaitIsNotToldToContinue) {
  read("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nx");
  EXPECT_FALSE(reader_.wants_continue());
  read("yPOST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_FALSE(reader_.wants_continue()) << "there is no body";
  EXPECT_EQ(status_with("Expect: tea\r\n"), 417);
}

TEST_F(HttpRequestReaderTest, WhatTwoReadersCouldUnderstandInTwoWaysIsRefused) {
  EXPECT_EQ(status_with("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"), 400);
  EXPECT_EQ(status_with("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n"), 400);
  EXPECT_EQ(status_with("Content-Length: 3\r\nContent-Length: 4\r\n"), 400);
  EXPECT_EQ(status_with("Content-Length: 3, 4\r\n"), 400);
  EXPECT_EQ(status_with("Content-Length: 3\r\nContent-Length: 3\r\n"), 0);
  EXPECT_EQ(status_with("Content-Length: +3\r\n"), 400);
  EXPECT_EQ(status_with("Content-Length: 99999999999999999999\r\n"), 400);
  EXPECT_EQ(status_with("Content-Length:\r\n"), 400);
  EXPECT_EQ(status_with("Transfer-Encoding: gzip, chunked\r\n"), 501);
  EXPECT_EQ(status_with("Transfer-Encoding: chunked, chunked\r\n"), 501);
  EXPECT_EQ(status_with("Transfer-Encoding: identity\r\nContent-Length: 3\r\n"), 501);
  EXPECT_EQ(status_with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400);
  EXPECT_EQ(status_with("X: a\r\n b\r\n"), 400) << "folded";
  EXPECT_EQ(status_with("X : a\r\n"), 400);
  EXPECT_EQ(status_with("X: a\nY: b\r\n"), 400) << "LF alone";
  EXPECT_EQ(status_with(std::string("X: a\0b\r\n", 8)), 400);
  EXPECT_EQ(status_with("Host: b\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 400) << "no Host";
  EXPECT_EQ(status_of("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
}

TEST_F(HttpRequestReaderTest, AnotherProtocolIsToldApartByItsFirstLine) {
  EXPECT_EQ(status_of("PRI * HTTP/2.0\r\n"), 505);
  EXPECT_EQ(status_of("GET / HTTP/1.2\r\n"), 505);
  EXPECT_EQ(status_of("GET / FTP/1.1\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1\r\n"), 400);
  EXPECT_EQ(status_of("GET  / HTTP/1.1\r\n"), 400);
  EXPECT_EQ(status_of("hello\n"), 400);
}

TEST_F(HttpRequestReaderTest, BrokenChunksAreRefused) {
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(status_of(head + "3\r\nabc\r\n0\r\n\r\n"), 0);
  EXPECT_EQ(status_of(head + "3\r\nabcd\r\n"), 400);
  EXPECT_EQ(status_of(head + "3\r\nabc\n"), 400);
  EXPECT_EQ(status_of(head + "3\nabc\r\n"), 400);
  EXPECT_EQ(status_of(head + "x\r\n"), 400);
  EXPECT_EQ(status_of(head + "\r\n"), 400);
  EXPECT_EQ(status_of(head + "-1\r\n"), 400);
  EXPECT_EQ(status_of(head + "3 x\r\n"), 400);
  EXPECT_EQ(status_of(head + "3;a\rb\r\n"), 400);
  EXPECT_EQ(status_of(head + "FFFFFFFFFFFFFFFFF\r\n"), 400);
}

TEST_F(HttpRequestReaderTest, LimitsAreReachedBeforeTheBytesAreThere) {
  const HttpLimits limits{.header_bytes_max = 60, .body_bytes_max = 10};
  const std::string start = "PUT / HTTP/1.1\r\nHost: a\r\n";
  EXPECT_EQ(status_of("GET /" + std::string(60, 'x'), limits), 414);
  EXPECT_EQ(status_of(start + "X: " + std::string(40, 'x'), limits), 431);
  EXPECT_EQ(status_of(start + "Content-Length: 11\r\n\r\n", limits), 413);
  EXPECT_EQ(status_of(start + "Content-Length: 10\r\n\r\n", limits), 0);
  const std::string chunked = "PUT / HTTP/1.1\r\nHost:\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(status_of(chunked + "6\r\n012345\r\n4\r\n6789\r\n0\r\n\r\n", limits), 0);
  EXPECT_EQ(status_of(chunked + "6\r\n012345\r\n5\r\n", limits), 413);
  EXPECT_EQ(status_of(chunked + "6;" + std::string(60, 'x'), limits), 400);
  EXPECT_EQ(status_of(chunked + "0\r\nA: 1\r\n" + std::string(60, 'x'), limits), 431);
}

TEST_F(HttpRequestReaderTest, BytesBehindARequestThatIsNotTakenAreBounded) {
  HttpRequestReader reader({.header_bytes_max = 60, .body_bytes_max = 10});
  reader.feed("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  reader.feed(std::string(70, 'x'));
  EXPECT_FALSE(reader.problem());
  reader.feed("x");
  EXPECT_TRUE(reader.problem());
  EXPECT_TRUE(reader.next()) << "what came before the problem is still there";
}

TEST_F(HttpRequestReaderTest, NothingFollowsAProblem) {
  read("GET / HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(reader_.problem());
  read("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(log_, Log{});
  EXPECT_FALSE(reader_.idle());
}

TEST_F(HttpRequestReaderTest, IdleMeansThatNoByteOfARequestIsHere) {
  EXPECT_TRUE(reader_.idle());
  read("G");
  EXPECT_FALSE(reader_.idle());
  read("ET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n");
  EXPECT_FALSE(reader_.idle());
  read("x");
  EXPECT_TRUE(reader_.idle());
}

TEST_F(HttpRequestReaderTest, BytesBehindAnUpgradeAreGivenUp) {
  reader_.feed("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n\x81\x05");
  reader_.feed("he");
  EXPECT_TRUE(reader_.next());
  reader_.feed("llo");
  EXPECT_EQ(reader_.drain(), "\x81\x05hello");
  EXPECT_TRUE(reader_.idle());
}

}  // namespace
}  // namespace plumbline::wire
