#include "core/os/posix/net/resolve.h"

#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/basic_resolver.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "core/base/errors/errors.h"
#include "core/base/wait.h"
#include "core/os/posix/tether.h"

namespace plumbline::os {

namespace {

using Tcp = boost::asio::ip::tcp;
using Resolver = boost::asio::ip::basic_resolver<Tcp, boost::asio::io_context::executor_type>;
using Found = Resolver::results_type;

// Question is one name being looked up. Destroying it forgets it.
class Question {
 public:
  Question(RealLoop& loop, const net::Authority& host) : resolver_(loop.context()) {
    try {
      resolver_.async_resolve(host.host, std::to_string(host.port), Resolver::numeric_service,
                              [this, end = Tether::End(tether_)](boost::system::error_code error,
                                                                 const Found& found) mutable {
                                if (end.cut()) take(error, found);
                              });
    } catch (const std::exception&) {  // No thread could be started.
      take(boost::asio::error::try_again, {});
    }
  }

  Event& answered() { return answered_; }
  const boost::system::error_code& error() const { return error_; }
  std::vector<SocketAddress>& addresses() { return addresses_; }

 private:
  void take(boost::system::error_code error, const Found& found) {
    error_ = error;
    for (const auto& entry : found) {
      SocketAddress address;
      const Tcp::endpoint endpoint = entry.endpoint();
      std::memcpy(&address.storage, endpoint.data(), endpoint.size());
      address.size = static_cast<socklen_t>(endpoint.size());
      addresses_.push_back(address);
    }
    answered_.set();  // May destroy this.
  }

  Resolver resolver_;
  Tether tether_;
  Event answered_;
  boost::system::error_code error_;
  std::vector<SocketAddress> addresses_;
};

}  // namespace

Task<Result<std::vector<SocketAddress>>> resolve(RealLoop& loop, net::Authority host) {
  if (const std::optional<SocketAddress> literal = literal_address(host)) {
    co_return std::vector<SocketAddress>(1, *literal);
  }
  if (host.host.empty()) co_return the_error("server.host-unnamed");
  Question question(loop, host);
  Event& answered = question.answered();
  co_await answered.wait(loop, kNever);
  if (question.error() == boost::asio::error::host_not_found ||
      question.error() == boost::asio::error::no_data) {
    co_return the_error("server.no-host", host.host);
  }
  if (question.error() || question.addresses().empty()) {
    co_return Error{
        ErrorCode::kDisconnected,
        "the name \"" + host.host + "\" cannot be looked up: " + question.error().message()};
  }
  co_return std::move(question.addresses());
}

}  // namespace plumbline::os
