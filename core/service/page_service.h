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
  // Who calls it by another name than one of loopback is refused (403), so that no page of the web
  // can look in; 405 but for GET and HEAD, 404 where there is no page.
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

 private:
  std::string policy_;
  Pages pages_;
};

}  // namespace plumbline::service
