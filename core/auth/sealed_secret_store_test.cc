#include "core/auth/sealed_secret_store.h"

#include <chrono>
#include <list>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/auth/auth_fixture.h"
#include "fakes/world/sim_file_store.h"
#include "fakes/world/sim_locks.h"

namespace plumbline::auth {
namespace {

constexpr const char* kPath = "/home/me/.local/state/plumbline/secrets";

class SealedSecretStoreTest : public testing::Test, protected AuthWorldFixture {
 protected:
  // Process is one of several that use the file.
  struct Process {
    Process(SealedSecretStoreTest& test, std::string passphrase)
        : locks(test.held),
          store(test.loop, test.files, locks, test.random_bytes(), {kPath, std::move(passphrase)}) {
    }

    fakes::SimLocks locks;
    SealedSecretStore store;
  };

  SealedSecretStore& store(std::string passphrase = "open sesame") {
    return processes.emplace_back(*this, std::move(passphrase)).store;
  }

  fakes::SimFileStore files;
  fakes::SimLocks::Held held;
  std::list<Process> processes;
};

TEST_F(SealedSecretStoreTest, SecretsAreThereForTheNextProcessAndForNobodyElse) {
  SealedSecretStore& first = store();
  ASSERT_TRUE(run(first.set("token a", "planted-secret")).ok());
  ASSERT_TRUE(run(first.set("token b", "another")).ok());
  ASSERT_EQ(files.files().size(), 1U);  // No lock and no half of a file is left.
  const fakes::SimFileStore::File& file = files.files().at(kPath);
  EXPECT_EQ(file.mode, 0600U);
  EXPECT_EQ(file.bytes.find("planted-secret"), std::string::npos);
  EXPECT_EQ(file.bytes.find("token a"), std::string::npos);
  SealedSecretStore& next = store();
  EXPECT_EQ(run(next.get("token a")).value(), "planted-secret");
  EXPECT_EQ(run(next.names()).value(), (std::vector<std::string>{"token a", "token b"}));
  ASSERT_TRUE(run(next.remove("token a")).ok());
  EXPECT_EQ(run(first.get("token a")).value(), std::nullopt);
}

TEST_F(SealedSecretStoreTest, WhatCannotBeOpenedIsLeftAsItIs) {
  SealedSecretStore& right = store();
  ASSERT_TRUE(run(right.set("a", "planted-secret")).ok());
  const std::string before = files.files().at(kPath).bytes;
  SealedSecretStore& wrong = store("guess");
  for (const Status& done : {run(wrong.set("b", "x")), run(wrong.remove("a"))}) {
    ASSERT_FALSE(done.ok());
    EXPECT_NE(done.error().message.find(kPath), std::string::npos);
    EXPECT_NE(done.error().message.find("passphrase"), std::string::npos);
  }
  EXPECT_FALSE(run(wrong.get("a")).ok());
  EXPECT_EQ(files.files().at(kPath).bytes, before);
}

TEST_F(SealedSecretStoreTest, AFileThatOthersMayReadIsRefused) {
  SealedSecretStore& mine = store();
  ASSERT_TRUE(run(mine.set("a", "b")).ok());
  files.files().at(kPath).mode = 0644;
  const auto read = run(mine.get("a"));
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("0600"), std::string::npos);
}

TEST_F(SealedSecretStoreTest, OneClaimsANameAndAProcessThatDiedNothing) {
  SealedSecretStore& dying = store();
  const Duration time = std::chrono::seconds(30);
  ASSERT_TRUE(run(dying.claim("x", time)).value());
  EXPECT_FALSE(run(dying.claim("x", time)).value()) << "another task of its own";
  SealedSecretStore& next = store();
  EXPECT_FALSE(run(next.claim("x", time)).value());
  EXPECT_TRUE(run(next.claim("y", time)).value());
  wait(std::chrono::hours(1));
  clock.jump(-std::chrono::hours(1));
  EXPECT_FALSE(run(next.claim("x", time)).value()) << "its owner is slow, and has not died";
  processes.pop_front();
  EXPECT_TRUE(run(next.claim("x", time)).value());
  ASSERT_TRUE(run(next.release("x")).ok());
  EXPECT_TRUE(run(next.claim("x", time)).value());
}

// Goal: no change is lost, whoever dies. Method: the process before died while it changed them; its
// lock file of former times lies there.
TEST_F(SealedSecretStoreTest, WhatIsLeftOfAProcessThatDiedHoldsNobodyUp) {
  ASSERT_TRUE(files.create_file(std::string(kPath) + ".lock", "9999999999999").value());
  SealedSecretStore& mine = store();
  const Instant asked = loop.now();
  ASSERT_TRUE(run(mine.set("a", "b")).ok());
  EXPECT_EQ(loop.now(), asked);
  EXPECT_EQ(run(mine.get("a")).value(), "b");
}

TEST_F(SealedSecretStoreTest, WhoeverChangesItWaitsForWhoDoes) {
  fakes::SimLocks other(held);
  ASSERT_TRUE(other.take("secrets").value());
  SealedSecretStore& mine = store();
  const Status held_up = run(mine.set("a", "b"));
  EXPECT_EQ(held_up.error().code, ErrorCode::kDeadlineExceeded);
  other.give_back("secrets");
  EXPECT_TRUE(run(mine.set("a", "b")).ok());
}

struct DiskFailure {
  fakes::StoreFault fault = fakes::StoreFault::kNone;
  std::size_t operation = 0;  // Of those that keeping a secret takes.
};

std::ostream& operator<<(std::ostream& out, const DiskFailure& failure) {
  return out << "operation " << failure.operation;
}

class DiskFailureTest : public testing::TestWithParam<DiskFailure>, protected AuthWorldFixture {};

TEST_P(DiskFailureTest, LeavesTheOldSecretOrTheNew) {
  std::size_t operation = 0;
  bool counts = false;
  fakes::SimFileStore files([&](std::string_view, const std::string&) {
    fakes::StoreTrouble trouble;
    if (counts && operation++ == GetParam().operation) trouble.fault = GetParam().fault;
    return trouble;
  });
  fakes::SimLocks::Held held;
  fakes::SimLocks locks(held);
  SealedSecretStore store(loop, files, locks, random_bytes(), {kPath, "p"});
  ASSERT_TRUE(run(store.set("a", "old")).ok());
  counts = true;
  const Status done = run(store.set("a", "new"));
  counts = false;
  files.crash();
  wait(std::chrono::minutes(1));
  const auto read = run(store.get("a"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(read.value() == "new" || (read.value() == "old" && !done.ok()));
  EXPECT_TRUE(run(store.set("b", "c")).ok());
}

std::vector<DiskFailure> disk_failures() {
  using fakes::StoreFault;
  std::vector<DiskFailure> all;
  for (const StoreFault fault : {StoreFault::kFail, StoreFault::kFailAfter, StoreFault::kTear}) {
    for (std::size_t operation = 0; operation < 9; ++operation) all.push_back({fault, operation});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Each, DiskFailureTest, testing::ValuesIn(disk_failures()));

}  // namespace
}  // namespace plumbline::auth
