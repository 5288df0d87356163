#include "core/service/page_service.h"

#include "core/mcp/transport/server/http_access.h"

namespace plumbline::service {

void PageService::on_request(wire::HttpRequest request, net::HttpReply reply) {
  reply.set_header("Content-Security-Policy", policy_);
  reply.set_header("X-Content-Type-Options", "nosniff");
  reply.set_header("Referrer-Policy", "no-referrer");
  if (const auto refused = transport::refuse_stranger(request, transport::HttpAccess{})) {
    return reply.respond(*refused);
  }
  if (request.method != "GET" && request.method != "HEAD") {
    return reply.respond(transport::not_allowed("GET, HEAD"));
  }
  std::optional<Page> page = pages_(request.target);
  if (!page) return reply.respond({404, {}, ""});
  reply.respond({200, {{"Content-Type", std::move(page->type)}}, std::move(page->body)});
}

}  // namespace plumbline::service
