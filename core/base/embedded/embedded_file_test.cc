#include "core/base/embedded/embedded_file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace plumbline {
namespace {

// packed returns `text` as cmake/embed.cmake leaves it: gzip without its first ten bytes.
std::string packed(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out.substr(10);
}

TEST(EmbeddedFileTest, FilesComeWithTheirPathsInTheirOrder) {
  const EmbeddedFiles files(
      packed("a/one.tsv\n4\nx\ny\n"
             "a/none\n0\n"
             "b/two.tsv\n3\n2\n\n"));
  ASSERT_EQ(files.all().size(), 3U);
  EXPECT_EQ(files.all()[0].path, "a/one.tsv");
  EXPECT_EQ(files.all()[0].text, "x\ny\n");
  EXPECT_EQ(files.all()[1].text, "");
  EXPECT_EQ(embedded_text(files.all(), "two.tsv"), "2\n\n");
}

TEST(EmbeddedFileDeathTest, WhatIsCutOrNamedWronglyEndsTheProgram) {
  const std::string whole = packed("a\n2\nxy");
  EXPECT_DEATH(EmbeddedFiles(whole.substr(1)), "damaged");
  EXPECT_DEATH(EmbeddedFiles("short"), "cut");
  EXPECT_DEATH(EmbeddedFiles(packed("a\n3\nxy")), "cut");
  const EmbeddedFiles files(whole);
  EXPECT_DEATH(embedded_text(files.all(), "wo.tsv"), "not in the program");
}

}  // namespace
}  // namespace plumbline
