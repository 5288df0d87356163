#include "core/os/interrupt.h"

#include <csignal>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include "core/os/overdue.h"
#include "core/os/posix/tether.h"

namespace plumbline::os {

struct Interrupt::Impl {
  Impl(RealLoop& loop, std::function<void(int)> callback)
      : signals(loop.context(), SIGINT, SIGTERM), on_signal(std::move(callback)) {}

  void await_signal() {
    signals.async_wait(
        [this, end = Tether::End(tether)](boost::system::error_code error, int number) mutable {
          if (!end.cut() || error) return;
          overdue.heard();
          await_signal();  // First: the callback may destroy us.
          on_signal(number);
        });
  }

  boost::asio::signal_set signals;
  Overdue overdue;  // Behind the signals, whose handlers it goes before.
  std::function<void(int)> on_signal;
  Tether tether;
};

Interrupt::Interrupt(RealLoop& loop, std::function<void(int signal)> on_signal)
    : impl_(std::make_unique<Impl>(loop, std::move(on_signal))) {
  impl_->await_signal();
}

Interrupt::~Interrupt() = default;

}  // namespace plumbline::os
