#include "core/base/embedded/embedded_file.h"

#include <zlib.h>

#include <charconv>
#include <cstdint>

#include "core/base/check.h"

namespace plumbline {

namespace {

constexpr std::size_t kTrailerBytes = 8;

std::uint32_t length_at_the_end(std::string_view packed) {
  std::uint32_t length = 0;
  for (std::size_t i = 1; i <= sizeof length; ++i) {
    length = length << 8 | static_cast<unsigned char>(packed[packed.size() - i]);
  }
  return length;
}

std::string inflated(std::string_view packed) {
  check(packed.size() > kTrailerBytes, "embedded files are cut");
  std::string text(length_at_the_end(packed), '\0');
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size() - kTrailerBytes);
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  check(inflateInit2(&stream, -MAX_WBITS) == Z_OK, "zlib cannot be started");
  const int outcome = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  check(outcome == Z_STREAM_END && stream.avail_out == 0, "embedded files are damaged");
  return text;
}

// take_line returns what stands in `text` before the end of its line, and takes both away.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  check(end != std::string_view::npos, "embedded files without a line's end");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

}  // namespace

EmbeddedFiles::EmbeddedFiles(std::string_view packed) : text_(inflated(packed)) {
  std::string_view rest = text_;
  while (!rest.empty()) {
    EmbeddedFile& file = files_.emplace_back();
    file.path = take_line(rest);
    const std::string_view number = take_line(rest);
    std::size_t bytes = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), bytes);
    check(read.ec == std::errc() && bytes <= rest.size(), "an embedded file is cut");
    file.text = rest.substr(0, bytes);
    rest.remove_prefix(bytes);
  }
}

std::string_view embedded_text(std::span<const EmbeddedFile> files, std::string_view name) {
  for (const EmbeddedFile& file : files) {
    const std::size_t folder = file.path.rfind('/') + 1;
    if (file.path.substr(folder) == name) return file.text;
  }
  check(false, "a file that is not in the program");
  return {};
}

}  // namespace plumbline
