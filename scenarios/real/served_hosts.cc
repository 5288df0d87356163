#include "scenarios/real/served_hosts.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/base/limits.h"
#include "core/base/wait.h"
#include "core/wire/url.h"

namespace plumbline::scenarios {

namespace {

constexpr const char* kLoopback = "127.0.0.1";

// How long a process may take to be gone that no longer takes connections.
constexpr Duration kGoneMax = std::chrono::seconds(1);

Error refused(const net::Authority& at) {
  return {ErrorCode::kDisconnected, "cannot connect to " + describe(at) + ": Connection refused"};
}

}  // namespace

// Host is one place: a process, or a port where we listen ourselves.
class ServedHosts::Host final : private net::PipeReader {
 public:
  Host(Loop& loop, net::Command command) : loop_(loop), command_(std::move(command)) {}

  // ready starts the process where none runs, and returns the port where it listens.
  Task<Result<std::uint16_t>> ready(net::Spawner& spawner, net::Authority place) {
    if (child_ != nullptr && child_->exit_status()) let_go();
    if (child_ == nullptr && !command_.argv.empty()) {
      Result<std::unique_ptr<net::Child>> started = spawner.spawn(command_);
      if (!started.ok())
        co_return Error{ErrorCode::kDisconnected, started.error().message, started.error().id};
      child_ = std::move(started).value();
      child_->stdio().start(*this);
    }
    if (child_ == nullptr && !port_) co_return refused(place);
    Waiter waiter(*this);
    const Instant deadline = after(loop_.now(), limits::kConnectTimeout);
    if (!port_) co_await waiter.changed.wait(loop_, deadline);
    if (!port_) co_return refused(place);
    co_return *port_;
  }

  // gone waits until the process has ended, for a moment, and returns whether it has.
  Task<bool> gone() {
    Waiter waiter(*this);
    const Instant deadline = after(loop_.now(), kGoneMax);
    while (child_ != nullptr && !child_->exit_status() && loop_.now() < deadline) {
      waiter.changed.reset();
      co_await waiter.changed.wait(loop_, deadline);
    }
    co_return child_ != nullptr && child_->exit_status().has_value();
  }

  void listens_at(std::uint16_t port) { port_ = port; }
  std::optional<std::uint16_t> port() const { return port_; }

  void terminate() {
    closing_ = true;  // From now on somebody else waits for its end.
    if (child_ != nullptr) child_->signal(net::Signal::kTerminate);
  }
  Task<void> close() {
    if (child_ == nullptr) co_return;
    (void)co_await net::stop(loop_, *child_, limits::kStopGrace);  // Or it is killed now.
    let_go();
  }

 private:
  // Waiter is one dial that waits for this host.
  struct Waiter {
    explicit Waiter(Host& its_host) : host(its_host) { host.waiters_.push_back(this); }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    ~Waiter() { std::erase(host.waiters_, this); }

    Host& host;
    Event changed;
  };

  // implements PipeReader --- The first line is the URL; the end of the output is that of the
  // process, a moment later.
  void on_bytes(std::string_view bytes) override {
    if (port_) return;
    said_ += bytes;
    const std::size_t end = said_.find('\n');
    if (end == std::string::npos) return;
    const Result<wire::Url> url = wire::parse_url(std::string_view(said_).substr(0, end));
    if (url.ok()) port_ = url.value().port;
    tell();
  }
  void on_end(const Error*) override {
    port_.reset();
    if (child_ != nullptr && !closing_) child_->on_exit([this] { tell(); });
    tell();
  }

  void let_go() {
    child_.reset();
    port_.reset();
    said_.clear();
  }

  // tell wakes who waits now: one of them may end another.
  void tell() {
    const std::vector<Waiter*> waiting = waiters_;
    for (Waiter* const waiter : waiting) {
      if (std::ranges::find(waiters_, waiter) != waiters_.end()) waiter->changed.set();
    }
  }

  Loop& loop_;
  net::Command command_;
  std::unique_ptr<net::Child> child_;
  std::string said_;
  std::optional<std::uint16_t> port_;
  std::vector<Waiter*> waiters_;
  bool closing_ = false;
};

ServedHosts::ServedHosts(Loop& loop, net::Network& network, net::Spawner& spawner)
    : loop_(loop), network_(network), spawner_(spawner) {}

ServedHosts::~ServedHosts() = default;

net::Authority ServedHosts::add(net::Command command) {
  hosts_.push_back(std::make_unique<Host>(loop_, std::move(command)));
  return {kLoopback, static_cast<std::uint16_t>(hosts_.size())};
}

ServedHosts::Host& ServedHosts::host_at(const net::Authority& place) {
  check(place.host == kLoopback && place.port > 0 && place.port <= hosts_.size(),
        "a place that was never added");
  return *hosts_[place.port - 1U];
}

std::uint16_t ServedHosts::listening_port(const net::Authority& place) {
  const std::optional<std::uint16_t> port = host_at(place).port();
  check(port.has_value(), "nobody listens at this place");
  return *port;
}

Task<Result<std::unique_ptr<net::Pipe>>> ServedHosts::dial(net::Authority to,
                                                           std::optional<net::TlsClient> tls) {
  Host& host = host_at(to);
  for (bool again = true;; again = false) {
    const Result<std::uint16_t> port = co_await host.ready(spawner_, to);
    if (!port.ok()) co_return port.error();
    net::Authority real{kLoopback, port.value()};
    Result<std::unique_ptr<net::Pipe>> pipe = co_await network_.dial(std::move(real), tls);
    if (pipe.ok() || !again) co_return std::move(pipe);
    // One that has just crashed takes no connection, and is not known to be gone.
    const bool gone = co_await host.gone();
    if (!gone) co_return std::move(pipe);
  }
}

Result<std::unique_ptr<net::Listener>> ServedHosts::listen(net::Authority at,
                                                           std::optional<net::TlsServer> tls,
                                                           OnAccept on_accept) {
  Host& host = host_at(at);
  Result<std::unique_ptr<net::Listener>> listening =
      network_.listen({kLoopback, 0}, std::move(tls), std::move(on_accept));
  if (listening.ok()) host.listens_at(listening.value()->port());
  return listening;
}

Task<void> ServedHosts::close() {
  for (const auto& host : hosts_) host->terminate();
  for (std::size_t i = 0; i < hosts_.size(); ++i) co_await hosts_[i]->close();
}

}  // namespace plumbline::scenarios
