#include "conformance/wire/wire_log.h"

#include <algorithm>

namespace plumbline::conformance {

namespace {

// Beyond the value itself, with what the heap takes for them.
constexpr std::size_t kStringBytes = 48;
constexpr std::size_t kContainerBytes = 64;
constexpr std::size_t kMemberBytes = 80;
constexpr std::size_t kEntryBytes = sizeof(LogEntry);
constexpr std::size_t kShownOfExchange = 10;  // Entries.
constexpr std::size_t kLostBytesMax = 160;    // Shown of a request that a server died of.

// Excerpt copies a value until it has copied enough.
class Excerpt {
 public:
  Json of(const Json& value) {
    if (values_left_ > 0) --values_left_;
    if (const auto* const text = value.get_ptr<const Json::string_t*>()) return shown(*text);
    if (const auto* const members = value.get_ptr<const Json::object_t*>()) {
      Json copy = Json::object();
      for (const auto& [name, member] : *members) {
        if (spent()) {
          copy["..."] = std::to_string(members->size() - copy.size()) + " more";
          break;
        }
        copy[shown(name)] = of(member);
      }
      return copy;
    }
    if (!value.is_array()) return value;
    Json copy = Json::array();
    for (const Json& item : value) {
      if (spent()) {
        copy.push_back("... " + std::to_string(value.size() - copy.size()) + " more");
        break;
      }
      copy.push_back(of(item));
    }
    return copy;
  }

 private:
  bool spent() const { return values_left_ == 0 || bytes_left_ == 0; }

  std::string shown(const std::string& text) {
    std::string copy = clipped(text);
    bytes_left_ -= std::min(bytes_left_, copy.size());
    return copy;
  }

  std::size_t values_left_ = kEvidenceValuesMax;
  std::size_t bytes_left_ = kEvidenceBytesMax;
};

}  // namespace

std::size_t memory_of(const Json& value) {
  std::size_t bytes = sizeof(Json);
  if (const auto* const text = value.get_ptr<const Json::string_t*>()) {
    bytes += kStringBytes + text->size();
  } else if (const auto* const members = value.get_ptr<const Json::object_t*>()) {
    bytes += kContainerBytes;
    for (const auto& [name, member] : *members) {
      bytes += kMemberBytes + name.size() + memory_of(member);
    }
  } else if (value.is_array()) {
    bytes += kContainerBytes;
    for (const Json& item : value) bytes += memory_of(item);
  }
  return bytes;
}

Json excerpt(const Json& value) { return Excerpt().of(value); }

std::size_t WireLog::add(LogEntry entry) {
  if (!redactor_.is_clean(*entry.message)) {
    Json clean = *entry.message;
    redactor_.redact(clean);
    entry.message = kept(std::move(clean));
  }
  const std::size_t bytes = memory_of(*entry.message) + kEntryBytes;
  if (entry.unasked) {
    const bool fits = bytes <= room_->unasked_left && gap_ == kNotLogged;
    room_->unasked_left -= std::min(room_->unasked_left, bytes);
    if (!fits) {
      gap_ = std::min(gap_, entries_.size());
      return kNotLogged;
    }
  }
  room_->bytes_left -= std::min(room_->bytes_left, bytes);
  entries_.push_back(std::move(entry));
  return entries_.size() - 1;
}

void WireLog::note_flood(std::string what) {
  if (room_->flood.empty()) room_->flood = told(std::move(what));
}

std::vector<Evidence> WireLog::evidence_of(std::uint32_t check, std::size_t entries_max,
                                           std::vector<std::size_t> about) const {
  if (about.empty()) about = judged(check);
  const auto is_judged = [&about](std::size_t place) {
    return std::ranges::find(about, place) != about.end();
  };
  std::vector<Evidence> found;
  for (std::size_t place = entries_.size(); place-- > 0;) {
    const bool judged = is_judged(place);
    const bool own = entries_[place].check == check && found.size() < entries_max;
    if (!judged && !own) continue;
    found.push_back(evidence(entries_[place]));
    found.back().judged = judged;
  }
  std::ranges::reverse(found);
  return found;
}

std::vector<Evidence> WireLog::evidence_until(std::size_t place, std::size_t entries_before) const {
  std::vector<Evidence> found;
  if (place >= entries_.size()) return found;
  for (std::size_t at = place - std::min(place, entries_before); at <= place; ++at) {
    found.push_back(evidence(entries_[at]));
  }
  return found;
}

std::vector<std::size_t> WireLog::places_of(std::uint32_t connection, std::size_t exchange) const {
  std::vector<std::size_t> found;
  for (std::size_t place = 0; place < entries_.size() && found.size() < kShownOfExchange; ++place) {
    const LogEntry& entry = entries_[place];
    if (entry.connection == connection && entry.exchange == exchange) found.push_back(place);
  }
  return found;
}

void WireLog::note_loss(Instant at, std::string_view request) {
  Losses& losses = room_->losses;
  if (!losses.first) losses.first = at;
  if (request.empty() || losses.unanswered.size() == kLossesMax) return;
  losses.unanswered.push_back(clipped(redacted(std::string(request)), kLostBytesMax));
}

}  // namespace plumbline::conformance
