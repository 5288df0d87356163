// The fixed pieces of work that the guard of performance measures: see bench/README.md.

#pragma once

#include <memory>
#include <string_view>
#include <vector>

namespace plumbline::guard {

// Work is one piece, made ready: what making it costs is not measured.
class Work {
 public:
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;

  // once does the piece one time. Each time costs the same, but for what a first one sets up.
  virtual void once() = 0;
};

struct Piece {
  std::string_view name;
  int times = 1;  // That are measured, after a few that are not.
  std::unique_ptr<Work> (*make)();
};

using Pieces = std::vector<Piece>;

// made makes a Work of a kind that needs nothing.
template <typename Made>
std::unique_ptr<Work> made() {
  return std::make_unique<Made>();
}

// message_pieces: a request and its answer over each transport, one after the other.
Pieces message_pieces();

// world_pieces: simulated worlds, a turn of an agent, a check of one rule, the shrinking of a
// failure.
Pieces world_pieces();

// value_pieces: JSON, its schema, and what is kept in files of the current folder.
Pieces value_pieces();

}  // namespace plumbline::guard
