// The byte protocols over 64 KB of payload that arrive in pieces of 64 KB, beside what the same
// bytes cost the simplest code: a copy, a splitting into lines.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>

#include "core/wire/http.h"
#include "core/wire/sse.h"
#include "core/wire/websocket.h"

namespace {

using namespace plumbline;

constexpr std::size_t kPayloadBytes = 64U << 10U;
constexpr std::size_t kPieceBytes = 64U << 10U;

std::string payload() {
  std::string text;
  while (text.size() < kPayloadBytes)
    text += R"({"jsonrpc":"2.0","id":7,"result":{"content":[]}},)";
  text.resize(kPayloadBytes);
  return text;
}

void count_bytes(benchmark::State& state, const std::string& bytes) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}

template <typename Feed>
void in_pieces(const std::string& bytes, Feed feed) {
  for (std::string_view rest = bytes; !rest.empty();) {
    const std::string_view piece = rest.substr(0, std::min(kPieceBytes, rest.size()));
    rest.remove_prefix(piece.size());
    feed(piece);
  }
}

void copy_bytes(benchmark::State& state) {
  const std::string bytes = payload();
  for (auto step : state) {
    std::string copy(bytes);
    benchmark::DoNotOptimize(copy);
  }
  count_bytes(state, bytes);
}
BENCHMARK(copy_bytes);

void http_request(benchmark::State& state) {
  std::string bytes;
  append_request(bytes, wire::HttpRequest{.method = "POST",
                                          .target = "/mcp",
                                          .headers = {{"Host", "127.0.0.1:8080"},
                                                      {"Accept", "application/json"},
                                                      {"Content-Type", "application/json"}},
                                          .body = payload()});
  wire::HttpRequestReader reader;
  for (auto step : state) {
    in_pieces(bytes, [&](std::string_view piece) { reader.feed(piece); });
    std::optional<wire::HttpRequest> request = reader.next();
    benchmark::DoNotOptimize(request);
    if (!request || reader.next()) state.SkipWithError("not one request");
  }
  count_bytes(state, bytes);
}
BENCHMARK(http_request);

void http_request_small(benchmark::State& state) {
  std::string bytes;
  append_request(bytes, wire::HttpRequest{.method = "POST",
                                          .target = "/mcp",
                                          .headers = {{"Host", "127.0.0.1:8080"},
                                                      {"Accept", "application/json"},
                                                      {"Content-Type", "application/json"}},
                                          .body = std::string(100, 'x')});
  wire::HttpRequestReader reader;
  for (auto step : state) {
    reader.feed(bytes);
    std::optional<wire::HttpRequest> request = reader.next();
    benchmark::DoNotOptimize(request);
    if (!request || reader.next()) state.SkipWithError("not one request");
  }
  count_bytes(state, bytes);
}
BENCHMARK(http_request_small);

// The argument is the size of a chunk.
void http_chunked_response(benchmark::State& state) {
  const std::string body = payload();
  std::string bytes;
  wire::append_stream_head(bytes, 200, {{"Content-Type", "text/event-stream"}});
  const auto chunk_bytes = static_cast<std::size_t>(state.range(0));
  for (std::size_t at = 0; at < body.size(); at += chunk_bytes) {
    wire::append_chunk(bytes, std::string_view(body).substr(at, chunk_bytes));
  }
  wire::append_last_chunk(bytes);
  wire::HttpResponseReader reader;
  for (auto step : state) {
    std::size_t got = 0;
    in_pieces(bytes, [&](std::string_view piece) {
      reader.feed(piece);
      while (const auto event = reader.next()) {
        const auto* part = std::get_if<wire::HttpResponseReader::Body>(&*event);
        if (part != nullptr) got += part->bytes.size();
      }
    });
    if (got != body.size()) state.SkipWithError("not the body");
  }
  count_bytes(state, bytes);
}
BENCHMARK(http_chunked_response)->ArgName("chunk")->Arg(100)->Arg(4096)->Arg(65536);

std::string events_of(std::size_t data_bytes) {
  const std::string all = payload();
  std::string bytes;
  for (std::size_t at = 0; at < all.size(); at += data_bytes) {
    wire::SseEvent event;
    event.event = "message";
    event.id = std::to_string(at);
    event.data = all.substr(at, data_bytes);
    wire::append_sse(bytes, event);
  }
  return bytes;
}

// The argument is the size of the data of an event.
void sse_read(benchmark::State& state) {
  const std::string bytes = events_of(static_cast<std::size_t>(state.range(0)));
  wire::SseReader reader;
  for (auto step : state) {
    in_pieces(bytes, [&](std::string_view piece) {
      reader.feed(piece);
      while (const auto event = reader.next()) benchmark::DoNotOptimize(event->data.size());
    });
  }
  count_bytes(state, bytes);
}
BENCHMARK(sse_read)->ArgName("data")->Arg(100)->Arg(4096)->Arg(65536);

// sse_split_lines only finds the lines of the same bytes, one character at a time.
void sse_split_lines(benchmark::State& state) {
  const std::string bytes = events_of(static_cast<std::size_t>(state.range(0)));
  for (auto step : state) {
    std::string line;
    for (const char c : bytes) {
      if (c != '\n' && c != '\r') {
        line += c;
        continue;
      }
      benchmark::DoNotOptimize(line);
      line.clear();
    }
  }
  count_bytes(state, bytes);
}
BENCHMARK(sse_split_lines)->ArgName("data")->Arg(100)->Arg(4096)->Arg(65536);

void sse_write(benchmark::State& state) {
  wire::SseEvent event;
  event.data = payload();
  for (auto step : state) {
    std::string out;
    wire::append_sse(out, event);
    benchmark::DoNotOptimize(out);
  }
  count_bytes(state, event.data);
}
BENCHMARK(sse_write);

// The argument is the size of a message. Masked: a server reads.
void websocket_read(benchmark::State& state) {
  const std::string body = payload();
  std::string bytes;
  const auto message_bytes = static_cast<std::size_t>(state.range(0));
  for (std::size_t at = 0; at < body.size(); at += message_bytes) {
    append_ws_frame(bytes, wire::WebSocketOpcode::kText,
                    std::string_view(body).substr(at, message_bytes),
                    wire::WebSocketMask{0x12, 0x34, 0x56, 0x78});
  }
  wire::WebSocketReader reader(wire::WebSocketRole::kServer);
  for (auto step : state) {
    std::size_t messages = 0;
    in_pieces(bytes, [&](std::string_view piece) {
      reader.feed(piece);
      while (const auto event = reader.next()) ++messages;
    });
    if (messages == 0) state.SkipWithError("no message");
  }
  count_bytes(state, bytes);
}
BENCHMARK(websocket_read)->ArgName("message")->Arg(100)->Arg(4096)->Arg(65536);

}  // namespace
