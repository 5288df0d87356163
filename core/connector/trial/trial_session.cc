#include "core/connector/trial/trial_session.h"

#include <array>
#include <utility>

#include "core/base/wait.h"
#include "core/connector/retry/error_category.h"
#include "core/rpc/message.h"

namespace plumbline::connector {

namespace {

using mcp::Failure;
using mcp::Reply;
using TrialReader = Result<Capability> (*)(const std::string& server, Json entry);

struct ListedKind {
  const char* capability;
  const char* method;
  TrialReader read;
  bool optional;  // A server that has the capability may not know it.
};

constexpr std::array kListedKinds = {
    ListedKind{"tools", "tools/list", tool_of, false},
    ListedKind{"resources", "resources/list", resource_of, false},
    ListedKind{"resources", "resources/templates/list", resource_template_of, true},
    ListedKind{"prompts", "prompts/list", prompt_of, false},
};

mcp::ClientOptions trial_options() {
  mcp::ClientOptions options;
  options.preferred = mcp::kLatest;
  options.cache_entries_max = 0;  // Each answer is to be the agent's.
  return options;
}

}  // namespace

bool is_about_credentials(const Failure& failure) {
  return category_of(mcp::classify(failure)) == ErrorCategory::kAuthentication;
}

TrialSession::TrialSession(Loop& loop, std::unique_ptr<transport::Connection> connection,
                           EventSink* events)
    : connection_(std::move(connection)) {
  session_ = std::make_unique<mcp::ClientSession>(loop, connection_->channel(), trial_options(),
                                                  "agent", events);
}

Task<Reply<std::unique_ptr<TrialSession>>> TrialSession::open(Loop& loop, AgentDoor& door,
                                                              Credentials as, Duration timeout,
                                                              EventSink* events) {
  const Instant deadline = after(loop.now(), timeout);
  Task<Result<std::unique_ptr<transport::Connection>>> connecting = door.connect(as);
  Result<Result<std::unique_ptr<transport::Connection>>> in_time =
      co_await with_deadline(loop, deadline, "connecting", std::move(connecting));
  if (!in_time.ok()) co_return Failure(Failure::Kind::kTimeout, in_time.error().message);
  Result<std::unique_ptr<transport::Connection>> connected = std::move(in_time).value();
  if (!connected.ok()) {
    co_return Failure(Failure::Kind::kDisconnected, connected.error().message);
  }
  auto opened = std::make_unique<TrialSession>(loop, std::move(connected).value(), events);
  Reply<mcp::ServerInfo> told = co_await opened->session().initialize(deadline);
  if (told.ok()) co_return std::move(opened);
  Failure why = std::move(told).error();
  const std::string diagnosis = opened->connection_->diagnosis();
  if (!diagnosis.empty()) why.message += " (" + diagnosis + ")";
  co_await opened->close();
  co_return why;
}

std::string_view TrialSession::knocks_with() const {
  return mcp::is_stateless(server().revision) ? "server/discover" : "ping";
}

Task<Reply<Json>> TrialSession::knock(Instant deadline) {
  if (mcp::is_stateless(server().revision)) {
    Reply<Json> discovered = co_await session_->discover(deadline);
    co_return discovered;
  }
  Reply<Json> pong = co_await session_->ping(deadline);
  co_return pong;
}

Task<std::vector<Capability>> TrialSession::list(Instant deadline,
                                                 std::vector<std::string>& problems) {
  std::vector<Capability> found;
  for (const ListedKind& kind : kListedKinds) {
    if (!server().has(kind.capability)) continue;
    Reply<mcp::ClientSession::List> listed = co_await session_->list(kind.method, deadline);
    if (!listed.ok()) {
      if (kind.optional && listed.error().code == rpc::kMethodNotFound) continue;
      problems.push_back(std::string(kind.method) + ": " + describe(listed.error()));
      continue;
    }
    if (listed.value().cut) {
      problems.push_back(std::string(kind.method) + " is cut: " + describe(*listed.value().cut));
    }
    for (Json& entry : listed.value().items) {
      Result<Capability> one = kind.read("agent", std::move(entry));
      if (one.ok()) {
        found.push_back(std::move(one).value());
      } else {
        problems.push_back(std::string(kind.method) + ": " + one.error().message);
      }
    }
  }
  co_return found;
}

Task<void> TrialSession::close() {
  session_->close();
  co_await connection_->close();
}

}  // namespace plumbline::connector
