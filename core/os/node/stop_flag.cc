#include "core/os/stop_flag.h"

namespace plumbline::os {

namespace {

// Nobody sets it: while this thread computes it hears of no signal, and the host ends the process.
const std::atomic<bool> never{false};

}  // namespace

StopFlag::StopFlag() = default;
StopFlag::~StopFlag() = default;
const std::atomic<bool>& StopFlag::flag() const { return never; }

}  // namespace plumbline::os
