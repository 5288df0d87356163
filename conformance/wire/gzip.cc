#include "conformance/wire/gzip.h"

#include <algorithm>
#include <cstddef>

#include <zlib.h>

#include "core/base/check.h"
#include "core/base/text.h"

namespace plumbline::conformance {

std::string gzip_of(std::string_view content) {
  constexpr int kGzipWindow = 15 + 16;
  constexpr int kMemory = 8;
  z_stream stream{};
  const int made = deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemory,
                                Z_DEFAULT_STRATEGY);
  check(made == Z_OK, "zlib can compress");
  std::string input(content);  // zlib takes no const.
  std::string bytes(deflateBound(&stream, input.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  check(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib needs no more than it says");
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

bool accepts_gzip(const wire::HttpHeaders& headers) {
  const std::string accepted(headers.get("Accept-Encoding").value_or(""));
  std::string_view rest = accepted;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const std::string_view coding = trimmed(one.substr(0, one.find(';')));
    const std::size_t weight = one.find("q=0");
    const bool refused = weight != std::string_view::npos &&
                         one.find_first_of("123456789", weight) == std::string_view::npos;
    if (coding == "gzip" && !refused) return true;
  }
  return false;
}

}  // namespace plumbline::conformance
