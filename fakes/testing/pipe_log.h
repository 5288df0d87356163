// PipeLog is a PipeReader for tests: it keeps what it reads and checks the promises of Pipe.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/net/pipe.h"

namespace plumbline::fakes {

struct PipeLog final : net::PipeReader {
  void on_bytes(std::string_view bytes) override {
    check(!ended, "bytes after the end");
    check(!bytes.empty(), "on_bytes without bytes");
    text += bytes;
    pieces.emplace_back(bytes);
  }
  void on_end(const Error* why) override {
    check(!ended, "a second end");
    ended = true;
    if (why != nullptr) error = *why;
  }

  std::string text;
  std::vector<std::string> pieces;
  bool ended = false;
  std::optional<Error> error;
};

}  // namespace plumbline::fakes
