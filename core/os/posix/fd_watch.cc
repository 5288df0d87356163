#include "core/os/fd_watch.h"

#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>

#include "core/base/check.h"
#include "core/os/posix/tether.h"

namespace plumbline::os {

struct FdWatch::Impl {
  explicit Impl(RealLoop& loop) : descriptor(loop.context()) {}

  boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type> descriptor;
  Tether tether;
};

FdWatch::FdWatch(RealLoop& loop, Fd fd, std::function<void()> on_ready)
    : on_ready_(std::move(on_ready)), fd_(std::move(fd)), impl_(std::make_unique<Impl>(loop)) {
  boost::system::error_code error;
  impl_->descriptor.assign(fd_.number(), error);
  check(!error, "a descriptor cannot be watched");
}

FdWatch::~FdWatch() { release(); }

Fd FdWatch::release() {
  if (impl_ != nullptr) impl_->descriptor.release();
  impl_.reset();
  return std::move(fd_);
}

void FdWatch::await_readable() { await(boost::asio::posix::descriptor_base::wait_read); }

void FdWatch::await_writable() { await(boost::asio::posix::descriptor_base::wait_write); }

template <typename Kind>
void FdWatch::await(Kind kind) {
  if (impl_->tether.tied()) return;
  // An error means that the descriptor cannot be waited for: it is ready, and a read or a write
  // tells what is wrong with it, if anything.
  impl_->descriptor.async_wait(
      kind, [this, end = Tether::End(impl_->tether)](boost::system::error_code) mutable {
        if (end.cut()) on_ready_();
      });
}

}  // namespace plumbline::os
