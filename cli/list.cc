#include <algorithm>
#include <string>
#include <vector>

#include "cli/catalogue.h"
#include "cli/commands.h"
#include "core/json/json.h"

namespace plumbline::cli {

namespace {

Json document(const std::string& kind, const std::vector<Entry>& entries) {
  Json list = Json::array();
  for (const Entry& entry : entries) {
    Json row = Json::object();
    row["id"] = entry.id;
    if (!entry.area.empty()) row["area"] = entry.area;
    row["what"] = entry.what;
    if (!entry.sources.empty()) row["source"] = entry.sources;
    list.push_back(std::move(row));
  }
  Json out = Json::object();
  out[kind] = std::move(list);
  return out;
}

}  // namespace

int run_list(const ListOptions& options, Host& host) {
  const std::vector<Entry> entries = entries_of(options.what);
  if (options.json) {
    host.out(pretty_json(document(options.what, entries)) + "\n");
    return kExitOk;
  }
  std::size_t width = 0;
  for (const Entry& entry : entries) width = std::max(width, entry.id.size());
  std::string text;
  for (const Entry& entry : entries) {
    text += entry.id + std::string(width + 2 - entry.id.size(), ' ') + entry.what + "\n";
  }
  host.out(text);
  return kExitOk;
}

}  // namespace plumbline::cli
