#include "core/os/page/page_server.h"

#ifdef PLUMBLINE_HTTPLIB
#include <httplib.h>

#include <thread>
#endif

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace plumbline::os {

namespace {

constexpr std::array<std::string_view, 3> kLoopback = {"127.0.0.1", "localhost", "::1"};

bool is_loopback(std::string_view host) { return std::ranges::count(kLoopback, host) > 0; }

}  // namespace

#ifdef PLUMBLINE_HTTPLIB

namespace {

// named_host returns the host that a Host header names, without its port.
std::string named_host(const std::string& header) {
  if (header.starts_with('[')) return header.substr(1, header.find(']') - 1);
  return header.substr(0, header.rfind(':'));
}

class HttplibServer final : public PageServer {
 public:
  HttplibServer(std::string host, std::string policy, Pages pages)
      : host_(std::move(host)), policy_(std::move(policy)), pages_(std::move(pages)) {
    server_.new_task_queue = [] { return std::make_unique<httplib::ThreadPool>(1).release(); };
    server_.Get(".*", [this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
    });
  }

  ~HttplibServer() override {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }

  bool bind(std::uint16_t port) {
    port_ = port == 0 ? server_.bind_to_any_port(host_)
                      : (server_.bind_to_port(host_, port) ? port : -1);
    if (port_ <= 0) return false;
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();  // Or stop() would come too early.
    return true;
  }

  std::string url() const override {
    const bool literal = host_.find(':') != std::string::npos;
    return "http://" + (literal ? "[" + host_ + "]" : host_) + ":" + std::to_string(port_) + "/";
  }

 private:
  void answer(const httplib::Request& request, httplib::Response& response) {
    response.set_header("Content-Security-Policy", policy_);
    response.set_header("X-Content-Type-Options", "nosniff");
    response.set_header("Referrer-Policy", "no-referrer");
    if (!is_loopback(named_host(request.get_header_value("Host")))) {
      response.status = 403;
      return;
    }
    std::map<std::string, std::string> query;
    for (const auto& [name, value] : request.params) query[name] = value;
    std::optional<Page> page = pages_(request.path, query);
    response.status = page ? 200 : 404;
    if (page) response.set_content(std::move(page->body), page->type);
  }

  std::string host_;
  std::string policy_;
  Pages pages_;
  int port_ = 0;
  httplib::Server server_;
  std::thread thread_;
};

}  // namespace

#endif

Result<std::unique_ptr<PageServer>> PageServer::listen(const std::string& host, std::uint16_t port,
                                                       std::string policy, Pages pages) {
  if (!is_loopback(host)) {
    return Error{ErrorCode::kInvalidInput,
                 "cannot listen at " + host + ": expected 127.0.0.1, localhost or ::1"};
  }
#ifdef PLUMBLINE_HTTPLIB
  auto server = std::make_unique<HttplibServer>(host, std::move(policy), std::move(pages));
  if (!server->bind(port)) {
    return Error{ErrorCode::kInvalidInput,
                 "cannot listen at " + host + ":" + std::to_string(port) + ": taken, or not ours"};
  }
  return std::unique_ptr<PageServer>(std::move(server));
#else
  return Error{ErrorCode::kUnsupported,
               "built without libcpp-httplib-dev, which shows pages: write --report html=FILE"};
#endif
}

}  // namespace plumbline::os
