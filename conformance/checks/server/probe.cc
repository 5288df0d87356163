#include "conformance/checks/server/probe.h"

#include <algorithm>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/peer/opening.h"
#include "core/base/check.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kOpened = 2;         // initialize and its answer.
constexpr std::size_t kOpenedAndThen = 6;  // And what was asked next.

// StillbornWire stands for a connection that could not be made.
class StillbornWire final : public Wire {
 public:
  StillbornWire(Loop& loop, WireLog& log, std::string why) : Wire(loop, log) {
    ended(std::move(why));
  }
  std::size_t send(std::string, wire::HttpHeaders, std::uint32_t) override { return 0; }
  Task<void> close() override { co_return; }
};

// Claim lets others ask when nobody has come to note what it claimed.
class Claim {
 public:
  Claim(Openings& openings, std::string name) : openings_(openings), name_(std::move(name)) {}
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  ~Claim() { openings_.abandon(name_); }

 private:
  Openings& openings_;
  std::string name_;
};

bool needs_arguments(const Json& tool) {
  const Json* const required = at_pointer(tool, "/inputSchema/required");
  return required != nullptr && !required->empty();
}

}  // namespace

bool Probe::stateless() const { return is_stateless(revision()); }

Client Probe::client() {
  plumbline::check(session_ != nullptr,
                   "a check that opens its own sessions asks for a shared one");
  return Client(*session_, check_);
}

SessionOptions Probe::usual() const {
  SessionOptions options;
  options.revision = revision();
  options.capabilities = all_capabilities(revision());
  return options;
}

Task<Client> Probe::open(SessionOptions options) {
  SessionOptions again = options;
  Result<std::unique_ptr<Session>> opened =
      co_await open_session(subject_, std::move(options), check_);
  if (opened.ok()) {
    opened_.push_back(std::move(opened).value());
    opened_.back()->mirror_parameters(survey_.tools.items);
  } else {
    auto wire = std::make_unique<StillbornWire>(loop(), subject_.log(), opened.error().message);
    opened_.push_back(std::make_unique<Session>(subject_, std::move(wire), std::move(again)));
  }
  sessions_.lent_elsewhere(1);
  co_return Client(*opened_.back(), check_);
}

Task<Opening> Probe::open_once(std::string name, SessionOptions options, Then then) {
  const Opening* known = nullptr;
  if (over_stdio()) known = co_await openings_.claim(name);
  if (known != nullptr) co_return *known;
  const Claim claim(openings_, name);
  const int refused = subject_.starts().refused;
  const bool handshake = options.handshake;
  Client client = co_await open(std::move(options));
  const bool asked = subject_.starts().refused == refused;
  Opening opening;
  opening.reply = client.session().opening();
  if (then != nullptr && (!handshake || opening.reply.result() != nullptr)) {
    opening.then = co_await then(*this, client);
  }
  opening.evidence = subject_.log().evidence_of(check_, then == nullptr ? kOpened : kOpenedAndThen,
                                                opening.reply.places);
  if (over_stdio() && asked) openings_.note(name, opening);
  co_return std::move(opening);
}

Task<Client> Probe::open_in_turn(std::string name, SessionOptions options) {
  if (!over_stdio()) co_return co_await open(std::move(options));
  name += " in " + revision();
  // Who has it would wait for himself.
  if (const auto mine = borrowed_.find(name); mine != borrowed_.end()) {
    if (mine->second != nullptr && mine->second->usable()) co_return Client(*mine->second, check_);
    co_return co_await open(std::move(options));
  }
  std::unique_ptr<Session> session = co_await openings_.borrow(name);
  std::unique_ptr<Session>& kept = borrowed_[name];  // To be brought back in any case.
  if (session == nullptr) {
    co_await open(std::move(options));
    kept = std::move(opened_.back());
    opened_.pop_back();
  } else {
    kept = std::move(session);
    sessions_.lent_elsewhere(1);
  }
  co_return Client(*kept, check_);
}

Task<Client> Probe::spare() {
  std::unique_ptr<Session> session = openings_.take_spare();
  if (session == nullptr) session = co_await sessions_.take_ahead();
  if (session != nullptr) {
    sessions_.lent_elsewhere(1);
    opened_.push_back(std::move(session));
    co_return Client(*opened_.back(), check_);
  }
  co_return co_await open(usual());
}

Client Probe::open_raw(wire::HttpHeaders always) {
  SessionOptions options = usual();
  options.handshake = options.listen = false;
  auto wire = subject_.open_raw(std::move(always));
  opened_.push_back(std::make_unique<Session>(subject_, std::move(wire), std::move(options)));
  sessions_.lent_elsewhere(1);
  opened_.back()->mirror_parameters(survey_.tools.items);
  return Client(*opened_.back(), check_);
}

Task<const Exercise*> Probe::exercise(Declared declared) {
  uses_exercise_ = true;
  co_return co_await exercises_.of(declared);
}

bool Probe::may_call(const Json& tool) const { return may_call_tool(tool, options_); }

std::vector<Json> Probe::writers() const {
  constexpr std::size_t kWritersMax = 3;
  std::vector<Json> found;
  for (const Json& tool : survey_.tools.items) {
    const Json* const reads = at_pointer(tool, "/annotations/readOnlyHint");
    const bool writes = reads == nullptr || *reads != Json(true);
    const bool quiet = !disturbs(string_or(tool, "name", ""));
    if (writes && quiet && may_call(tool) && found.size() < kWritersMax) found.push_back(tool);
  }
  return found;
}

std::size_t Probe::as_many(std::size_t most) const {
  constexpr Duration kSlowAnswer = std::chrono::milliseconds(100);
  return subject_.pace().several(1) > kSlowAnswer ? 1 : most;
}

Json Probe::call_params(const Json& tool) const {
  return conformance::call_params(tool, options_.hints, measured_.budget());
}

std::string Probe::unsure() const {
  const std::string own = measured_.unsure();
  return own.empty() && uses_exercise_ ? exercises_.unsure() : own;
}

bool Probe::surely_shows(std::string_view name, Shows what) const {
  const Hint* const hint = options_.hints.of(name);
  return hint != nullptr && hint->shows.contains(what);
}

std::optional<ToolUse> Probe::hinted(std::initializer_list<Shows> all) const {
  for (const Hints::Named& each : options_.hints.all()) {
    const Json* const tool = survey_.tool(each.tool);
    const bool shows =
        std::ranges::all_of(all, [&](Shows what) { return surely_shows(each.tool, what); });
    if (tool == nullptr || !may_call(*tool) || !shows) continue;
    return ToolUse{each.tool, call_params(*tool), each.hint.resource, true};
  }
  return std::nullopt;
}

// first_tool returns the first of the list of which a call did this.
Task<std::optional<ToolUse>> Probe::first_tool(std::function<bool(const Call&)> did) {
  const Exercise& all = *co_await exercise();
  for (const Json& tool : survey_.tools.items) {
    const std::string name = string_or(tool, "name", "");
    const auto found = std::ranges::find_if(all.calls, [&](const Call& call) {
      return call.method == "tools/call" && call.first && did(call) &&
             string_or(call.params, "name", "") == name;
    });
    if (found != all.calls.end()) co_return ToolUse{name, found->params, found->updated, false};
  }
  co_return std::nullopt;
}

Task<std::optional<ToolUse>> Probe::tool_that(Shows what) {
  std::optional<ToolUse> named = hinted({what});
  if (named || what == Shows::kTime) co_return std::move(named);
  std::function<bool(const Call&)> shows = [what](const Call& call) {
    return call.shows.contains(what) && (call.reply.answered() || what == Shows::kStreamEnd);
  };
  std::optional<ToolUse> seen = co_await first_tool(std::move(shows));
  co_return std::move(seen);
}

Task<std::optional<ToolUse>> Probe::tool_at_work() {
  std::optional<ToolUse> named = hinted({Shows::kProgress});
  if (named) co_return std::move(named);
  std::function<bool(const Call&)> told = [](const Call& call) {
    return call.shows.contains(Shows::kProgress);
  };
  std::optional<ToolUse> seen = co_await first_tool(std::move(told));
  co_return std::move(seen);
}

Task<std::optional<ToolUse>> Probe::tool_that_answers() {
  std::function<bool(const Call&)> answers = [](const Call& call) {
    return call.complete() != nullptr;
  };
  std::optional<ToolUse> seen = co_await first_tool(std::move(answers));
  co_return std::move(seen);
}

const Json* Probe::callable() const {
  const Json* found = nullptr;
  for (const Json& tool : survey_.tools.items) {
    if (!may_call(tool)) continue;
    if (!needs_arguments(tool)) return &tool;
    if (found == nullptr) found = &tool;
  }
  return found;
}

Task<void> Probe::close() {
  for (std::unique_ptr<Session>& session : opened_) {
    co_await sessions_.adopt(std::move(session));
    sessions_.lent_elsewhere(-1);
  }
  opened_.clear();
  for (auto& [name, session] : borrowed_) {
    if (session != nullptr) sessions_.lent_elsewhere(-1);
    openings_.bring(name, std::move(session));
  }
  borrowed_.clear();
}

}  // namespace plumbline::conformance
