#include "core/service/page_service.h"

#include "core/mcp/transport/server/http_answers.h"

namespace plumbline::service {

void PageService::guard(net::HttpReply& reply) const {
  reply.set_header("Content-Security-Policy", policy_);
  reply.set_header("X-Content-Type-Options", "nosniff");
  reply.set_header("Referrer-Policy", "no-referrer");
}

void PageService::on_request(wire::HttpRequest request, net::HttpReply reply) {
  guard(reply);
  if (request.method != "GET" && request.method != "HEAD") {
    return reply.respond(transport::not_allowed("GET, HEAD"));
  }
  std::optional<Page> page = pages_(request.target);
  if (!page) return reply.respond({404, {}, ""});
  reply.respond({200, {{"Content-Type", std::move(page->type)}}, std::move(page->body)});
}

}  // namespace plumbline::service
