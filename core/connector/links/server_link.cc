#include "core/connector/links/server_link.h"

#include <array>
#include <utility>

#include "core/rpc/message.h"

namespace plumbline::connector {

namespace {

using mcp::Failure;
using mcp::Reply;

// How many silent requests in a row make a server suspect, and how long the ping waits then.
constexpr int kSilentRequestsMax = 2;
constexpr Duration kProbeTimeout = std::chrono::seconds(5);

constexpr std::string_view kTaskCapability = "/tasks/requests/tools/call";

struct Change {
  const char* capability;
  const char* wanted;
};
constexpr std::array kListChanges = {Change{"tools", "toolsListChanged"},
                                     Change{"prompts", "promptsListChanged"},
                                     Change{"resources", "resourcesListChanged"}};

// filter_of returns which changes `server` can tell of.
Json filter_of(const mcp::ServerInfo& server) {
  Json filter = Json::object();
  for (const Change& change : kListChanges) {
    if (server.has_flag(change.capability, "listChanged")) filter[change.wanted] = true;
  }
  return filter;
}

// tells_of returns whether a server agreed to tell of anything that was asked for.
bool tells_of(const Json& honoured) {
  for (const Change& change : kListChanges) {
    if (bool_or(honoured, change.wanted, false)) return true;
  }
  return false;
}

}  // namespace

ServerLink::ServerLink(Loop& loop, std::string server,
                       std::unique_ptr<transport::Connection> connection, mcp::ClientOptions client,
                       EventSink* events)
    : loop_(loop), connection_(std::move(connection)), ending_(loop) {
  client.on_subscription_ended = [this](std::int64_t, const Reply<Json>&) { stream_ended(); };
  session_ = std::make_unique<mcp::ClientSession>(loop, connection_->channel(), std::move(client),
                                                  std::move(server), events);
}

Task<Reply<Json>> ServerLink::call(McpRequest request, Instant deadline) {
  const Instant started = loop_.now();
  const std::int64_t heard = session_->heard();
  const bool tool = request.method == "tools/call";
  const bool has_tasks = at_pointer(session_->server().capabilities, kTaskCapability) != nullptr &&
                         mcp::has_tasks(session_->server().revision);
  const bool as_task = request.as_task && has_tasks;
  Task<Reply<Json>> calling;
  if (tool) {
    const Json* const arguments = find(request.params, "arguments");
    Json given = arguments ? *arguments : Json();
    const Json* const meta = find(request.params, "_meta");
    Json told = meta ? *meta : Json();
    std::string name = string_or(request.params, "name", "");
    calling =
        as_task
            ? session_->call_as_task(std::move(name), std::move(given), deadline, std::move(told))
            : session_->call_tool(std::move(name), std::move(given), deadline, std::move(told));
  } else {
    calling = session_->request(std::move(request.method), std::move(request.params), deadline);
  }
  Reply<Json> reply = co_await std::move(calling);
  note(reply.ok() ? nullptr : &reply.error(), heard, started);
  co_return std::move(reply);
}

Task<Reply<mcp::ClientSession::List>> ServerLink::list(std::string method, Instant deadline) {
  const Instant started = loop_.now();
  const std::int64_t heard = session_->heard();
  Reply<mcp::ClientSession::List> read = co_await session_->list(std::move(method), deadline);
  note(read.ok() ? nullptr : &read.error(), heard, started);
  co_return std::move(read);
}

// note counts the requests in which nothing was heard. Of those that wait at the same time one
// counts.
void ServerLink::note(const Failure* failure, std::int64_t heard_before, Instant started) {
  if (session_->heard() != heard_before) silent_ = 0;
  const bool silent = failure != nullptr && failure->kind == Failure::Kind::kTimeout &&
                      session_->heard() == heard_before && started >= silent_until_;
  if (!silent) return;
  if (silent_++ == 0) silent_since_ = started;
  silent_until_ = loop_.now();
}

Task<bool> ServerLink::answers(Duration within) {
  if (!open()) co_return false;
  const std::int64_t heard = session_->heard();
  const Instant deadline = after(loop_.now(), within);
  std::string probe = mcp::is_stateless(session_->server().revision) ? "server/discover" : "ping";
  Reply<Json> answer = co_await session_->request(std::move(probe), nullptr, deadline);
  if (session_->heard() != heard) silent_ = 0;
  if (answer.ok() || session_->heard() != heard) co_return true;
  const Failure::Kind kind = answer.error().kind;
  co_return kind != Failure::Kind::kTimeout&& kind != Failure::Kind::kDisconnected;
}

Task<bool> ServerLink::is_deaf() {
  if (silent_ < kSilentRequestsMax || !open()) co_return false;
  const std::int64_t heard = session_->heard();
  const bool answered = co_await answers(kProbeTimeout);
  co_return !answered && open() && session_->heard() == heard && silent_ > 0;
}

void ServerLink::listen_for_changes() {
  if (!may_listen_ || subscribed_ || !listening_.done() || !open()) return;
  const mcp::ServerInfo& server = session_->server();
  Json filter = filter_of(server);
  may_listen_ = mcp::is_stateless(server.revision) && !filter.empty();
  if (!may_listen_ || stream_.refusal(loop_.now())) return;
  listening_ = listen(std::move(filter));
  listening_.start();
}

// listen opens the stream. A list that was read before it was open may have changed meanwhile.
Task<void> ServerLink::listen(Json filter) {
  const Instant deadline = after(loop_.now(), limits::kRequestTimeout);
  Reply<mcp::ClientSession::Subscription> opened =
      co_await session_->listen(std::move(filter), deadline);
  if (opened.ok()) {
    session_->forget_lists();
    subscribed_ = tells_of(opened.value().honoured);
    may_listen_ = subscribed_;
    if (!subscribed_) session_->unlisten(opened.value().id);
    stream_.opened(loop_.now());
    co_return;
  }
  const Failure& why = opened.error();
  if (why.kind == Failure::Kind::kRefused || why.code == rpc::kMethodNotFound ||
      why.code == rpc::kInvalidParams) {
    may_listen_ = false;
  }
  stream_.failed(loop_.now(), Duration(), why.message);
}

void ServerLink::stream_ended() {
  subscribed_ = false;
  session_->forget_lists();
}

Task<void> ServerLink::close(std::string why) {
  if (!std::exchange(closing_, true)) {
    session_->close(std::move(why));
    ending_.begin();
    end_ = end();
    end_.start();
  }
  co_await ending_.landed();
}

Task<void> ServerLink::end() {
  co_await connection_->close();
  ending_.land();
}

}  // namespace plumbline::connector
