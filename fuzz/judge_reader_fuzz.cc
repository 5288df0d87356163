// Any JSON, or what any bytes pick the members of, as one message of a server, read by both: by the
// engines (core/rpc) and by the judge, who shares no code with them. Where one takes it and the
// other does not, the difference is one of those that are explained below; any other is a mistake
// of one of the two.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/oracles/oracle.h"
#include "core/base/check.h"
#include "core/json/json.h"
#include "core/rpc/message.h"

namespace {

using namespace plumbline;
using namespace plumbline::conformance;

using Broken = std::set<std::string_view>;

// The rules that say what a message of JSON-RPC is.
constexpr std::string_view kRulesOfAMessage[] = {"jsonrpc.version-is-2.0",
                                                 "jsonrpc.conforms-to-2-0",
                                                 "jsonrpc.request-id-string-or-integer",
                                                 "jsonrpc.request-id-not-null",
                                                 "jsonrpc.response-result-xor-error",
                                                 "jsonrpc.error-object-code-message",
                                                 "jsonrpc.error-code-integer",
                                                 "jsonrpc.params-by-name",
                                                 "jsonrpc.result-is-object",
                                                 "jsonrpc.notification-no-id"};

LogEntry entry_of(Sender sender, Json message) {
  LogEntry entry;
  entry.connection = 1;
  entry.sender = sender;
  entry.message = kept(std::move(message));
  return entry;
}

// broken_by returns the rules that `message` breaks as the answer to a request that had its id.
Broken broken_by(const Json& message) {
  static const Redactor redactor;
  WireLog log(redactor, Instant());
  const Json* const id = find(message, "id");
  if (id != nullptr) {
    log.add(entry_of(Sender::kHarness, {{"jsonrpc", "2.0"}, {"id", *id}, {"method", "ping"}}));
  }
  log.add(entry_of(Sender::kSubject, message));
  const std::string revision(kNewestStateful);
  const Transcript transcript({log, log.entries(), revision}, Side::kServer);
  Broken broken;
  for (const Oracle& oracle : all_oracles()) {
    if (oracle.role != "server" || std::ranges::count(kRulesOfAMessage, oracle.id) == 0) continue;
    if (oracle.judge(transcript).verdict == Verdict::kFail) broken.insert(oracle.id);
  }
  return broken;
}

// mcp_wants_more: JSON-RPC has it, MCP does not.
bool mcp_wants_more(std::string_view rule) {
  return rule == "jsonrpc.params-by-name" || rule == "jsonrpc.result-is-object" ||
         rule == "jsonrpc.notification-no-id";
}

// is_beyond_us: a number that is right and does not fit 64 bits, for which no engine has a place.
bool is_beyond_us(const Json& number) { return number.is_number() && !as_int(number); }

// excuses_engine returns whether the engines may refuse what the judge takes.
bool excuses_engine(const Json& message) {
  const Json* const id = find(message, "id");
  const Json* const error = find(message, "error");
  const Json* const code = error == nullptr ? nullptr : find(*error, "code");
  // The id of an answer is that of its request, whatever that was: of ours it is none.
  if (id != nullptr && !rpc::read_id(*id) && !message.contains("method")) return true;
  return code != nullptr && is_beyond_us(*code);
}

// made_of makes a message of bytes that are no JSON: each picks the value of one member, or none.
Json made_of(std::string_view bytes) {
  struct Member {
    const char* name;
    std::array<std::string_view, 10> values;  // Empty: it is not there.
  };
  static constexpr std::array<Member, 6> kMembers = {{
      {"jsonrpc", {R"("2.0")", R"("2.0")", R"("2.0")", R"("1.0")", "2.0", "null", "", "[]"}},
      {"id", {"1", R"("a")", "null", "1.5", "1.0", "1e30", "-0", "true", "[1]", "{}"}},
      {"method", {"", "", R"("ping")", R"("notifications/x")", R"("")", "7", "null", "[]"}},
      {"params", {"", "{}", "[]", "null", "7", R"({"_meta":{}})", R"({"_meta":7})"}},
      {"result", {"", "", "{}", "null", "true", "[]", R"({"_meta":{}})"}},
      {"error",
       {"", "", R"({"code":1,"message":"m"})", R"({"code":1})", R"({"code":"1","message":"m"})",
        R"({"code":1e30,"message":"m"})", "null", "{}", R"({"code":1,"message":null})", "[]"}},
  }};
  Json message = Json::object();
  for (std::size_t i = 0; i < kMembers.size() && i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (byte >= 240) continue;
    const std::string_view value = kMembers[i].values[byte % kMembers[i].values.size()];
    if (!value.empty()) message[kMembers[i].name] = parse_json(value).value();
  }
  return message;
}

[[noreturn]] void tell_difference(const Json& message, const char* who, std::string_view what) {
  std::fprintf(stderr, "%s refuses %s: %.*s\n", who, dump_json(message).c_str(),
               static_cast<int>(what.size()), what.data());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Result<Json> read = parse_json(bytes);
  if (read.ok() && read.value().is_array()) return 0;  // Batches are of one revision alone.
  const Json message = read.ok() ? std::move(read).value() : made_of(bytes);
  Broken broken = broken_by(message);
  const auto decoded = rpc::decode(message);
  if (decoded.ok()) {
    std::erase_if(broken, mcp_wants_more);
    if (!broken.empty()) tell_difference(message, "the judge", *broken.begin());
  } else if (broken.empty() && !excuses_engine(message)) {
    tell_difference(message, "the engine", decoded.error().what);
  }
  return 0;
}
