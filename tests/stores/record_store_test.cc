// What every RecordStore does, whatever it keeps its records in.

#include <string>

#include <gtest/gtest.h>

#include "core/base/wait.h"
#include "tests/stores/store_fixture.h"

namespace plumbline::stores {
namespace {

class RecordStoreTest : public StoreFixture, public testing::WithParamInterface<Backend> {
 protected:
  void SetUp() override {
    open(GetParam());
    if (one_ == nullptr) GTEST_SKIP() << kPostgresVariable << " names no PostgreSQL server";
    // Keys of this test alone, for a server outlives it.
    key_ = std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + "/a";
  }

  Task<bool> pause() {
    co_await Sleep(loop_, after(loop_.now(), std::chrono::milliseconds(10)));
    co_return true;
  }

  std::string key_;
};

TEST_P(RecordStoreTest, ARecordThatWasNeverPutIsNotThere) {
  EXPECT_EQ(history(one(), key_), "");
  EXPECT_FALSE(finish(one().get(key_)).value());
  EXPECT_EQ(list(one(), key_), "");
}

TEST_P(RecordStoreTest, EachPutIsTheNextVersionAndTheOnesBeforeStay) {
  EXPECT_EQ(put(one(), key_, 0, "first"), "done");
  EXPECT_EQ(put(one(), key_, 1, "second"), "done");
  EXPECT_EQ(put(two(), key_, 2, "third"), "done");
  const std::string all = key_ + "#3=third, " + key_ + "#2=second, " + key_ + "#1=first";
  EXPECT_EQ(history(one(), key_), all);
  EXPECT_EQ(history(two(), key_), all);
}

TEST_P(RecordStoreTest, OfTwoWhoExpectTheSameVersionOneIsTold) {
  EXPECT_EQ(put(one(), key_, 0, "mine"), "done");
  EXPECT_EQ(put(two(), key_, 0, "yours"), "conflict");
  EXPECT_EQ(put(two(), key_, 1, "yours"), "done");
  EXPECT_EQ(put(one(), key_, 1, "mine again"), "conflict");
  EXPECT_EQ(history(one(), key_), key_ + "#2=yours, " + key_ + "#1=mine");
}

TEST_P(RecordStoreTest, AVersionThatIsToComeIsNotExpected) {
  EXPECT_EQ(put(one(), key_, 1, "early"), "conflict");
  EXPECT_EQ(put(one(), key_, 0, "first"), "done");
  EXPECT_EQ(put(one(), key_, 7, "early"), "conflict");
  EXPECT_EQ(history(one(), key_), key_ + "#1=first");
}

TEST_P(RecordStoreTest, AClaimIsOfOneStoreUntilItIsGone) {
  EXPECT_EQ(said(finish(one().hold(key_))), "done");
  EXPECT_EQ(said(finish(one().hold(key_ + "/other"))), "done");
  if (two_ == nullptr) return;  // Nobody else can open it.
  EXPECT_EQ(said(finish(two().hold(key_))), "conflict");
  EXPECT_EQ(said(finish(two().hold(key_ + "/free"))), "done");
  EXPECT_EQ(put(two(), key_, 0, "a claim keeps nobody from putting"), "done");
  one_.reset();
  std::string held = "conflict";  // A server needs a moment to see that a connection has ended.
  for (int tries = 0; tries < 200 && held == "conflict"; ++tries) {
    finish(pause());
    held = said(finish(two().hold(key_)));
  }
  EXPECT_EQ(held, "done");
}

TEST_P(RecordStoreTest, SeveralPutsAreDoneAllOrNone) {
  const std::string other = key_ + "/other";
  EXPECT_EQ(put(one(), {{key_, 0, "1"}, {other, 0, "x"}, {key_, 1, "2"}}), "done");
  EXPECT_EQ(put(one(), {{other, 1, "y"}, {key_, 1, "late"}}), "conflict");
  EXPECT_EQ(history(one(), other), other + "#1=x");
  EXPECT_EQ(history(one(), key_), key_ + "#2=2, " + key_ + "#1=1");
  EXPECT_EQ(put(one(), std::vector<Put>()), "done");
}

TEST_P(RecordStoreTest, HistoryGoesBackFromAVersionAndStopsAtACount) {
  for (int i = 0; i < 5; ++i) put(one(), key_, i, std::to_string(i + 1));
  EXPECT_EQ(history(one(), key_, 3, 2), key_ + "#3=3, " + key_ + "#2=2");
  EXPECT_EQ(history(one(), key_, 0, 2), "");
  EXPECT_EQ(history(one(), key_, 99, 1), key_ + "#5=5");
  EXPECT_EQ(finish(one().get(key_, 4)).value()->value, "4");
  EXPECT_FALSE(finish(one().get(key_, 6)).value());
}

TEST_P(RecordStoreTest, ListHasTheNewestOfEachInTheOrderOfTheBytes) {
  for (const char* const name : {"b", "a", "B", "a/x", "é", "c"}) {
    put(one(), key_ + name, 0, "old");
    put(one(), key_ + name, 1, name);
  }
  put(one(), "zz" + key_, 0, "of another prefix");
  const auto entry = [this](const std::string& name) { return key_ + name + "#2=" + name; };
  EXPECT_EQ(list(one(), key_), entry("B") + ", " + entry("a") + ", " + entry("a/x") + ", " +
                                   entry("b") + ", " + entry("c") + ", " + entry("é"));
  EXPECT_EQ(list(two(), key_, key_ + "a", 2), entry("a/x") + ", " + entry("b"));
  EXPECT_EQ(list(one(), key_ + "a"), entry("a") + ", " + entry("a/x"));
  EXPECT_EQ(list(one(), key_, key_ + "é"), "");
}

TEST_P(RecordStoreTest, TrimForgetsOldVersionsButNeverTheNewest) {
  for (int i = 0; i < 4; ++i) put(one(), key_, i, std::to_string(i + 1));
  EXPECT_TRUE(finish(one().trim(key_, 3)).ok());
  EXPECT_EQ(history(two(), key_), key_ + "#4=4, " + key_ + "#3=3");
  EXPECT_TRUE(finish(one().trim(key_, 100)).ok());
  EXPECT_EQ(history(two(), key_), key_ + "#4=4");
  EXPECT_EQ(put(two(), key_, 4, "5"), "done");
  EXPECT_TRUE(finish(one().trim(key_ + "/none", 3)).ok());
}

TEST_P(RecordStoreTest, RemoveForgetsARecordThatIsAsExpected) {
  put(one(), key_, 0, "1");
  put(one(), key_, 1, "2");
  EXPECT_EQ(remove(two(), key_, 1), "conflict");
  EXPECT_EQ(remove(two(), key_ + "/none", 1), "conflict");
  EXPECT_EQ(remove(two(), key_, 2), "done");
  EXPECT_EQ(history(one(), key_), "");
  EXPECT_EQ(put(one(), key_, 2, "3"), "conflict");
  EXPECT_EQ(put(one(), key_, 0, "new"), "done");
  EXPECT_EQ(history(one(), key_), key_ + "#1=new");
  EXPECT_EQ(remove(one(), key_, 1), "done");
  put(one(), key_, 0, "newer");
  EXPECT_EQ(remove(two(), key_, RecordStore::kNewest), "done");
  EXPECT_EQ(remove(two(), key_, RecordStore::kNewest), "done");
  EXPECT_EQ(history(one(), key_), "");
}

TEST_P(RecordStoreTest, ValuesAreAnyBytes) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  EXPECT_EQ(put(one(), key_, 0, bytes), "done");
  EXPECT_EQ(put(one(), key_, 1, ""), "done");
  EXPECT_EQ(put(one(), key_, 2, std::string(3U << 20U, '\xfe')), "done");
  EXPECT_EQ(finish(two().get(key_, 1)).value()->value, bytes);
  EXPECT_EQ(finish(two().get(key_, 2)).value()->value, "");
  EXPECT_EQ(finish(two().get(key_, 3)).value()->value, std::string(3U << 20U, '\xfe'));
}

TEST_P(RecordStoreTest, WhatIsNoKeyIsRefused) {
  for (const std::string& wrong : {std::string(), std::string(513, 'k')}) {
    EXPECT_TRUE(put(one(), wrong, 0, "x").starts_with("error: a record's key")) << wrong;
  }
  EXPECT_EQ(put(one(), key_ + std::string(512 - key_.size(), '~'), 0, "x"), "done");
  const std::string odd = key_ + std::string("\n\0\xff'; --", 8);
  EXPECT_EQ(put(one(), odd, 0, "x"), "done");
  EXPECT_EQ(history(two(), odd), odd + "#1=x");
  EXPECT_EQ(list(two(), odd), odd + "#1=x");
}

TEST_P(RecordStoreTest, WhoWorksOnOtherKeysIsNotDisturbed) {
  constexpr int kSteps = 30;
  const auto writer = [](RecordStore* store, std::string key) -> Task<int> {
    int conflicts = 0;
    for (int i = 0; i < kSteps; ++i) {
      std::vector<Put> puts;
      puts.push_back({key, i, "value"});
      const Result<bool> put = co_await store->put(std::move(puts));
      check(put.ok(), put.ok() ? "" : put.error().message.c_str());
      if (!put.value()) ++conflicts;
    }
    co_return conflicts;
  };
  Task<int> first = writer(&one(), key_ + "1");
  Task<int> second = writer(&two(), key_ + "2");
  first.start();
  second.start();
  loop_.run_until([&] { return first.done() && second.done(); });
  EXPECT_EQ(first.result() + second.result(), 0);
  EXPECT_EQ(finish(one().get(key_ + "2")).value()->version, kSteps);
}

TEST_P(RecordStoreTest, OfManyWhoAddToOneRecordNobodyIsLost) {
  // Goal: a counter that two add to, each trying again after a conflict, ends at what was added.
  constexpr int kAdded = 25;
  const auto adder = [](RecordStore* store, std::string key) -> Task<int> {
    for (int left = kAdded; left > 0;) {
      Result<std::optional<Record>> newest = co_await store->get(key);
      check(newest.ok(), newest.ok() ? "" : newest.error().message.c_str());
      const std::int64_t version = newest.value() ? newest.value()->version : 0;
      const int so_far = newest.value() ? std::stoi(newest.value()->value) : 0;
      std::vector<Put> puts;
      puts.push_back({key, version, std::to_string(so_far + 1)});
      const Result<bool> put = co_await store->put(std::move(puts));
      check(put.ok(), put.ok() ? "" : put.error().message.c_str());
      if (put.value()) --left;
    }
    co_return 0;
  };
  Task<int> first = adder(&one(), key_);
  Task<int> second = adder(&two(), key_);
  first.start();
  second.start();
  loop_.run_until([&] { return first.done() && second.done(); });
  EXPECT_EQ(finish(one().get(key_)).value()->value, std::to_string(2 * kAdded));
  EXPECT_EQ(finish(one().get(key_)).value()->version, 2 * kAdded);
}

INSTANTIATE_TEST_SUITE_P(Backends, RecordStoreTest,
                         testing::Values(Backend::kMemory, Backend::kSqlite, Backend::kPostgres),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace plumbline::stores
