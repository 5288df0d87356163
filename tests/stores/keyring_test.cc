// SecretServiceStore on a keyring of its own; with_keyring.sh makes it.

#include "core/os/optional/secret_service.h"

#include <optional>

#include <gtest/gtest.h>

#include "core/auth/memory_secret_store.h"
#include "core/os/child/environment.h"
#include "core/os/real_loop.h"

namespace plumbline::stores {
namespace {

using Names = std::vector<std::string>;

class KeyringTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!os::environment_variable("PLUMBLINE_TEST_KEYRING")) {
      GTEST_SKIP() << "PLUMBLINE_TEST_KEYRING is not set: there is no keyring";
    }
    Result<std::unique_ptr<os::SecretServiceStore>> opened = os::SecretServiceStore::open(claims_);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    store_ = std::move(opened).value();
    for (const std::string& name : names()) forget(name);
  }

  template <typename T>
  T finish(Task<T> task) {
    std::optional<T> result = os::run(loop_, std::move(task));
    check(result.has_value(), "the task came to no end");
    return *std::move(result);
  }

  Names names() { return finish(store_->names()).value(); }
  std::optional<std::string> secret(const std::string& name) {
    return finish(store_->get(name)).value();
  }
  void keep(const std::string& name, const std::string& secret) {
    const Status status = finish(store_->set(name, secret));
    EXPECT_TRUE(status.ok()) << status.error().message;
  }
  void forget(const std::string& name) { EXPECT_TRUE(finish(store_->remove(name)).ok()); }

  os::RealLoop loop_;
  auth::MemorySecretStore claims_;
  std::unique_ptr<os::SecretServiceStore> store_;
};

TEST_F(KeyringTest, KeepsReplacesNamesAndForgets) {
  EXPECT_EQ(secret("token b"), std::nullopt);
  keep("token b", "first");
  keep("token a", "other \xc3\xa9 {\"json\": 1}");
  keep("token b", "second");
  EXPECT_EQ(secret("token b"), "second");
  EXPECT_EQ(secret("token a"), "other \xc3\xa9 {\"json\": 1}");
  EXPECT_EQ(names(), (Names{"token a", "token b"}));
  forget("token b");
  forget("token b");
  EXPECT_EQ(secret("token b"), std::nullopt);
  EXPECT_EQ(names(), Names{"token a"});
}

TEST_F(KeyringTest, IsThereForTheNextProcess) {
  keep("token", "kept");
  store_ = os::SecretServiceStore::open(claims_).value();
  EXPECT_EQ(secret("token"), "kept");
}

TEST_F(KeyringTest, ClaimsAreMadeWhereItWasTold) {
  EXPECT_TRUE(finish(store_->claim("refresh", std::chrono::hours(1))).value());
  EXPECT_FALSE(finish(store_->claim("refresh", std::chrono::hours(1))).value());
  EXPECT_FALSE(finish(claims_.claim("refresh", std::chrono::hours(1))).value());
  EXPECT_TRUE(finish(store_->release("refresh")).ok());
  EXPECT_TRUE(finish(claims_.claim("refresh", std::chrono::hours(1))).value());
}

}  // namespace
}  // namespace plumbline::stores
