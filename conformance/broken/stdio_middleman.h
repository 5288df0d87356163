// StdioMiddleman sits between the streams of a process and the server in it, and lets a Deviation
// intercept every line.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "conformance/broken/altered.h"
#include "conformance/broken/deviation.h"
#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/base/task_group.h"
#include "core/net/pipe.h"
#include "core/wire/lines.h"
#include "fakes/world/sim_pipe.h"

namespace plumbline::conformance {

class StdioMiddleman final : public Interceptor {
 public:
  // `outer` is the stream towards the judge. `deviation` and `altered` may be null. `exit` ends the
  // process. All must outlive the middleman.
  StdioMiddleman(Loop& loop, net::Pipe& outer, const Deviation* deviation,
                 std::function<void()> exit, Altered* altered = nullptr);

  // inner is the stream that the server is given.
  net::Pipe& inner() { return *server_end_.far; }

  // implements Interceptor ---
  void say_text(std::string text) override;
  void say_later(Duration delay, Json message) override {
    later_.spawn(say_at(after(loop_.now(), delay), std::move(message)));
  }
  void pass_text(std::string text) override;
  void stop() override { exit_(); }

 private:
  // Side reads one of the two directions.
  class Side final : public net::PipeReader {
   public:
    Side(StdioMiddleman& owner, bool from_judge) : owner_(owner), from_judge_(from_judge) {}
    void on_bytes(std::string_view bytes) override;
    void on_end(const Error* error) override;

   private:
    StdioMiddleman& owner_;
    bool from_judge_;
    wire::LineReader lines_;
  };

  Task<void> say_at(Instant when, Json message);
  void work(const std::string& line, const Json& asked, const std::function<void()>& deviate);
  void from_judge(std::string line);
  void from_server(std::string line);

  Loop& loop_;
  net::Pipe& outer_;
  const Deviation* deviation_;
  Altered* altered_;
  std::function<void()> exit_;
  fakes::SimPipePair server_end_;
  Side judge_side_{*this, true};
  Side server_side_{*this, false};
  TaskGroup later_;  // Last: what runs there uses the rest.
};

}  // namespace plumbline::conformance
