#include "fakes/proxy/content_encoding.h"

#include <array>
#include <cstddef>
#include <utility>

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

// Brotli without compression (RFC 7932, section 9.2): what is tested is who can read it, and any
// reader of the coding can.
class BrotliEncoder final : public Encoder {
 public:
  std::string push(std::string_view text) override {
    std::string out;
    while (!text.empty()) {
      const std::string_view piece = text.substr(0, kMetaBlockBytesMax);
      text.remove_prefix(piece.size());
      append_header(out, piece.size());
      out += piece;
    }
    return out;
  }

  std::string finish() override {
    constexpr unsigned kLastAndEmpty = 0b11;
    return {static_cast<char>(kLastAndEmpty << window_bits())};
  }

 private:
  static constexpr std::size_t kMetaBlockBytesMax = 65'536;

  // window_bits returns how many bits come first, once: a zero, for a window of 64 KB.
  unsigned window_bits() { return std::exchange(begun_, true) ? 0 : 1; }

  // append_header begins a meta-block of so many bytes as they are. From the lowest bit: it is not
  // the last, its length has four nibbles, which are one less than it, and it is not compressed.
  void append_header(std::string& out, std::size_t bytes) {
    constexpr std::size_t kUncompressed = std::size_t{1} << 19;
    constexpr unsigned kHeaderBytes = 3;
    const std::size_t header = (kUncompressed | (bytes - 1) << 3) << window_bits();
    for (unsigned i = 0; i < kHeaderBytes; ++i) out += static_cast<char>(header >> 8 * i);
  }

  bool begun_ = false;
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
