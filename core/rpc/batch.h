// BatchReplies gathers the answers to the requests of one batch: they leave together, in one
// array, when the last is there. Only revision 2025-03-26 knows batches.
//
// Spec 2025-03-26, basic, Batching (MUST receive); JSON-RPC 2.0 section 6.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "core/json/json.h"

namespace plumbline::rpc {

class BatchReplies {
 public:
  using Key = std::int64_t;

  // open starts a batch. It stays held until seal(), so that answers given while its members are
  // still being read do not let it go early.
  Key open();

  // expect counts one more answer to come.
  void expect(Key batch);

  // add gives one expected answer; drop says that one will not come. Both return the whole array
  // when that was the last, nothing otherwise, and nothing when there is no answer at all.
  std::optional<Json> add(Key batch, Json answer);
  std::optional<Json> drop(Key batch);

  // seal ends the reading of the batch and returns like add().
  std::optional<Json> seal(Key batch);

  std::size_t size() const { return open_.size(); }

 private:
  struct Batch {
    std::size_t missing = 1;  // The seal counts as one.
    Json answers = Json::array();
  };

  std::map<Key, Batch> open_;
  Key next_ = 1;
};

}  // namespace plumbline::rpc
