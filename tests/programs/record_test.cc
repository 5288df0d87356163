// `record` stands unseen between a client and its server, and `replay` is that server again.

#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "core/os/net/test_certificates.h"
#include "core/schema/schema.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

class RecordTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    scripted("email", kEmail);
  }

  // ask_through puts a request to the server that `command` is.
  Outcome ask_through(const std::vector<std::string>& command) {
    return run({"ask", "Email the report to finance", "--config", config("email", command),
                "--approve", "all", "--json"});
  }

  std::string recording() {
    const std::string text = read("r.jsonl");
    EXPECT_NE(text, "");
    return text;
  }

  // expect_valid holds every line of a recording to docs/recording.schema.json.
  static void expect_valid(const std::string& text) {
    std::ostringstream schema_text;
    schema_text << std::ifstream(SOURCE_ROOT "/docs/recording.schema.json").rdbuf();
    const auto schema = schema::Schema::compile(parse_json(schema_text.str()).value());
    ASSERT_TRUE(schema.ok()) << schema.error().message;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const Result<Json> read = parse_json(line);
      ASSERT_TRUE(read.ok()) << line;
      EXPECT_FALSE(schema.value().validate(read.value())) << line;
    }
  }
};

TEST_F(RecordTest, AnAgentIsAnsweredByTheRecordingAsByTheServer) {
  const Outcome live = ask_through({PLUMBLINE_PROGRAM, "record", "--out", path("r.jsonl"), "--",
                                    PLUMBLINE_PROGRAM, "serve", "server.json", "--stdio"});
  ASSERT_EQ(live.code, 0) << live.err;
  const std::string text = recording();
  EXPECT_NE(text.find("\"tools/call\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"exit\":\"exit code 0\""), std::string::npos) << text;
  const Outcome again =
      ask_through({PLUMBLINE_PROGRAM, "replay", path("r.jsonl"), "--serve", "stdio", "--fast"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(parse_json(again.out).value()["response"], parse_json(live.out).value()["response"]);
}

TEST_F(RecordTest, EveryByteTheExitStatusAndStderrPassUnchanged) {
  const std::string script =
      "printf 'garbage\\n\\377\\376\\nhalf' && cat && echo bad >&2 && exit 7";
  const std::string in = "{\"id\":1}\r\n\n{\"id\":2}";
  const Outcome bare = shell("printf '" + in + "' | sh -c \"" + script + "\"");
  const Outcome through =
      shell("printf '" + in + "' | \"$1\" record --out r.jsonl -- sh -c \"" + script + "\"");
  EXPECT_EQ(through.out, bare.out);
  EXPECT_EQ(through.err, bare.err);
  EXPECT_EQ(through.code, 7);
  const std::string text = recording();
  EXPECT_NE(text.find(R"("text":"garbage","to":"client")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("base64":"//4=")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("stderr":"bad")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("exit":"exit code 7")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("cut":"no end")"), std::string::npos) << text;
}

TEST_F(RecordTest, AWriterIsHeldBackAndNothingIsLost) {
  // 2 MB through pipes of 64 KiB, to a reader that begins late.
  const Outcome through = shell(
      "\"$1\" record --out r.jsonl -- sh -c 'yes 0123456789abcdef | head -c 2000000' "
      "</dev/null | (sleep 1; md5sum)");
  const Outcome bare = shell("yes 0123456789abcdef | head -c 2000000 | md5sum");
  EXPECT_EQ(through.out, bare.out);
}

TEST_F(RecordTest, ASignalReachesTheServerAndItsEndIsOurs) {
  const Outcome ended = shell(
      "\"$1\" record --out r.jsonl -- sh -c 'trap \"exit 9\" TERM; echo up; while :; do sleep 0.1; "
      "done' </dev/null >out & pid=$!; until grep -q up out; do sleep 0.05; done; kill $pid; "
      "wait $pid");
  EXPECT_EQ(ended.code, 9);
  EXPECT_NE(recording().find(R"("signal":"SIGTERM")"), std::string::npos);
}

TEST_F(RecordTest, AKilledRecorderLeavesWholeLines) {
  const Outcome killed = shell(
      "mkfifo p; \"$1\" record --out r.jsonl -- cat <p >out & pid=$!; exec 3>p; "
      "echo '{\"id\":1,\"method\":\"ping\"}' >&3; until grep -q ping r.jsonl; do sleep 0.05; done; "
      "kill -9 $pid; wait $pid; exit 0");
  EXPECT_EQ(killed.code, 0);
  const Outcome replayed = shell("\"$1\" replay r.jsonl --serve stdio </dev/null");
  EXPECT_EQ(replayed.code, 0) << replayed.err;
}

// Goal: whoever kills the recorder, at whatever line, what its client has heard is in the file.
// Method: a client of each of many recorders reads some lines, kills it, and hears the rest.
TEST_F(RecordTest, WhatAClientHeardOfAKilledRecorderIsInTheFile) {
  write("server.sh",
        "i=0; while i=$((i+1)); do echo \"{\\\"id\\\":$i,\\\"result\\\":{}}\"; done\n");
  write("kill.sh", R"sh(
mkfifo p; round=0
while [ $((round=round+1)) -le 40 ]; do
  rm -f r.jsonl
  "$1" record --out r.jsonl -- sh server.sh </dev/null >p 2>err & pid=$!
  exec 3<p; left=$((round * 7 % 60 + 1)); : >heard
  while [ $((left=left-1)) -ge 0 ] && read -r line <&3; do echo "$line" >>heard; done
  kill -9 $pid; cat <&3 >>heard; exec 3<&-; wait $pid
  head -n "$(wc -l <heard)" heard | grep -o '"id":[0-9]*' | sort >ids
  grep '"to":"client"' r.jsonl | grep -o '"id":[0-9]*' | sort >kept
  comm -23 ids kept >lost
  if [ -s lost ] || ! [ -s ids ]; then echo "round $round:"; cat lost; fi
done)sh");
  const Outcome killed = shell("timeout 50 sh kill.sh \"$1\"; echo $?");
  EXPECT_EQ(killed.out, "0\n") << killed.err;
}

// lines_of returns how many lines of a file say `what`.
std::ptrdiff_t lines_of(const std::string& text, const std::string& what) {
  std::istringstream lines(text);
  std::ptrdiff_t count = 0;
  for (std::string line; std::getline(lines, line);) count += line.find(what) != line.npos ? 1 : 0;
  return count;
}

TEST_F(RecordTest, WhatCannotBeKeptIsNotPassedOn) {
  std::string in;
  for (int i = 0; i < 400; ++i)
    in += R"({"jsonrpc":"2.0","method":"ping"})"
          "\n";
  write("in", in);
  const Outcome full = shell(
      "(ulimit -f 8; \"$1\" record --out r.jsonl -- cat <in; echo \"status $?\") | cat >heard");
  EXPECT_EQ(full.err,
            "plumbline: cannot write r.jsonl: File too large; nothing behind it is passed on "
            "[record.not-kept]\n");
  const std::string heard = read("heard");
  EXPECT_NE(heard.find("status 3\n"), std::string::npos) << heard;
  EXPECT_LT(lines_of(heard, "ping"), 400);
  EXPECT_GE(lines_of(read("r.jsonl"), R"("to":"client")"), lines_of(heard, "ping"));
  const Outcome replayed = run({"replay", "r.jsonl", "--serve", "stdio"});
  EXPECT_EQ(replayed.code, 0) << replayed.err;
  const Outcome none = run({"record", "--out", "/dev/full", "--", "touch", "started"});
  EXPECT_EQ(none.code, 3);
  EXPECT_NE(none.err.find("No space left on device"), std::string::npos) << none.err;
  EXPECT_FALSE(fs::exists(folder_ / "started"));
}

// Whoever judges by a log takes what is not in it for what has not happened.
TEST_F(RecordTest, AServerWhoseLogCannotBeWrittenEndsAndSaysSo) {
  std::string in;
  for (int i = 0; i < 400; ++i)
    in += R"({"jsonrpc":"2.0","method":"notifications/x"})"
          "\n";
  write("in", in);
  const Outcome full = shell("ulimit -f 8; \"$1\" serve server.json --stdio --log log <in");
  EXPECT_EQ(full.code, 3);
  EXPECT_NE(full.err.find("plumbline: cannot write log: File too large"), std::string::npos)
      << full.err;
}

TEST_F(RecordTest, ARecordingThatIsTornGrowsOn) {
  run({"record", "--out", "r.jsonl", "--", "echo", "1"});
  write("r.jsonl", read("r.jsonl") + R"({"ns":5,"to":"cli)");
  run({"record", "--out", "r.jsonl", "--stdio", "--", "echo", "2"});
  const Outcome replayed = run({"replay", "r.jsonl", "--serve", "stdio"});
  EXPECT_EQ(replayed.code, 0) << replayed.err;
}

TEST_F(RecordTest, ASecretOfTheEnvironmentIsNowhereInTheFile) {
  const Outcome outcome =
      run({"record", "--out", "r.jsonl", "--", "sh", "-c",
           "echo \"{\\\"id\\\":1,\\\"result\\\":\\\"$MY_TOKEN\\\"}\"; echo $MY_TOKEN >&2"},
          {{"MY_TOKEN", "planted-4711-secret"}});
  EXPECT_NE(outcome.out.find("planted-4711-secret"), std::string::npos) << "the wire is unchanged";
  EXPECT_EQ(recording().find("planted-4711"), std::string::npos) << recording();
  EXPECT_NE(recording().find("[secret 1]"), std::string::npos) << recording();
}

TEST_F(RecordTest, OneRecordingGrowsAndTwoAtOnceAreTwoFiles) {
  run({"record", "--out", "r.jsonl", "--", "echo", "1"});
  run({"record", "--out", "r.jsonl", "--", "echo", "1"});
  std::size_t heads = 0;
  const std::string text = recording();
  for (std::size_t at = 0; (at = text.find("\"recording\":1", at)) != text.npos; ++at) ++heads;
  EXPECT_EQ(heads, 2U);
  shell("\"$1\" record --out q.jsonl -- sleep 1 & \"$1\" record --out q.jsonl -- sleep 1; wait");
  EXPECT_NE(read("q-2.jsonl"), "");
}

TEST_F(RecordTest, ClientsOfANetworkAreToldApartAndAnsweredAsWithoutTheRecorder) {
  for (const std::string way : {"http", "sse", "ws"}) {
    write("clients.sh", "way=" + way + R"sh(
"$1" serve server.json --$way 127.0.0.1:0 >behind.$way & server=$!
until test -s behind.$way; do sleep 0.05; done
"$1" record --out $way.jsonl --listen 127.0.0.1:0 --url "$(cat behind.$way)" \
  --header 'Authorization: Bearer planted-4711' >url.$way & recorder=$!
until test -s url.$way; do sleep 0.05; done
printf '{"mcpServers":{"email":{"type":"%s","url":"%s"}}}' $way "$(cat url.$way)" >web.json
"$1" ask 'Email the report to finance' --config web.json --approve all >one & one=$!
"$1" ask 'Email the report to finance' --config web.json --approve all >two
wait $one; cmp one two && grep -q send_email one &&
  "$1" replay $way.jsonl --diff --url "$(cat behind.$way)" --report json=$way.json
code=$?; kill $recorder $server; wait; exit $code
)sh");
    const Outcome both = shell("timeout 30 sh clients.sh \"$1\"");
    EXPECT_EQ(both.code, 0) << way << both.out << both.err;
    const std::string text = read(way + ".jsonl");
    EXPECT_NE(text.find("\"client\":2"), std::string::npos) << text;
    EXPECT_EQ(text.find("planted-4711"), std::string::npos) << text;
    expect_valid(text);
    EXPECT_NE(read(way + ".json").find("diff.same:tools/call/send_email"), std::string::npos);
  }
}

// Goal: neither the client nor the server notices that TLS ends in the recorder. Method: a server
// behind a certificate, the recorder behind another, of one authority that both sides know.
TEST_F(RecordTest, TlsOnEitherSideIsRecordedAsPlainText) {
  os::TestAuthority authority;
  const net::TlsServer tls = authority.issue("IP:127.0.0.1");
  const std::string identity = " --tls-cert " + tls.certificate_file + " --tls-key " + tls.key_file;
  for (const std::string way : {"http", "sse", "ws"}) {
    write("secure.sh", "way=" + way + "\nidentity='" + identity + "'\nca=" + authority.ca_file() +
                           R"sh(
"$1" serve server.json --$way 127.0.0.1:0 $identity >behind.$way & server=$!
until test -s behind.$way; do sleep 0.05; done
SSL_CERT_FILE=$ca "$1" record --out s-$way.jsonl --listen 127.0.0.1:0 $identity \
  --url "$(cat behind.$way)" >url.$way & recorder=$!
until test -s url.$way; do sleep 0.05; done
printf '{"mcpServers":{"email":{"type":"%s","url":"%s","ca_file":"%s"}}}' $way \
  "$(cat url.$way)" $ca >web.json
"$1" ask 'Email the report to finance' --config web.json --approve all >one
code=$?; kill $recorder $server; wait; cat url.$way behind.$way; exit $code
)sh");
    const Outcome asked = shell("timeout 30 sh secure.sh \"$1\"");
    EXPECT_EQ(asked.code, 0) << way << asked.out << asked.err;
    const std::string scheme = way == "ws" ? "wss://" : "https://";
    EXPECT_EQ(asked.out.find(scheme), 0U) << asked.out;
    EXPECT_NE(asked.out.find(scheme, 1), std::string::npos) << asked.out;
    const std::string text = read("s-" + way + ".jsonl");
    EXPECT_NE(text.find("send_email"), std::string::npos) << text;
    expect_valid(text);
  }
}

TEST_F(RecordTest, ALoneSurrogateIsRecordedAndReplayed) {
  const std::string asked = R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\ud800"}})";
  const std::string answered = R"({"jsonrpc":"2.0","id":1,"result":{"a":"\ud800"}})";
  write("in", asked + "\n");
  write("out", answered + "\n");
  const Outcome through =
      shell("\"$1\" record --out r.jsonl -- sh -c 'head -n 1 >/dev/null; cat out' <in");
  EXPECT_EQ(through.out, answered + "\n");
  expect_valid(recording());
  const Outcome served = shell("\"$1\" replay r.jsonl --fast --serve stdio <in");
  EXPECT_EQ(served.code, 0) << served.err;
  EXPECT_EQ(served.out, answered + "\n");
  for (const std::string how : {"--diff", "--against server"}) {
    const Outcome asked_again = shell("\"$1\" replay r.jsonl " + how + " --stdio -- cat out");
    // A line that is no JSON asks for nothing that can be compared.
    EXPECT_EQ(asked_again.code, 3) << asked_again.err;
  }
}

TEST_F(RecordTest, WhatCannotBeIsToldInOneLine) {
  const Outcome folder = run({"record", "--out", "managed", "--", "echo", "1"});
  EXPECT_EQ(folder.code, 3);
  EXPECT_EQ(folder.err, "plumbline: cannot write managed: Is a directory [file.cannot-write]\n");
  const Outcome program = run({"record", "--out", "r.jsonl", "--", "no-such-program"});
  EXPECT_EQ(program.code, 3);
  EXPECT_EQ(program.err, "plumbline: no program \"no-such-program\" in PATH [server.no-program]\n");
  const Outcome replayed = run({"replay", "managed/notes.md", "--serve", "stdio"});
  EXPECT_EQ(replayed.code, 2);
  EXPECT_NE(replayed.err.find("managed/notes.md, line 1: "), std::string::npos) << replayed.err;
}

}  // namespace
}  // namespace plumbline::cli
