#include "core/mcp/client/list_pager.h"

#include <iterator>
#include <utility>

#include "core/base/check.h"

namespace plumbline::mcp {

namespace {

using Kind = Failure::Kind;

}  // namespace

Json ListPager::params() const {
  if (cursor_.is_null()) return nullptr;
  Json params(Json::value_t::object);
  params.emplace("cursor", cursor_);
  return params;
}

Reply<bool> ListPager::add(Json page) {
  auto* const members = page.get_ptr<Json::object_t*>();
  check(members != nullptr, "a page that is no object");
  const auto found = members->find(member_);
  auto* const items = found == members->end() ? nullptr : found->second.get_ptr<Json::array_t*>();
  check(items != nullptr, "a page without its array");
  ++pages_;
  if (items_.empty()) {
    items_ = std::move(*items);
  } else {
    std::move(items->begin(), items->end(), std::back_inserter(items_));
  }
  if (items_.size() > items_max_) {
    items_.resize(items_max_);
    return Failure(Kind::kInvalidReply,
                   member_ + ": more than " + std::to_string(items_max_) + " items");
  }
  const auto next = members->find("nextCursor");
  if (next == members->end() || !next->second.is_string()) return false;
  cursor_ = std::move(next->second);
  const auto& text = cursor_.get_ref<const std::string&>();
  if (!cursors_.insert(text).second) {
    return Failure(Kind::kInvalidReply,
                   member_ + ": cursor " + dump_json(cursor_) + " comes a second time");
  }
  if (pages_ >= pages_max_) {
    return Failure(Kind::kInvalidReply,
                   member_ + ": more than " + std::to_string(pages_max_) + " pages");
  }
  return true;
}

}  // namespace plumbline::mcp
