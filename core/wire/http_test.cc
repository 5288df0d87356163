#include "core/wire/http.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace plumbline::wire {
namespace {

TEST(HttpHeadersTest, NamesAreComparedWithoutCase) {
  HttpHeaders headers{{"Accept", " a "}, {"X", "1"}, {"accept", "b"}};
  EXPECT_EQ(headers.get("ACCEPT"), "a");
  EXPECT_EQ(headers.count("accept"), 2U);
  EXPECT_EQ(headers.get("Accep"), std::nullopt);
  headers.set("aCCept", "c");
  EXPECT_EQ(headers, (HttpHeaders{{"X", "1"}, {"aCCept", "c"}}));
  headers.add("X", "2");
  headers.erase("x");
  EXPECT_EQ(headers, (HttpHeaders{{"aCCept", "c"}}));
}

TEST(HttpHeadersTest, AValueOfBlanksIsEmpty) {
  EXPECT_EQ((HttpHeaders{{"A", " \t"}}).get("a"), "");
  EXPECT_EQ((HttpHeaders{{"A", ""}}).get("a"), "");
}

TEST(HttpWriterTest, ARequestHasALengthWhenItsMethodWantsOne) {
  std::string out;
  append_request(out, {.method = "GET", .target = "/", .headers = {{"Host", "a"}}, .body = ""});
  EXPECT_EQ(out, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  out.clear();
  append_request(out, {.method = "POST",
                       .target = "/x?y",
                       .headers = {{"Host", "a"}, {"content-length", "9"}},
                       .body = ""});
  EXPECT_EQ(out, "POST /x?y HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
  out.clear();
  append_request(out,
                 {.method = "DELETE", .target = "/", .headers = {{"Host", "a"}}, .body = "body"});
  EXPECT_EQ(out, "DELETE / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody");
}

TEST(HttpWriterTest, AResponseHasALengthWhenItsStatusHasABody) {
  std::string out;
  append_response(out, {.status = 202, .headers = {{"Transfer-Encoding", "x"}}, .body = ""});
  EXPECT_EQ(out, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
  out.clear();
  append_response(out, {.status = 204, .headers = {{"A", "b"}}, .body = ""});
  EXPECT_EQ(out, "HTTP/1.1 204 No Content\r\nA: b\r\n\r\n");
  out.clear();
  append_response(out, {.status = 299, .headers = {}, .body = "x"});
  EXPECT_EQ(out, "HTTP/1.1 299 Unknown\r\nContent-Length: 1\r\n\r\nx");
}

TEST(HttpWriterTest, AStreamIsWrittenInChunks) {
  std::string out;
  append_stream_head(out, 200, {{"Content-Type", "text/event-stream"}});
  append_chunk(out, std::string(26, 'x'));
  append_chunk(out, "");
  append_last_chunk(out);
  EXPECT_EQ(out,
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
            "\r\n1a\r\nxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n0\r\n\r\n");
}

TEST(HttpWriterDeathTest, AValueCannotSmuggleAField) {
  std::string out;
  const auto respond = [&](HttpHeaders headers) {
    append_response(out, {.status = 200, .headers = std::move(headers), .body = ""});
  };
  EXPECT_DEATH(respond({{"A", "b\r\nC: d"}}), "one line");
  EXPECT_DEATH(respond({{"A: b", "c"}}), "token");
}

TEST(HttpReasonTest, AStatusHasAName) {
  EXPECT_EQ(reason_of(404), "Not Found");
  EXPECT_EQ(reason_of(431), "Request Header Fields Too Large");
  EXPECT_EQ(reason_of(299), "Unknown");
}

}  // namespace
}  // namespace plumbline::wire
