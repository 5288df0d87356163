#include "reports/answers/judged.h"

#include <algorithm>
#include <utility>

#include "reports/text.h"

namespace plumbline::reports {

namespace {

// add_once adds `judged`, or its revisions to the same one: reports of several revisions are
// merged.
void add_once(std::vector<Judged>& all, Judged judged) {
  const auto same = std::ranges::find_if(all, [&judged](const Judged& other) {
    return other.server == judged.server && other.name == judged.name &&
           other.version == judged.version && other.sdk == judged.sdk &&
           other.transport == judged.transport;
  });
  if (same == all.end()) {
    all.push_back(std::move(judged));
    return;
  }
  for (std::string& revision : judged.revisions) same->revisions.push_back(std::move(revision));
  std::ranges::sort(same->revisions);
  const auto twice = std::ranges::unique(same->revisions);
  same->revisions.erase(twice.begin(), twice.end());
}

}  // namespace

void add_judged(Json& target, const Judged& judged) {
  Json shown(Json::value_t::object);
  if (!judged.server.empty()) shown["server"] = judged.server;
  shown["name"] = judged.name;
  shown["version"] = judged.version;
  if (!judged.sdk.empty()) shown["sdk"] = judged.sdk;
  shown["transport"] = judged.transport;
  shown["revisions"] = judged.revisions;
  target[kJudged].push_back(std::move(shown));
}

std::vector<Judged> judged_in(const Report& report) {
  std::vector<Judged> all;
  const Json* const list = find(report.target, kJudged);
  if (list == nullptr || !list->is_array()) return all;
  for (const Json& each : *list) {
    Judged judged{string_or(each, "server", ""),    string_or(each, "name", ""),
                  string_or(each, "version", ""),   string_or(each, "sdk", ""),
                  string_or(each, "transport", ""), {}};
    const Json* const revisions = find(each, "revisions");
    if (revisions != nullptr && revisions->is_array()) {
      for (const Json& revision : *revisions) {
        if (revision.is_string()) judged.revisions.push_back(revision.get<std::string>());
      }
    }
    add_once(all, std::move(judged));
  }
  return all;
}

std::string naming_of(const Judged& judged) {
  if (judged.name.empty()) return "";
  std::string text = judged.name;
  if (!judged.version.empty()) text += " " + judged.version;
  if (!judged.sdk.empty()) text += " on " + judged.sdk;
  if (!judged.transport.empty()) text += " over " + judged.transport;
  return one_line(text);
}

}  // namespace plumbline::reports
