#include "core/model/providers/refusal.h"

#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "core/model/providers/answer_fixture.h"

namespace plumbline::model {
namespace {

std::string refused(int status, std::string_view body) {
  return shown(failure_of_answer(status, {}, body));
}

std::optional<Duration> asked_wait(const wire::HttpHeaders& headers) {
  return failure_of_answer(429, headers, "").retry_after;
}

TEST(RefusalTest, ReadsTheErrorOfEachProvider) {
  EXPECT_EQ(refused(401, R"({"error": {"message": "Bad key", "code": "invalid_api_key"}})"),
            "authentication: HTTP 401 Unauthorized: Bad key");
  EXPECT_EQ(refused(400, R"({"error": {"message": "a\nb", "code": "context_length_exceeded"}})"),
            "too long: HTTP 400 Bad Request: a b");
  EXPECT_EQ(refused(400, R"({"type": "error", "error": {"type": "invalid_request_error",
                             "message": "prompt is too long: 9 tokens > 8 maximum"}})"),
            "too long: HTTP 400 Bad Request: prompt is too long: 9 tokens > 8 maximum");
  EXPECT_EQ(refused(404, R"({"error": "model \"x\" not found"})"),
            "invalid: HTTP 404 Not Found: model \"x\" not found");
  EXPECT_EQ(refused(422, R"({"message": "no such field"})"),
            "invalid: HTTP 422 Unprocessable Entity: no such field");
  EXPECT_EQ(refused(502, "<html>"), "unavailable: HTTP 502 Bad Gateway");
  EXPECT_EQ(refused(302, ""), "unreadable: HTTP 302 Found");
}

TEST(RefusalTest, KeepsTheProvidersWordForIt) {
  const Failure failure =
      failure_of_answer(429, {}, R"({"error": {"type": "tokens", "code": "rate_limit_exceeded"}})");
  EXPECT_EQ(failure.code, "rate_limit_exceeded");
  EXPECT_EQ(failure.status, 429);
  EXPECT_EQ(failure_of_answer(529, {}, R"({"error": {"type": "overloaded_error"}})").code,
            "overloaded_error");
}

TEST(RefusalTest, SaysHowLongToWait) {
  using std::chrono::milliseconds;
  EXPECT_EQ(asked_wait({{"Retry-After", "2"}}), milliseconds(2'000));
  EXPECT_EQ(asked_wait({{"Retry-After", "2"}, {"Retry-After-Ms", "1500"}}), milliseconds(1'500));
  EXPECT_EQ(asked_wait({{"Retry-After-Ms", "20.5"}}), milliseconds(20));
  EXPECT_EQ(asked_wait({{"Retry-After", "Wed, 01 Jan 2025 00:00:05 GMT"},
                        {"Date", "Wed, 01 Jan 2025 00:00:00 GMT"}}),
            milliseconds(5'000));
  EXPECT_EQ(asked_wait({{"Retry-After-Ms", "-1"}}), std::nullopt);
  EXPECT_EQ(asked_wait({}), std::nullopt);
}

TEST(RefusalTest, WordsAloneSayWhatIsMeant) {
  EXPECT_EQ(shown(failure_of_error(parse_json(R"({"type": "overloaded_error"})").value())),
            "unavailable: the provider says no more than overloaded_error");
  EXPECT_EQ(shown(failure_of_error(
                parse_json(R"({"type": "invalid_request_error", "message": "bad"})").value())),
            "invalid: bad");
  EXPECT_EQ(shown(failure_of_error(Json())), "unavailable: the provider says no more than ");
}

}  // namespace
}  // namespace plumbline::model
