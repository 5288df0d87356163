#include "core/rpc/batch.h"

#include "core/base/check.h"

namespace plumbline::rpc {

BatchReplies::Key BatchReplies::open() {
  open_.try_emplace(next_);
  return next_++;
}

void BatchReplies::expect(Key batch) {
  const auto found = open_.find(batch);
  check(found != open_.end(), "expect() of a batch that is over");
  ++found->second.missing;
}

std::optional<Json> BatchReplies::add(Key batch, Json answer) {
  const auto found = open_.find(batch);
  check(found != open_.end(), "add() to a batch that is over");
  found->second.answers.push_back(std::move(answer));
  return drop(batch);
}

std::optional<Json> BatchReplies::drop(Key batch) {
  const auto found = open_.find(batch);
  check(found != open_.end() && found->second.missing > 0, "drop() of a batch that is over");
  if (--found->second.missing > 0) return std::nullopt;
  Json answers = std::move(found->second.answers);
  open_.erase(found);
  if (answers.empty()) return std::nullopt;
  return answers;
}

std::optional<Json> BatchReplies::seal(Key batch) { return drop(batch); }

}  // namespace plumbline::rpc
