#include "core/os/interrupt.h"

#include <utility>

#include "core/os/node/host.h"

namespace plumbline::os {

struct Interrupt::Impl final : private host::Hearer {
  explicit Impl(std::function<void(int)> callback)
      : number(host::new_number()), on_signal(std::move(callback)) {
    host::listen(number, this);
    host::say_about("signals", number);
  }
  ~Impl() {
    host::listen(number, nullptr);
    host::say_about("no_signals", number);
  }

  void hear(host::Event event, std::string_view payload) override {
    if (event != host::Event::kSignal) return;
    host::say_about("signal_heard", number);
    const std::function<void(int)> tell = on_signal;  // It may destroy us.
    tell(static_cast<int>(host::number_at(payload, 0)));
  }

  std::uint32_t number;
  std::function<void(int)> on_signal;
};

Interrupt::Interrupt(RealLoop& /*loop*/, std::function<void(int signal)> on_signal)
    : impl_(std::make_unique<Impl>(std::move(on_signal))) {}

Interrupt::~Interrupt() = default;

}  // namespace plumbline::os
