// Any bytes, cut anywhere, as requests and as responses: the messages are the same as those of the
// whole, within their limits, and a request that was read is the same after writing and reading.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/check.h"
#include "core/wire/http.h"
#include "core/wire/url.h"
#include "core/wire/websocket_handshake.h"

namespace {

using namespace plumbline;
using namespace plumbline::wire;

constexpr HttpLimits kFuzzLimits{.header_bytes_max = 200, .body_bytes_max = 50};

// Read is what a reader makes of some bytes.
struct Read {
  std::vector<HttpRequest> requests;
  std::vector<std::string> log;
};

template <typename Feed>
void feed_http_pieces(std::string_view text, std::size_t piece, Feed feed) {
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    feed(std::string(text.substr(0, piece)));
  }
}

Read requests_of(std::string_view text, std::size_t piece) {
  HttpRequestReader reader(kFuzzLimits);
  Read read;
  feed_http_pieces(text, piece, [&](const std::string& bytes) {
    reader.feed(bytes);
    while (auto request = reader.next()) {
      check(request->body.size() <= kFuzzLimits.body_bytes_max, "a body is over the limit");
      read.requests.push_back(*std::move(request));
    }
    reader.wants_continue();
  });
  if (reader.problem()) read.log.push_back(std::to_string(reader.problem()->status));
  read.log.emplace_back(reader.idle() ? "idle" : "busy");
  return read;
}

std::vector<std::string> responses_of(std::string_view text, std::size_t piece, bool bodiless) {
  HttpResponseReader reader(kFuzzLimits);
  if (bodiless) reader.expect_no_body();
  std::vector<std::string> log;
  std::string body;
  bool upgraded = false;
  const auto take = [&] {
    while (const auto event = reader.next()) {
      if (const auto* part = std::get_if<HttpResponseReader::Body>(&*event)) {
        check(!part->bytes.empty(), "an empty piece of a body");
        body += part->bytes;
        continue;
      }
      log.push_back(std::exchange(body, {}) + "/" + std::to_string(event->index()));
      const auto* head = std::get_if<HttpResponseReader::Head>(&*event);
      if (head == nullptr) continue;
      upgraded = head->status == 101;
      log.push_back(std::to_string(head->status));
      for (const auto& [name, value] : head->headers.fields()) log.push_back(name + ":" + value);
    }
    if (upgraded) body += reader.drain();
  };
  feed_http_pieces(text, piece, [&](const std::string& bytes) {
    reader.feed(bytes);
    take();
  });
  reader.finish();
  take();
  log.push_back(body);
  return log;
}

bool same_request(const HttpRequest& a, const HttpRequest& b) {
  return a.method == b.method && a.target == b.target && a.headers == b.headers &&
         a.body == b.body && a.keep_alive == b.keep_alive;
}

// check_rewritten holds for what was read: it is well formed, so the writer takes it.
void check_rewritten(HttpRequest request) {
  if (request.headers.count("Host") != 1 || request.headers.count("Connection") != 0) return;
  request.keep_alive = true;
  request.headers.erase("Content-Length");
  request.headers.erase("Transfer-Encoding");
  std::string bytes;
  append_request(bytes, request);
  HttpRequestReader reader;
  reader.feed(bytes);
  std::optional<HttpRequest> again = reader.next();
  check(again.has_value() && reader.idle(), "a request that was written is read");
  again->headers.erase("Content-Length");
  check(same_request(request, *again), "writing and reading keep a request");
}

// check_target: what a URL leads to can stand in a request, and is a URL again.
void check_target(std::string_view target) {
  const Result<Url> url = resolve_url({"http", "a", 80, "/b/c?d"}, target);
  if (!url.ok()) return;
  check(url.value().target.find_first_of(" \r\n#") == std::string::npos, "a target is one word");
  const Result<Url> again = parse_url(url.value().origin() + url.value().target);
  check(again.ok() && again.value() == url.value(), "a resolved URL is a URL");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = 1 + data[0] % 16U;
  const bool bodiless = data[0] >= 128;
  const Read whole = requests_of(text, size);
  const Read cut = requests_of(text, piece);
  check(whole.log == cut.log && whole.requests.size() == cut.requests.size(),
        "where the bytes of requests are cut matters");
  for (std::size_t i = 0; i < whole.requests.size(); ++i) {
    check(same_request(whole.requests[i], cut.requests[i]), "where a request is cut matters");
    check_rewritten(whole.requests[i]);
    check_target(whole.requests[i].target);
    answer_ws_request(whole.requests[i], {"mcp"});
  }
  check(responses_of(text, size, bodiless) == responses_of(text, piece, bodiless),
        "where the bytes of responses are cut matters");
  check_target(text);
  return 0;
}
