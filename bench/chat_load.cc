// The chat API under load, over sockets of the loopback interface, with a model that answers at
// once or, for open streams, after a minute.
//
//   chat_load serve                      our service; prints its URL
//   chat_load run URL TURNS IN_FLIGHT    turns, each of a session of its own: a line of JSON
//   chat_load stream URL COUNT           the first byte of so many streams, one after the other
//   chat_load hold URL COUNT             opens so many streams and holds them until a line of input

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/load.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"
#include "core/net/http_answer.h"
#include "core/net/http_client.h"
#include "core/net/http_server.h"
#include "core/os/fd.h"
#include "core/os/net/real_network.h"
#include "core/os/random.h"
#include "core/os/real_loop.h"
#include "core/os/wall_clock.h"
#include "core/service/chat/chat_api.h"
#include "core/store/memory_record_store.h"

namespace plumbline {
namespace {

using load::client_options;
using load::kConnectionsMax;
using load::kPatience;
using load::print_line;

[[noreturn]] void die(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

// AnsweringModel says one sentence in two pieces: the second at once, or late where it is asked to.
class AnsweringModel final : public model::Model {
 public:
  explicit AnsweringModel(Loop& loop) : loop_(loop) {}
  std::string_view name() const override { return "answering"; }
  Task<model::Completed> complete(model::Prompt prompt, model::DeltaReader* reader,
                                  Instant /*deadline*/) override {
    if (reader != nullptr) reader->on_text("Hello ");
    const bool late = prompt.messages.back().text == "late";
    if (late) co_await Sleep(loop_, after(loop_.now(), kPatience));
    if (reader != nullptr) reader->on_text("to you.");
    model::Completion out;
    out.message = {.role = model::Role::kAssistant, .text = "Hello to you."};
    co_return out;
  }

 private:
  Loop& loop_;
};

class NoConnector final : public transport::Connector {
 public:
  Task<Result<std::unique_ptr<transport::Connection>>> connect(std::string /*server*/) override {
    co_return Error{ErrorCode::kInvalidInput, "there are no servers"};
  }
};

int serve_chat() {
  os::raise_descriptor_limit();
  os::RealLoop loop;
  os::RealNetwork network(loop);
  const os::RealWallClock clock;
  store::MemoryRecordStore records;
  store::ThreadStore threads(records, clock, {.steps_max = 1});
  NoConnector connector;
  service::ListedServers catalog({});
  AnsweringModel model(loop);
  const agents::Policy policy;
  const Redactor redactor;
  service::ChatApiOptions options;
  options.anonymous = "load";
  service::ChatApi api(loop, clock, records, threads, connector, catalog, model, policy, redactor,
                       os::random_bytes, options);
  net::HttpServerOptions http_options;
  http_options.all.set(Resource::kConnections, kConnectionsMax);
  http_options.each.set(Resource::kConnections, kConnectionsMax);
  net::HttpServer http(loop, api.handler(), api.access(), http_options);
  const auto loaded = os::run(loop, api.load());
  auto listener = network.listen({"127.0.0.1", 0}, std::nullopt,
                                 [&http](auto pipe) { http.accept(std::move(pipe)); });
  if (!loaded || !loaded->ok() || !listener.ok()) return 1;
  print_line("http://127.0.0.1:" + std::to_string(listener.value()->port()) + "/");
  loop.run_until([] { return false; });
  return 0;
}

class ChatLoad {
 public:
  explicit ChatLoad(wire::Url base)
      : base_(std::move(base)), client_(loop, network_, client_options()) {
    base_.target = "/api/agent/chat";
  }

  static wire::HttpRequest turn(std::string_view input, bool stream) {
    wire::HttpRequest out;
    out.method = "POST";
    out.headers.set("Content-Type", "application/json");
    out.body = dump_json({{"input", input}, {"stream", stream}});
    return out;
  }

  Task<void> ask(std::size_t count) {
    for (; count > 0; --count) {
      const Result<wire::HttpResponse> answer = co_await net::fetch(
          client_, base_, turn("hi", false), after(loop.now(), kPatience), 1U << 20U);
      if (!answer.ok() || answer.value().status != 200) die("a turn has failed");
      ++done;
    }
  }

  void run(std::size_t turns, std::size_t in_flight) {
    const Instant start = loop.now();
    for (std::size_t i = 0; i < in_flight; ++i) work.spawn(ask(turns / in_flight));
    loop.run_until([&] { return work.running() == 0; });
    const double seconds = std::chrono::duration<double>(loop.now() - start).count();
    print_line(dump_json({{"turns", done}, {"per_second", static_cast<double>(done) / seconds}}));
  }

  // Stream is one turn as a stream.
  struct Stream final : net::HttpAnswerReader {
    Stream(ChatLoad& load, std::string_view input)
        : answer(load.client_, load.base_, turn(input, true), *this, kNever) {}
    void on_answer_event(net::HttpAnswer&, wire::SseEvent event) override {
      heard = heard || !event.data.empty();
    }
    void on_answer_over(net::HttpAnswer&, const Error* error, bool) override {
      if (error != nullptr) die(error->message);
      over = true;
    }
    bool heard = false;
    bool over = false;
    net::HttpAnswer answer;
  };

  void stream(std::size_t count) {
    std::vector<double> ms;
    while (ms.size() < count) {
      const Instant start = loop.now();
      Stream one(*this, "hi");
      loop.run_until([&] { return one.heard; });
      ms.push_back(std::chrono::duration<double, std::milli>(loop.now() - start).count());
      loop.run_until([&] { return one.over; });
    }
    std::ranges::sort(ms);
    print_line(dump_json(
        {{"first_byte_p50_ms", ms[ms.size() / 2]}, {"p99_ms", ms[ms.size() * 99 / 100]}}));
  }

  void hold(std::size_t count) {
    std::vector<std::unique_ptr<Stream>> held;
    while (held.size() < count) {
      held.push_back(std::make_unique<Stream>(*this, "late"));
      loop.run_until([&] { return held.back()->heard; });
    }
    print_line(dump_json({{"open", held.size()}}));
    while (std::getchar() != '\n') {
    }
  }

  os::RealLoop loop;
  TaskGroup work;
  std::size_t done = 0;

 private:
  os::RealNetwork network_{loop};
  wire::Url base_;
  net::HttpClient client_;
};

}  // namespace
}  // namespace plumbline

int main(int argc, char** argv) {
  using namespace plumbline;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0] == "serve") return serve_chat();
  if (words.size() < 3)
    die("chat_load serve | run URL TURNS IN_FLIGHT | stream URL N | hold URL N");
  os::raise_descriptor_limit();
  ChatLoad load(wire::parse_url(words[1]).value());
  const std::size_t count = std::stoul(words[2]);
  if (words[0] == "run") load.run(count, words.size() > 3 ? std::stoul(words[3]) : 64);
  if (words[0] == "stream") load.stream(count);
  if (words[0] == "hold") load.hold(count);
  return 0;
}
