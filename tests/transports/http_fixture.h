// What the tests of HTTP share: a handler, a log of one answer, a server and its client.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/net/http_client.h"
#include "core/net/http_server.h"
#include "fakes/testing/pipe_log.h"
#include "tests/transports/worlds.h"

namespace plumbline::transports_test {

using net::HttpReply;
using wire::HttpRequest;
using wire::HttpResponse;

// EchoHandler answers with what was asked, or as the test says.
struct EchoHandler final : net::HttpHandler {
  void on_request(HttpRequest request, net::HttpReply reply) override {
    ++requests;
    if (act) return act(std::move(request), std::move(reply));
    reply.respond(
        HttpResponse{200, {{"X-Method", request.method}}, request.target + " " + request.body});
  }
  int requests = 0;
  std::function<void(HttpRequest, net::HttpReply)> act;
};

// AnswerLog writes down an exchange.
struct AnswerLog final : net::HttpExchangeReader {
  void on_head(int code, const wire::HttpHeaders& fields) override {
    status = code;
    headers = fields;
    if (at_head) at_head();
  }
  void on_body(std::string_view bytes) override { body += bytes; }
  void on_end() override { over = true; }
  void on_failed(const Error& why, bool was_connected) override {
    over = true;
    error = why;
    connected = was_connected;
  }
  int status = 0;
  wire::HttpHeaders headers;
  std::string body;
  bool over = false;
  std::optional<Error> error;
  bool connected = true;
  std::function<void()> at_head;
};

template <typename World>
class HttpTest : public WorldTest<World> {
 protected:
  void SetUp() override {
    this->listen([this](auto pipe) { server_->accept(std::move(pipe)); });
    client_ = std::make_unique<net::HttpClient>(this->world_.loop, this->world_.network,
                                                this->client_options());
  }

  HttpRequest request(std::string method, std::string body = "") const {
    HttpRequest made;
    made.method = std::move(method);
    made.body = std::move(body);
    return made;
  }

  Result<HttpResponse> fetch(HttpRequest asked, const std::string& target = "/") {
    const Instant deadline = this->world_.loop.now() + std::chrono::seconds(20);
    return this->wait(net::fetch(*client_, this->url(target), std::move(asked), deadline, 100'000));
  }

  void restart_server(net::HttpServerOptions options) {
    server_ = std::make_unique<net::HttpServer>(this->world_.loop, handler_, access_, options);
  }

  // say sends raw bytes and returns what the server said until it closed or `enough` was seen.
  std::string say(const std::string& bytes, const std::string& enough) {
    const std::unique_ptr<net::Pipe> pipe = this->dial();
    fakes::PipeLog log;
    pipe->start(log);
    pipe->write(bytes);
    EXPECT_TRUE(this->world_.run_until([&] {
      return log.ended || log.text.find(enough) != std::string::npos;
    })) << log.text;
    pipe->close();
    return log.text;
  }

  EchoHandler handler_;
  net::HttpAccess access_ = net::HttpAccess::anybody();
  std::unique_ptr<net::HttpServer> server_ =
      std::make_unique<net::HttpServer>(this->world_.loop, handler_, access_);
  std::unique_ptr<net::HttpClient> client_;
};

}  // namespace plumbline::transports_test
