#include "conformance/checks/server/exercise.h"

#include <algorithm>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/peer/answers.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kOthersNamedMax = 3;  // Of what is wrong beside the first.
constexpr std::size_t kOtherNameBytesMax = 60;

}  // namespace

Json capabilities_of(Declared declared, const std::string& revision) {
  if (declared == Declared::kAll) return all_capabilities(revision);
  Json some = Json::object();
  if (declared == Declared::kBare) {
    some["roots"] = some["sampling"] = Json::object();
    if (knows_elicitation(revision)) some["elicitation"] = Json::object();
  }
  if (declared == Declared::kUrlOnly) some["elicitation"]["url"] = Json::object();
  return some;
}

const Json* Call::complete() const {
  const Json* const result = reply.result();
  if (result == nullptr || string_or(*result, "resultType", "complete") != "complete") {
    return nullptr;
  }
  const bool of_task = find(*result, "task") != nullptr && find(*result, "content") == nullptr;
  return of_task ? nullptr : result;
}

Json ServerAsked::params() const {
  const Json* const found = find(request, "params");
  return found != nullptr && found->is_object() ? *found : Json::object();
}

std::vector<const ServerAsked*> Exercise::asked_by(std::string_view method) const {
  std::vector<const ServerAsked*> found;
  for (const ServerAsked& each : asked) {
    if (each.method() == method) found.push_back(&each);
  }
  return found;
}

std::vector<const Call*> Exercise::asking(std::string_view method) const {
  std::vector<const Call*> found;
  for (const Call& call : calls) {
    const bool wanted = method.empty() ? !call.wants.empty()
                                       : std::ranges::find(call.wants, method) != call.wants.end();
    if (call.first && wanted && call.reply.answered()) found.push_back(&call);
  }
  return found;
}

std::vector<const Call*> Exercise::completed(std::string_view method) const {
  std::vector<const Call*> found;
  for (const Call& call : calls) {
    if (call.method == method && call.complete() != nullptr) found.push_back(&call);
  }
  return found;
}

Json hint_file(const Survey& survey, const Exercise& exercise, const ProbeOptions& options,
               Budget& budget) {
  Json file = Json::object();
  Json& tools = file["tools"] = Json::object();
  for (const Json& tool : survey.tools.items) {
    const std::string name = string_or(tool, "name", "");
    Hint found;
    if (const Hint* const hint = options.hints.of(name)) found = *hint;
    for (const Call& call : exercise.calls) {
      if (call.method != "tools/call" || string_or(call.params, "name", "") != name) continue;
      found.shows.insert(call.shows.begin(), call.shows.end());
      if (!call.wants.empty()) found.shows.insert(Shows::kQuestion);
      if (found.resource.empty()) found.resource = call.updated;
    }
    Json& entry = tools[name];
    entry["call"] = may_call_tool(tool, options);
    entry["arguments"] = call_params(tool, options.hints, budget)["arguments"];
    entry["shows"] = Json::array();
    for (const Shows what : found.shows) entry["shows"].push_back(std::string(name_of(what)));
    if (!found.resource.empty()) entry["resource"] = found.resource;
  }
  return file;
}

void Tally::wrong(std::string what, std::vector<Evidence> evidence) {
  if (wrong_ > 0) return another(what);
  wrong_ = 1;
  told_ = what;
  first_ = broken(std::move(what));
  first_.evidence = std::move(evidence);
  if (!first_.evidence.empty()) first_.evidence.back().judged = true;
}

void Tally::wrong(std::string what, const Reply& reply) {
  if (wrong_ > 0) return another(what);
  wrong_ = 1;
  told_ = what;
  first_ = about(broken(std::move(what)), reply);
}

void Tally::another(std::string_view what) {
  ++wrong_;
  const std::size_t quote = what.find('"');
  const std::size_t end = quote == std::string_view::npos ? quote : what.find('"', quote + 1);
  if (end == std::string_view::npos || end - quote > kOtherNameBytesMax) return;
  const std::string_view name = what.substr(quote, end + 1 - quote);
  if (name.find(' ') != std::string_view::npos) return;  // No name, but what was said.
  const bool alike = told_.starts_with(what.substr(0, quote + 1));
  const bool first = told_.starts_with(what.substr(0, end + 1));
  if (!alike || first || std::ranges::find(others_, name) != others_.end()) return;
  others_.emplace_back(name);
}

Finding Tally::finding(std::string none) const {
  if (wrong_ == 0 && seen_ == 0) return not_for_it(std::move(none));
  Finding finding = wrong_ == 0 ? passes() : first_;
  finding.observed = std::max(seen_, wrong_);
  if (wrong_ < 2) return finding;
  finding.message += " (and " + std::to_string(wrong_ - 1) + " more";
  const std::size_t named = std::min(others_.size(), kOthersNamedMax);
  for (std::size_t i = 0; i < named; ++i) finding.message += (i == 0 ? ": " : ", ") + others_[i];
  finding.message += named < others_.size() ? " ...)" : ")";
  return finding;
}

}  // namespace plumbline::conformance
