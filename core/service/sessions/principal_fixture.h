// A gate that knows tokens, and a client that listens, for the tests of who may do what.

#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "core/net/http_answer.h"
#include "core/net/http_gate.h"

namespace plumbline::service {

// TokenGate lets in who shows a token that it knows, as who that belongs to.
class TokenGate final : public net::HttpGate {
 public:
  explicit TokenGate(std::map<std::string, std::string> principals)
      : principals_(std::move(principals)) {}

  void revoke(const std::string& token) { principals_.erase(token); }

  void guard(const std::string& /*url*/, net::HttpHandler& inside) override { inside_ = &inside; }

  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    const std::string shown(request.headers.get("Authorization").value_or(""));
    const auto known = principals_.find(shown.substr(std::min(shown.find(' ') + 1, shown.size())));
    if (known == principals_.end()) {
      return reply.respond({401, {{"WWW-Authenticate", "Bearer"}}, ""});
    }
    reply.set_principal(known->second);
    inside_->on_request(std::move(request), std::move(reply));
  }

 private:
  std::map<std::string, std::string> principals_;
  net::HttpHandler* inside_ = nullptr;
};

// Listening is one request whose answer is a stream of events.
struct Listening final : net::HttpAnswerReader {
  Listening(net::HttpClient& client, const wire::Url& to, wire::HttpRequest request)
      : answer(client, to, std::move(request), *this, kNever) {}

  void on_answer_event(net::HttpAnswer& /*answer*/, wire::SseEvent event) override {
    if (!event.data.empty()) events.push_back(parse_json(event.data).value());
  }
  void on_answer_over(net::HttpAnswer& /*answer*/, const Error* /*error*/,
                      bool /*connected*/) override {
    over = true;
  }

  // heard returns how many notifications of `method` came.
  std::int64_t heard(const std::string& method) const {
    return std::ranges::count_if(
        events, [&](const Json& event) { return string_or(event, "method", "") == method; });
  }

  std::vector<Json> events;
  bool over = false;
  net::HttpAnswer answer;
};

}  // namespace plumbline::service
