// Any bytes as the documents of OAuth: metadata of both kinds, keys, the answer of a token
// endpoint. Reading never crashes, and a document that is no object is refused.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/auth/crypto/verifying_key.h"
#include "core/auth/steps/metadata.h"
#include "core/base/check.h"
#include "core/json/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plumbline;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)auth::VerifyingKey::read_pem(text);
  const Result<Json> document = auth::read_document(text);
  if (!document.ok()) return 0;
  check(document.value().is_object(), "a document is an object");
  (void)auth::read_resource_metadata(document.value());
  (void)auth::read_server_metadata(document.value());
  (void)auth::read_key_set(document.value());
  (void)auth::VerifyingKey::read(document.value());
  return 0;
}
