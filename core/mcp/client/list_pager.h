// ListPager collects the pages of a list, and stops a server that would never come to an end.

#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "core/mcp/protocol/failure.h"

namespace plumbline::mcp {

class ListPager {
 public:
  // `member` names the array in each page. At most `pages_max` pages and `items_max` items.
  ListPager(std::string member, std::size_t pages_max, std::size_t items_max)
      : member_(std::move(member)), pages_max_(pages_max), items_max_(items_max) {}

  // params returns what the next request carries: the cursor, or null for the first page. Cursors
  // are sent back as they came; "" is one like any other.
  Json params() const;

  // add takes one page, of a shape checked by result_problem(), and returns whether there is
  // another. kInvalidReply when a cursor comes a second time or a bound is met: what came before is
  // kept, and no more than `items_max` items.
  //
  // Spec 2025-11-25, server/utilities/pagination, Pagination Model and Implementation Guidelines
  // (MUST treat cursors as opaque, SHOULD take a missing one for the end).
  Reply<bool> add(Json page);

  // take_items returns what has been collected, in order.
  std::vector<Json> take_items() { return std::move(items_); }

 private:
  std::string member_;
  std::size_t pages_max_;
  std::size_t items_max_;
  std::size_t pages_ = 0;
  std::vector<Json> items_;
  std::set<std::string> cursors_;  // Every one seen.
  Json cursor_;                    // The next; null: none.
};

}  // namespace plumbline::mcp
