#include "fakes/proxy/content_encoding.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <brotli/decode.h>
#include <gtest/gtest.h>
#include <zlib.h>

namespace plumbline::fakes {
namespace {

std::string gunzip(std::string bytes) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  std::array<char, 1024> piece;
  int status = Z_OK;
  while (status == Z_OK && (stream.avail_in > 0 || stream.avail_out == 0)) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    status = inflate(&stream, Z_SYNC_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  return out;
}

std::string unbrotli(const std::string& bytes) {
  BrotliDecoderState* const state = BrotliDecoderCreateInstance(nullptr, nullptr, nullptr);
  std::size_t left = bytes.size();
  const auto* next = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::string out;
  BrotliDecoderResult status = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
  // What it wants more input for may still have more to give.
  while (status == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT || BrotliDecoderHasMoreOutput(state)) {
    std::array<std::uint8_t, 1024> piece;
    std::size_t room = piece.size();
    std::uint8_t* at = piece.data();
    status = BrotliDecoderDecompressStream(state, &left, &next, &room, &at, nullptr);
    out.append(reinterpret_cast<const char*>(piece.data()), piece.size() - room);
  }
  BrotliDecoderDestroyInstance(state);
  return out;
}

// is_whole_brotli returns whether `bytes` are a stream of less than 1 KB of text, to its very end.
bool is_whole_brotli(const std::string& bytes) {
  std::array<std::uint8_t, 1024> text;
  std::size_t room = text.size();
  return BrotliDecoderDecompress(bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                 &room, text.data()) == BROTLI_DECODER_RESULT_SUCCESS;
}

// What was pushed can be read at once: a stream of events is no use otherwise.
TEST(ContentEncodingTest, WhatWasPushedCanBeReadAtOnce) {
  for (const ContentCoding coding : {ContentCoding::kGzip, ContentCoding::kBrotli}) {
    const auto decoded = [coding](const std::string& bytes) {
      return coding == ContentCoding::kGzip ? gunzip(bytes) : unbrotli(bytes);
    };
    const std::unique_ptr<Encoder> encoder = make_encoder(coding);
    std::string plain;
    std::string bytes;
    for (const std::string& piece : {std::string("data: 1\n\n"), std::string(),
                                     std::string(200'000, 'x'), std::string("end")}) {
      plain += piece;
      bytes += encoder->push(piece);
      EXPECT_EQ(decoded(bytes), plain) << name_of(coding);
    }
    EXPECT_EQ(decoded(bytes + encoder->finish()), plain) << name_of(coding);
  }
}

TEST(ContentEncodingTest, NothingIsAStreamToo) {
  EXPECT_EQ(gunzip(make_encoder(ContentCoding::kGzip)->finish()), "");
  EXPECT_TRUE(is_whole_brotli(make_encoder(ContentCoding::kBrotli)->finish()));
}

TEST(ContentEncodingTest, GzipCompresses) {
  const std::unique_ptr<Encoder> encoder = make_encoder(ContentCoding::kGzip);
  const std::size_t bytes =
      encoder->push(std::string(100'000, 'x')).size() + encoder->finish().size();
  EXPECT_LT(bytes, 1'000U);
}

}  // namespace
}  // namespace plumbline::fakes
