// Tether ties a handler that Asio keeps to the object that it calls, which may be gone before the
// handler runs; or the loop, and the handler with it, may be gone before the object.
//
//   timer.async_wait([this, end = Tether::End(tether_)](error_code) mutable {
//     if (end.cut()) ready();
//   });

#pragma once

#include <utility>

#include "core/base/check.h"

namespace plumbline::os {

// Tether is a member of the object. One handler at a time is tied to it.
class Tether {
 public:
  class End;

  Tether() = default;
  Tether(const Tether&) = delete;
  Tether& operator=(const Tether&) = delete;
  inline ~Tether();

  // tied returns whether a handler is still to run.
  bool tied() const { return end_ != nullptr; }

 private:
  End* end_ = nullptr;
};

// End is held by the handler.
class Tether::End {
 public:
  explicit End(Tether& tether) : tether_(&tether) {
    check(!tether.tied(), "two handlers on one tether");
    tether.end_ = this;
  }
  End(End&& other) noexcept : tether_(std::exchange(other.tether_, nullptr)) {
    if (tether_ != nullptr) tether_->end_ = this;
  }
  ~End() { cut(); }

  // cut lets go, and returns whether the object exists and was still tied.
  bool cut() {
    if (tether_ == nullptr) return false;
    std::exchange(tether_, nullptr)->end_ = nullptr;
    return true;
  }

 private:
  friend class Tether;

  Tether* tether_;
};

inline Tether::~Tether() {
  if (end_ != nullptr) end_->tether_ = nullptr;
}

}  // namespace plumbline::os
