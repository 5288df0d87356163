#include "core/base/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline {
namespace {

TEST(Base64Test, FollowsTheExamplesOfTheRfc) {
  EXPECT_EQ(encode_base64(""), "");
  EXPECT_EQ(encode_base64("f"), "Zg==");
  EXPECT_EQ(encode_base64("fo"), "Zm8=");
  EXPECT_EQ(encode_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(decode_base64("Zm9vYg=="), "foob");
}

TEST(Base64Test, RefusesWhatIsNotWholeDigitsAndPadding) {
  for (const char* const text : {"Zg", "Zg=", "Z===", "====", "=Zg=", "Zg==Zg==", " Zg=", "Zg=\n",
                                 "Zm9v\n   ", "    Zm9v", "Zm-v", "Zm_v", "Zm9\xff"}) {
    EXPECT_EQ(decode_base64(text), std::nullopt) << text;
  }
}

TEST(Base64Test, TheOneForUrlsHasNoPaddingAndOtherDigits) {
  EXPECT_EQ(encode_base64url("\xfb\xff\xfe"), "-__-");
  EXPECT_EQ(encode_base64url("f"), "Zg");
  EXPECT_EQ(decode_base64url("Zm8"), "fo");
  for (const char* const text : {"Zg==", "+w", "/w", "Z", "Zm9vY"}) {
    EXPECT_EQ(decode_base64url(text), std::nullopt) << text;
  }
}

RC_GTEST_PROP(Base64PropTest, DecodingGivesBackWhatWasEncodedForUrls, (const std::string& bytes)) {
  RC_ASSERT(decode_base64url(encode_base64url(bytes)) == bytes);
}

RC_GTEST_PROP(Base64PropTest, DecodingGivesBackWhatWasEncoded, (const std::string& bytes)) {
  RC_ASSERT(decode_base64(encode_base64(bytes)) == bytes);
}

}  // namespace
}  // namespace plumbline
