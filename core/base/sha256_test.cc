#include "core/base/sha256.h"

#include <gtest/gtest.h>

namespace plumbline {
namespace {

// FIPS 180-4 examples.
TEST(Sha256Test, MatchesThePublishedDigests) {
  Sha256 hash;
  hash.update("abc");
  EXPECT_EQ(hash.finish_hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash.finish_hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  hash.update("a");
  hash.update("bc");
  EXPECT_EQ(hash.finish_hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace plumbline
