// What is told of a server process that ends: how it ended, also where that is known some time
// after its streams have ended, and nothing where it lives on without them.

#include <chrono>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "core/connector/mcp_hub.h"
#include "core/mcp/transport/stdio_connector.h"
#include "fakes/testing/event_log.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_spawner.h"

namespace plumbline::connector {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Mute is a program that closes its streams at the first message, and ends some time after that.
class Mute final : public fakes::Program, private net::PipeReader {
 public:
  Mute(Loop& loop, Duration lives_on, fakes::SimPipe& stdio, fakes::Process& process)
      : loop_(loop), lives_on_(lives_on), stdio_(stdio), end_([&process] {
          process.exit({3, 0});
        }) {
    stdio.start(*this);
  }

 private:
  void on_bytes(std::string_view) override {
    stdio_.close();
    loop_.arm(end_, after(loop_.now(), lives_on_));
  }
  void on_end(const Error*) override {}

  Loop& loop_;
  Duration lives_on_;
  fakes::SimPipe& stdio_;
  Alarm end_;
};

class LastWordsTest : public testing::Test {
 protected:
  // told returns what the hub tells of a server that lives on so long without its streams.
  std::string told(Duration lives_on) {
    const auto program = [this, lives_on](const net::Command&, fakes::SimPipe& stdio,
                                          fakes::Process& process) {
      return std::make_unique<Mute>(loop_, lives_on, stdio, process);
    };
    spawner_.add("mute", {}, program);
    transport::StdioConnector connector(loop_, spawner_, {{"files", net::Command({"mute"})}},
                                        seconds(1));
    HubOptions options;
    options.servers = {"files"};
    options.connect_timeout = seconds(20);
    McpHub hub(loop_, connector, std::move(options), redactor_, nullptr);
    Task<Discovery> discovering = hub.discover();
    EXPECT_TRUE(loop_.run_task(discovering).ok());
    const Discovery& found = discovering.result();
    return found.problems.empty() ? "" : found.problems.front().message;
  }

  fakes::SimLoop loop_;
  fakes::EventLog events_;
  fakes::SimSpawner spawner_{loop_, Rng(1), events_};
  Redactor redactor_;
};

TEST_F(LastWordsTest, HowAProcessEndedIsWaitedFor) {
  for (const Duration lives_on : {milliseconds(0), milliseconds(5), milliseconds(300)}) {
    const std::string words = told(lives_on);
    EXPECT_NE(words.find("the server ended with exit code 3"), std::string::npos) << words;
  }
}

TEST_F(LastWordsTest, WhoLivesOnWithoutStreamsIsNotWaitedForLong) {
  const Instant begin = loop_.now();
  const std::string words = told(seconds(3000));
  EXPECT_NE(words, "");
  EXPECT_EQ(words.find("the server ended with"), std::string::npos) << words;
  EXPECT_LT(loop_.now(), after(begin, seconds(10)));
}

}  // namespace
}  // namespace plumbline::connector
