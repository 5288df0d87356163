#include "conformance/peer/openings.h"

namespace plumbline::conformance {

namespace {

// is_in_order returns whether anybody may go on with a session: not where it was left without a
// word.
bool is_in_order(const Session& session) {
  return session.usable() && !session.wire().inbox().frames.empty();
}

}  // namespace

Task<const Opening*> Openings::claim(std::string name) {
  for (;;) {
    const auto [place, fresh] = entries_.try_emplace(name);
    if (fresh) co_return nullptr;
    if (place->second.known) co_return &place->second.opening;
    const auto is_settled = [this, &name] { return !entries_.contains(name) || knows(name); };
    co_await changes_.wait(kNever, is_settled);
  }
}

const Opening& Openings::note(const std::string& name, Opening opening) {
  Entry& entry = entries_[name];
  entry.opening = std::move(opening);
  entry.known = true;
  changes_.tell();
  return entry.opening;
}

void Openings::abandon(const std::string& name) {
  const auto found = entries_.find(name);
  if (found == entries_.end() || found->second.known) return;
  entries_.erase(found);
  changes_.tell();
}

bool Openings::knows(std::string_view version) const {
  const auto found = entries_.find(version);
  return found != entries_.end() && found->second.known;
}

Task<std::unique_ptr<Session>> Openings::borrow(std::string name) {
  Shelf& shelf = shelves_[name];
  const auto is_free = [&shelf] { return !shelf.lent; };
  co_await changes_.wait(kNever, is_free);
  shelf.lent = true;
  if (shelf.session != nullptr && !is_in_order(*shelf.session)) spare(std::move(shelf.session));
  co_return std::move(shelf.session);
}

void Openings::bring(const std::string& name, std::unique_ptr<Session> session) {
  shelves_[name] = Shelf{false, std::move(session)};
  changes_.tell();
}

std::unique_ptr<Session> Openings::take_spare() {
  while (!spare_.empty()) {
    std::unique_ptr<Session> session = std::move(spare_.back());
    spare_.pop_back();
    if (is_in_order(*session)) return session;
  }
  return nullptr;
}

void Openings::drop() {
  shelves_.clear();
  spare_.clear();
}

Task<void> Openings::close() {
  for (const std::unique_ptr<Session>& session : spare_) co_await session->close();
  spare_.clear();
  for (const auto& [name, shelf] : shelves_) {
    if (shelf.session != nullptr) co_await shelf.session->close();
  }
  shelves_.clear();
}

}  // namespace plumbline::conformance
