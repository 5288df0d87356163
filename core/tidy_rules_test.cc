#include "core/tidy_rules.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace plumbline::tidy {
namespace {

// found returns what the checks say about `line` of the file `path`; empty when it is tidy.
std::string found(const std::string& line, const std::string& path = "core/mcp/a.cc") {
  const Findings findings = check_source(path, line + "\n");
  return findings.empty() ? "" : findings.front().what;
}

bool mentions(const std::string& what, const std::string& word) {
  return what.find(word) != std::string::npos;
}

TEST(BanTest, EachBannedWordNamesWhatToUseInstead) {
  EXPECT_EQ(found("auto now = std::chrono::steady_clock::now();"),
            "'steady_clock' is banned here, use the Loop that was handed down");
  for (const char* line : {"std::this_thread::sleep_for(a);",
                           "std::random_device device;",
                           "std::mt19937 engine;",
                           "std::uniform_int_distribution<int> die;",
                           "std::shuffle(a, b, c);",
                           "std::unordered_map<int, int> map;",
                           "std::unordered_set<int> set;",
                           "std::thread worker;",
                           "std::mutex lock;",
                           "std::regex pattern;",
                           "const char* home = std::getenv(a);",
                           "std::ifstream file(path);",
                           "std::ofstream file(path);",
                           "std::FILE* file = fopen(a, b);",
                           "if (fork() == 0) return;",
                           "execvp(a, b);",
                           "std::system(a);",
                           "std::shared_ptr<int> a;",
                           "auto* a = new int;",
                           "delete a;",
                           "std::source_location where;",
                           "auto a = std::views::all;",
                           "std::cout << 1;",
                           "printf(a);",
                           "throw 1;",
                           "assert(true);",
                           "#define A 1"}) {
    EXPECT_TRUE(mentions(found(line), "is banned here, use ")) << line;
  }
}

TEST(BanTest, OnlyWholeWordsOfCodeCount) {
  for (const char* line :
       {"A(const A&) = delete;", "void* operator new(std::size_t);", "int renew = 1;",
        "int new_id = deleted;", "forked.fork_all();", "Rng stream = rng.fork(a);",
        "std::fprintf(stderr, a);", "// Use no std::thread, throw nothing.",
        "call(\"std::thread\");", "char c = '\"'; int x;", "auto a = R\"(new delete throw)\";",
        "static_assert(true);", "int n = 1'000;  // new"}) {
    EXPECT_EQ(found(line), "") << line;
  }
}

TEST(BanTest, SomePlacesMay) {
  EXPECT_EQ(found("std::thread worker;", "core/os/a.cc"), "");
  EXPECT_EQ(found("std::thread worker;", "scenarios/sweep/parallel.cc"), "");
  EXPECT_EQ(found("#pragma once\nstd::atomic<bool> stop;", "scenarios/sweep/parallel.h"), "");
  EXPECT_EQ(found("std::thread worker;", "core/schema/schema_test.cc"), "");
  EXPECT_NE(found("std::thread worker;", "scenarios/run/runner.cc"), "");
  EXPECT_EQ(found("std::ifstream file(path);", "reports/golden_test.cc"), "");
  EXPECT_NE(found("std::steady_clock::now();", "reports/golden_test.cc"), "");
  EXPECT_EQ(found("std::cout << 1;", "cli/commands/main.cc"), "");
}

TEST(BanTest, NoTestMeasuresTime) {
  const char* const line = "EXPECT_LT(loop.now() - begin, seconds(5));";
  EXPECT_TRUE(mentions(found(line, "tests/programs/a_test.cc"), "no test measures time"));
  EXPECT_TRUE(mentions(found(line, "core/os/child/a_fixture.h"), "no test measures time"));
  EXPECT_EQ(found(line, "tests/stores/sqlite_test.cc"), "") << "that it takes as long as it says";
  EXPECT_EQ(found(line, "core/mcp/a_test.cc"), "") << "the time of a simulated Loop";
  EXPECT_EQ(found("loop.arm(alarm, loop.now() + seconds(60));", "tests/programs/a_test.cc"), "");
  EXPECT_NE(found("std::clock();", "reports/a_test.cc"), "");
  EXPECT_NE(found("std::chrono::steady_clock::now();", "core/os/a_test.cc"), "");
}

TEST(BanTest, PropertiesLookAtBothSides) {
  EXPECT_TRUE(mentions(found("RC_ASSERT(!a || a->empty());"), "both sides"));
  EXPECT_TRUE(mentions(found("RC_PRE(list.size() > 1 &&\n       list[1] == 2);"), "both sides"));
  EXPECT_EQ(found("RC_ASSERT((!a || a->empty()));"), "");
  EXPECT_EQ(found("RC_ASSERT(all_of(list, [](int&& a) { return a > 1 && a < 3; }));"), "");
}

TEST(BanTest, UnfinishedWorkIsSeenInProseToo) {
  EXPECT_TRUE(mentions(found(std::string("// TO") + "DO: later"), "finish it"));
  EXPECT_TRUE(mentions(found(std::string("// FIX") + "ME"), "finish it"));
  EXPECT_EQ(found("// Methods and to-do lists are fine."), "");
}

TEST(BanTest, AThirdPartyHeaderHasOneHome) {
  EXPECT_TRUE(mentions(found("#include <nlohmann/json.hpp>"), "core/json/json.h"));
  EXPECT_EQ(found("#include <nlohmann/json.hpp>", "core/json/a.cc"), "");
  EXPECT_NE(found("#include <boost/asio.hpp>"), "");
  EXPECT_EQ(found("#include <boost/asio.hpp>", "core/os/posix/a.cc"), "");
  EXPECT_EQ(found("#include <boost/beast/http/parser.hpp>", "core/wire/a.cc"), "");
  EXPECT_NE(found("#include <boost/asio.hpp>", "core/wire/a.cc"), "");
  EXPECT_NE(found("#include <openssl/evp.h>", "core/base/a.cc"), "");
  EXPECT_EQ(found("#include <openssl/evp.h>", "core/base/sha256.cc"), "");
  EXPECT_NE(found("#include <iostream>"), "");
  EXPECT_EQ(found("#include <iostream>", "cli/a.cc"), "");
  EXPECT_EQ(found("#include <string>"), "");
}

TEST(BanTest, NobodySeesPosixButItsHalfOfTheDoors) {
  for (const char* line : {"#include <sys/types.h>", "#include <unistd.h>", "#include <fcntl.h>",
                           "#include <netinet/in.h>", "#include <signal.h>"}) {
    EXPECT_TRUE(mentions(found(line), "POSIX is in core/os/posix alone")) << line;
    EXPECT_NE(found(line, "core/os/child/workers.h"), "") << line;
    EXPECT_EQ(found(line, "core/os/posix/child/brood.cc"), "") << line;
    EXPECT_EQ(found(line, "core/os/child/a_test.cc"), "") << line;
  }
}

TEST(MessageTest, NobodyDecidesByItsWords) {
  for (const char* line :
       {"return error.message.find(a) != npos;", "if (why->message.starts_with(a)) return;",
        "return answer.error().message.contains(a);", "if (row.message == \"alone\") return;",
        "if (before->second.message != kAlone) return;", "return fits(habit.like, row.message);",
        "return RE2::PartialMatch(failure.message, pattern);",
        "if (lower_case(failure.message).find(a) == 0) return;",
        "if (classify_text(failure.message)) return;",
        "{ std::string told = kind + row.message; for (auto& one : all) { if (fits(one, told)) "
        "go(); } }",
        "const std::string& why = answer.error().message; return why.find(a) != npos;",
        "text += row.message; if (text.starts_with(a)) return;",
        "auto told = row.message; return told == \"alone\";",
        "const std::string told = std::string(kind) + clipped(row.message); if (told.contains(a)) "
        "go();",
        "if (why.find(\"FATAL: \") != npos) return;", "return said.starts_with(\"nknown tool\");",
        "at = words.find(kRefusal);"}) {
    EXPECT_TRUE(mentions(found(line), "by the words of a message")) << line;
  }
}

TEST(MessageTest, WhatIsShownOrNoTextIsFine) {
  for (const char* line :
       {"return where + error.message;", "if (error.message.empty()) return;",
        "failure.message += a;", "if (message.contains(a)) return;",
        "if (*first.message == *entry->message) return;", "show(fits(a, b), error.message);",
        "// error.message.find(a)", "send(clipped(error.message));",
        "{ std::string told = row.message; show(told); } fits(a, told);",
        "std::string told = row.message; if (told.empty()) return; row.told.find(a);",
        "const Json& message = *entry.message; return message.contains(a);",
        "const std::string said = dump_json(*reply.message); return said.find(a) == 0;",
        "said.find('{');", "words.push_back(\"a\");", "if (said.find(due) == npos) return;"}) {
    EXPECT_EQ(found(line), "") << line;
  }
  EXPECT_EQ(found("return error.message.find(a) != npos;", "core/mcp/a_test.cc"), "");
}

TEST(CoroutineTest, BracesInAnAwaitingExpressionAreRefused) {
  for (const char* code :
       {"co_await send(Request{id, name});", "auto r = co_await send({.id = 1});",
        "co_await [k] { return f(k); }();", "co_await send(\n    Request{\n        id});",
        "send(Request{id}, co_await f());", "return Reply{co_await f()};",
        "Reply r = {co_await f()};", "co_return {co_await f(), 1};", "g({1, 2}, co_await f());",
        "std::vector<int> v{co_await f()};"}) {
    EXPECT_TRUE(mentions(found(code), "brace or ?:")) << code;
  }
}

TEST(CoroutineTest, ConditionalsInAnAwaitingExpressionAreRefused) {
  for (const char* code :
       {"co_await (b ? f() : g());", "Reply r = b ? Reply(co_await f()) : Reply(0);",
        "Reply r = g(co_await f()) ? Reply(1) : Reply(0);",
        "Reply r =\n    b\n        ? Reply(0)\n"
        "        : co_await f();"}) {
    EXPECT_TRUE(mentions(found(code), "brace or ?:")) << code;
  }
}

TEST(CoroutineTest, BlocksAroundAnAwaitAreFine) {
  for (const char* code :
       {"if (auto r = co_await send(request); !r.ok()) {\n}", "co_await Sleep(loop, loop.now());",
        "while (co_await next()) {\n  x = a ? b : c;\n}", "if (co_await f()) return a ? b : c;",
        "for (int i : co_await f()) {\n  g();\n}", "void f() {\n  int a{};\n  co_await g();\n}",
        "if (a) {\n  b();\n}\nco_await g();", "} else {\n  co_await g();\n}",
        "auto f = [](Loop& loop) -> Task<> { co_await Sleep(loop, at); };",
        "switch (co_await f()) {\n  case 1:\n    co_return;\n}",
        "int a = b ? c : d;\nco_await f();", "auto operator co_await() { return a ? b : c; }",
        "Task<> f() {\n  while (true) {\n    co_await g();\n  }\n}"}) {
    EXPECT_EQ(found(code), "") << code;
  }
}

TEST(CoroutineTest, BorrowedParametersAreRefused) {
  for (const char* code :
       {"Task<int> f(Loop& loop, const std::string& name);",
        "Task<Result<int>> f(std::string_view n);",
        "Task<> Client::call(Loop& loop,\n                   const std::string& name) {\n}",
        "Task<std::map<int, int>> f(std::span<const char> bytes);", "Task<> f(std::string&& name);",
        "Task<> f(std::string const& name);", "std::function<Task<int>(const Json&)> call;",
        "auto f = [](const Json& json) -> Task<> { co_return; };"}) {
    EXPECT_TRUE(mentions(found(code), "coroutine parameter")) << code;
  }
}

TEST(CoroutineTest, ValuesAndLivingResourcesAreFine) {
  for (const char* code :
       {"Task<int> f(Loop& loop, std::string name);",
        "Task<> f(const int count, const char* name);",
        "Task<> f(std::function<void(const Json&)> tell);", "void f(const Task<int>& task);",
        "Task<int> task(std::move(other));", "Task<int> f(std::vector<std::string>& out);",
        "auto f = [&a](const Json& json) -> Task<> { return g(a, json); };"}) {
    EXPECT_EQ(found(code), "") << code;
  }
}

TEST(CoroutineTest, ALambdaWithCapturesIsNoCoroutine) {
  for (const char* code :
       {"auto f = [x]() -> Task<> { co_await g(x); };",
        "auto f = [&](Loop& l) -> Task<int> { co_return 1; };",
        "auto f = [x](int a) mutable -> Task<Result<int>> {\n  co_return a;\n};"}) {
    EXPECT_TRUE(mentions(found(code), "capturing lambda")) << code;
  }
  EXPECT_EQ(found("auto f = [](int x) -> Task<> { co_await g(x); };"), "");
}

TEST(SizeTest, LinesAreAtMost100Columns) {
  EXPECT_EQ(found("// " + std::string(97, 'x')), "");
  EXPECT_EQ(found("// " + std::string(98, 'x')), "more than 100 columns");
  EXPECT_EQ(found("// " + std::string(96, 'x') + "é"), "");  // Columns, not bytes.
}

TEST(SizeTest, FilesAreAtMost400LinesAndTests500) {
  EXPECT_EQ(found(std::string(399, '\n')), "");
  EXPECT_EQ(found(std::string(400, '\n')), "a file of 401 lines, at most 400");
  EXPECT_EQ(found(std::string(499, '\n'), "core/a_test.cc"), "");
  EXPECT_EQ(found(std::string(500, '\n'), "core/a_test.cc"), "a file of 501 lines, at most 500");
}

TEST(SizeTest, FunctionsAreAtMost60Lines) {
  const auto body = [](int lines) {
    std::string text;
    for (int line = 0; line < lines; ++line) text += "  g();\n";
    return text + "}";
  };
  EXPECT_EQ(found("void f() {\n" + body(58)), "");
  EXPECT_EQ(found("void f() {\n" + body(59)), "a function of 61 lines, at most 60");
  EXPECT_NE(found("void f(int a,\n       int b) const {\n" + body(58)), "");
  EXPECT_NE(found("TEST(A, B) {\n" + body(59)), "");
  EXPECT_EQ(found("namespace a {\n" + body(100)), "");
  EXPECT_EQ(found("class A final : public B {\n" + body(100)), "");
  EXPECT_EQ(found("const std::vector<int> kTable = {\n" + body(100)), "");
}

TEST(NameTest, FilesAreSnakeCaseAndHeadersHaveAGuard) {
  EXPECT_EQ(found("", "fakes/SimLoop.cc"), "name the file in snake_case");
  EXPECT_EQ(found("", "fakes/sim_loop2.cc"), "");
  EXPECT_EQ(found("", "fakes/a.h"), "a header without #pragma once");
  EXPECT_EQ(found("#pragma once", "fakes/a.h"), "");
}

TEST(MachinePathTest, AreSeenInAnyText) {
  Findings findings;
  check_machine_paths(std::string("cd /wor") + "k/main\n", findings);
  check_machine_paths(std::string("see https://a.org/wor") + "k/x and net/wor" + "k/y\n", findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].line, 1U);
}

// named returns how many lines of `text` name a foreign package.
std::size_t named(std::string text) {
  // Written with a stroke, so that this file is none of its own findings.
  for (std::size_t at = 0; (at = text.find("PLUMB", at)) != std::string::npos; ++at) {
    text.replace(at, 5, "plumbline");
  }
  Findings findings;
  check_package_names("mcp-plumbline", text, findings);
  return findings.size();
}

TEST(PackageNameTest, TheBareNameIsInstalledFromNoRegistry) {
  for (const char* const line : {"npm install --save-dev PLUMB",
                                 "  - npm install --no-audit --prefix .plumbline PLUMB@0.1.0",
                                 "npx PLUMB check server",
                                 "entry: npx --yes PLUMB check",
                                 "`npx PLUMB`",
                                 "pnpm dlx PLUMB",
                                 "pip install PLUMB",
                                 "pip install 'PLUMB[pytest]>=1'",
                                 "python3 -m pip install PLUMB==0.1",
                                 "uvx PLUMB",
                                 "uv tool install PLUMB",
                                 "uv add PLUMB",
                                 "uv tool run PLUMB",
                                 "pipx run PLUMB",
                                 "yarn add -D PLUMB",
                                 "bun add PLUMB",
                                 "npx PLUMB-ci",
                                 "npm exec PLUMB",
                                 "  \"devDependencies\": {\"PLUMB\": \"^0.1.0\"},",
                                 "additional_dependencies: [PLUMB]",
                                 "cd x && npm i ./PLUMB-0.1.0.tgz",
                                 "sh 'npm install PLUMB'",
                                 "import \"PLUMB/vitest\";",
                                 "import {judge} from 'PLUMB';",
                                 "const p = require('PLUMB');",
                                 "import PLUMB",
                                 "from PLUMB import judge",
                                 "await import(\"PLUMB\")"}) {
    EXPECT_EQ(named(line), 1U) << line;
  }
}

TEST(PackageNameTest, OursIsAndSoAreOtherThingsOfThatName) {
  for (const char* const line :
       {"npm install --offline ./mcp-PLUMB-0.1.0.tgz", "npx --no-install mcp-PLUMB check server",
        "npx --no-install mcp-PLUMB check server -- PLUMB serve --reference --stdio",
        "pip install ./mcp_PLUMB-0.1.0-py3-none-any.whl", "uvx mcp-PLUMB",
        "apt install ./PLUMB_*.deb", "import \"mcp-PLUMB/vitest\";", "from mcp_PLUMB import judge",
        "  \"PLUMB\": 1,", "\"bin\": {\"PLUMB\": \"bin/PLUMB.js\"}", "npm install x && PLUMB check",
        "| `npm` | PLUMB |", "npm install --prefix .PLUMB /srv/mcp-PLUMB-0.1.0.tgz",
        "what you import from PLUMB's tree", "fields.require(\"PLUMB\", 1)",
        "add_dependencies(programs_test PLUMB)"}) {
    EXPECT_EQ(named(line), 0U) << line;
  }
  EXPECT_EQ(named("npx mcp-PLUMB\nnpx PLUMB\n"), 1U);
}

TEST(LocalNameTest, AreFunctionsAndConstantsOfAnUnnamedNamespace) {
  const std::string code =
      "int outer(int a) {\n}\nnamespace {\nconstexpr int kMax = 3;\nbool is_x(char c) {\n  "
      "g(1);\n}\n"
      "void two(int a,\n         int b) {\n}\nstruct A final : B {\n};\nusing C = int;\n}  \nint "
      "after() {\n}\n";
  EXPECT_EQ(local_names(code),
            (std::vector<std::string>{"kMax", "is_x(char c)", "two(int a, int b)", "A"}));
}

TEST(CodeTest, BlankingKeepsEveryLineWhereItIs) {
  EXPECT_EQ(code_of("a /* b\nc */ d // e\n\"f\\\"g\" 'h' 1'000 R\"x(\")\" )x\" i"),
            "a     \n     d     \n\"    \" ' ' 1'000" + std::string(13, ' ') + "i");
  EXPECT_EQ(code_of("\"open"), "\"    ");
}

TEST(WaitTest, WhatLooksAgainAndAgainIsToBeTold) {
  for (const char* line :
       {"co_await until(loop, kNever, done);", "const bool came = co_await until(loop, at, came);",
        "while (!done) co_await Sleep(loop, after(loop.now(), milliseconds(2)));",
        "for (;;) {\n  if (done) break;\n  co_await Sleep(loop, after(loop.now(), "
        "std::chrono::microseconds(9'999)));\n}",
        "constexpr Duration kStep = milliseconds(5);\nwhile (!done()) {\n  if (late()) co_return;\n"
        "  if (slow) {\n    co_await Sleep(loop_, after(loop_.now(), kStep));\n  }\n}",
        "do {\n  co_await Sleep(loop, loop.now());\n} while (!done);"}) {
    EXPECT_TRUE(mentions(found(line), "Changes")) << line;
    EXPECT_EQ(found(line, "core/mcp/a_test.cc"), "") << line;
  }
  EXPECT_EQ(found("int a;\nco_await until(loop, kNever, done);", "conformance/judge/a.cc"),
            "'until' looks again and again, have it told by Changes or an Event");
}

TEST(WaitTest, WhatWaitsForTimeOrOthersIsFine) {
  for (const char* line :
       {"co_await Sleep(loop, after(loop.now(), milliseconds(2)));",
        "for (const Row& row : rows) {\n  co_await Sleep(loop, loop.now());\n}",
        "while (!free) co_await Sleep(loop, after(loop.now(), milliseconds(10)));",
        "while (!free) co_await Sleep(loop, after(loop.now(), seconds(2)));",
        "while (more) {\n  step();\n  co_await Sleep(loop, loop.now());\n}",
        "while (more) co_await Sleep(loop, next);", "co_await changes.wait(at, done);",
        "while (x) {\n}\nvoid f() {\n  co_await Sleep(loop, after(now, milliseconds(1)));\n}"}) {
    EXPECT_EQ(found(line), "") << line;
  }
}

}  // namespace
}  // namespace plumbline::tidy
