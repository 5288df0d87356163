#include "scenarios/sweep/apart.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::scenarios {
namespace {

// OddWorkers go on with whichever task it pleases, one that says "dies" does not come back, and of
// its last words some are lost.
class OddWorkers final : public Workers {
 public:
  explicit OddWorkers(Work work) : work_(std::move(work)) {}

  // implements Workers ---
  std::uint64_t give(std::string task) override {
    std::deque<News> news;
    std::uint64_t said = 0;
    bool died = false;
    work_(task, [&](std::string_view text) {
      died = died || text == "dies";
      if (died) return;
      ++said;
      news.push_back(News{News::Kind::kSaid, given_, std::string(text), "", 0});
    });
    if (died) news.resize(*rc::gen::inRange<std::size_t>(0, news.size() + 1));
    const News::Kind end = died ? News::Kind::kDied : News::Kind::kDone;
    news.push_back(News{end, given_, "how", "errors", said});
    tasks_.push_back(std::move(news));
    return given_++;
  }

  std::optional<News> next() override {
    if (tasks_.empty()) return std::nullopt;
    const auto task = tasks_.begin() + *rc::gen::inRange<std::ptrdiff_t>(
                                           0, static_cast<std::ptrdiff_t>(tasks_.size()));
    News first = std::move(task->front());
    task->pop_front();
    if (task->empty()) tasks_.erase(task);
    return first;
  }

 private:
  Work work_;
  std::vector<std::deque<News>> tasks_;
  std::uint64_t given_ = 0;
};

// Whatever goes first and whoever dies, each item is taken once, in order, and only those are lost
// whose worker died of them.
RC_GTEST_PROP(ApartPropTest, EveryItemIsTakenInItsOrder, ()) {
  const auto mortal =
      *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 100));
  const auto dies = [&](std::uint64_t item) {
    return std::ranges::find(mortal, item) != mortal.end();
  };
  ItemsApart items;
  items.count = *rc::gen::inRange<std::uint64_t>(0, 100);
  items.jobs = *rc::gen::inRange(1, 5);
  const auto wanted = *rc::gen::inRange<std::uint64_t>(0, 200);
  items.hire = [](int, Workers::Work work) {
    return std::make_unique<OddWorkers>(std::move(work));
  };
  items.run = [&](std::uint64_t item) {
    return dies(item) ? std::string("dies") : std::to_string(item);
  };
  std::uint64_t taken = 0;
  items.take = [&](std::uint64_t item, const std::variant<std::string, Lost>& found) {
    RC_ASSERT(item == taken);
    RC_ASSERT(std::holds_alternative<Lost>(found) == dies(item));
    if (!dies(item)) RC_ASSERT(std::get<std::string>(found) == std::to_string(item));
    return ++taken != wanted;
  };
  run_apart(items);
  RC_ASSERT(taken == (wanted == 0 ? items.count : std::min(items.count, wanted)));
}

TEST(ApartTest, AStopKeepsWhatIsDone) {
  bool stop = false;
  std::vector<std::uint64_t> taken;
  ItemsApart items;
  items.count = 1'000'000;
  items.hire = callers_workers;
  items.stop = [&stop] { return stop; };
  items.run = [](std::uint64_t item) { return std::to_string(item); };
  items.take = [&](std::uint64_t item, const std::variant<std::string, Lost>&) {
    taken.push_back(item);
    stop = item >= 40;
    return true;
  };
  run_apart(items);
  EXPECT_EQ(taken.size(), 41U);
}

}  // namespace
}  // namespace plumbline::scenarios
