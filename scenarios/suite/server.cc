#include "scenarios/suite/server.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/survey.h"
#include "conformance/peer/answers.h"
#include "conformance/peer/client.h"
#include "conformance/peer/opening.h"
#include "core/wire/url.h"

namespace plumbline::suite {

namespace {

using conformance::Session;
using conformance::Transport;

constexpr Duration kStartMax = std::chrono::seconds(20);

// Of a server that is asked thousands of things.
conformance::LogBounds bounds() {
  conformance::LogBounds bounds;
  bounds.connection_frames = 400'000;
  bounds.connection_bytes = bounds.bytes;
  return bounds;
}

conformance::SubjectSpec spec_of(const Launch& launch, const Names& names) {
  conformance::SubjectSpec spec = launch.subject;
  for (net::Command* const command : {&spec.command, &spec.start}) {
    for (std::string& word : command->argv) word = filled_text(word, names);
    for (auto& [name, value] : command->env) {
      if (launch.named_env.contains(name)) value = filled_text(value, names);
    }
    command->cwd = filled_text(command->cwd, names);
  }
  if (launch.url.empty()) return spec;
  Result<wire::Url> url = wire::parse_url(filled_text(launch.url, names));
  if (url.ok()) spec.url = std::move(url).value();
  wire::HttpHeaders headers;
  for (const auto& [name, value] : spec.headers.fields()) {
    headers.set(name, filled_text(value, names));
  }
  spec.headers = std::move(headers);
  return spec;
}

// seconds_since_1970 reads a time such as "2026-01-01T00:00:00Z".
std::int64_t seconds_since_1970(std::string_view time) {
  const auto part = [time](std::size_t from, std::size_t size) {
    std::int64_t number = 0;
    for (const char c : time.substr(from, size)) number = number * 10 + (c - '0');
    return number;
  };
  const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(part(0, 4))),
                                        std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(part(8, 2)))};
  const std::int64_t days = std::chrono::sys_days(day).time_since_epoch().count();
  return ((days * 24 + part(11, 2)) * 60 + part(14, 2)) * 60 + part(17, 2);
}

Json whole_answer(const Json& answer) {
  Json whole = Json::object();
  if (const Json* const error = find(answer, "error")) {
    whole["error"] = *error;
  } else {
    whole["result"] = answer;
  }
  return whole;
}

}  // namespace

Launch launch_of(const SuiteServer& server) {
  Launch launch;
  launch.name = server.name;
  for (const auto& [name, unused] : server.env) launch.named_env.insert(name);
  if (server.url.empty()) {
    launch.subject.command.argv = server.command;
    launch.subject.command.env = server.env;
    launch.subject.command.cwd = server.cwd;
    return launch;
  }
  launch.url = server.url;
  const bool web_socket = server.url.starts_with("ws");
  launch.subject.transport = web_socket ? Transport::kWebSocket : Transport::kHttp;
  launch.finds_out = !web_socket;
  for (const auto& [name, value] : server.headers) launch.subject.headers.set(name, value);
  if (!server.start.empty()) {
    launch.subject.start = net::Command({"/bin/sh", "-c", "exec " + server.start});
    launch.subject.start.env = server.env;
    launch.subject.start.cwd = server.cwd;
    launch.wait = kStartMax;
  }
  return launch;
}

void make_steady(const Suite& suite, Launch& launch) {
  std::map<std::string, std::string> given;
  if (!suite.seed.empty()) {
    for (const char* const name : {"PLUMBLINE_SEED", "PYTHONHASHSEED"}) given[name] = suite.seed;
  }
  if (!suite.clock.empty()) {
    given["PLUMBLINE_CLOCK"] = suite.clock;
    given["SOURCE_DATE_EPOCH"] = std::to_string(seconds_since_1970(suite.clock));
    given["FAKETIME"] = suite.clock.substr(0, 10) + " " + suite.clock.substr(11, 8);
    given["TZ"] = "UTC";
  }
  for (net::Command* const command : {&launch.subject.command, &launch.subject.start}) {
    if (!command->argv.empty()) command->env.insert(given.begin(), given.end());
  }
}

Launch as_user(const Launch& launch, const SuiteUser& user, const Names& names) {
  Launch own = launch;
  for (const auto& [name, value] : user.headers) {
    own.subject.headers.set(name, filled_text(value, names));
  }
  own.subject.start = {};
  own.wait = {};
  return own;
}

Server::Server(const Doors& doors, const Launch& launch, const Names& names, std::string revision)
    : launch_(launch),
      revision_(std::move(revision)),
      log_(doors.redactor, doors.loop.now(), bounds()),
      subject_(doors.loop, doors.spawner, doors.network, doors.random, log_, spec_of(launch, names),
               doors.patience) {}

Task<Status> Server::open(Answers answers) {
  if (launch_.wait > Duration{}) {
    const Status there = co_await subject_.presence().meet(launch_.wait);
    if (!there.ok()) co_return there;
  }
  if (launch_.finds_out) co_await conformance::find_transport(subject_);
  Status opened = co_await shake_hands();
  if (!opened.ok()) co_return opened;
  answer_by(answers);
  co_await list_tools();
  co_return opened;
}

Task<Status> Server::shake_hands() {
  conformance::SessionOptions options;
  options.revision = revision_;
  options.capabilities = conformance::all_capabilities(revision_);
  Result<std::unique_ptr<Session>> opened =
      co_await conformance::open_session(subject_, std::move(options), 0);
  if (!opened.ok()) co_return std::move(opened).error();
  session_ = std::move(opened).value();
  if (conformance::is_stateless(revision_)) {
    Status known = co_await discover();
    co_return known;
  }
  if (session_->opening().result() != nullptr) co_return Done{};
  std::string why = "initialize got " + session_->opening().describe();
  const std::string gone = why_gone();
  if (!gone.empty()) why += ": " + gone;
  co_return Error{ErrorCode::kDisconnected, std::move(why)};
}

// discover asks a server without sessions whether it speaks the revision.
Task<Status> Server::discover() {
  conformance::Client client(*session_, 0);
  const conformance::Reply reply = co_await client.request("server/discover");
  const Json* const result = reply.result();
  const Json* const versions = result == nullptr ? nullptr : find(*result, "supportedVersions");
  const bool speaks = versions != nullptr && versions->is_array() &&
                      std::ranges::find(*versions, Json(revision_)) != versions->end();
  if (speaks) co_return Done{};
  co_return Error{ErrorCode::kUnsupported, "server/discover got " + reply.describe() +
                                               ": it does not answer to revision " + revision_};
}

Task<void> Server::list_tools() {
  const Json* const opening = session_->opening().result();
  const bool declared = opening != nullptr && at_pointer(*opening, "/capabilities/tools");
  if (!declared && !conformance::is_stateless(revision())) co_return;
  conformance::Listing listing =
      co_await conformance::list_all(*session_, 0, "tools/list", "tools");
  tools_ = std::move(listing.items);
  session_->mirror_parameters(tools_);
}

Task<void> Server::close() {
  if (session_) co_await session_->close();
}

bool Server::healthy() const { return session_ != nullptr && session_->usable(); }

std::string Server::why_gone() const {
  if (session_ == nullptr) return {};
  const std::string diagnosis = session_->wire().diagnosis();
  return diagnosis.empty() ? session_->wire().inbox().why_closed : log_.told(diagnosis);
}

void Server::answer_by(const Answers& answers) {
  session_->forget_answers();
  for (const auto& [method, answer] : answers) {
    session_->answer_with(method, [whole = whole_answer(answer)](const Json&) { return whole; });
  }
}

const Json* Server::tool(std::string_view name) const {
  const auto found = std::ranges::find_if(
      tools_, [&](const Json& tool) { return string_or(tool, "name", "") == name; });
  return found == tools_.end() ? nullptr : &*found;
}

bool only_reads(const Json& tool) {
  const Json* const annotations = find(tool, "annotations");
  return annotations != nullptr && bool_or(*annotations, "readOnlyHint", false);
}

}  // namespace plumbline::suite
