// Any bytes: parsing never crashes, and what decodes is the same after encoding and decoding again.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/json/json.h"
#include "core/rpc/message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plumbline;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Result<rpc::Message, rpc::DecodeError> message = rpc::decode_bytes(text);
  if (!message.ok()) return 0;
  const Json once = rpc::encode(message.value());
  Result<rpc::Message, rpc::DecodeError> again = rpc::decode_bytes(dump_json(once));
  check(again.ok(), "an encoded message decodes");
  check(rpc::encode(std::move(again).value()) == once, "decoding and encoding keep a message");
  return 0;
}
