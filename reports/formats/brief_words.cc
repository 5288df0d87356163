#include "reports/formats/brief_words.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <string_view>

#include "reports/answers/exchange.h"
#include "reports/answers/explanation.h"
#include "reports/text.h"

namespace plumbline::reports {

std::string rule_of(const CheckResult& result) {
  constexpr std::string_view kDerived = " [derived]";
  std::string rule = one_line(result.title);
  if (rule.ends_with(kDerived)) rule.resize(rule.size() - kDerived.size());
  return rule;
}

std::string asked_in(const CheckResult& result) {
  const std::string asked = one_line(exchange_of(result).asked);
  const auto tells = [told = std::string_view(result.message)](const std::string& what) {
    return told.find(what) != told.npos;
  };
  if (asked.empty() || tells(asked)) return {};
  const std::size_t space = std::min(asked.find(' '), asked.size());
  const std::string name = asked.substr(std::min(space + 1, asked.size()));
  return name.empty() || tells(name) ? asked.substr(0, space) : asked;
}

std::string where_of(const Finding& finding) {
  std::set<std::string, std::greater<>> revisions;
  std::set<std::string> transports;
  for (const CheckResult* const row : finding.variants) {
    if (!row->revision.empty()) revisions.insert(row->revision);
    if (!row->transport.empty()) transports.insert(row->transport);
  }
  std::string text = list_of(revisions);
  if (const std::string& server = finding.result->server; !server.empty()) {
    text = one_line(server) + (text.empty() ? "" : " ") + text;
  }
  if (transports.size() > 1) text += (text.empty() ? "" : " over ") + list_of(transports);
  return text;
}

std::string followers_of(const Finding& finding, bool counted_alone) {
  std::set<std::string> ids;
  for (const CheckResult* const row : finding.followers) ids.insert(row->id);
  if (ids.empty()) return {};
  return counted_alone ? counted(ids.size(), "other rule") : list_of(ids);
}

void cut(std::vector<std::string>& lines, std::size_t shown, std::size_t columns) {
  std::string& last = lines[shown - 1];
  last = clip(last + " " + lines[shown], columns);
  if (!last.ends_with("…")) last = clip(last, columns - 1) + "…";
  lines.resize(shown);
}

std::string text_of_warning(const CheckResult& row) {
  const std::string asked = observation_of(row).seen.starts_with("got ") ? asked_in(row) : "";
  return row.id + ": " + asked + (asked.empty() ? "" : " ") +
         (row.message.empty() ? row.title : row.message);
}

std::pair<bool, std::size_t> rank_of_warning(const CheckResult& row) {
  constexpr std::string_view kOfSdks[] = {"jsonrpc", "lifecycle", "stdio"};
  constexpr std::string_view kLevels[] = {"MUST", "MUST NOT", "SHOULD", "SHOULD NOT"};
  const auto* const level = std::ranges::find(kLevels, std::string_view(row.level));
  const bool of_sdks = std::ranges::find(kOfSdks, std::string_view(row.area)) != std::end(kOfSdks);
  return {of_sdks, static_cast<std::size_t>(level - std::begin(kLevels))};
}

}  // namespace plumbline::reports
