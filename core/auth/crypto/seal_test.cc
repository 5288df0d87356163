#include "core/auth/crypto/seal.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::auth {
namespace {

const std::string kSalt(Seal::kSaltBytes, 's');
const std::string kNonce(Seal::kNonceBytes, 'n');

TEST(SealTest, OnlyWhoKnowsThePassphraseReads) {
  const Seal seal("open sesame", kSalt);
  const std::string closed = seal.close("token", kNonce, "label");
  EXPECT_EQ(closed.find("token"), std::string::npos);
  EXPECT_EQ(seal.open(closed, kNonce, "label"), "token");
  EXPECT_EQ(Seal("open sesame", kSalt).open(closed, kNonce, "label"), "token");
  EXPECT_EQ(Seal("open Sesame", kSalt).open(closed, kNonce, "label"), std::nullopt);
  EXPECT_EQ(Seal("open sesame", std::string(16, 't')).open(closed, kNonce, "label"), std::nullopt);
  EXPECT_EQ(seal.open(closed, std::string(12, 'm'), "label"), std::nullopt);
  EXPECT_EQ(seal.open(closed, kNonce, "another"), std::nullopt);
}

RC_GTEST_PROP(SealPropTest, AnyChangedByteIsSeen, (const std::string& plain)) {
  static const Seal seal("x", kSalt);
  std::string closed = seal.close(plain, kNonce, "");
  RC_ASSERT(seal.open(closed, kNonce, "") == plain);
  const std::size_t at = *rc::gen::inRange<std::size_t>(0, closed.size());
  closed[at] = static_cast<char>(closed[at] ^ (1 << *rc::gen::inRange(0, 8)));
  RC_ASSERT(seal.open(closed, kNonce, "") == std::nullopt);
  RC_ASSERT(seal.open(closed.substr(0, at), kNonce, "") == std::nullopt);
}

}  // namespace
}  // namespace plumbline::auth
