#include "core/mcp/transport/server/http_answers.h"

#include <algorithm>
#include <utility>

#include "core/json/value_bytes.h"
#include "core/net/http_answer.h"

namespace plumbline::transport {

namespace {

wire::HttpResponse plain(int status, std::string text) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(text)};
}

}  // namespace

bool accepts(const wire::HttpRequest& request, std::string_view type) {
  const std::string any = std::string(type.substr(0, type.find('/'))) + "/*";
  for (const auto& [name, value] : request.headers.fields()) {
    if (!net::is_media_type(name, "Accept")) continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      const std::size_t comma = rest.find(',');
      std::string_view range = rest.substr(0, comma);
      range.remove_prefix(std::min(range.find_first_not_of(" \t"), range.size()));
      if (net::is_media_type(range, type) || net::is_media_type(range, any) ||
          net::is_media_type(range, "*/*")) {
        return true;
      }
      rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
  }
  return false;
}

Result<Posted, wire::HttpResponse> read_posted_json(const wire::HttpRequest& request,
                                                    const Share& share) {
  if (!net::is_media_type(request.headers.get("Content-Type").value_or(""), "application/json")) {
    return plain(415, "Content-Type must be application/json\n");
  }
  const std::size_t bytes = value_bytes_of_text(request.body);
  std::optional<Held> charge = share.take(Resource::kValueBytes, bytes);
  if (!charge) return refuse_share(share, Resource::kValueBytes, bytes);
  Result<Json> message = parse_json(request.body);
  if (!message.ok()) return refusal(400, rpc::kParseError, message.error().message);
  return Posted{std::move(message).value(), *std::move(charge)};
}

wire::HttpResponse refuse_share(const Share& share, Resource resource, std::uint64_t amount,
                                const Json& id) {
  const Share::Refusal refused = share.refusal(resource, amount);
  wire::HttpResponse response = refusal(refused.status, kBusy, refused.what, id);
  response.headers.set("Retry-After", "5");
  return response;
}

wire::HttpResponse refusal(int status, std::int64_t code, std::string_view message,
                           const Json& id) {
  return json_answer(
      status, {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

wire::HttpResponse refuse_in_json(int status, const std::string& what) {
  return refusal(status, rpc::kInvalidRequest, what);
}

wire::HttpResponse not_allowed(std::string methods) {
  return {405, {{"Allow", std::move(methods)}}, ""};
}

wire::HttpResponse json_answer(int status, const Json& message) {
  wire::HttpResponse response{status, {{"Content-Type", "application/json"}}, ""};
  append_json(response.body, message);
  return response;
}

}  // namespace plumbline::transport
