#include "core/mcp/server/sealed_state.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/mcp/protocol/test_values.h"

namespace plumbline::mcp {
namespace {

// RFC 4231, test cases 1, 2 and 6.
TEST(SealedStateTest, TheMacIsHmacSha256) {
  EXPECT_EQ(hmac_sha256(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmac_sha256("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac_sha256(std::string(131, '\xaa'),
                        "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

RC_GTEST_PROP(SealedStateTest, NothingButTheSealedTextIsAccepted, (std::string value)) {
  const Json content = Json(std::string("v") + hmac_sha256("", value));
  const std::string text = seal("secret", content);
  RC_ASSERT(unseal("secret", text) == content);
  RC_ASSERT(!unseal("other", text));
  std::string changed = text;
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      changed[*rc::gen::inRange<std::size_t>(0, text.size())] ^= 1;
      break;
    case 1:
      changed.resize(*rc::gen::inRange<std::size_t>(0, text.size()));
      break;
    default:
      changed += "x";
  }
  RC_ASSERT(!unseal("secret", changed));
}

}  // namespace
}  // namespace plumbline::mcp
