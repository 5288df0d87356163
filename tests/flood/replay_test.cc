// Long recordings are replayed in proportion to what is in them.

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "scenarios/record/replayer.h"
#include "tests/flood/work_fixture.h"

namespace plumbline::scenarios {
namespace {

struct Replayed {
  const char* name;
  const char* recorded;  // Of the client.
  const char* answered;
  const char* said;  // By the client now.
};

constexpr Replayed kReplayed[] = {
    {"requests", R"({"id":#,"method":"tools/call","params":{"name":"a","n":#}})",
     R"({"id":#,"result":{}})", R"({"id":#,"method":"tools/call","params":{"name":"a","n":#}})"},
    {"secrets", R"({"id":#,"method":"tools/call","params":{"n":"# [secret #]"}})",
     R"({"id":#,"result":{}})", R"({"id":#,"method":"tools/call","params":{"n":"# word"}})"},
    {"answers of the client", R"({"id":"s#","result":{}})", R"({"id":"s#","method":"roots/list"})",
     R"({"id":"s#","result":{}})"},
    {"answers to nothing", R"({"method":"notifications/initialized"})",
     R"({"id":"x#","result":{}})", R"({"method":"notifications/initialized"})"},
    {"requests that are not in it", R"({"id":1,"method":"ping"})", R"({"id":1,"result":{}})",
     R"({"id":#,"method":"tools/call","params":{"name":"b"}})"},
};

RecordedSession session_of(const Replayed& kind, int messages) {
  RecordedSession session;
  for (int i = 1; i <= messages; ++i) {
    for (const Side to : {Side::kServer, Side::kClient}) {
      RecordedEvent event;
      event.to = to;
      event.message =
          parse_json(numbered(to == Side::kServer ? kind.recorded : kind.answered, i)).value();
      session.events.push_back(std::move(event));
    }
  }
  return session;
}

class ReplayFloodTest : public testing::TestWithParam<Replayed> {};

TEST_P(ReplayFloodTest, IsReplayedInProportion) {
  Work work;
  for (std::size_t size = 0; size < kSizes.size(); ++size) {
    std::vector<RecordedSession> sessions;
    sessions.push_back(session_of(GetParam(), kSizes[size]));
    const std::int64_t before = steps_taken();
    Replayer replayer(std::move(sessions), Match::kContent);
    for (int i = 1; i <= kSizes[size]; ++i) {
      replayer.take(parse_json(numbered(GetParam().said, i)).value());
    }
    work["the replayer"][size] = steps_taken() - before;
  }
  expect_in_proportion(std::string("a recording of ") + GetParam().name, work);
}

INSTANTIATE_TEST_SUITE_P(All, ReplayFloodTest, testing::ValuesIn(kReplayed), [](const auto& named) {
  std::string name = named.param.name;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace plumbline::scenarios
