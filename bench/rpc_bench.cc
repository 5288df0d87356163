// The JSON-RPC codec, beside nlohmann's parse and dump of the same bytes.

#include <string>
#include <utility>

#include <benchmark/benchmark.h>

#include "core/json/json.h"
#include "core/rpc/message.h"

namespace {

using namespace plumbline;

std::string request_text() {
  return R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_directory",)"
         R"("arguments":{"path":"/srv/managed"}}})";
}

std::string result_text() {
  Json content = Json::array();
  for (int i = 0; i < 20; ++i) {
    Json item = Json::object();
    item["type"] = "text";
    item["text"] = "line " + std::to_string(i) + " of a listing";
    content.push_back(std::move(item));
  }
  Json message = Json::object();
  message["jsonrpc"] = "2.0";
  message["id"] = 7;
  message["result"]["content"] = std::move(content);
  return dump_json(message);
}

std::string text_of(std::int64_t which) { return which == 0 ? request_text() : result_text(); }

void nlohmann_parse_dump(benchmark::State& state) {
  const std::string text = text_of(state.range(0));
  for (auto step : state) benchmark::DoNotOptimize(nlohmann::json::parse(text).dump());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(nlohmann_parse_dump)->ArgName("result")->Arg(0)->Arg(1);

void codec_decode_encode(benchmark::State& state) {
  const std::string text = text_of(state.range(0));
  for (auto step : state) {
    Result<rpc::Message, rpc::DecodeError> message = rpc::decode_bytes(text);
    std::string out;
    rpc::append_bytes(out, message.value());
    benchmark::DoNotOptimize(out);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(codec_decode_encode)->ArgName("result")->Arg(0)->Arg(1);

}  // namespace
