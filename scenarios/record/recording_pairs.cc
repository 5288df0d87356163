#include "scenarios/record/recording_pairs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/time.h"
#include "core/json/json.h"

namespace plumbline::scenarios {

namespace {

// Asker is whose request it is: ids are told apart by direction, and by client where there are
// several.
using Asker = std::pair<std::string, std::string>;

std::string other_side(const std::string& to) { return to == "server" ? "client" : "server"; }

Json line_in(std::string_view text) {
  Result<Json> line = parse_json(text);
  return line.ok() ? std::move(line).value() : Json();
}

}  // namespace

void RecordingPairs::find_all() {
  others_.assign(index_.lines(), kNeither);
  std::map<Asker, std::uint32_t> open;  // Requests without an answer so far.
  for (std::size_t number = 0; number < index_.lines(); ++number) {
    const std::string_view text = index_.line(number);
    if (text.find("\"id\":") == std::string_view::npos) {
      if (text.find("\"recording\":") != std::string_view::npos) open.clear();  // A new session.
      continue;
    }
    const Json line = line_in(text);
    const Json* const message = find(line, "message");
    const Json* const id = message == nullptr ? nullptr : find(*message, "id");
    if (id == nullptr || id->is_null()) continue;
    const std::string to = string_or(line, "to", "");
    const bool asks = find(*message, "method") != nullptr;
    const Json* const client = find(line, "client");
    const Asker asker{asks ? to : other_side(to),
                      dump_json(*id) + (client == nullptr ? "" : " " + dump_json(*client))};
    const auto place = static_cast<std::uint32_t>(number);
    if (asks) {
      others_[number] = kOpen;
      open[asker] = place;
      continue;
    }
    const auto question = open.find(asker);
    if (question == open.end()) continue;
    others_[number] = question->second;
    others_[question->second] = place;
    open.erase(question);
  }
}

Json RecordingPairs::told_of(std::size_t line) const {
  const std::uint32_t other = others_[line];
  if (other == kNeither) return nullptr;
  if (other == kOpen) return Json::object();
  const Json question = line_in(index_.line(std::min<std::size_t>(line, other)));
  const Json answer = line_in(index_.line(std::max<std::size_t>(line, other)));
  const Json* const message = find(question, "message");
  const std::int64_t took_ns = int_or(answer, "ns", 0) - int_or(question, "ns", 0);
  Json told = {{"line", other},
               {"ms", static_cast<double>(took_ns) / 1e6},
               {"method", string_or(*message, "method", "")}};
  for (const char* const place : {"/params/name", "/params/uri"}) {
    const Json* const name = at_pointer(*message, place);
    if (name != nullptr && name->is_string() && !told.contains("name")) told["name"] = *name;
  }
  return told;
}

std::string RecordingPairs::page(std::size_t first, std::size_t count) {
  if (others_.empty()) find_all();
  Json page = Json::array();
  const std::size_t begin = std::min(first, others_.size());
  const std::size_t end =
      begin + std::min({count, RecordingIndex::kPageLinesMax, others_.size() - begin});
  for (std::size_t line = begin; line < end; ++line) page.push_back(told_of(line));
  return dump_json(page);
}

}  // namespace plumbline::scenarios
