// ClientRun is one run of the client program against one scripted server, from its start to its
// end, in bounded time.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/peer/client/record.h"
#include "conformance/peer/client/scenario.h"
#include "conformance/peer/client/script_runner.h"
#include "conformance/peer/subject.h"
#include "core/base/task.h"
#include "core/base/wait.h"
#include "core/net/spawner.h"

namespace plumbline::conformance {

// ClientSubject is the program under judgement, and how it is run.
struct ClientSubject {
  Loop& loop;
  net::Spawner& spawner;
  net::Network& network;
  const Redactor& redactor;
  std::function<std::string()> new_session_id;  // See StreamableHttpServerOptions.

  Transport transport = Transport::kHttp;  // Or kStdio.
  net::Command command = {};               // The URL comes behind its arguments.
  // What stands before the address in PLUMBLINE_SERVER_COMMAND.
  std::vector<std::string> relay = {};

  // From the start to the first connection: who never comes is told so within 20 s, all in all.
  Duration opening_max = std::chrono::seconds(18);
  Duration silence_max = std::chrono::seconds(8);  // Between two signs of it.
  Duration whole_max = std::chrono::seconds(90);
};

class ClientRun {
 public:
  // `subject` and `scenario` must outlive the run. With `any_revision` the server agrees to what
  // the client offers.
  ClientRun(ClientSubject& subject, const ClientScenario& scenario, std::string revision,
            bool any_revision);
  ClientRun(const ClientRun&) = delete;
  ClientRun& operator=(const ClientRun&) = delete;
  ~ClientRun();

  // expect says whether the program asked an ordinary server for its tools, and called one.
  void expect(bool lists_tools, bool calls_tools) {
    record_.lists_tools = lists_tools;
    record_.calls_tools = calls_tools;
  }

  Task<void> run();

  // judge says what was found out.
  void judge(Verdicts& verdicts);

  // left returns the scenarios that have to be played alone: see Script.
  std::vector<const ClientScenario*> left() const { return script_->left(); }

  // explains returns what the failure of explains whatever else is missed in streams: see Script.
  std::string_view explains() const { return script_->explains(); }

  // skipped says why the scenario tells nothing of this program; empty: it does.
  std::string skipped() const;

  // flood says in plain words that the program said more than is kept; empty: it did not.
  std::string flood() const;

  const ClientScenario& scenario() const { return scenario_; }
  const Record& record() const { return record_; }
  const WireLog& log() const { return log_; }

 private:
  class Drain final : public net::PipeReader {
   public:
    void on_bytes(std::string_view) override {}
    void on_end(const Error*) override {}
  };

  net::Command command();
  void make_peer();
  Task<void> watch(net::Child& child);
  Duration patience() const;
  void judge_cut(Verdicts& verdicts);
  std::string over_due(Instant begin) const;

  ClientSubject& subject_;
  const ClientScenario& scenario_;
  WireLog log_;
  Record record_;
  std::unique_ptr<Script> script_;
  std::unique_ptr<ScriptRunner> peer_;
  std::string target_;  // The URL, or the relay's address.
  Event changed_;
  bool cut_short_ = false;  // It wrote what nobody can read, and was not waited for.
  Drain drain_;
};

}  // namespace plumbline::conformance
