#include "core/os/stop_flag.h"

#include "core/os/node/host.h"

namespace plumbline::os {

namespace {

constexpr std::uint32_t kNumber = 0;  // Nobody listens to it: the host is asked.

}  // namespace

StopFlag::StopFlag() { host::say_about("signals", kNumber); }
StopFlag::~StopFlag() { host::say_about("no_signals", kNumber); }
bool StopFlag::asked() const { return host::stop_asked(); }

}  // namespace plumbline::os
