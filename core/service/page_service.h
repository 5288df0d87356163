// PageService shows pages to a browser on this machine.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "core/net/http_reply.h"

namespace plumbline::service {

struct Page {
  std::string type;  // "text/html; charset=utf-8".
  std::string body;
};

class PageService final : public net::HttpHandler {
 public:
  // Answers GET of a request target, such as "/search?words=a"; nothing: there is no such page.
  using Pages = std::function<std::optional<Page>(const std::string& target)>;

  // `policy` is the Content-Security-Policy of each answer.
  PageService(std::string policy, Pages pages)
      : policy_(std::move(policy)), pages_(std::move(pages)) {}

  // implements HttpHandler ---
  //
  // 405 but for GET and HEAD, 404 where there is no page. Every answer has the policy.
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;
  void on_stranger(const wire::HttpRequest& /*request*/, net::HttpReply& reply) override {
    guard(reply);
  }

 private:
  void guard(net::HttpReply& reply) const;

  std::string policy_;
  Pages pages_;
};

}  // namespace plumbline::service
