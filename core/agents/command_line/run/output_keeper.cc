#include "core/agents/command_line/run/output_keeper.h"

#include <algorithm>

namespace plumbline::agents::command_line {

void OutputKeeper::append(std::string_view bytes) {
  bytes_ += bytes.size();
  const std::size_t to_head = std::min(bytes.size(), bytes_max_ / 2 - head_.size());
  head_ += bytes.substr(0, to_head);
  bytes.remove_prefix(to_head);
  bytes.remove_prefix(bytes.size() - std::min(bytes.size(), tail_bytes_max()));
  tail_ += bytes;
  if (tail_.size() > 2 * tail_bytes_max()) tail_.erase(0, tail_.size() - tail_bytes_max());
}

std::uint64_t OutputKeeper::cut_bytes() const {
  return bytes_ - head_.size() - std::min(tail_.size(), tail_bytes_max());
}

std::string OutputKeeper::text() const {
  const std::size_t kept = std::min(tail_.size(), tail_bytes_max());
  const std::uint64_t cut = cut_bytes();
  return head_ + (cut == 0 ? "" : cut_mark(cut)) + tail_.substr(tail_.size() - kept);
}

std::string cut_mark(std::uint64_t bytes) {
  return "\n[... " + std::to_string(bytes) + " bytes cut ...]\n";
}

}  // namespace plumbline::agents::command_line
