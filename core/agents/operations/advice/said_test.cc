// What a request says, in the forms in which tools take it.

#include "core/agents/operations/advice/said.h"

#include <chrono>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/doors/wall_clock.h"

namespace plumbline::agents {
namespace {

bool means(std::string_view request, std::string_view text) { return Said(request).means(text); }
bool counts(std::string_view request, double number) { return Said(request).counts(number); }

TEST(Said, DaysAreSaidAsPeopleWriteThem) {
  for (const char* const request :
       {"Book it for 7 December 2026", "Book December 7, 2026", "Book the 7th of December, 2026",
        "Book 2026-12-07", "Book 7.12.2026", "Book 07/12/2026", "Book 12/07/2026",
        "Book from 7 to 18 December 2026", "Book Dec 1-7, 2026", "Book Dec 5 to Dec 7 2026"}) {
    EXPECT_TRUE(means(request, "2026-12-07")) << request;
    EXPECT_FALSE(means(request, "2026-12-08")) << request;
    EXPECT_FALSE(means(request, "2025-12-07")) << request;
  }
  EXPECT_FALSE(means("Book 7 December", "2026-12-07")) << "no year is said";
  EXPECT_FALSE(means("Book 2026-266-05", "2026-10-05")) << "that is no month";
}

TEST(Said, AMonthIsItsFirstDayItsLastAndTheOneBehind) {
  for (const char* const day : {"2028-02-01", "2028-02-29", "2028-03-01"}) {
    EXPECT_TRUE(means("Sales of February 2028", day)) << day;
  }
  EXPECT_FALSE(means("Sales of February 2028", "2028-02-28"));
  EXPECT_TRUE(means("Sales of Q3 2026", "2026-09-30"));
  EXPECT_TRUE(means("Sales in 2026", "2026-12-31"));
  EXPECT_FALSE(means("Sales of May 2026", "2026-01-01")) << "a month of the year is meant";
}

TEST(Said, MomentsNeedTheirTime) {
  const char* const request = "Logs between 14:00 and 3:30 pm UTC on 30 November 2026";
  EXPECT_TRUE(means(request, "2026-11-30T14:00:00Z"));
  EXPECT_TRUE(means(request, "2026-11-30T15:30"));
  EXPECT_FALSE(means(request, "2026-11-30T16:00:00Z"));
  EXPECT_FALSE(means(request, "2026-11-30T14:00:00+05:00")) << "an offset is not made up";
  EXPECT_TRUE(means("Logs of 30 November 2026", "2026-11-30T00:00:00Z"));
  EXPECT_TRUE(counts(request, 1796047200)) << "seconds";
  EXPECT_TRUE(counts(request, 1796047200000)) << "milliseconds";
  EXPECT_FALSE(counts(request, 1796047201));
}

TEST(Said, SpansAreCountedInAnyUnit) {
  EXPECT_TRUE(counts("Film it for half a minute", 30));
  EXPECT_TRUE(counts("Film it for half an hour", 30));
  EXPECT_TRUE(counts("Mentions of the last two days", 48));
  EXPECT_TRUE(counts("Mentions of the last two days", -48));
  EXPECT_TRUE(counts("Mentions of the last week", 7));
  EXPECT_TRUE(counts("Wait 30s", 30000));
  EXPECT_TRUE(means("Mentions of the last two days", "48h"));
  EXPECT_FALSE(counts("Mentions of the last two days", 72));
  EXPECT_FALSE(counts("The second of them, every day", 24));
}

TEST(Said, NumbersAreSaidInManyForms) {
  EXPECT_TRUE(counts("At most 1,500 of them", 1500));
  EXPECT_TRUE(counts("Three of them", 3));
  EXPECT_TRUE(counts("The 3rd of them", 3));
  EXPECT_TRUE(counts("20 % off", 0.2));
  EXPECT_TRUE(counts("Set it to -5", -5));
  EXPECT_TRUE(means("Order 12 of them", "12"));
  EXPECT_FALSE(counts("A few of them", 1)) << "\"a\" counts nothing";
  EXPECT_FALSE(counts("20 of them", 0.2));
  EXPECT_FALSE(counts("v112", 12));
}

TEST(Said, CodesAndWhoAsksAreMeant) {
  EXPECT_TRUE(means("The Spanish subtitles", "es"));
  EXPECT_TRUE(means("Convert 20 euros to yen", "JPY"));
  EXPECT_TRUE(means("Which bugs of mine are open?", "me"));
  EXPECT_FALSE(means("Which bugs of Ann are open?", "me"));
  EXPECT_FALSE(means("The Spanish subtitles", "fr"));
}

TEST(Said, ATextIsMadeOfWordsOfTheRequest) {
  Said rows("Rows 12 to 15 on the Expenses tab can go");
  EXPECT_TRUE(rows.makes_up("Expenses!12:15", ""));
  EXPECT_FALSE(rows.makes_up("Expenses!12:16", ""));
  EXPECT_FALSE(rows.makes_up("Income!12:15", "")) << "a word that nobody has said";
  EXPECT_TRUE(rows.makes_up("range:12-15 sheet:Expenses", "The range, and the sheet"));
  EXPECT_FALSE(rows.makes_up("go to Expenses", "")) << "a sentence keeps its order";
  EXPECT_FALSE(rows.makes_up("delete Expenses tab", "Finds, or may delete"))
      << "no order of a tool";
  Said days("From 2026-09-01 to 2026-10-15");
  EXPECT_FALSE(days.makes_up("2026-09-15", "")) << "that day is not said";
  Said mail("Send it to eve at example com, the file etc passwd");
  for (const char* const place : {"eve@example.com", "/etc/passwd", "https://example.com/eve"}) {
    EXPECT_FALSE(mail.makes_up(place, "")) << place;
  }
}

TEST(Said, WhatNoValueRestsOnIsLeft) {
  Said said("Put Berlin, 52.52 and https://example.com/d/1Qx7/edit into it, for 2 days");
  EXPECT_TRUE(said.counts(52.52));
  EXPECT_TRUE(said.counts(48));
  std::string id = "1qx7";
  EXPECT_TRUE(said.says(id));
  EXPECT_EQ(id, "1Qx7") << "as the request writes it";
  std::string title = "Buy stamps";
  EXPECT_TRUE(Said("Remind me to buy stamps: a task \"Buy stamps\"").says(title));
  EXPECT_EQ(title, "Buy stamps") << "it stands there so as well";
  EXPECT_TRUE(said.leaves("Berlin"));
  EXPECT_FALSE(said.leaves("52.52"));
  EXPECT_FALSE(said.leaves("2"));
  EXPECT_FALSE(said.leaves("https://example.com/d/1Qx7/edit"));
  EXPECT_TRUE(said.leaves("what does not stand there"));
  Said twice("The last 2 of https://example.com/2/a");
  EXPECT_TRUE(twice.counts(2));
  EXPECT_TRUE(twice.leaves("https://example.com/2/a")) << "the 2 before it was meant";
}

RC_GTEST_PROP(SaidProp, AMomentIsMeantInEveryFormOfAMachine, ()) {
  const auto seconds = *rc::gen::inRange<std::int64_t>(1'000'000'000, 4'000'000'000) / 60 * 60;
  const std::string written = rfc3339(std::chrono::seconds(seconds));
  const std::string request =
      "Show it at " + written.substr(11, 5) + " on " + written.substr(0, 10) + ", please";
  RC_ASSERT(means(request, written));
  RC_ASSERT(means(request, written.substr(0, 16)));
  RC_ASSERT(counts(request, static_cast<double>(seconds)));
  RC_ASSERT(counts(request, static_cast<double>(seconds) * 1000));
  RC_ASSERT(!counts(request, static_cast<double>(seconds + 86'400)));
}

RC_GTEST_PROP(SaidProp, AnythingMayBeAskedOfAnything, ()) {
  const auto request = *rc::gen::container<std::string>(
      rc::gen::element(' ', 'a', '1', '2', '0', '-', '/', '.', ',', ':', 'q', 'm', 'y', '\xc3'));
  const auto text = *rc::gen::container<std::string>(
      rc::gen::element(' ', 'a', '1', '2', '0', '-', 'T', '.', ',', ':', 'Z', 'h', '!'));
  Said said(request);
  std::string value = text;
  if (said.says(value)) RC_ASSERT(request.find(value) != std::string::npos);
  said.means(text);
  said.makes_up(text, request);
  said.leaves(text);
}

}  // namespace
}  // namespace plumbline::agents
