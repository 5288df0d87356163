// ReplyWaiters parks the coroutines that wait for answers, by request id.

#pragma once

#include <coroutine>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "core/json/json.h"
#include "core/mcp/protocol/failure.h"

namespace plumbline::mcp {

class ReplyWaiters {
 public:
  // Owner learns of a coroutine that was dropped while it waited.
  class Owner {
   public:
    virtual void give_up(std::int64_t id) = 0;

   protected:
    ~Owner() = default;
  };

  explicit ReplyWaiters(Owner& owner) : owner_(owner) {}
  ReplyWaiters(const ReplyWaiters&) = delete;
  ReplyWaiters& operator=(const ReplyWaiters&) = delete;

  // Destroying the table leaves its waiters parked: they never resume and have to be dropped.
  ~ReplyWaiters() {
    for (const auto& [id, wait] : waiting_) wait->table_ = nullptr;
  }

  // Wait is awaited: Reply<Json> reply = co_await ReplyWaiters::Wait(table, id).
  class [[nodiscard]] Wait {
   public:
    Wait(ReplyWaiters& table, std::int64_t id) : table_(&table), id_(id) {
      table.waiting_.emplace(id, this);
    }
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;
    ~Wait() {
      if (table_ == nullptr) return;
      table_->waiting_.erase(id_);
      table_->owner_.give_up(id_);
    }

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> parent) { parent_ = parent; }
    Reply<Json> await_resume() { return *std::move(reply_); }

   private:
    friend class ReplyWaiters;

    ReplyWaiters* table_;  // Null once it is over, or the table is gone.
    std::int64_t id_;
    std::optional<Reply<Json>> reply_;
    std::coroutine_handle<> parent_;
  };

  // waits returns whether somebody waits for `id`.
  bool waits(std::int64_t id) const { return waiting_.find(id) != waiting_.end(); }

  // finish resumes who waits for `id`, if anybody still does. That may destroy this table.
  void finish(std::int64_t id, Reply<Json> reply) {
    const auto found = waiting_.find(id);
    if (found == waiting_.end()) return;
    Wait* const wait = found->second;
    waiting_.erase(found);
    wait->table_ = nullptr;
    wait->reply_.emplace(std::move(reply));
    wait->parent_.resume();
  }

 private:
  Owner& owner_;
  std::map<std::int64_t, Wait*> waiting_;
};

}  // namespace plumbline::mcp
