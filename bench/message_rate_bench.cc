// JSON-RPC messages a second between two ends in one simulated world: through pipes (each message
// is written as a line of bytes, cut into lines and parsed again) and as values. Beside them, in
// the same run, what nlohmann, as it comes, needs for one parse and one dump of the same texts.
//
// The argument is how many requests are in flight. Codec alone, then whole sessions with their
// tables, timers and checks. Items are messages, requests and answers alike.

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/base/check.h"
#include "core/base/task_group.h"
#include "core/mcp/client/client_session.h"
#include "core/mcp/server/server.h"
#include "core/mcp/transport/stdio_channel.h"
#include "core/rpc/message.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_pipe.h"
#include "fakes/world/value_channel.h"

namespace {

using namespace plumbline;

constexpr std::int64_t kRequests = 1'000;  // One iteration.

Json call_params() {
  Json params = Json::object();
  params["name"] = "echo";
  params["arguments"]["text"] = "hello there";
  return params;
}

Json echo_result() {
  Json item = Json::object();
  item["type"] = "text";
  item["text"] = "hello there";
  Json result = Json::object();
  result["content"] = Json::array({std::move(item)});
  return result;
}

void count_messages(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * 2 * kRequests);
}

void parse_and_dump_alone(benchmark::State& state) {
  std::string request;
  std::string answer;
  rpc::append_bytes(request, rpc::Request{rpc::RpcId(7), "tools/call", call_params()});
  rpc::append_bytes(answer, rpc::Response{rpc::RpcId(7), echo_result()});
  for (auto step : state) {
    for (std::int64_t i = 0; i < kRequests; ++i) {
      benchmark::DoNotOptimize(nlohmann::json::parse(request).dump());
      benchmark::DoNotOptimize(nlohmann::json::parse(answer).dump());
    }
  }
  count_messages(state);
}
BENCHMARK(parse_and_dump_alone);

// The two ends of a connection, either kind.
struct Bytes {
  explicit Bytes(Loop& loop)
      : pipes(fakes::make_sim_pipe(loop, {}, Rng(1))),
        near(std::make_unique<transport::StdioChannel>(*pipes.near)),
        far(std::make_unique<transport::StdioChannel>(*pipes.far)) {}
  fakes::SimPipePair pipes;
  std::unique_ptr<transport::MessageChannel> near;
  std::unique_ptr<transport::MessageChannel> far;
};

struct Values {
  explicit Values(Loop& loop) {
    fakes::ValueChannelPair pair = fakes::make_value_channel(loop, {}, Rng(1));
    near = std::move(pair.near);
    far = std::move(pair.far);
  }
  std::unique_ptr<transport::MessageChannel> near;
  std::unique_ptr<transport::MessageChannel> far;
};

// End takes messages apart, and puts what follows together.
struct End : transport::MessageReceiver {
  explicit End(transport::MessageChannel& channel) : channel_(channel) { channel.start(*this); }
  void on_garbage(std::string_view, const Error&) override { check(false, "garbage"); }
  void on_lost(const rpc::RpcId&, const Error&) override { check(false, "lost"); }
  void on_closed(const Error*) override {}

 protected:
  rpc::Message read(Json message) {
    Result<rpc::Message, rpc::DecodeError> decoded = rpc::decode(std::move(message));
    check(decoded.ok(), "a message of ours");
    return std::move(decoded).value();
  }
  transport::MessageChannel& channel_;
};

struct Asker final : End {
  using End::End;
  void ask() {
    ++sent;
    channel_.send(rpc::encode(rpc::Request{rpc::RpcId(sent), "tools/call", call_params()}));
  }
  void on_message(Json message) override {
    benchmark::DoNotOptimize(std::get<rpc::Response>(read(std::move(message))).result);
    if (sent < kRequests) ask();
  }
  std::int64_t sent = 0;
};

struct Answerer final : End {
  using End::End;
  void on_message(Json message) override {
    rpc::Request request = std::get<rpc::Request>(read(std::move(message)));
    channel_.send(rpc::encode(rpc::Response{std::move(request.id), echo_result()}));
  }
};

template <typename Ends>
void codec(benchmark::State& state) {
  for (auto step : state) {
    fakes::SimLoop loop;
    Ends ends(loop);
    Asker asker(*ends.near);
    Answerer answerer(*ends.far);
    for (std::int64_t i = 0; i < state.range(0); ++i) asker.ask();
    check(loop.run_until_idle().ok(), "the world falls idle");
    check(asker.sent == kRequests, "all were asked");
  }
  count_messages(state);
}
BENCHMARK_TEMPLATE(codec, Bytes)->ArgName("in_flight")->Arg(1)->Arg(64);
BENCHMARK_TEMPLATE(codec, Values)->ArgName("in_flight")->Arg(1)->Arg(64);

Task<void> ask_again_and_again(mcp::ClientSession& client, Loop& loop, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    Json arguments = Json::object();
    arguments["text"] = "hello there";
    const Instant deadline = after(loop.now(), std::chrono::seconds(30));
    std::string name = "echo";
    const mcp::Reply<Json> reply =
        co_await client.call_tool(std::move(name), std::move(arguments), deadline);
    check(reply.ok(), "an answer");
  }
}

template <typename Ends>
void sessions(benchmark::State& state) {
  mcp::ServerOptions options;
  Json tool = Json::object();
  tool["name"] = "echo";
  tool["inputSchema"]["type"] = "object";
  options.tools.push_back(std::move(tool));
  for (auto step : state) {
    fakes::SimLoop loop;
    Ends ends(loop);
    mcp::Server server(loop, options, "server", nullptr);
    server.handle("tools/call", "echo", mcp::at_once([](const Json&) { return echo_result(); }));
    server.accept(std::move(ends.far));
    mcp::ClientSession client(loop, *ends.near, {}, "client", nullptr);
    Task<mcp::Reply<mcp::ServerInfo>> open = client.initialize(kNever);
    check(loop.run_task(open).ok() && open.result().ok(), "the session opens");
    TaskGroup group;
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      group.spawn(ask_again_and_again(client, loop, kRequests / state.range(0)));
    }
    check(loop.run_until([&] { return group.running() == 0; }).ok(), "the world falls idle");
  }
  state.SetItemsProcessed(state.iterations() * 2 * (kRequests / state.range(0) * state.range(0)));
}
BENCHMARK_TEMPLATE(sessions, Bytes)->ArgName("in_flight")->Arg(1)->Arg(50);
BENCHMARK_TEMPLATE(sessions, Values)->ArgName("in_flight")->Arg(1)->Arg(50);

}  // namespace
