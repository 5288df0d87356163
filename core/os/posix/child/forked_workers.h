// ForkedWorkers are Workers in processes of their own: copies of this one, made when there is
// something to do.

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/doors/workers.h"
#include "core/os/fd.h"
#include "core/os/posix/child/brood.h"

namespace plumbline::os {

class ForkedWorkers final : public Workers {
 public:
  // At most `count` processes, at least 1. Only for a process that has no other threads while the
  // object lives. The copies hear neither SIGINT nor SIGTERM, write to no standard output, and end
  // with the object, also in the middle of a task, and with this process.
  ForkedWorkers(int count, Work work);
  ~ForkedWorkers() override;

  // implements Workers ---
  //
  // When no process can be made any more, the tasks left die of that. What a process that lives
  // writes to standard error goes to ours when its task is done; of one that dies, the first
  // kErrorBytesMax bytes are kept for the news. Texts are sent kTextBytesAtOnce at a time.
  std::uint64_t give(std::string task) override;
  std::optional<News> next() override;

  static constexpr std::size_t kErrorBytesMax = 1 << 16;
  static constexpr std::size_t kTextBytesAtOnce = 1 << 14;

 private:
  struct Task {
    std::uint64_t number = 0;
    std::string text;
  };

  // Member is one process.
  struct Member {
    pid_t pid = -1;
    std::size_t place = 0;  // Of its count in said_.
    Fd tasks;
    Fd news;
    Fd errors;
    std::optional<std::uint64_t> task;  // That it is at.
    std::string heard;                  // Not yet a whole frame.
    std::string errors_text;
  };

  void start_tasks();
  Member* free_member();
  bool fork_member();
  std::size_t free_place() const;
  [[noreturn]] void serve(Fd tasks, Fd news, Fd errors, std::size_t place);
  bool wait_for_some();
  void hear(Member& member);
  void hear_errors(Member& member);
  void take_frames(Member& member);
  void bury(Member& member);

  Brood brood_;  // Our processes are no orphans.
  std::size_t count_;
  Work work_;
  // How many texts each process has said of its task: the one thing that it shares with us.
  std::uint64_t* said_;
  std::vector<Member> members_;
  std::deque<Task> waiting_;
  std::deque<News> news_;
  std::uint64_t given_ = 0;
};

}  // namespace plumbline::os
