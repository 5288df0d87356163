#include "conformance/checks/client/walk/walk.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "conformance/catalogue/revisions.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kFirst = "a_plain_tool";
constexpr const char* kSecond = "another_plain_tool";
constexpr const char* kAfter = "behind_all_forms";
constexpr const char* kPlain[] = {kFirst, kSecond};

bool all_plain(const Record& record) {
  return std::ranges::all_of(kPlain,
                             [&](const char* name) { return record.called(name) != nullptr; });
}

bool holds_in(const WalkForm& form, std::string_view revision) {
  return form.since <= revision && (form.until.empty() || revision < form.until);
}

Json response_to(const Asked& asked) {
  Json response(Json::value_t::object);
  response["jsonrpc"] = "2.0";
  response["id"] = asked.id();
  return response;
}

}  // namespace

Walk::Walk(std::size_t group, std::size_t first, WalkMode mode)
    : group_(kWalkGroups[group]), number_(group), first_(first), mode_(mode) {}

void Walk::prepare(ScriptedPeer& peer) {
  if (group_.kind == WalkKind::kNotice) {
    peer.events = true;
    peer.offer.capabilities["logging"] = Json::object();
    peer.offer.capabilities["tools"]["listChanged"] = true;
  }
  const std::size_t most = mode_ == WalkMode::kOn     ? group_.forms.size()
                           : mode_ == WalkMode::kSome ? first_ + kWalkSome
                                                      : first_ + 1;
  peer.offer.tools = {bare_tool(kFirst), bare_tool(kSecond)};
  for (std::size_t i = first_; i < std::min(most, group_.forms.size()); ++i) {
    if (!holds_in(group_.forms[i], peer.revision())) continue;
    offered_.push_back(i);
    peer.offer.tools.push_back(tool_of(group_.forms[i]));
  }
  peer.offer.tools.push_back(bare_tool(kAfter));
}

Json Walk::tool_of(const WalkForm& form) const {
  Json tool = bare_tool(std::string(form.tool));
  if (group_.kind == WalkKind::kDefinition) tool.update(json_of(form.json));
  return tool;
}

Json Walk::context() const {
  Json told(Json::value_t::object);
  Json& calls = told["toolCalls"] = Json::array();
  const auto add = [&](std::string_view name) {
    Json call(Json::value_t::object);
    call["name"] = std::string(name);
    call["arguments"] = Json::object();
    calls.push_back(std::move(call));
  };
  for (const char* const name : kPlain) add(name);
  for (const std::size_t form : offered_) add(group_.forms[form].tool);
  add(kAfter);
  return told;
}

const WalkForm* Walk::form_of(std::string_view tool) const {
  const auto found = std::ranges::find(group_.forms, tool, &WalkForm::tool);
  return found == group_.forms.end() ? nullptr : &*found;
}

// tell says what comes before an answer.
void Walk::tell(ScriptedPeer& peer, const Asked& asked, const WalkForm& form) const {
  Json message = json_of(form.json);
  message["jsonrpc"] = "2.0";
  if (message["method"] == "notifications/progress") {
    const Json* const token = at_pointer(asked.message, "/params/_meta/progressToken");
    if (token == nullptr) return;
    message["params"]["progressToken"] = *token;
  }
  peer.along(asked, message);
}

// list_page gives one form's page of the list, in that form.
bool Walk::list_page(ScriptedPeer& peer, const Asked& asked) const {
  const std::string cursor = asked.param("cursor");
  const auto here = std::ranges::find_if(
      offered_, [&](std::size_t form) { return cursor == group_.forms[form].tool; });
  Json result(Json::value_t::object);
  Json& tools = result["tools"] = Json::array();
  if (cursor.empty()) {
    for (const char* const name : kPlain) tools.push_back(bare_tool(name));
    result["nextCursor"] = std::string(group_.forms[offered_.front()].tool);
  } else if (here == offered_.end()) {
    tools.push_back(bare_tool(kAfter));
  } else {
    tools.push_back(bare_tool(cursor));
    const auto next = here + 1;
    result["nextCursor"] = next == offered_.end() ? kAfter : std::string(group_.forms[*next].tool);
  }
  result = completed(std::move(result), peer.revision(), asked.method(), 0);
  if (here == offered_.end()) {
    peer.result(asked, std::move(result));
    return true;
  }
  Json response = response_to(asked);
  response["result"] = std::move(result);
  carry(peer, asked, cursor, response);
  return true;
}

bool Walk::on_request(ScriptedPeer& peer, const Asked& asked) {
  if (group_.kind == WalkKind::kCarried) {
    return asked.method() == "tools/list" && !offered_.empty() && list_page(peer, asked);
  }
  if (asked.method() != "tools/call") return false;
  const WalkForm* const form = form_of(asked.param("name"));
  if (form == nullptr || group_.kind == WalkKind::kDefinition) return false;
  if (group_.kind == WalkKind::kNotice) {
    tell(peer, asked, *form);
    return false;
  }
  if (group_.kind == WalkKind::kResult) {
    peer.result(asked, completed(json_of(form->json), peer.revision(), asked.method(), 0));
    return true;
  }
  Json response = response_to(asked);
  response["error"] = json_of(form->json);
  peer.text(asked, dump_json(response), true);
  return true;
}

void Walk::judge(const Record& record, Verdicts& verdicts) {
  Finding found = finding(record);
  if (left_.empty()) verdicts.say(group_.rule, std::move(found));
}

Finding Walk::finding(const Record& record) {
  if (record.requests("tools/list").empty()) return never_came(record, "asked for the tools");
  if (offered_.empty()) return passes();
  if (group_.kind == WalkKind::kCarried) return unlisted(record);
  if (record.requests("tools/call").empty()) return lost(record);
  if (record.called(kAfter) == nullptr) return stopped(record);
  return group_.kind == WalkKind::kDefinition && all_plain(record) ? left_off(record) : passes();
}

// unlisted is for lists whose pages come in forms: who does not ask for the next has not read one.
Finding Walk::unlisted(const Record& record) {
  std::optional<std::size_t> last;
  for (const Heard* const asked : record.requests("tools/list")) {
    const std::string cursor = asked->param("cursor");
    if (cursor == kAfter) return passes();
    const auto here = std::ranges::find_if(
        offered_, [&](std::size_t form) { return cursor == group_.forms[form].tool; });
    if (here != offered_.end()) last = *here;
  }
  if (!last) return not_for_it("it asks for no second page");
  // That it reads no streams is told by http.sse-format; JSON it has read in each form.
  if (group_.forms[*last].tool == "c_sse_plain") return passes();
  if (alone()) {
    return blame(first_,
                 risky("it read a list page by page until one came with " +
                       std::string(group_.forms[first_].what) +
                       ", and did not ask for the page behind it; " + record.how_it_ended()));
  }
  left_.push_back(walk_stop(number_, *last, WalkMode::kAlone));
  const auto next = std::ranges::upper_bound(offered_, *last);
  if (next != offered_.end()) left_.push_back(walk_stop(number_, *next, WalkMode::kOn));
  return passes();
}

// lost is for a client that called no tool of the list.
Finding Walk::lost(const Record& record) {
  if (group_.kind != WalkKind::kDefinition || !record.calls_tools) {
    return never_came(record, "called a tool");
  }
  if (alone()) {
    return blame(first_,
                 risky("it called no tool of a list in which one has " +
                       std::string(group_.forms[first_].what) + "; " + record.how_it_ended()));
  }
  if (mode_ == WalkMode::kSome) {
    for (const std::size_t form : offered_) {
      left_.push_back(walk_stop(number_, form, WalkMode::kAlone));
    }
    return passes();
  }
  for (std::size_t form = first_; form < group_.forms.size(); form += kWalkSome) {
    left_.push_back(walk_stop(number_, form, WalkMode::kSome));
  }
  return passes();
}

Finding Walk::left_off(const Record& record) const {
  for (const std::size_t form : offered_) {
    const WalkForm& one = group_.forms[form];
    if (record.called(one.tool) != nullptr) continue;
    return risky("it called each plain tool, and not " + std::string(one.tool) + ", which has " +
                 one.what + ": a tool may have that, and is lost");
  }
  return passes();
}

// stopped is for a client that did not call the last tool: it has stopped behind the form that was
// answered last, or goes no further with anybody.
Finding Walk::stopped(const Record& record) {
  std::optional<std::size_t> last;
  std::optional<Instant> at;
  std::size_t called = 0;
  for (const std::size_t form : offered_) {
    const Heard* const call = record.called(group_.forms[form].tool);
    if (call == nullptr) continue;
    ++called;
    if (at && call->at < *at) continue;
    at = call->at;
    last = form;
  }
  if (!last || !all_plain(record)) return not_for_it("it does not call one tool after another");
  if (alone()) {
    if (called == 0) return not_for_it("it does not call one tool after another");
    return blame(first_, risky("it called one tool after another until a call came to " +
                               std::string(group_.forms[first_].what) +
                               ", and nothing after that; " + record.how_it_ended()));
  }
  left_.push_back(walk_stop(number_, *last, WalkMode::kAlone));
  const auto next = std::ranges::upper_bound(offered_, *last);
  if (next != offered_.end()) left_.push_back(walk_stop(number_, *next, WalkMode::kOn));
  return passes();
}

// blame has the form played once more before it says anything.
Finding Walk::blame(std::size_t form, Finding finding) {
  if (mode_ == WalkMode::kAlone) left_.push_back(walk_stop(number_, form, WalkMode::kAgain));
  return finding;
}

}  // namespace plumbline::conformance
