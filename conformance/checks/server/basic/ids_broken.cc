#include <cctype>
#include <charconv>

#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

// change_id gives responses another id, where `change` says which.
template <auto change>
void change_id(Interceptor& interceptor, Json message) {
  if (!message.contains("method") && message.contains("id")) change(message["id"], message);
  interceptor.say(message);
}

void zero_to_null(Json& id, const Json&) {
  if (id == 0) id = nullptr;
}
void empty_to_null(Json& id, const Json&) {
  if (id == "") id = nullptr;
}
void digits_to_number(Json& id, const Json&) {
  if (!id.is_string()) return;
  const auto text = id.get<std::string>();
  std::int64_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong == std::errc() && end == text.data() + text.size()) id = number;
}
void drop_sign(Json& id, const Json&) {
  if (id.is_number_integer() && id < 0) id = -id.get<std::int64_t>();
}
void keep_32_bits(Json& id, const Json&) {
  if (id.is_number_integer()) id = static_cast<std::int32_t>(id.get<std::int64_t>());
}
void to_lower_case(Json& id, const Json&) {
  if (!id.is_string()) return;
  auto text = id.get<std::string>();
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  id = text;
}
void cut(Json& id, const Json&) {
  if (id.is_string()) id = id.get<std::string>().substr(0, 64);
}
void forget_in_errors(Json& id, const Json& message) {
  if (message.contains("error") && id.is_string()) id = nullptr;
}
void text_in_errors(Json& id, const Json& message) {
  if (message.contains("error") && id.is_number()) id = dump_json(id);
}

constexpr std::string_view kMatches = "jsonrpc.response-id-matches";

const Deviation kIdDeviations[] = {
    {.id = "base.split-letters-read",
     .revision = "2025-11-25",
     .what = "decodes each piece of its input by itself",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const std::size_t letters = text.find("plumbline-letters-");
           if (letters != std::string::npos) text.replace(letters + 18, 3, "\ufffd\ufffd");
           interceptor.pass_text(std::move(text));
         }},
    {kMatches, "2025-11-25", Transport::kStdio, "answers ids that are strings with other ones",
     [](Interceptor& interceptor, Json message) {
       if (const auto id = find_string(message, "id")) message["id"] = *id + "x";
       interceptor.say(message);
     }},
    {kMatches, "2025-11-25", Transport::kStdio, "takes the id 0 for none", change_id<zero_to_null>},
    {kMatches, "2026-07-28", Transport::kStdio, "takes the id \"\" for none",
     change_id<empty_to_null>},
    {kMatches, "2025-11-25", Transport::kHttp, "gives back ids of digits as numbers",
     change_id<digits_to_number>},
    {kMatches, "2025-11-25", Transport::kStdio, "drops the sign of ids", change_id<drop_sign>},
    {.id = kMatches,
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "keeps 32 bits of ids",
     .from_server = change_id<keep_32_bits>,
     .also = {"jsonrpc.error-id-matches"}},
    {kMatches, "2025-06-18", Transport::kStdio, "gives back ids in lower case",
     change_id<to_lower_case>},
    {kMatches, "2025-03-26", Transport::kStdio, "keeps 64 characters of ids", change_id<cut>},
    {kMatches, "2025-11-25", Transport::kStdio, "forgets ids in errors",
     change_id<forget_in_errors>},
    {.id = kMatches,
     .revision = "2025-11-25",
     .what = "ends over an id that is a text",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Result<Json> message = parse_json(text);
           const std::string id = message.ok() ? string_or(message.value(), "id", "1") : "1";
           const bool number =
               !id.empty() && id.find_first_not_of("0123456789") == std::string::npos;
           if (!number) return interceptor.stop();
           interceptor.pass_text(std::move(text));
         },
     .also = {"base.split-letters-read", "cancellation.late-response-ignored"},
     .starts_again = true},
    {.id = "jsonrpc.error-id-matches",
     .revision = "2026-07-28",
     .what = "forgets ids in errors",
     .from_server = change_id<forget_in_errors>},
    {.id = "jsonrpc.error-id-matches",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "has large ids in errors as strings",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool large = message.contains("error") && find(message, "id") != nullptr &&
                              message["id"].is_number() && message["id"] > 1'000'000;
           if (large) text_in_errors(message["id"], message);
           interceptor.say(message);
         }},
};

}  // namespace

Deviations id_deviations() { return kIdDeviations; }

}  // namespace plumbline::conformance
