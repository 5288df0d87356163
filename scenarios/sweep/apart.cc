#include "scenarios/sweep/apart.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace plumbline::scenarios {

namespace {

// A task is so many items: few enough to share out evenly, enough that asking for the next one,
// for which a worker waits, costs nothing.
constexpr std::uint64_t kItemsAtOnceMin = 16;
constexpr std::uint64_t kItemsAtOnceMax = 128;
constexpr std::uint64_t kTasksAWorker = 64;

struct Span {
  std::uint64_t first = 0;
  std::uint64_t next = 0;  // Not yet heard of.
  std::uint64_t end = 0;
};

std::string task_of(const Span& span) {
  return std::to_string(span.first) + ' ' + std::to_string(span.end);
}

Span read_task(std::string_view task) {
  Span span;
  const char* const end = task.data() + task.size();
  const char* const space = std::from_chars(task.data(), end, span.first).ptr;
  std::from_chars(space + 1, end, span.end);
  span.next = span.first;
  return span;
}

class Taking {
 public:
  explicit Taking(const ItemsApart& items)
      : items_(items),
        jobs_(static_cast<std::uint64_t>(std::max(1, items.jobs))),
        at_once_(
            std::clamp(items.count / (jobs_ * kTasksAWorker), kItemsAtOnceMin, kItemsAtOnceMax)) {}

  void run() {
    const auto work = [this](std::string_view task, const Workers::Say& say) {
      for (Span span = read_task(task); span.next < span.end; ++span.next) {
        say(items_.run(span.next));
      }
    };
    const std::unique_ptr<Workers> workers = items_.hire(items_.jobs, work);
    while (!refused_ && !stopped()) {
      give_tasks(*workers);
      if (at_.empty()) return;
      if (const std::optional<Workers::News> news = workers->next()) hear(*news);
    }
    for (auto& [item, found] : std::exchange(early_, {})) {  // Without those that are missing.
      if (!refused_) refused_ = !items_.take(item, found);
    }
  }

 private:
  bool stopped() const { return items_.stop && items_.stop(); }

  void give_tasks(Workers& workers) {
    while (at_.size() < jobs_) {
      Span span;
      if (!left_.empty()) {
        span = left_.back();
        left_.pop_back();
      } else if (begun_ < items_.count) {
        span = Span{begun_, begun_, std::min(items_.count, begun_ + at_once_)};
        begun_ = span.end;
      } else {
        return;
      }
      at_.emplace(workers.give(task_of(span)), span);
    }
  }

  void hear(const Workers::News& news) {
    const auto task = at_.find(news.task);
    Span& span = task->second;
    if (news.kind == Workers::News::Kind::kSaid) {
      early_.emplace(span.next++, news.text);
      return take_what_is_next();
    }
    if (news.kind == Workers::News::Kind::kDied) bury(span, news);
    at_.erase(task);
    take_what_is_next();
  }

  // bury takes the item that a worker died of for lost. What it had not got to, and what it said
  // and nobody heard, is left for others.
  void bury(const Span& span, const Workers::News& news) {
    const std::uint64_t item = span.first + news.said;
    if (span.next < item) left_.push_back(Span{span.next, span.next, std::min(item, span.end)});
    if (item >= span.end) return;
    early_.emplace(item, Lost{news.text, news.errors});
    if (item + 1 < span.end) left_.push_back(Span{item + 1, item + 1, span.end});
  }

  void take_what_is_next() {
    while (!early_.empty() && early_.begin()->first == taken_ && !refused_) {
      const auto found = early_.extract(early_.begin());
      refused_ = !items_.take(taken_++, found.mapped());
    }
  }

  const ItemsApart& items_;
  const std::uint64_t jobs_;
  const std::uint64_t at_once_;
  std::map<std::uint64_t, Span> at_;                                // By the task.
  std::vector<Span> left_;                                          // By workers that died.
  std::map<std::uint64_t, std::variant<std::string, Lost>> early_;  // Done before an earlier item.
  std::uint64_t begun_ = 0;
  std::uint64_t taken_ = 0;
  bool refused_ = false;
};

}  // namespace

void run_apart(const ItemsApart& items) { Taking(items).run(); }

}  // namespace plumbline::scenarios
