#include "scenarios/record/recording_index.h"

#include <algorithm>

#include "core/json/json.h"

namespace plumbline::scenarios {

RecordingIndex::RecordingIndex(std::string_view text) : text_(text) {
  for (std::size_t at = 0; at < text_.size();) {
    starts_.push_back(at);
    const std::size_t end = text_.find('\n', at);
    at = end == std::string_view::npos ? text_.size() : end + 1;
  }
}

std::string_view RecordingIndex::line(std::size_t number) const {
  const std::size_t begin = starts_[number];
  const std::size_t end = number + 1 < starts_.size() ? starts_[number + 1] : text_.size();
  std::string_view line = text_.substr(begin, end - begin);
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string RecordingIndex::page(std::size_t first, std::size_t count) const {
  const std::size_t begin = std::min(first, lines());
  const std::size_t end = begin + std::min({count, kPageLinesMax, lines() - begin});
  std::string page = "[";
  for (std::size_t number = begin; number < end && page.size() < kPageBytesMax; ++number) {
    if (page.size() > 1) page += ',';
    const std::string_view text = line(number);
    if (parse_json(text).ok()) {
      page += text;
    } else {
      page += dump_json(Json(std::string(text)));
    }
  }
  return page + "]";
}

std::size_t RecordingIndex::number_at(std::size_t byte) const {
  const auto behind = std::ranges::upper_bound(starts_, byte);
  return static_cast<std::size_t>(behind - starts_.begin()) - 1;
}

RecordingIndex::Hits RecordingIndex::search(std::string_view words, std::optional<Side> to,
                                            std::size_t first) const {
  // A quotation mark inside of a string is escaped, so this can only be the member.
  const std::string side = to ? "\"to\":\"" + std::string(name_of(*to)) + "\"" : "";
  Hits hits;
  std::size_t number = first;
  while (number < lines() && hits.lines.size() < kHitsMax) {
    if (!words.empty()) {
      const std::size_t found = text_.find(words, starts_[number]);
      if (found == std::string_view::npos) {
        number = lines();
        break;
      }
      number = number_at(found);
    }
    if (side.empty() || line(number).find(side) != std::string_view::npos) {
      hits.lines.push_back(number);
    }
    ++number;
  }
  hits.next = number;
  return hits;
}

}  // namespace plumbline::scenarios
