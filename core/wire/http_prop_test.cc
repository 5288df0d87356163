#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/wire/http.h"
#include "core/wire/test_support.h"

namespace plumbline::wire {
namespace {

constexpr HttpLimits kSmall{.header_bytes_max = 120, .body_bytes_max = 12};
using Pieces = std::vector<std::string>;

std::string text_of_fields(const HttpHeaders& headers) {
  std::string text;
  for (const auto& [name, value] : headers.fields()) text += name + "=" + value + ";";
  return text;
}

// requests_in writes down what a reader makes of `pieces`.
Pieces requests_in(const Pieces& pieces) {
  HttpRequestReader reader(kSmall);
  Pieces log;
  for (const std::string& piece : pieces) {
    reader.feed(std::string(piece));
    while (const auto request = reader.next()) {
      log.push_back(request->method + " " + request->target + " " +
                    text_of_fields(request->headers) + " " + request->body +
                    (request->keep_alive ? " keep" : ""));
    }
  }
  if (reader.problem()) log.push_back(std::to_string(reader.problem()->status));
  log.emplace_back(reader.idle() ? "idle" : "busy");
  return log;
}

// responses_in does the same of responses, with the pieces of a body joined.
Pieces responses_in(const Pieces& pieces, bool finished) {
  HttpResponseReader reader(kSmall);
  Pieces log;
  std::string body, behind;
  bool upgraded = false;
  const auto take = [&] {
    while (auto event = reader.next()) {
      if (const auto* part = std::get_if<HttpResponseReader::Body>(&*event)) {
        RC_ASSERT(!part->bytes.empty());
        body += part->bytes;
        continue;
      }
      log.push_back(std::exchange(body, {}));
      if (const auto* head = std::get_if<HttpResponseReader::Head>(&*event)) {
        log.push_back(std::to_string(head->status) + " " + text_of_fields(head->headers));
        upgraded = head->status == 101;
      } else if (const auto* end = std::get_if<HttpResponseReader::End>(&*event)) {
        log.emplace_back(end->keep_alive ? "end keep" : "end");
      } else {
        log.emplace_back("broken");
      }
    }
    if (upgraded) behind += reader.drain();
  };
  for (const std::string& piece : pieces) {
    reader.feed(std::string(piece));
    take();
  }
  if (finished) reader.finish();
  take();
  log.insert(log.end(), {body, behind});
  log.emplace_back(reader.started() ? "started" : "between");
  return log;
}

const Pieces kRequestWords = {"GET / HTTP/1.1\r\n",
                              "POST /x HTTP/1.1\r\n",
                              "PUT / HTTP/1.0\r\n",
                              "Host: a\r\n",
                              "Host: a\r\n",
                              "Host: a\r\n",
                              "\r\n",
                              "\r\n",
                              "\r\n",
                              "\n",
                              "\r",
                              " ",
                              "x",
                              "Content-Length: 3\r\n",
                              "Content-Length: 13\r\n",
                              "Transfer-Encoding: chunked\r\n",
                              "Connection: close\r\n",
                              "Expect: 100-continue\r\n",
                              "3\r\nabc\r\n",
                              "0\r\n",
                              "abc",
                              "5;x\r\n01234\r\n",
                              "X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n",
                              "GET / HTTP/1.1\r\nHost: a\r\n",
                              "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
                              "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"};

const Pieces kResponseWords = {"HTTP/1.1 200 OK\r\n",
                               "HTTP/1.0 404 \r\n",
                               "HTTP/1.1 100 Continue\r\n\r\n",
                               "HTTP/1.1 204 No\r\n",
                               "HTTP/1.1 101 Switch\r\n\r\n",
                               "\r\n",
                               "\r\n",
                               "\r\n",
                               "\n",
                               "\r",
                               "x",
                               "Content-Length: 3\r\n",
                               "Transfer-Encoding: chunked\r\n",
                               "Connection: close\r\n",
                               "3\r\nabc\r\n",
                               "0\r\n",
                               "0\r\n\r\n",
                               "abc",
                               "X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n",
                               "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
                               "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"};

RC_GTEST_PROP(HttpPropTest, AnySplitOfTheBytesGivesTheSameRequests, ()) {
  const std::string text = any_of_words(kRequestWords);
  const Pieces expected = requests_in({text});
  RC_ASSERT(requests_in(cut_anywhere(text)) == expected);
  RC_ASSERT(requests_in(cut_to_bytes(text)) == expected);
}

RC_GTEST_PROP(HttpPropTest, AnySplitOfTheBytesGivesTheSameResponses, ()) {
  const std::string text = any_of_words(kResponseWords);
  const bool finished = *rc::gen::arbitrary<bool>();
  const Pieces expected = responses_in({text}, finished);
  RC_ASSERT(responses_in(cut_anywhere(text), finished) == expected);
  RC_ASSERT(responses_in(cut_to_bytes(text), finished) == expected);
}

std::string any_word(const std::string& letters) {
  return *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::elementOf(letters)));
}

HttpHeaders any_headers() {
  HttpHeaders headers{{"Host", "a"}};
  const int count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) headers.add("X-" + any_word("abC-_1"), any_word("a;=,\"\x80"));
  return headers;
}

RC_GTEST_PROP(HttpPropTest, WhatIsWrittenIsRead, ()) {
  std::string wire;
  std::vector<HttpRequest> written;
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) {
    written.push_back({.method = *rc::gen::element<std::string>("GET", "POST", "MKCOL"),
                       .target = "/" + any_word("ab?&%"),
                       .headers = any_headers(),
                       .body = *rc::gen::arbitrary<std::string>()});
    append_request(wire, written.back());
  }
  HttpRequestReader reader;
  std::vector<HttpRequest> read;
  for (const std::string& piece : cut_anywhere(wire)) {
    reader.feed(piece);
    while (auto request = reader.next()) read.push_back(*std::move(request));
  }
  RC_ASSERT(read.size() == written.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    read[i].headers.erase("Content-Length");
    RC_ASSERT((read[i].method == written[i].method && read[i].target == written[i].target));
    RC_ASSERT((read[i].headers == written[i].headers && read[i].body == written[i].body));
  }
}

RC_GTEST_PROP(HttpPropTest, AStreamThatIsWrittenInChunksIsRead, ()) {
  const Pieces chunks = *rc::gen::arbitrary<Pieces>();
  std::string wire, sent, got;
  append_stream_head(wire, 200, {});
  for (const std::string& chunk : chunks) {
    append_chunk(wire, chunk);
    sent += chunk;
  }
  append_last_chunk(wire);
  HttpResponseReader reader;
  bool ended = false;
  for (const std::string& piece : cut_anywhere(wire)) {
    reader.feed(piece);
    while (const auto event = reader.next()) {
      if (const auto* body = std::get_if<HttpResponseReader::Body>(&*event)) got += body->bytes;
      ended = std::holds_alternative<HttpResponseReader::End>(*event);
    }
  }
  RC_ASSERT(ended);
  RC_ASSERT(got == sent);
}

}  // namespace
}  // namespace plumbline::wire
