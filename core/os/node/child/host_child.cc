#include "core/os/node/child/host_child.h"

#include <cstdlib>
#include <utility>

namespace plumbline::os {

namespace {

constexpr int kTerminate = 15;
constexpr int kKill = 9;

}  // namespace

HostChild::HostChild(RealLoop& loop, std::uint32_t number, std::uint32_t stdio)
    : loop_(loop), number_(number), stdio_(loop, stdio), tell_turn_([this] { tell(); }) {
  host::listen(number, this);
}

// The group goes even where its leader has ended: it may have left others behind.
HostChild::~HostChild() {
  host::listen(number_, nullptr);
  send_signal(kKill);
  host::say_about("forget", number_);
}

std::size_t HostChild::memory_bytes() const {
  if (status_) return 0;
  Json what = host::request("memory_of");
  what["id"] = number_;
  const host::Answer answer = host::order(what);
  return answer.ok() ? std::strtoul(answer.value().c_str(), nullptr, 10) : 0;
}

void HostChild::on_exit(std::function<void()> done) {
  done_ = std::move(done);
  if (status_) loop_.arm(tell_turn_, loop_.now());
}

void HostChild::signal(net::Signal which) {
  send_signal(which == net::Signal::kKill ? kKill : kTerminate);
}

void HostChild::send_signal(int number) {
  Json what = host::request("kill");
  what["id"] = number_;
  what["signal"] = number;
  host::tell(what);
}

void HostChild::hear(host::Event event, std::string_view payload) {
  if (event == host::Event::kErrors) {
    stderr_bytes_ += payload.size();
    stderr_.append(payload);
    if (said_) said_(payload);
  } else if (event == host::Event::kExit) {
    status_ = net::ExitStatus{static_cast<int>(host::number_at(payload, 0)),
                              static_cast<int>(host::number_at(payload, 4))};
    host::listen(number_, nullptr);
    tell();
  }
}

void HostChild::tell() {
  const std::function<void()> done = std::exchange(done_, nullptr);
  if (done) done();
}

}  // namespace plumbline::os
