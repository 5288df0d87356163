// How AgentConnector makes requests: with a connection from the pool, to agents that are well, and
// again where that may help.

#include <algorithm>
#include <utility>

#include "core/base/wait.h"
#include "core/connector/agent_connector.h"

namespace plumbline::connector {

namespace {

using mcp::Failure;
using mcp::Reply;
using List = mcp::ClientSession::List;

Failure no_connection(const Error& why) {
  const bool late = why.code == ErrorCode::kDeadlineExceeded;
  return {late ? Failure::Kind::kTimeout : Failure::Kind::kDisconnected, why.message};
}

std::optional<Duration> asked_for(const Failure& failure) {
  const std::optional<std::int64_t> asked_ms = mcp::retry_after_ms(failure);
  if (!asked_ms) return std::nullopt;
  return std::chrono::milliseconds(*asked_ms);
}

}  // namespace

struct AgentConnector::Tried {
  Reply<Json> reply;
  bool sent = false;
};

Task<Reply<AgentConnector::Held>> AgentConnector::use(PoolKey key, Instant deadline) {
  Agent* const agent = find(key.agent);
  if (agent == nullptr) co_return removed_agent();
  const std::int64_t generation = agent->generation;
  agent->asker = key.principal;
  if (!health_.allows(key.agent)) {
    const bool may = co_await health_.may_send(key.agent);
    if (!is_here(key.agent, generation)) co_return removed_agent();
    if (!may) co_return unhealthy(key.agent);
  }
  Reply<Held> held = co_await use_now(key, deadline, false);
  if (held.ok() && !health_.allows(key.agent)) co_return unhealthy(key.agent);  // Meanwhile.
  co_return held;
}

Failure AgentConnector::unhealthy(const std::string& agent) {
  metrics_.held_back(agent);
  const Duration wait = std::max(Duration(), health_.next_probe(agent) - loop_.now());
  return {Failure::Kind::kDisconnected,
          agent + " is unhealthy, and gets probes alone until it answers: the next one in " +
              std::to_string(milliseconds_of(wait)) + " ms"};
}

Task<Reply<AgentConnector::Held>> AgentConnector::use_now(PoolKey key, Instant deadline,
                                                          bool probing) {
  const Agent* const agent = find(key.agent);
  if (agent == nullptr) co_return removed_agent();
  const std::int64_t generation = agent->generation;
  Result<ConnectionPool::Lease> got = co_await pool_.acquire(key.agent, key.principal, deadline);
  if (!is_here(key.agent, generation)) co_return removed_agent();
  if (!got.ok()) co_return no_connection(got.error());
  ConnectionPool::Lease lease = std::move(got).value();
  if (!lease.must_open()) {
    Held held{std::move(lease), Link(*place_of(key).link)};
    co_return held;
  }
  Reply<Link> opened = co_await open(std::move(key), probing);
  if (!opened.ok()) co_return std::move(opened).error();
  lease.opened();
  Held held{std::move(lease), opened.value()};
  co_return held;
}

void AgentConnector::account(const std::string& agent, const std::string& method, Instant began,
                             const Failure* failure) {
  const Duration took = loop_.now() - began;
  metrics_.request(agent, method, took, failure);
  Agent* const known = find(agent);
  if (known == nullptr) return;
  ++known->stats.requests;
  if (failure != nullptr) ++known->stats.failures;
  const bool too_fast =
      failure != nullptr && mcp::classify(*failure) == mcp::FailureClass::kRateLimit;
  if (too_fast) known->pacer->refused(asked_for(*failure));
  health_.note(agent, took, failure != nullptr && is_illness(*failure));
}

LinkPlace* AgentConnector::place_of(const Link& link) {
  const std::string& agent = link->server();
  for (auto at = places_.lower_bound(PoolKey{agent, ""});
       at != places_.end() && at->first.agent == agent; ++at) {
    if (link.is(at->second->link.get())) return at->second.get();
  }
  return nullptr;
}

// note_who_asks: an open connection whose server wants to know anew who asks is no longer ready.
void AgentConnector::note_who_asks(const Held& held, const Failure* failure) {
  const bool wants_to_know =
      failure != nullptr && mcp::class_by_status(*failure) == mcp::FailureClass::kAuthentication;
  LinkPlace* const place = place_of(held.link);
  if (place == nullptr) return;
  ConnectionLife& life = place->life;
  const bool up =
      life.state() == ConnectionState::kConnected || life.state() == ConnectionState::kReady;
  if (wants_to_know && up) {
    life.move(ConnectionState::kAuthenticating, loop_.now(), "it wants to know who asks");
  } else if (failure == nullptr && life.state() == ConnectionState::kAuthenticating) {
    life.move(ConnectionState::kConnected, loop_.now(), "it has taken who asks");
  }
}

Task<Reply<Json>> AgentConnector::send(Held& held, McpRequest request, Instant deadline) {
  const Instant began = loop_.now();
  const std::string agent = held.link->server();
  const std::string method = request.method;
  Reply<Json> reply = co_await held.link->call(std::move(request), deadline);
  const Failure* const failure = reply.ok() ? nullptr : &reply.error();
  account(agent, method, began, failure);
  note_who_asks(held, failure);
  co_return reply;
}

Task<Reply<List>> AgentConnector::list(Held& held, std::string method, Instant deadline) {
  const Instant began = loop_.now();
  const std::string agent = held.link->server();
  const std::string name = method;
  Reply<List> listed = co_await held.link->list(std::move(method), deadline);
  const Failure* failure = nullptr;
  if (!listed.ok()) failure = &listed.error();
  if (listed.ok() && listed.value().cut) failure = &*listed.value().cut;
  account(agent, name, began, failure);
  note_who_asks(held, failure);
  co_return listed;
}

Task<Failure> AgentConnector::explained(Failure failure, Link link) {
  LinkPlace gone(nullptr);
  LinkPlace* const place = place_of(link);
  LinkPlace& where = place == nullptr ? gone : *place;
  co_return co_await opener_.explained(std::move(failure), link, where);
}

void AgentConnector::listed(const Held& held) {
  LinkPlace* const place = place_of(held.link);
  if (place == nullptr || place->life.state() != ConnectionState::kConnected) return;
  place->life.move(ConnectionState::kReady, loop_.now(), "its lists have been read");
}

// probe asks over any connection that is open, whoever's it is: a ping says nothing of a principal.
// An agent that refuses us is there.
Task<bool> AgentConnector::probe(std::string agent) {
  const Agent* const known = find(agent);
  if (known == nullptr) co_return false;
  PoolKey key{agent, known->asker};
  for (auto at = places_.lower_bound(PoolKey{agent, ""});
       at != places_.end() && at->first.agent == agent; ++at) {
    if (at->second->is_open()) key = at->first;
  }
  const Instant deadline = after(loop_.now(), options_.connect_timeout);
  Reply<Held> held = co_await use_now(std::move(key), deadline, true);
  if (!held.ok()) co_return !is_illness(held.error());
  const Link link = held.value().link;
  co_return co_await link->answers(options_.request_timeout);
}

Task<void> AgentConnector::look_after(Task<Failure> explaining) {
  static_cast<void>(co_await std::move(explaining));
}

// --- With retries.

Task<AgentConnector::Tried> AgentConnector::try_once(Call& call, Instant until) {
  PoolKey key{call.request.server, call.principal};
  Task<Reply<Held>> using_it = use(std::move(key), until);
  Result<Reply<Held>> in_time =
      co_await with_deadline(loop_, until, "a connection", std::move(using_it));
  if (!in_time.ok()) {
    Failure late(Failure::Kind::kTimeout, in_time.error().message);
    Tried unsent{std::move(late), false};
    co_return unsent;
  }
  Reply<Held>& held = in_time.value();
  if (!held.ok()) {
    Tried unsent{std::move(held).error(), false};
    co_return unsent;
  }
  const Instant deadline = std::min(until, after(loop_.now(), options_.request_timeout));
  McpRequest request = call.request;
  Reply<Json> reply = co_await send(held.value(), std::move(request), deadline);
  if (!reply.ok()) {
    Failure failure = std::move(reply).error();
    Task<Failure> explaining = explained(failure, held.value().link);
    if (loop_.now() < until) {
      reply = co_await std::move(explaining);
    } else {  // Nobody waits for it any more, and a connection that is dead has to be found.
      opener_.redact(failure);
      reply = std::move(failure);
      leaving_.spawn(look_after(std::move(explaining)));
    }
  }
  Tried sent{std::move(reply), true};
  co_return sent;
}

std::optional<std::string> AgentConnector::another(const Call& call,
                                                   const std::set<std::string>& tried) const {
  std::optional<std::string> best;
  for (const std::string& other : call.others) {
    if (tried.contains(other) || !has(other) || !health_.allows(other)) continue;
    const bool better = !best || health_.status(other).status < health_.status(*best).status;
    if (better) best = other;
  }
  return best;
}

Task<Reply<Json>> AgentConnector::call(Call call) {
  const Instant until = after(loop_.now(), call.time_max);
  const Agent* const agent = find(call.request.server);
  if (agent == nullptr) co_return removed_agent();
  const RetryStrategies strategies = agent->config.retries.value_or(options_.retries);
  CallRetries tries(strategies, &budget_, &jitter_);
  budget_.sent();
  std::set<std::string> tried;
  std::int64_t generation = agent->generation;
  for (;;) {
    Tried last = co_await try_once(call, until);
    if (last.reply.ok()) co_return std::move(last.reply);
    const Failure& failure = last.reply.error();
    const mcp::FailureClass kind = mcp::classify(failure);
    CallRetries::Failed failed;
    failed.category = last.sent ? category_of(kind) : category_of_opening(kind);
    failed.may_have_changed_something =
        last.sent && !call.may_repeat &&
        mcp::class_by_status(failure) != mcp::FailureClass::kRateLimit;
    failed.asked = asked_for(failure);
    tried.insert(call.request.server);
    const std::optional<Duration> wait = tries.failed(failed);
    if (!wait || !is_here(call.request.server, generation)) co_return std::move(last.reply);
    std::optional<std::string> other;
    if (strategies.of(failed.category).fallback == Fallback::kAnotherAgent) {
      other = another(call, tried);
    }
    const Instant next = other ? loop_.now() : after(loop_.now(), *wait);
    if (next >= until) co_return std::move(last.reply);
    ++find(call.request.server)->stats.retries;
    metrics_.retried(call.request.server, failed.category, other.has_value());
    if (other) {
      call.request.server = *other;
      generation = find(*other)->generation;
    }
    if (next > loop_.now()) co_await Sleep(loop_, next);
    if (!is_here(call.request.server, generation)) co_return removed_agent();
  }
}

}  // namespace plumbline::connector
