#include "fakes/proxy/content_encoding.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include <brotli/encode.h>
#include <zlib.h>

#include "core/base/check.h"

namespace plumbline::fakes {

namespace {

constexpr std::size_t kPieceBytes = 4'096;

class GzipEncoder final : public Encoder {
 public:
  GzipEncoder() {
    constexpr int kGzipWindow = 15 + 16;
    constexpr int kMemory = 8;
    const int made = deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemory,
                                  Z_DEFAULT_STRATEGY);
    check(made == Z_OK, "zlib can compress");
  }
  GzipEncoder(const GzipEncoder&) = delete;
  GzipEncoder& operator=(const GzipEncoder&) = delete;
  ~GzipEncoder() override { deflateEnd(&stream_); }

  std::string push(std::string_view text) override { return run(text, Z_SYNC_FLUSH); }
  std::string finish() override { return run("", Z_FINISH); }

 private:
  std::string run(std::string_view text, int flush) {
    std::string input(text);  // zlib takes no const.
    stream_.next_in = reinterpret_cast<Bytef*>(input.data());
    stream_.avail_in = static_cast<uInt>(input.size());
    std::string out;
    std::array<char, kPieceBytes> piece;
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream_.avail_out = static_cast<uInt>(piece.size());
      deflate(&stream_, flush);
      out.append(piece.data(), piece.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
    return out;
  }

  z_stream stream_{};
};

class BrotliEncoder final : public Encoder {
 public:
  BrotliEncoder() : state_(BrotliEncoderCreateInstance(nullptr, nullptr, nullptr)) {
    constexpr std::uint32_t kQuality = 1;      // The fastest that compresses: worlds are many,
    constexpr std::uint32_t kWindowBits = 16;  // and their bodies small.
    check(state_ != nullptr, "brotli can compress");
    BrotliEncoderSetParameter(state_, BROTLI_PARAM_QUALITY, kQuality);
    BrotliEncoderSetParameter(state_, BROTLI_PARAM_LGWIN, kWindowBits);
  }
  BrotliEncoder(const BrotliEncoder&) = delete;
  BrotliEncoder& operator=(const BrotliEncoder&) = delete;
  ~BrotliEncoder() override { BrotliEncoderDestroyInstance(state_); }

  std::string push(std::string_view text) override { return run(text, BROTLI_OPERATION_FLUSH); }
  std::string finish() override { return run("", BROTLI_OPERATION_FINISH); }

 private:
  std::string run(std::string_view text, BrotliEncoderOperation operation) {
    std::size_t left = text.size();
    const auto* next = reinterpret_cast<const std::uint8_t*>(text.data());
    std::string out;
    std::size_t made = 0;
    do {                     // Until there is nothing more: a flush takes a call of its own.
      std::size_t room = 0;  // None of ours: it is taken from the encoder below.
      const BROTLI_BOOL done =
          BrotliEncoderCompressStream(state_, operation, &left, &next, &room, nullptr, nullptr);
      check(done == BROTLI_TRUE, "brotli can compress");
      made = 0;
      const std::uint8_t* const bytes = BrotliEncoderTakeOutput(state_, &made);
      out.append(reinterpret_cast<const char*>(bytes), made);
    } while (left > 0 || made > 0);
    return out;
  }

  BrotliEncoderState* state_;
};

}  // namespace

std::string_view name_of(ContentCoding coding) {
  return coding == ContentCoding::kGzip ? "gzip" : "br";
}

std::unique_ptr<Encoder> make_encoder(ContentCoding coding) {
  if (coding == ContentCoding::kGzip) return std::make_unique<GzipEncoder>();
  return std::make_unique<BrotliEncoder>();
}

}  // namespace plumbline::fakes
