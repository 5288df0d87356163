// What a client declares holds for the session that it was declared in.

#include "conformance/peer/client/record.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "conformance/wire/header_names.h"

namespace plumbline::conformance {
namespace {

class SessionsOverHttp : public testing::Test {
 protected:
  SessionsOverHttp() { record_.over_http = true; }

  // opens has the client open a session with these capabilities.
  void opens(const std::string& session, const char* capabilities) {
    Json message(Json::value_t::object);
    message["method"] = "initialize";
    message["id"] = session;
    message["params"]["capabilities"] = parse_json(capabilities).value();
    say(std::move(message), "");
    record_.http.back().session = session;
  }

  // calls has it call a tool in a session.
  const Heard& calls(const std::string& session) {
    Json message(Json::value_t::object);
    message["method"] = "tools/call";
    message["id"] = 1;
    return say(std::move(message), session);
  }

  const Heard& say(Json message, const std::string& session) {
    HttpHeard request;
    if (!session.empty()) request.request.headers.set(kSessionHeader, session);
    record_.http.push_back(std::move(request));
    Heard heard;
    heard.message = std::move(message);
    heard.exchange = record_.http.size() - 1;
    heard.place = heard.exchange;
    record_.heard.push_back(std::move(heard));
    return record_.heard.back();
  }

  Redactor redactor_;
  WireLog log_{redactor_, Instant{}};
  Record record_{log_};
};

TEST_F(SessionsOverHttp, DeclareEachForItself) {
  record_.revision = "2025-11-25";
  record_.heard.reserve(4);
  opens("probe", "{}");
  opens("real", R"({"sampling": {}})");
  const Heard& real = calls("real");
  const Heard& probe = calls("probe");
  EXPECT_TRUE(record_.capabilities(&real).contains("sampling"));
  EXPECT_FALSE(record_.capabilities(&probe).contains("sampling"));
  EXPECT_EQ(SessionsHeard(record_).opening_of(real)->message["id"], "real");
}

}  // namespace
}  // namespace plumbline::conformance
