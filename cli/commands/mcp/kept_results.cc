#include "cli/commands/mcp/kept_results.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/options/nearest_ids.h"
#include "cli/options/usage.h"
#include "core/base/errors/errors.h"
#include "core/base/words/joined_by.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kResultsMax = 20;
// What a page may take, so that no result is a burden for the model of a caller: about 1,500
// tokens, with what stands around the findings.
constexpr std::size_t kPageBytesMax = 4'800;
constexpr std::size_t kPageItemsMax = 10;

std::string next_step(const ReportItems& items, bool more) {
  if (items.items.empty()) return "nothing is to be done";
  const std::string id = string_or(items.items.front(), "id", "");
  const std::string first =
      "mend " + id + ", then call the tool again" +
      (id.starts_with("test.") || id.starts_with("quality.") ? std::string()
                                                             : " with only=[\"" + id + "\"]");
  return more ? first + "; result with cursor=next_cursor has the other findings" : first;
}

}  // namespace

Json KeptResults::add(const std::string& tool, ReportItems items, Json beside) {
  if (kept_.size() == kResultsMax) kept_.pop_front();
  kept_.push_back({tool + "-" + std::to_string(++count_), std::move(items), std::move(beside)});
  return page_of(kept_.back(), 0);
}

Json KeptResults::page_of(const Kept& kept, std::size_t start) {
  const std::vector<Json>& all = kept.items.items;
  Json page = kept.beside;
  page["run"] = kept.run;
  page["verdict"] = kept.items.verdict;
  page["summary"] = kept.items.summary;
  Json& findings = page["findings"] = Json::array();
  std::size_t bytes = dump_json(page).size();
  std::size_t at = start;
  for (; at < all.size() && findings.size() < kPageItemsMax; ++at) {
    bytes += dump_json(all[at]).size();
    if (bytes > kPageBytesMax && !findings.empty()) break;
    findings.push_back(all[at]);
  }
  const bool more = at < all.size();
  if (more) page["next_cursor"] = kept.run + "/" + std::to_string(at);
  if (!all.empty()) {
    page["shown"] = std::to_string(start + 1) + " to " + std::to_string(at) + " of " +
                    std::to_string(all.size()) + (kept.items.cut ? " (the others are cut)" : "");
  }
  page["next"] = next_step(kept.items, more);
  return page;
}

Result<const KeptResults::Kept*> KeptResults::find_run(const std::string& run) const {
  if (kept_.empty()) return the_error("mcp.no-result");
  if (run.empty()) return &kept_.back();
  const auto found = std::ranges::find(kept_, run, &Kept::run);
  if (found != kept_.end()) return &*found;
  return the_error("mcp.result-gone", run, std::to_string(kResultsMax),
                   kept_.front().run + " to " + kept_.back().run);
}

Result<Json> KeptResults::page(const std::string& cursor) const {
  const std::size_t slash = cursor.rfind('/');
  const auto start = number_of<std::size_t>(cursor.substr(slash + 1));
  if (slash == cursor.npos || slash == 0 || !start) {
    return the_error("mcp.cursor", cursor, "none of a page: take next_cursor as it is");
  }
  const Result<const Kept*> kept = find_run(cursor.substr(0, slash));
  if (!kept.ok()) return kept.error();
  if (*start >= kept.value()->items.items.size()) {
    return the_error("mcp.cursor", cursor, "behind the last finding");
  }
  return page_of(*kept.value(), *start);
}

Result<Json> KeptResults::first_page(const std::string& run) const {
  const Result<const Kept*> kept = find_run(run);
  if (!kept.ok()) return kept.error();
  return page_of(*kept.value(), 0);
}

Result<Json> KeptResults::finding(const std::string& run, const std::string& id) const {
  const Result<const Kept*> kept = find_run(run);
  if (!kept.ok()) return kept.error();
  const ReportItems& items = kept.value()->items;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < items.items.size(); ++i) {
    ids.push_back(string_or(items.items[i], "id", ""));
    if (ids.back() != id) continue;
    Json page(Json::value_t::object);
    page["run"] = kept.value()->run;
    page["verdict"] = items.verdict;
    page["summary"] = items.summary;
    page["findings"] = Json::array({items.items[i]});
    if (i < items.wire.size() && !items.wire[i].empty()) {
      page["findings"][0]["said"]["wire"] = items.wire[i];
    }
    page["next"] = "mend it, then call the tool again; explain has more about the rule";
    return page;
  }
  const std::string near = joined_by(", ", nearest_ids(id, ids));
  return the_error("mcp.no-finding", kept.value()->run, id,
                   (near.empty() ? "" : ", the nearest are " + near));
}

}  // namespace plumbline::cli
