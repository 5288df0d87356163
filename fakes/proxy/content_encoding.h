// Bodies of HTTP in a coding, as servers and proxies send them: gzip compresses, br only frames.

#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace plumbline::fakes {

enum class ContentCoding { kGzip, kBrotli };

// name_of returns what Content-Encoding says: "gzip" or "br".
std::string_view name_of(ContentCoding coding);

// Encoder puts one body into its coding.
class Encoder {
 public:
  virtual ~Encoder() = default;

  // push returns the bytes that stand for `text`: whoever has them can read all of it. finish
  // returns the end of the body, once.
  virtual std::string push(std::string_view text) = 0;
  virtual std::string finish() = 0;
};

std::unique_ptr<Encoder> make_encoder(ContentCoding coding);

}  // namespace plumbline::fakes
