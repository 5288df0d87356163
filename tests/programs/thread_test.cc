// Threads: a request that is asked in one process, decided on in another, and done once.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/os/real_loop.h"
#include "core/os/store/sqlite.h"
#include "core/os/store/sqlite_record_store.h"
#include "core/os/wall_clock.h"
#include "core/store/thread_store.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

class ThreadTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    scripted("email", kEmail);
    // What is sent is written at once, whoever dies next.
    config_ = config("email", {"sh", "-c", "exec \"$0\" serve server.json --stdio 2>>sent.log",
                               PLUMBLINE_PROGRAM});
  }

  Outcome ask(std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"ask",      kRequest, "--config", config_,
                                      "--thread", "t1",     "--store",  kStore};
    words.insert(words.end(), more.begin(), more.end());
    return run(std::move(words));
  }
  Outcome thread(std::vector<std::string> words) {
    words.insert(words.begin(), "thread");
    words.insert(words.end(), {"--store", kStore});
    return run(std::move(words));
  }
  Outcome resume(std::vector<std::string> more = {"--answer", R"({"approve":true})"}) {
    more.insert(more.begin(), {"resume", "t1"});
    return thread(std::move(more));
  }
  Json shown(const std::string& id = "t1") {
    const Outcome outcome = thread({"show", id, "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Result<Json> json = parse_json(outcome.out);
    EXPECT_TRUE(json.ok()) << outcome.out;
    return json.ok() ? json.value() : Json();
  }
  std::size_t sent() {
    std::size_t count = 0;
    std::istringstream lines(read("sent.log"));
    for (std::string line; std::getline(lines, line);)
      count += line.find("send_email") != line.npos;
    return count;
  }
  static void expect_refused(const Outcome& outcome, const std::string& why) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("plumbline: " + why + " [")) << outcome.err;
    EXPECT_TRUE(outcome.err.ends_with("]\n")) << outcome.err;
  }
  // change changes the database by hand.
  void change(const std::string& sql) {
    Result<os::Sqlite> db = os::Sqlite::open(path("t.db"));
    ASSERT_TRUE(db.ok());
    const Status changed = db.value().exec(sql);
    ASSERT_TRUE(changed.ok()) << changed.error().message;
  }

  static constexpr const char* kRequest = "Email the report to finance";
  static constexpr const char* kStore = "sqlite:t.db";
  std::string config_;
};

TEST_F(ThreadTest, AnotherProcessDecidesAndTheEmailIsSentOnce) {
  const Outcome asked = ask();
  EXPECT_EQ(asked.code, 4) << asked.err;
  EXPECT_LT(asked.out.find("done.\n• server: email\n• which is: "), asked.out.size());
  EXPECT_TRUE(
      asked.out.ends_with("sends_messages\nTo decide: plumbline thread resume t1 --store "
                          "sqlite:t.db --answer '{\"approve\": true}'\n"))
      << asked.out;
  EXPECT_EQ(sent(), 0U);
  EXPECT_EQ(shown()["status"], "waits");
  const Outcome resumed = resume();
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(sent(), 1U);
  const Json ended = shown();
  EXPECT_EQ(ended["status"], "ended");
  const std::string at = "thread 't1', step " + dump_json(ended["step"]) + ": ";
  expect_refused(resume(), at + "it has ended, and asks nothing any more");
  expect_refused(resume({}), at + "it has ended, and asks nothing any more");
  EXPECT_EQ(sent(), 1U);
  const Outcome again = ask();
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out, resumed.out) << "asking again shows the answer and does nothing";
  EXPECT_EQ(sent(), 1U);
}

TEST_F(ThreadTest, ANoIsAnAnswerToo) {
  ask();
  const Outcome no = resume({"--answer", R"({"approve":false})", "--json"});
  EXPECT_EQ(no.code, 1) << no.err;
  EXPECT_EQ(no.out.find("approval_id"), std::string::npos) << no.out;
  EXPECT_EQ(shown()["status"], "ended");
  EXPECT_EQ(resume().code, 2);
  EXPECT_EQ(sent(), 0U);
}

TEST_F(ThreadTest, AskWaitsOnAndApprovesByIdAsWithoutAThread) {
  const Json first = parse_json(ask({"--json"}).out).value();
  EXPECT_EQ(first["status"], "needs_review");
  EXPECT_EQ(first["thread"], "t1");
  EXPECT_EQ(first["question"]["name"], "send_email");
  const Json second = parse_json(ask({"--json"}).out).value();
  EXPECT_EQ(second["status"], "needs_review");
  EXPECT_EQ(sent(), 0U);
  const Outcome approved = ask({"--json", "--approve", first["approval_id"]});
  EXPECT_EQ(parse_json(approved.out).value()["status"], "ok") << approved.out;
  EXPECT_EQ(sent(), 1U);
}

TEST_F(ThreadTest, ListAndShowTellWhatThereIs) {
  const Outcome nothing = thread({"list"});
  EXPECT_EQ(nothing.code, 3);
  EXPECT_EQ(nothing.err, "plumbline: sqlite:t.db: there is no such file [file.not-there]\n");
  EXPECT_FALSE(fs::exists(path("t.db"))) << "who only looks makes no store";
  ask();
  run({"ask", kRequest, "--config", config_, "--thread", "a b", "--store", kStore});
  const Result<Json> listed = parse_json(thread({"list", "--json"}).out);
  ASSERT_TRUE(listed.ok());
  ASSERT_EQ(listed.value().size(), 2U);
  EXPECT_EQ(listed.value()[0]["thread"], "a b");
  EXPECT_EQ(listed.value()[1]["request"], kRequest);
  EXPECT_EQ(listed.value()[1]["config"], config_);
  const std::string text = thread({"list"}).out;
  EXPECT_NE(text.find("t1      waits   "), std::string::npos) << text;
  const Outcome shown_text = thread({"show", "t1"});
  EXPECT_NE(shown_text.out.find("waits for an answer"), std::string::npos) << shown_text.out;
  EXPECT_NE(shown_text.out.find("--answer '{\"approve\": true}'"), std::string::npos);
  const Json whole = shown();
  const std::int64_t step = whole["step"];
  EXPECT_EQ(whole["history"].size(), static_cast<std::size_t>(step) + 1);
  const Outcome one = thread({"show", "t1", "--step", std::to_string(step)});
  EXPECT_EQ(parse_json(one.out).value()["state"]["input"], kRequest) << one.out;
  expect_refused(thread({"show", "t1", "--step", "99"}), "thread 't1' has no step 99");
  expect_refused(thread({"show", "t2"}), "no thread 't2' in sqlite:t.db");
}

TEST_F(ThreadTest, AForkGoesItsOwnWay) {
  ask();
  const std::string step = dump_json(shown()["step"]);
  EXPECT_EQ(thread({"fork", "t1", "--step", "2"}).out, "t1-2\n");
  EXPECT_EQ(thread({"fork", "t1", "--step", "2"}).out, "t1-2-2\n");
  EXPECT_EQ(thread({"fork", "t1", "--step", step, "--as", "twin"}).out, "twin\n");
  expect_refused(thread({"fork", "t1", "--step", "2", "--as", "twin"}),
                 "there is a thread 'twin'; name another with --as");
  expect_refused(thread({"fork", "t1", "--step", "77"}), "thread 't1' has no step 77");
  EXPECT_EQ(shown("twin")["status"], "unfinished") << "a question is asked anew";
  EXPECT_EQ(shown("twin")["history"][0]["of_thread"], "t1");
  EXPECT_EQ(resume().code, 0);
  EXPECT_EQ(sent(), 1U);
  const Outcome forked = thread({"resume", "t1-2"});
  EXPECT_EQ(forked.code, 4) << forked.err;
  EXPECT_EQ(shown("t1-2")["status"], "waits");
  EXPECT_EQ(sent(), 1U) << "a fork needs an approval of its own";
  EXPECT_EQ(thread({"resume", "t1-2", "--answer", R"({"approve":true})"}).code, 0);
  EXPECT_EQ(sent(), 2U);
}

TEST_F(ThreadTest, AForkBehindAnAnswerIsRefusedUnlessItIsMeant) {
  ask();
  const std::string asks = dump_json(shown()["step"]);
  EXPECT_EQ(resume().code, 0);
  const std::string behind = std::to_string(std::stoi(asks) + 2);
  expect_refused(thread({"fork", "t1", "--step", behind}),
                 "thread 't1', step " + behind +
                     ": what was approved before it would be done again; fork step " + asks +
                     " to be asked, or say --again");
  EXPECT_EQ(thread({"fork", "t1", "--step", asks}).code, 0);
  EXPECT_EQ(thread({"fork", "t1", "--step", behind, "--again", "--as", "again"}).code, 0);
  EXPECT_EQ(thread({"fork", "again", "--step", "0"}).code, 2);
  EXPECT_EQ(sent(), 1U);
  EXPECT_EQ(thread({"resume", "again"}).code, 0);
  EXPECT_EQ(sent(), 2U);
}

TEST_F(ThreadTest, DeleteForgetsAThread) {
  ask();
  EXPECT_EQ(thread({"delete", "t1"}).code, 0);
  expect_refused(resume(), "no thread 't1' in sqlite:t.db");
  expect_refused(thread({"delete", "t1"}), "no thread 't1' in sqlite:t.db");
  EXPECT_EQ(ask().code, 4);
  EXPECT_EQ(resume().code, 0);
  EXPECT_EQ(sent(), 1U);
}

TEST_F(ThreadTest, ARefusalIsToldWithItsReason) {
  ask();
  const Outcome no =
      resume({"--answer", R"({"approve": false, "reason": "not before Monday"})", "--json"});
  EXPECT_EQ(no.code, 1);
  EXPECT_NE(no.out.find("a person refused: not before Monday"), std::string::npos) << no.out;
  EXPECT_EQ(sent(), 0U);
}

TEST_F(ThreadTest, AnswersToWhatIsNotOpenAreRefused) {
  ask();
  const std::string at = "thread 't1', step " + dump_json(shown()["step"]) + ": ";
  expect_refused(resume({}), at + "it waits for an answer: give it with --answer");
  const Outcome words = resume({"--answer", "yes"});
  EXPECT_EQ(words.code, 2);
  EXPECT_TRUE(words.err.starts_with("plumbline: --answer yes: ")) << words.err;
  for (const char* const wrong : {R"({"approve":1})", "7", R"({"approve":true,"to":"all"})"}) {
    expect_refused(resume({"--answer", wrong}),
                   at + "the answer " + wrong + R"( decides nothing, expected {"approve": true} )" +
                       R"(or {"approve": false}, and a "reason" of at most 1024 bytes where )" +
                       "there is one");
    EXPECT_EQ(shown()["status"], "waits");
  }
  EXPECT_EQ(thread({"fork", "t1", "--step", "1", "--as", "early"}).code, 0);
  expect_refused(thread({"resume", "early", "--answer", R"({"approve":true})"}),
                 "thread 'early', step 0: no question is open; go on with it without --answer");
  EXPECT_EQ(sent(), 0U);
}

TEST_F(ThreadTest, AQuestionExpires) {
  EXPECT_EQ(ask({"--expires", "10ms"}).code, 4);
  for (int i = 0; i < 100 && shown()["status"] == "waits"; ++i) {  // A quick machine is in time.
  }
  for (const Outcome& late : {resume(), ask(), ask({"--approve", "all"})}) {
    EXPECT_EQ(late.code, 2);
    EXPECT_NE(late.err.find(": its question has expired at 20"), std::string::npos) << late.err;
  }
  EXPECT_EQ(shown()["status"], "expired");
  EXPECT_EQ(sent(), 0U);
  expect_refused(run({"ask", kRequest, "--config", config_, "--expires", "1s"}),
                 "--expires is for the questions of a thread: say which one with --thread ID");
}

TEST_F(ThreadTest, TheServerThatIsPreferredIsUsed) {
  const std::string tool = R"({"tools":[{"name":"list_directory",
      "description":"Lists the files of a folder.","inputSchema":{"type":"object"},
      "does":[{"reply":{"content":[{"type":"text","text":"notes.md"}]}}]}]})";
  scripted("one", tool);
  Json root = parse_json(read("config.json")).value();
  Json& servers = root["mcpServers"];
  servers["two"] = servers["one"];
  for (const char* const name : {"one", "two"}) {
    const std::string script = std::string(name) + "/server.json";
    fs::create_directories(folder_ / name);
    std::string text = read("server.json");
    text.replace(text.find("\"one\":"), 6, '"' + std::string(name) + "\":");
    write(script, text);
    servers[name]["args"] = {"serve", script, "--stdio"};
  }
  const auto used = [&](std::vector<std::string> more) {
    write("config.json", pretty_json(root));
    std::vector<std::string> words = {"ask", "List the files in the managed folder", "--config",
                                      path("config.json"), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    const Result<Json> answer = parse_json(outcome.out);
    return answer.ok() ? string_or(answer.value()["selected_capability"], "server", "none")
                       : outcome.err;
  };
  EXPECT_EQ(used({"--prefer", "two"}), "two");
  EXPECT_EQ(used({"--prefer", "one"}), "one");
  root["plumbline"]["server_priority"] = {"two"};
  EXPECT_EQ(used({}), "two");
  EXPECT_EQ(used({"--prefer", "one"}), "one");
  EXPECT_EQ(used({"--server", "one"}), "one");
  EXPECT_EQ(
      used({"--prefer", "three"}),
      "plumbline: --prefer three: the configuration has no such server [target.no-such-server]\n");
}

TEST_F(ThreadTest, AThreadIsOfOneRequest) {
  ask();
  const Outcome other =
      run({"ask", "List the inbox", "--config", config_, "--thread", "t1", "--store", kStore});
  expect_refused(other,
                 "thread 't1' is of another request, \"Email the report to finance\"; "
                 "name another thread");
}

TEST_F(ThreadTest, OfTwoProcessesThatAnswerAtOnceOneIsTold) {
  ask();
  const Outcome both = shell(R"(
    for i in 1 2; do
      "$1" thread resume t1 --store sqlite:t.db --answer '{"approve":true}' >out.$i 2>err.$i &
    done
    wait
  )");
  EXPECT_EQ(both.code, 0);
  EXPECT_EQ(sent(), 1U) << read("err.1") << read("err.2");
  EXPECT_EQ(shown()["status"], "ended");
  const std::string told = read("err.1") + read("err.2");
  EXPECT_NE(told, "") << "one of them must be told";
}

// Goal: nobody takes up what another living process works on. Method: a server that answers a call
// late, and a kill in the end.
TEST_F(ThreadTest, AThreadThatAnotherProcessWorksOnIsLeftUntilThatHasEnded) {
  std::string slow = kEmail;
  const std::string name = R"("name":"send_email",)";
  slow.insert(slow.find(name) + name.size(), R"("does": [{"late": 600000}],)");
  scripted("email", slow);
  ask();
  const Outcome outcome = shell(R"(
    "$1" thread resume t1 --store sqlite:t.db --answer '{"approve":true}' >first.out 2>first.err &
    first=$!
    until "$1" thread show t1 --store sqlite:t.db --json | grep -q '"status": "unfinished"'; do
      sleep 0.05
    done
    "$1" thread resume t1 --store sqlite:t.db 2>second.err
    echo $?
    kill -9 $first
    wait $first 2>/dev/null
    "$1" thread resume t1 --store sqlite:t.db >third.out 2>third.err
    echo $?
  )");
  EXPECT_EQ(outcome.out, "2\n4\n") << read("second.err") << read("third.err");
  EXPECT_EQ(read("second.err"),
            "plumbline: thread 't1': another process is at work on it [thread.at-work]\n");
  EXPECT_NE(read("third.out").find("not known"), std::string::npos) << read("third.out");
}

TEST_F(ThreadTest, AStateOfAnotherVersionIsToldWithItsThreadAndStepAndNothingIsRun) {
  ask();
  {
    os::RealLoop loop;
    const os::RealWallClock clock;
    Result<std::unique_ptr<RecordStore>> records = os::SqliteRecordStore::open(loop, path("t.db"));
    ASSERT_TRUE(records.ok());
    store::ThreadStore store(*records.value(), clock);
    auto latest = os::run(loop, store.latest("t1"));
    ASSERT_TRUE(latest && latest->ok() && latest->value());
    store::SavedCheckpoint& kept = *latest->value();
    Json state = kept.at.state.json();
    state["version"] = 99;
    kept.at.state = graph::SavedState(std::move(state));
    const graph::Turn turn{"t1", kept.version.number, 7};
    ++kept.step;
    const auto put = os::run(loop, store.put(turn, std::move(kept)));
    ASSERT_TRUE(put && put->ok()) << put->error().message;
  }
  for (const Outcome& told : {resume(), ask({"--approve", "all"})}) {
    EXPECT_EQ(told.code, 3);
    EXPECT_EQ(told.out, "");
    EXPECT_EQ(
        told.err.find("plumbline: thread 't1', step 6: the saved state has version 99, expected "),
        0U)
        << told.err;
    EXPECT_EQ(std::ranges::count(told.err, '\n'), 1);
  }
  EXPECT_EQ(sent(), 0U);
}

TEST_F(ThreadTest, TheStoreIsNamedByTheOptionOrByVariables) {
  expect_refused(run({"thread", "list"}),
                 "no store: give --store, or set LANGGRAPH_CHECKPOINT_BACKEND");
  expect_refused(run({"thread", "list", "--store", "redis:x"}),
                 "--store redis:x: expected memory:, sqlite:PATH or postgres://...");
  expect_refused(run({"thread", "list"}, {{"LANGGRAPH_CHECKPOINT_BACKEND", "redis"}}),
                 "LANGGRAPH_CHECKPOINT_BACKEND is \"redis\", expected memory, sqlite or postgres");
  expect_refused(run({"ask", kRequest, "--config", config_, "--store", kStore}),
                 "--store keeps threads: say which one with --thread ID");
  const std::map<std::string, std::string> variables = {
      {"LANGGRAPH_CHECKPOINT_BACKEND", "sqlite"}, {"LANGGRAPH_CHECKPOINT_PATH", "./data/kept"}};
  EXPECT_EQ(run({"ask", kRequest, "--config", config_, "--thread", "t1"}, variables).code, 4);
  EXPECT_TRUE(fs::exists(folder_ / "data/kept"));
  EXPECT_NE(run({"thread", "list"}, variables).out.find("t1"), std::string::npos);
  fs::create_directories(folder_ / "folder");
  EXPECT_EQ(run({"thread", "list", "--store", "sqlite:folder"}).code, 3) << "nothing is in it";
  run({"ask", kRequest, "--config", config_, "--thread", "t1", "--store", "sqlite:folder"});
  EXPECT_TRUE(fs::exists(folder_ / "folder/checkpoints.sqlite"));
  EXPECT_EQ(
      run({"ask", kRequest, "--config", config_, "--thread", "t1", "--store", "memory:"}).code, 4);
}

TEST_F(ThreadTest, SecretsAreNeitherKeptNorShown) {
  Json file = parse_json(read("config.json")).value();
  file["mcpServers"]["email"]["env"]["MAIL_TOKEN"] = "zebra-crossing-9";
  write("config.json", pretty_json(file));
  run({"ask", "Email zebra-crossing-9 to finance", "--config", config_, "--thread", "t1", "--store",
       kStore});
  const Outcome all = thread({"show", "t1"});
  EXPECT_NE(all.out.find("[redacted]"), std::string::npos) << all.out;
  EXPECT_EQ(all.out.find("zebra-crossing"), std::string::npos);
  EXPECT_EQ((read("t.db") + read("t.db-wal")).find("zebra-crossing"), std::string::npos);
  const Outcome refused = run({"thread", "list", "--store",
                               "postgres://me:open-sesame-11@127.0.0.1:1/x?connect_timeout=1"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.err.find("open-sesame"), std::string::npos) << refused.err;
}

// What is wrong with the store -----------------------------------------------------------------

TEST_F(ThreadTest, AStoreOfAnotherVersionOrOfSomethingElseIsToldAndLeft) {
  ask();
  change("PRAGMA user_version = 9");
  for (const Outcome& told : {ask(), resume(), thread({"list"}), thread({"delete", "t1"})}) {
    EXPECT_EQ(told.code, 3);
    EXPECT_EQ(told.err,
              "plumbline: sqlite:t.db: it is of schema version 9, and this program knows "
              "them up to 1 [store.unusable]\n");
  }
  write("t.db",
        "not a database at all, but a letter of more than a hundred bytes, so that SQLite "
        "has a header to look at.");
  const std::string before = read("t.db");
  fs::remove(folder_ / "t.db-wal");
  EXPECT_EQ(ask().err, "plumbline: sqlite:t.db: file is not a database [store.unusable]\n");
  EXPECT_EQ(read("t.db"), before);
}

TEST_F(ThreadTest, ADamagedStepIsToldWithItsThreadAndNothingIsRun) {
  ask();
  change(
      "UPDATE records SET value = x'7b7d' WHERE version = 3 AND CAST(key AS TEXT) LIKE 'thread%'");
  EXPECT_NE(thread({"show", "t1"}).err.find("thread 't1': record 3 is damaged (after step 1)"),
            std::string::npos);
  change("UPDATE records SET value = x'7b7d' WHERE CAST(key AS TEXT) LIKE 'thread%'");
  for (const Outcome& told : {ask({"--approve", "all"}), resume()}) {
    EXPECT_EQ(told.code, 3);
    EXPECT_NE(told.err.find("thread 't1': record "), std::string::npos) << told.err;
    EXPECT_NE(told.err.find(" is damaged"), std::string::npos) << told.err;
  }
  EXPECT_EQ(sent(), 0U);
  run({"ask", kRequest, "--config", config_, "--thread", "t2", "--store", kStore});
  const std::string all = thread({"list"}).out;
  EXPECT_NE(all.find("t1      damaged"), std::string::npos) << all;
  EXPECT_NE(all.find("t2      waits"), std::string::npos) << "the others are still told: " << all;
  const Result<Json> listed = parse_json(thread({"list", "--json"}).out);
  ASSERT_TRUE(listed.ok());
  EXPECT_NE(listed.value()[0]["damage"].get<std::string>().find("is damaged"), std::string::npos);
  EXPECT_EQ(thread({"delete", "t1"}).code, 0) << "what is damaged can be forgotten";
}

TEST_F(ThreadTest, AFullDiskIsToldWithItsThreadAndStepAndNothingIsSent) {
  // Goal: no room for one more step. Method: no file may become larger than what fits so far.
  ask();
  const Outcome full = shell(R"(
    trap '' XFSZ
    size=$(stat -c %s t.db)
    ulimit -f $((size / 512 + 1))
    "$1" thread resume t1 --store sqlite:t.db --answer '{"approve":true}' 2>err.log
    echo $?
    tail -n 1 err.log
  )");
  EXPECT_TRUE(full.out.find("\n3\n") != std::string::npos || full.out.starts_with("3\n"))
      << full.out;
  EXPECT_NE(full.out.find("plumbline: thread 't1': "), std::string::npos) << full.out;
  EXPECT_NE(full.out.find(" cannot be kept: "), std::string::npos) << full.out;
  EXPECT_EQ(sent(), 0U);
  EXPECT_EQ(resume({}).code, 0) << "and with room again it goes on";
  EXPECT_EQ(sent(), 1U);
}

TEST_F(ThreadTest, AQuestionThatCannotBeKeptIsNotPutToAnybody) {
  // Goal: no room for one of the steps up to the question. Method: more and more of it.
  const Outcome full = shell("config=" + config_ + R"(
    trap '' XFSZ
    for blocks in $(seq 40 8 320); do
      rm -f q.db*
      (ulimit -f $blocks
       "$1" ask "Email the report to finance" --config "$config" --thread q --store sqlite:q.db \
         >q.out 2>q.err)
      [ $? != 3 ] || { echo refused; cat q.out; }
    done
  )");
  const std::string refused = "refused\n";
  EXPECT_NE(full.out, "");
  for (std::size_t at = 0; at < full.out.size(); at += refused.size()) {
    ASSERT_EQ(full.out.substr(at, refused.size()), refused) << full.out;
  }
}

TEST_F(ThreadTest, AFileThatMayOnlyBeReadIsToldAndLeft) {
  ask();
  const Outcome told = shell(R"sh(
    chmod 755 .; chmod 444 t.db
    if [ "$(id -u)" = 0 ]; then
      set -- setpriv --reuid=nobody --regid=nogroup --clear-groups "$1"
    fi
    "$@" thread list --store sqlite:t.db
    echo $?
  )sh");
  EXPECT_EQ(told.out, "3\n") << told.err;
  EXPECT_NE(told.err.find("sqlite:t.db: cannot open it: Permission denied"), std::string::npos);
}

}  // namespace
}  // namespace plumbline::cli
