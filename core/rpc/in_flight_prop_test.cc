// The table of requests in flight beside a model that remembers everything about every id: whatever
// is asked, answered, given up or late, each request ends exactly once and nothing is left behind.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include "core/rpc/in_flight.h"

namespace plumbline::rpc {
namespace {

using std::chrono::seconds;
using Standing = InFlight::Standing;

constexpr std::size_t kSizeMax = 3;

// Ledger is the model: what has become of every id that was ever given out, and when.
struct Ledger {
  struct Line {
    Standing standing = Standing::kWaiting;
    Instant deadline = kNever;
    std::int64_t given_up = 0;  // The how manieth to be.
    std::int64_t token = 0;     // 0: none.
  };

  Instant now{};
  std::int64_t given_up = 0;
  std::map<std::int64_t, Line> lines;

  Standing standing(std::int64_t id) const {
    const auto found = lines.find(id);
    return found == lines.end() ? Standing::kNeverSent : found->second.standing;
  }
  std::vector<std::int64_t> all(Standing standing) const {
    std::vector<std::int64_t> out;
    for (const auto& [id, line] : lines) {
      if (line.standing == standing) out.push_back(id);
    }
    return out;
  }
  std::vector<std::int64_t> waiting() const { return all(Standing::kWaiting); }
  std::vector<std::int64_t> due() const {
    std::vector<std::int64_t> out = waiting();
    std::erase_if(out, [this](std::int64_t id) { return lines.at(id).deadline > now; });
    return out;
  }

  void give_up(std::int64_t id) {
    lines[id].standing = Standing::kAbandoned;
    lines[id].given_up = ++given_up;
    std::vector<std::int64_t> remembered = all(Standing::kAbandoned);
    if (remembered.size() <= kSizeMax) return;
    const auto oldest = std::ranges::min_element(
        remembered, {}, [this](std::int64_t one) { return lines[one].given_up; });
    lines[*oldest].standing = Standing::kAnswered;
  }
};

// Books is the table, and how often each of its requests has ended.
struct Books {
  InFlight table{kSizeMax};
  std::map<std::int64_t, int> ends;

  void end(const InFlight::Entry& entry, const std::string& method) {
    RC_ASSERT(entry.method == method);
    RC_ASSERT(++ends[entry.id] == 1);
  }
};

std::string method_of(std::int64_t id) { return "method/" + std::to_string(id); }

// Step is a command that holds the whole table to the model when it is done.
struct Step : rc::state::Command<Ledger, Books> {
  virtual void act(const Ledger& before, Books& books) const = 0;

  void run(const Ledger& before, Books& books) const final {
    act(before, books);
    const Ledger now = nextState(before);
    const InFlight& table = books.table;
    RC_ASSERT(table.ids() == now.waiting());
    RC_ASSERT(table.size() == now.waiting().size());
    RC_ASSERT(table.empty() == now.waiting().empty());
    RC_ASSERT(table.full() == (now.waiting().size() == kSizeMax));
    RC_ASSERT(table.due(now.now) == now.due());
    Instant next = kNever;
    for (const std::int64_t id : now.waiting()) next = std::min(next, now.lines.at(id).deadline);
    RC_ASSERT(table.next_deadline() == next);
    const std::int64_t last = static_cast<std::int64_t>(now.lines.size());
    for (std::int64_t id = -1; id <= last + 2; ++id) {
      RC_ASSERT(table.standing(id) == now.standing(id));
      RC_ASSERT((books.table.find(id) != nullptr) == (now.standing(id) == Standing::kWaiting));
    }
  }
};

struct Start : Step {
  int patience = *rc::gen::inRange(0, 6);  // Seconds; 0: for ever.
  bool wants_progress = *rc::gen::arbitrary<bool>();

  void checkPreconditions(const Ledger& before) const override {
    RC_PRE(before.waiting().size() < kSizeMax);
  }
  Instant deadline(const Ledger& before) const {
    return patience == 0 ? kNever : before.now + seconds(patience);
  }
  void apply(Ledger& ledger) const override {
    const std::int64_t id = static_cast<std::int64_t>(ledger.lines.size()) + 1;
    ledger.lines[id].deadline = deadline(ledger);
    ledger.lines[id].token = wants_progress ? id : 0;
  }
  void act(const Ledger& before, Books& books) const override {
    const std::int64_t expected = static_cast<std::int64_t>(before.lines.size()) + 1;
    const std::int64_t id = books.table.start(method_of(expected), before.now, deadline(before));
    RC_ASSERT(id == expected);
    if (wants_progress) books.table.find(id)->progress_token = RpcId(id);
    RC_ASSERT(books.table.find(id)->started == before.now);
  }
  void show(std::ostream& os) const override { os << "Start(" << patience << "s)"; }
};

// Answer is an answer of the peer, to anything: what waits, what is over, what was never asked, and
// all of those spelled as a string.
struct Answer : Step {
  std::int64_t id;
  bool as_text = *rc::gen::weightedElement<bool>({{5, false}, {1, true}});

  explicit Answer(const Ledger& before)
      : id(*rc::gen::inRange<std::int64_t>(-1,
                                           static_cast<std::int64_t>(before.lines.size()) + 3)) {}
  Standing standing(const Ledger& before) const {
    return as_text ? Standing::kNeverSent : before.standing(id);
  }
  void apply(Ledger& ledger) const override {
    const Standing was = standing(ledger);
    if (was == Standing::kWaiting || was == Standing::kAbandoned) {
      ledger.lines[id].standing = Standing::kAnswered;
    }
  }
  void act(const Ledger& before, Books& books) const override {
    const Standing was = standing(before);
    const InFlight::Judgement judgement =
        books.table.judge(as_text ? RpcId(std::to_string(id)) : RpcId(id));
    RC_ASSERT(judgement.awaited == (was == Standing::kWaiting));
    RC_ASSERT(judgement.late == (was == Standing::kAbandoned));
    const bool wrong = was == Standing::kAnswered || was == Standing::kNeverSent;
    RC_ASSERT(judgement.violation.empty() == !wrong);
    if (judgement.awaited) books.end(books.table.answer(id), method_of(id));
  }
  void show(std::ostream& os) const override {
    os << "Answer(" << id << (as_text ? " as text)" : ")");
  }
};

struct Cancel : Step {
  std::int64_t id;

  explicit Cancel(const Ledger& before) {
    RC_PRE(!before.waiting().empty());
    id = *rc::gen::elementOf(before.waiting());
  }
  void checkPreconditions(const Ledger& before) const override {
    RC_PRE(before.standing(id) == Standing::kWaiting);
  }
  void apply(Ledger& ledger) const override { ledger.give_up(id); }
  void act(const Ledger& /*before*/, Books& books) const override {
    books.end(books.table.abandon(id), method_of(id));
  }
  void show(std::ostream& os) const override { os << "Cancel(" << id << ")"; }
};

// Pass lets time go by and ends what is overdue, oldest first.
struct Pass : Step {
  int span = *rc::gen::inRange(0, 4);

  void apply(Ledger& ledger) const override {
    ledger.now += seconds(span);
    for (const std::int64_t id : ledger.due()) ledger.give_up(id);
  }
  void act(const Ledger& before, Books& books) const override {
    for (const std::int64_t id : books.table.due(before.now + seconds(span))) {
      books.end(books.table.abandon(id), method_of(id));
    }
  }
  void show(std::ostream& os) const override { os << "Pass(" << span << "s)"; }
};

// Progress moves the deadline of whoever asked under this token, and of nobody else.
struct Progress : Step {
  std::int64_t token;

  explicit Progress(const Ledger& before)
      : token(*rc::gen::inRange<std::int64_t>(
            1, static_cast<std::int64_t>(before.lines.size()) + 3)) {}
  bool known(const Ledger& before) const {
    return before.standing(token) == Standing::kWaiting && before.lines.at(token).token == token;
  }
  void apply(Ledger& ledger) const override {
    if (known(ledger)) ledger.lines[token].deadline = ledger.now + seconds(4);
  }
  void act(const Ledger& before, Books& books) const override {
    RC_ASSERT(books.table.find_token(RpcId(std::to_string(token))) == nullptr);
    InFlight::Entry* const entry = books.table.find_token(RpcId(token));
    RC_ASSERT((entry != nullptr) == known(before));
    if (entry == nullptr) return;
    RC_ASSERT(entry->id == token);
    entry->deadline = before.now + seconds(4);
  }
  void show(std::ostream& os) const override { os << "Progress(" << token << ")"; }
};

struct Disconnect : Step {
  void apply(Ledger& ledger) const override {
    for (const std::int64_t id : ledger.waiting()) ledger.give_up(id);
  }
  void act(const Ledger& /*before*/, Books& books) const override {
    for (const std::int64_t id : books.table.ids()) {
      books.end(books.table.abandon(id), method_of(id));
    }
  }
  void show(std::ostream& os) const override { os << "Disconnect"; }
};

RC_GTEST_PROP(InFlightPropTest, EachRequestEndsExactlyOnceAndNothingIsLeft, ()) {
  Books books;
  Ledger ledger;
  rc::state::check(ledger, books,
                   rc::state::gen::execOneOfWithArgs<Start, Start, Start, Answer, Answer, Cancel,
                                                     Pass, Progress, Disconnect>());
  const std::vector<std::int64_t> left = books.table.ids();
  for (const std::int64_t id : left) books.end(books.table.abandon(id), method_of(id));
  RC_ASSERT(books.table.empty());
  RC_ASSERT(books.table.next_deadline() == kNever);
  std::int64_t expected = 0;
  for (const auto& [id, count] : books.ends) {
    RC_ASSERT(id == ++expected);
    RC_ASSERT(count == 1);
  }
  RC_CLASSIFY(expected > 5, "long");
}

}  // namespace
}  // namespace plumbline::rpc
