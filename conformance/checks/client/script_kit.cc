#include "conformance/checks/client/script_kit.h"

#include "core/base/check.h"

namespace plumbline::conformance {

Finding went_on(const Record& record, std::string_view tool, const std::string& oddity) {
  if (record.called(tool) != nullptr) return passes();
  if (record.requests("tools/list").empty()) return never_came(record, "asked for the tools");
  if (!record.exit) return undecided("it did not go on after " + oddity);
  return broken("it did not go on to use a tool after " + oddity + "; " + record.how_it_ended());
}

Finding at_most_risky(Finding finding) {
  if (finding.verdict == Verdict::kFail) finding.verdict = Verdict::kWarn;
  return finding;
}

Json notification(std::string method, Json params) {
  Json message(Json::value_t::object);
  message["jsonrpc"] = "2.0";
  message["method"] = std::move(method);
  if (!params.is_null()) message["params"] = std::move(params);
  return message;
}

Json form_params(std::string message) {
  Json params = json_of(R"json({"requestedSchema": {"type": "object",
      "properties": {"name": {"type": "string", "default": "Ada"}}, "required": ["name"]}})json");
  params["message"] = std::move(message);
  return params;
}

std::string letters(std::size_t length) {
  std::string text(length, 'x');
  return text;
}

Json json_of(std::string_view text) {
  Result<Json> parsed = parse_json(text);
  check(parsed.ok(), "a script of the judge is no JSON");
  return std::move(parsed).value();
}

Finding never_came(const Record& record, const std::string& what) {
  const std::string never = "it never " + what;
  if (!record.falls_short()) return not_for_it(never + ": " + record.how_it_ended());
  return undecided(never +
                   ", and came less far than with an ordinary server: " + record.how_it_ended());
}

}  // namespace plumbline::conformance
