#include "core/mcp/transport/http_refusal.h"

#include <gtest/gtest.h>

namespace plumbline::transport {
namespace {

TEST(HttpRefusalTest, SaysWhatCame) {
  EXPECT_EQ(describe_answer(307, {{"Location", "http://elsewhere/mcp/"}}, "moved"),
            "HTTP 307 Temporary Redirect, a redirect to http://elsewhere/mcp/, which is not "
            "followed");
  EXPECT_EQ(describe_answer(200, {{"Content-Type", "text/html; charset=utf-8"}}, "<html>"),
            "HTTP 200 OK: an HTML page, such as a sign-in or a proxy shows");
  EXPECT_EQ(describe_answer(429, {{"Content-Type", "text/plain"}}, "slow\n\tdown\n"),
            "HTTP 429 Too Many Requests: slow down");
  EXPECT_EQ(describe_answer(406, {}, R"({"error": {"code": 1, "message": "both types"}})"),
            "HTTP 406 Not Acceptable: both types");
  EXPECT_EQ(describe_answer(404, {}, "\x1b[2J"), "HTTP 404 Not Found");
}

TEST(HttpRefusalTest, ATellingStatusBecomesAnError) {
  const std::optional<Json> error = error_of(429, {{"Retry-After", "2"}}, "");
  ASSERT_TRUE(error);
  EXPECT_EQ((*error)["code"], 429);
  EXPECT_EQ((*error)["data"]["httpStatus"], 429);
  EXPECT_EQ((*error)["data"]["retryAfter"], 2);
  EXPECT_FALSE(error_of(404, {}, ""));
  EXPECT_FALSE(error_of(500, {}, ""));
}

TEST(HttpRefusalTest, ALostSessionIsToldApart) {
  EXPECT_TRUE(speaks_of_lost_session("Session not found"));
  EXPECT_TRUE(speaks_of_lost_session("Bad Request: No valid session ID provided"));
  EXPECT_TRUE(speaks_of_lost_session("Server not initialized"));
  EXPECT_FALSE(speaks_of_lost_session("unknown tool"));
  EXPECT_FALSE(speaks_of_lost_session("the session goes well"));
}

}  // namespace
}  // namespace plumbline::transport
