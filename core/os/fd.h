// Fd owns one open file descriptor.

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"

namespace plumbline::os {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int number) : number_(number) {}
  Fd(Fd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  ~Fd() { close(); }

  bool open() const { return number_ >= 0; }
  int number() const { return number_; }

  // release gives the descriptor up without closing it.
  int release() { return std::exchange(number_, -1); }

  void close();

 private:
  int number_ = -1;
};

// close_on_exec_from keeps every descriptor from `first` on, whoever has opened it, from programs
// that are started from now on.
void close_on_exec_from(int first);

// PipeEnds are the two ends of a new pipe, closed on exec.
struct PipeEnds {
  Fd read;
  Fd write;
};
Result<PipeEnds> make_pipe();

// fill_standard_descriptors opens /dev/null as each of 0, 1 and 2 that is closed. Until then the
// next file opened, whatever it is, would become a standard stream.
void fill_standard_descriptors();

// raise_descriptor_limit lets this process open as many descriptors as the system allows it. For
// servers; child processes inherit it.
void raise_descriptor_limit();

// set_nonblocking makes reads and writes return instead of wait. It holds for everyone who shares
// the open file, so it is for descriptors that are ours alone.
void set_nonblocking(const Fd& fd);

// StandardStreams are the descriptors that were our stdin and stdout.
struct StandardStreams {
  Fd in;
  Fd out;
};

// take_standard_streams takes them over, whatever they are: pipes, sockets, files, a terminal,
// /dev/null, closed. From then on descriptor 0 is at its end and 1 is our stderr: a stray print
// cannot corrupt the stream.
StandardStreams take_standard_streams();

// ready_for returns whether what poll(2) calls `events` would not wait now.
bool ready_for(int fd, short events);

// try_again returns whether an errno says that there is nothing yet, and no failure.
bool try_again(int error_number);

// reason_of says in words what an errno means.
std::string reason_of(int error_number);

// posix_error returns "WHAT: the reason" for an errno, as an error without a name.
Error posix_error(ErrorCode code, std::string_view what, int error_number);

}  // namespace plumbline::os
