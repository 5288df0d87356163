// Streams of language models: bytes in, pieces of text out. Beside each, what its two parts take
// alone: the events, and the JSON of each read whole.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "core/json/json.h"
#include "core/model/providers/answer_parser.h"
#include "core/model/providers/dialects.h"
#include "core/wire/lines.h"
#include "core/wire/sse.h"

namespace plumbline::model {
namespace {

constexpr std::size_t kStreamBytes = 8U << 20U;
constexpr std::size_t kSocketBytes = 16U << 10U;  // What a socket gives at once.

// chunk_of writes one piece of text as the provider of `interface` does.
std::string chunk_of(Interface interface, const std::string& word) {
  switch (interface) {
    case Interface::kChatCompletions:
      return R"({"id":"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG","object":"chat.completion.chunk",)"
             R"("created":1741570283,"model":"gpt-5-2025-08-07","service_tier":"default",)"
             R"("system_fingerprint":"fp_fc9f1d7035","choices":[{"index":0,"delta":{"content":")" +
             word + R"("},"logprobs":null,"finish_reason":null}],"usage":null})";
    case Interface::kResponses:
      return R"({"type":"response.output_text.delta","sequence_number":7,)"
             R"("item_id":"msg_67c9fdcf37fc8190ba82116e33fb28c507b8b0ad4e5eb654",)"
             R"("output_index":0,"content_index":0,"delta":")" +
             word + R"(","logprobs":[]})";
    case Interface::kMessages:
      return R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")" +
             word + R"("}})";
    case Interface::kOllama:
      return R"({"model":"qwen3:4b","created_at":"2025-08-04T19:22:45.499127Z",)"
             R"("message":{"role":"assistant","content":")" +
             word + R"("},"done":false})";
  }
  return {};
}

std::string stream_for(Interface interface) {
  static constexpr const char* kWords[] = {" the", " answer", " is", ",", "\\n", " forty", "-two"};
  const bool lines = dialect_of(interface).framing() == Dialect::Framing::kLines;
  std::string bytes;
  for (std::size_t i = 0; bytes.size() < kStreamBytes; ++i) {
    const std::string chunk = chunk_of(interface, kWords[i % std::size(kWords)]);
    if (interface == Interface::kResponses) bytes += "event: response.output_text.delta\n";
    if (interface == Interface::kMessages) bytes += "event: content_block_delta\n";
    bytes += lines ? chunk + "\n" : "data: " + chunk + "\n\n";
  }
  return bytes;
}

struct TextCount final : DeltaReader {
  void on_text(std::string_view piece) override { bytes += piece.size(); }
  void on_tool_call(const ToolCall& /*call*/) override {}
  std::size_t bytes = 0;
};

template <typename Feed>
void for_each_piece(std::string_view bytes, Feed feed) {
  for (std::size_t at = 0; at < bytes.size(); at += kSocketBytes)
    feed(bytes.substr(at, kSocketBytes));
}

void count_stream(benchmark::State& state, const std::string& bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes.size()));
}

// WholeAnswer reads a stream into an answer: what a model of that dialect takes.
void WholeAnswer(benchmark::State& state) {
  const auto interface = static_cast<Interface>(state.range(0));
  const std::string bytes = stream_for(interface);
  const bool lines = dialect_of(interface).framing() == Dialect::Framing::kLines;
  std::size_t text_bytes = 0;
  for (auto unused : state) {
    TextCount count;
    AnswerParser parser(dialect_of(interface), {}, &count, 2 * kStreamBytes);
    parser.on_head(200, {{"Content-Type", lines ? "application/x-ndjson" : "text/event-stream"}});
    for_each_piece(bytes, [&parser](std::string_view piece) { parser.on_body(piece); });
    text_bytes = count.bytes;
  }
  if (text_bytes == 0) state.SkipWithError("no text was read");
  state.SetLabel(std::string(dialect_of(interface).name()));
  count_stream(state, bytes);
}
BENCHMARK(WholeAnswer)->DenseRange(0, 3);

// EventsAlone reads the same events and does nothing with them.
void EventsAlone(benchmark::State& state) {
  const std::string bytes = stream_for(Interface::kChatCompletions);
  for (auto unused : state) {
    wire::SseReader reader;
    std::size_t data_bytes = 0;
    for_each_piece(bytes, [&](std::string_view piece) {
      reader.feed(piece);
      while (const auto event = reader.next()) data_bytes += event->data.size();
    });
    benchmark::DoNotOptimize(data_bytes);
  }
  count_stream(state, bytes);
}
BENCHMARK(EventsAlone);

// JsonAlone reads each chunk into a value: what reading everything in it would take at least.
void JsonAlone(benchmark::State& state) {
  const std::string chunk = chunk_of(static_cast<Interface>(state.range(0)), " answer");
  for (auto unused : state) {
    const Result<Json> json = parse_json(chunk);
    benchmark::DoNotOptimize(json.ok());
  }
  count_stream(state, chunk);
}
BENCHMARK(JsonAlone)->DenseRange(0, 3);

// LibraryAlone is JsonAlone by nlohmann/json itself.
void LibraryAlone(benchmark::State& state) {
  const std::string chunk = chunk_of(static_cast<Interface>(state.range(0)), " answer");
  for (auto unused : state) {
    const auto json = nlohmann::json::parse(chunk, nullptr, false);
    benchmark::DoNotOptimize(json.is_object());
  }
  count_stream(state, chunk);
}
BENCHMARK(LibraryAlone)->DenseRange(0, 3);

}  // namespace
}  // namespace plumbline::model
