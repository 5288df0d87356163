// Workers do tasks apart from whoever gives them, and from each other: what ends one of them, a
// failed check or a fault of memory, ends the task that it was at and nothing else.
//
// os::forked_workers makes processes. CallersWorkers is for where nothing needs to be survived.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace plumbline {

class Workers {
 public:
  // Work does one task. It says what it finds, in any number of texts, through `say`. What it
  // changes in memory nobody else sees.
  using Say = std::function<void(std::string_view text)>;
  using Work = std::function<void(std::string_view task, const Say& say)>;

  // News is what has become of the task that give() called `task`: it said something, it is done,
  // or whoever did it has died. The last two end it.
  struct News {
    enum class Kind { kSaid, kDone, kDied };
    Kind kind = Kind::kDone;
    std::uint64_t task = 0;
    std::string text;    // kSaid: what. kDied: how, on one line: "check failed: ..., signal 6 ...".
    std::string errors;  // kDied: what it wrote to standard error.
    std::uint64_t said = 0;  // kDied: how many texts it said. The last of them may be lost.
  };

  virtual ~Workers() = default;

  // give adds a task and returns its number, from 0 on. Tasks are begun in this order, as many at
  // once as there are workers.
  virtual std::uint64_t give(std::string task) = 0;

  // next waits for news. The texts of a task come in their order, before its end. Nothing: no task
  // is left, or a signal was caught.
  virtual std::optional<News> next() = 0;
};

// Hire makes `count` workers, at least 1, that do `work`. What `work` refers to must outlive them.
using Hire = std::function<std::unique_ptr<Workers>(int count, Workers::Work work)>;

// CallersWorkers does each task in the caller's own process, in next(): what ends it ends the
// caller.
class CallersWorkers final : public Workers {
 public:
  explicit CallersWorkers(Work work) : work_(std::move(work)) {}

  // implements Workers ---
  std::uint64_t give(std::string task) override {
    tasks_.push_back(std::move(task));
    return given_++;
  }

  std::optional<News> next() override {
    if (news_.empty() && !tasks_.empty()) {
      const std::uint64_t number = given_ - tasks_.size();
      const std::string task = std::move(tasks_.front());
      tasks_.pop_front();
      work_(task, [&](std::string_view text) {
        news_.push_back(News{News::Kind::kSaid, number, std::string(text), "", 0});
      });
      news_.push_back(News{News::Kind::kDone, number, "", "", 0});
    }
    if (news_.empty()) return std::nullopt;
    News first = std::move(news_.front());
    news_.pop_front();
    return first;
  }

 private:
  Work work_;
  std::deque<std::string> tasks_;
  std::deque<News> news_;
  std::uint64_t given_ = 0;
};

// callers_workers is the Hire of CallersWorkers; one does what many do.
inline std::unique_ptr<Workers> callers_workers(int /*count*/, Workers::Work work) {
  return std::make_unique<CallersWorkers>(std::move(work));
}

}  // namespace plumbline
