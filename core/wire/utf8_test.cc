#include "core/wire/utf8.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/wire/test_support.h"

namespace plumbline::wire {
namespace {

// utf8_of writes a code point in a given number of bytes, whether that is allowed or not.
std::string utf8_of(unsigned code, int bytes) {
  if (bytes == 1) return {static_cast<char>(code)};
  std::string text;
  for (int i = bytes - 1; i > 0; --i, code >>= 6U) {
    text.insert(text.begin(), static_cast<char>(0x80U | (code & 0x3FU)));
  }
  text.insert(text.begin(), static_cast<char>((0xF00U >> static_cast<unsigned>(bytes)) | code));
  return text;
}

TEST(Utf8Test, ExactlyTheShortFormsOfRealCharactersAreUtf8) {
  for (unsigned code = 0; code < 0x120000; code += code < 0x1000 ? 1 : 0x101) {
    const int shortest = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    const bool real = code < 0x110000 && (code < 0xD800 || code > 0xDFFF);
    for (int bytes = shortest; bytes <= 4; ++bytes) {
      const std::string text = utf8_of(code, bytes);
      EXPECT_EQ(is_utf8(text), real && bytes == shortest) << code << " in " << bytes;
      EXPECT_FALSE(is_utf8(text.substr(0, text.size() - 1)) && bytes > 1) << code;
    }
  }
}

TEST(Utf8Test, TheEdgesOfWhatIsAllowed) {
  EXPECT_TRUE(
      is_utf8("\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF\xC2\x80\xE0\xA0\x80\xF0\x90\x80\x80"));
  for (const char* bad : {"\x80", "\xC0\x80", "\xC1\xBF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                          "\xF5\x80\x80\x80", "\xFF", "12345678\x80", "1234567\xC3(8901234"}) {
    EXPECT_FALSE(is_utf8(bad)) << bad;
  }
}

RC_GTEST_PROP(Utf8PropTest, AnySplitGivesTheSameAnswer, ()) {
  const std::string text = any_of_words({"a", "12345678", "\xC3\xA4", "\xE2\x82\xAC",
                                         "\xF0\x9F\x98\x80", "\xF0\x9F", "\x80", "\xE2\x82"});
  Utf8Check check;
  for (const std::string& piece : cut_anywhere(text)) check.feed(piece);
  RC_ASSERT(check.whole() == is_utf8(text));
}

}  // namespace
}  // namespace plumbline::wire
