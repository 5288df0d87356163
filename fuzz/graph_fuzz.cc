// Any bytes as a graph and a run of it: a line a node or an edge. What can be built runs to an end
// within its bounds; and from each place where it waited for an answer, written and read again, a
// graph that was built anew comes to the same end. So does whatever is read as such a place.
//
//   node NAME ATTEMPTS VISITS DEED...   a deed an attempt: ok, fail, ask, wait, break
//   edge FROM TO                        · join TO FROM... · choose FROM TO... · resume {SNAPSHOT}

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/timer_queue.h"
#include "core/graph/builder.h"
#include "core/graph/checkpoint_json.h"
#include "fuzz/script.h"

namespace {

using namespace plumbline;
using namespace plumbline::graph;

constexpr std::int64_t kRunStepsMax = 40;

class RunLoop final : public Loop {
 public:
  Instant now() const override { return now_; }
  void arm(Timer& timer, Instant when) override { queue_.arm(timer, std::max(when, now_), 0); }
  void run() {
    while (!queue_.empty()) {
      now_ = queue_.next_due();
      queue_.fire_next();
    }
  }

 private:
  Instant now_{};
  TimerQueue queue_;
};

// Steps is a State that remembers which nodes were done, and chooses by how many.
struct Steps {
  static constexpr std::int64_t kVersion = 1;

  struct Update {
    std::string done;
    Json to_json() const { return Json(done); }
    static Result<Update> from_json(const Json& json) {
      if (json.is_string()) return Update{json.get<std::string>()};
      return Error{ErrorCode::kInvalidInput, "no update"};
    }
  };

  std::vector<std::string> done{};

  void apply(Update&& update) { done.push_back(std::move(update.done)); }
  Json to_json() const { return Json(done); }
  static Result<Steps> from_json(const Json& json) {
    Steps steps;
    for (const Json& one : json) {
      Result<Update> update = Update::from_json(one);
      if (!update.ok()) return update.error();
      steps.apply(std::move(update).value());
    }
    return steps;
  }
};

// Work is what the nodes and the routers of one graph do.
struct Work {
  std::map<std::string, std::vector<std::string>, std::less<>> deeds;
  std::deque<std::vector<std::string>> choices;
};

Task<NodeResult<Steps>> act(Context<Steps, Work>& context) {
  const std::string name(context.node());
  const std::vector<std::string>& deeds = context.services().deeds[name];
  const auto which = static_cast<std::size_t>(context.attempt() - 1) + context.state().done.size();
  const std::string deed = deeds.empty() ? "ok" : deeds[which % deeds.size()];
  if (deed == "wait") {
    const Instant until = after(context.now(), std::chrono::milliseconds(10));
    co_await Sleep(context.loop(), until);
  }
  if (deed == "fail") co_return Error{ErrorCode::kDisconnected, "no"};
  if (deed == "break") co_return Error{ErrorCode::kInvalidInput, "never"};
  if (deed == "ask" && context.answer() == nullptr) co_return Interrupt{Json(name)};
  co_return Steps::Update{name};
}

// GraphText is a graph as it was written.
class GraphText {
 public:
  explicit GraphText(std::string_view text) : text_(text) {}

  Result<Graph<Steps, Work>> build(Work& work) const {
    GraphBuilder<Steps, Work> builder;
    fuzzing::for_each_line(text_, [&](std::string_view line) {
      const std::string_view word = fuzzing::take_word(line);
      if (word == "node") add_node(line, builder, work);
      if (word == "edge") {
        const std::string_view from = fuzzing::take_word(line);
        builder.add_edge(from, line);
      }
      if (word == "join") {
        const std::string_view to = fuzzing::take_word(line);
        builder.add_join(words_of(line), to);
      }
      if (word == "choose") add_choice(line, builder, work);
    });
    return builder.build();
  }

 private:
  static std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    while (!line.empty() && words.size() < 20) words.emplace_back(fuzzing::take_word(line));
    return words;
  }

  static void add_node(std::string_view line, GraphBuilder<Steps, Work>& builder, Work& work) {
    const std::string_view name = fuzzing::take_word(line);
    NodePolicy policy;
    policy.attempts_max = static_cast<int>(fuzzing::take_number(line));
    policy.visits_max = fuzzing::take_number(line);
    work.deeds[std::string(name)] = words_of(line);
    builder.add_node(name, act, policy);
  }

  static void add_choice(std::string_view line, GraphBuilder<Steps, Work>& builder, Work& work) {
    const std::string_view from = fuzzing::take_word(line);
    const std::vector<std::string>& names = work.choices.emplace_back(words_of(line));
    const Router<Steps> router = [&names](const Steps& state) -> std::string_view {
      return names.empty() ? std::string_view("nowhere")
                           : std::string_view(names[state.done.size() % names.size()]);
    };
    builder.add_conditional_edges(from, router, std::vector<Target>(names.begin(), names.end()));
  }

  std::string_view text_;
};

using Snapshots = std::vector<Snapshot<Steps>>;

class Player {
 public:
  explicit Player(const GraphText& text) : graph_(text.build(work_)) {
    options_.steps_max = kRunStepsMax;
  }

  const Error* refused() const { return graph_.ok() ? nullptr : &graph_.error(); }

  // run begins anew, resume goes on; both answer whatever is asked, and keep where it was.
  Outcome<Steps> run(Snapshots& places) {
    return go(graph_.value().run(Steps(), options_, work_, loop_), places);
  }
  Outcome<Steps> resume(Snapshot<Steps> place, Snapshots& places) {
    return go(answered(std::move(place)), places);
  }

 private:
  Task<Outcome<Steps>> answered(Snapshot<Steps> place) {
    std::map<std::string, Json> answers;
    for (const Question& question : place.open()) answers.emplace(question.key, "yes");
    return graph_.value().resume(std::move(place), Answers::by_key(std::move(answers)), options_,
                                 work_, loop_);
  }

  Outcome<Steps> go(Task<Outcome<Steps>> task, Snapshots& places) {
    while (true) {
      task.start();
      loop_.run();
      check(task.done(), "a run does not end");
      Outcome<Steps> outcome = std::move(task.result());
      if (outcome.status != Outcome<Steps>::kInterrupted) return outcome;
      places.push_back(*outcome.snapshot);
      check(places.size() <= static_cast<std::size_t>(kRunStepsMax), "more is asked than done");
      task = answered(*std::move(outcome.snapshot));
    }
  }

  Work work_;
  Result<Graph<Steps, Work>> graph_;
  RunOptions options_;
  RunLoop loop_;
};

// check_same: a place that was kept leads to the same end.
void check_same(const GraphText& text, const Snapshot<Steps>& place, const Outcome<Steps>& end) {
  Result<Json> written = to_json(place);
  check(written.ok(), "a place can be written");
  Result<Snapshot<Steps>> read = snapshot_from<Steps>(written.value());
  check(read.ok(), "a place that was written can be read");
  Snapshots more;
  const Outcome<Steps> again = Player(text).resume(std::move(read).value(), more);
  check(again.status == end.status && again.state.done == end.state.done &&
            again.steps == end.steps && again.error.message == end.error.message,
        "a run that was taken up comes to another end");
}

void play_graph(std::string_view bytes) {
  const GraphText text(bytes);
  Player player(text);
  if (const Error* const refused = player.refused()) {
    return check(refused->message.find('\n') == std::string::npos, "a refusal is one line");
  }
  Snapshots places;
  const Outcome<Steps> end = player.run(places);
  check(end.steps <= kRunStepsMax, "a run goes beyond its bound");
  for (const Snapshot<Steps>& place : places) check_same(text, place, end);
  fuzzing::for_each_line(bytes, [&](std::string_view line) {
    if (fuzzing::take_word(line) != "resume") return;
    Result<Snapshot<Steps>> read = snapshot_from<Steps>(fuzzing::take_object(line));
    Snapshots more;
    if (read.ok()) Player(text).resume(std::move(read).value(), more);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size <= 4'000) play_graph({reinterpret_cast<const char*>(data), size});
  return 0;
}
