#include "core/auth/loopback_user_agent.h"

#include <utility>

#include "core/wire/form.h"
#include "core/wire/url.h"

namespace plumbline::auth {

namespace {

constexpr const char* kHost = "127.0.0.1";
constexpr const char* kPath = "/callback";

wire::HttpResponse page(int status, const std::string& text) {
  wire::HttpResponse response;
  response.status = status;
  response.headers = {{"Content-Type", "text/html; charset=utf-8"},
                      {"Cache-Control", "no-store"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Content-Security-Policy", "default-src 'none'"}};
  response.body = "<!doctype html><title>Plumbline</title><p>" + text + "</p>\n";
  return response;
}

// The authorization server redirects the browser here.
net::HttpAccess access_of_page() {
  net::HttpAccess access = net::HttpAccess::at(kHost);
  access.pages = true;
  return access;
}

std::string uri_at(std::uint16_t port) {
  return "http://" + std::string(kHost) + ":" + std::to_string(port) + kPath;
}

}  // namespace

LoopbackUserAgent::LoopbackUserAgent(Loop& loop, net::Network& network, LoopbackOptions options)
    : loop_(loop),
      network_(network),
      options_(std::move(options)),
      server_(loop, *this, access_of_page()) {}

LoopbackUserAgent::~LoopbackUserAgent() = default;

Status LoopbackUserAgent::listen(std::uint16_t port) {
  Result<std::unique_ptr<net::Listener>> listener =
      network_.listen({kHost, port}, std::nullopt,
                      [this](std::unique_ptr<net::Pipe> pipe) { server_.accept(std::move(pipe)); });
  if (!listener.ok()) return listener.error();
  listener_ = std::move(listener).value();
  return Done();
}

// place is where the browser comes back, and path its path.
std::string LoopbackUserAgent::place() const {
  return options_.redirect_uri.empty() ? uri_at(listener_->port()) : options_.redirect_uri;
}

std::string LoopbackUserAgent::path() const {
  const Result<wire::Url> url = wire::parse_url(options_.redirect_uri);
  return url.ok() ? url.value().target.substr(0, url.value().target.find('?')) : kPath;
}

Result<std::string> LoopbackUserAgent::redirect_uri(std::string preferred) {
  if (listener_ == nullptr && !options_.redirect_uri.empty()) {
    const Result<wire::Url> url = wire::parse_url(options_.redirect_uri);
    if (!url.ok()) return url.error();
    const Status listening = listen(url.value().port);
    if (!listening.ok()) return listening.error();
  }
  if (listener_ == nullptr) {
    const Result<wire::Url> wanted = wire::parse_url(preferred);
    const bool before =
        options_.port == 0 && wanted.ok() && preferred == uri_at(wanted.value().port);
    const bool again = before && listen(wanted.value().port).ok();
    if (!again) {
      const Status listening = listen(options_.port);
      if (!listening.ok()) return listening.error();
    }
  }
  return place();
}

Task<Result<std::string>> LoopbackUserAgent::visit(std::string url) {
  const std::string place = this->place();
  answer_.reset();
  answered_.reset();
  state_ = wire::query_of(url).get("state").value_or("");
  if (options_.show) options_.show(url);
  co_await answered_.wait(loop_, after(loop_.now(), options_.patience));
  state_.clear();
  listener_.reset();
  if (!answer_) {
    co_return Error{ErrorCode::kDeadlineExceeded, "nobody has come back from the browser"};
  }
  co_return place + answer_->substr(std::min(answer_->find('?'), answer_->size()));
}

Task<bool> LoopbackUserAgent::agrees(std::string question) {
  if (!options_.ask) co_return false;
  co_return co_await options_.ask(std::move(question));
}

void LoopbackUserAgent::on_request(wire::HttpRequest request, net::HttpReply reply) {
  const std::string_view target = request.target;
  if (request.method != "GET" || target.substr(0, target.find('?')) != path()) {
    return reply.respond(page(404, "There is nothing here."));
  }
  const std::string state = wire::query_of(target).get("state").value_or("");
  if (answer_ || state_.empty() || state != state_) {
    return reply.respond(page(400, "This is the answer to a question that nobody has asked."));
  }
  const bool refused = wire::query_of(target).count("error") > 0;
  reply.respond(page(200, refused ? "Plumbline was refused. You may close this page."
                                  : "Plumbline has its answer. You may close this page."));
  answer_ = request.target;
  answered_.set();
}

}  // namespace plumbline::auth
