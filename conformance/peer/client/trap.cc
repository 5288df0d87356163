#include "conformance/peer/client/trap.h"

#include <utility>

namespace plumbline::conformance {

namespace {

constexpr const char* kTrapHost = "127.0.0.1";
constexpr const char* kTrapAnywhere = "0.0.0.0";  // A client may be led here by any of ours.
constexpr std::size_t kTrappedMax = 100;

}  // namespace

Trap::Trap(Loop& loop, net::Network& network, Record& record, WireLog& log)
    : loop_(loop),
      record_(record),
      log_(log),
      server_(loop, *this, net::HttpAccess::at(kTrapAnywhere)) {
  Result<std::unique_ptr<net::Listener>> listener =
      network.listen({kTrapHost, 0}, std::nullopt,
                     [this](std::unique_ptr<net::Pipe> pipe) { server_.accept(std::move(pipe)); });
  if (!listener.ok()) {
    trouble_ = "no place to serve: " + listener.error().message;
    return;
  }
  listener_ = std::move(listener).value();
}

std::string Trap::url(std::string_view path) const {
  const int port = listener_ == nullptr ? 0 : listener_->port();
  return "http://" + std::string(kTrapHost) + ":" + std::to_string(port) + std::string(path);
}

void Trap::on_request(wire::HttpRequest request, net::HttpReply reply) {
  if (answer_) {
    if (const std::optional<wire::HttpResponse> answer = answer_(request)) {
      return reply.respond(*answer);
    }
  }
  wire::HttpResponse response;
  response.status = 404;
  if (record_.trapped.size() == kTrappedMax) return reply.respond(response);
  LogEntry entry;
  entry.at = loop_.now();
  Json what(Json::value_t::object);
  what["trap"] = request.method + " " + request.target;
  entry.message = kept(std::move(what));
  HttpHeard heard;
  heard.at = loop_.now();
  heard.request = std::move(request);
  heard.place = log_.add(std::move(entry));
  record_.trapped.push_back(std::move(heard));
  reply.respond(response);
}

}  // namespace plumbline::conformance
