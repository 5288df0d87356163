#include "conformance/fuzz/fuzz_case.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/base64.h"

namespace plumbline::conformance {

namespace {

constexpr int kVersion = 1;

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

Error wrong(std::string what) { return {ErrorCode::kInvalidInput, std::move(what)}; }

}  // namespace

std::string spelled(const FuzzCase& session) {
  std::string text;
  for (const FuzzStep& step : session.steps) {
    const char how = static_cast<char>('0' + (step.cut ? 1 : 0) + (step.other ? 2 : 0));
    text += std::to_string(step.text.size()) + how + step.text;
  }
  return text + "\n";
}

Json file_of(const FuzzCase& session, std::string_view about) {
  Json file = Json::object();
  file["plumbline_fuzz"] = kVersion;
  file["shows"] = about;
  Json& steps = file["steps"] = Json::array();
  for (const FuzzStep& step : session.steps) {
    Json one = Json::object();
    if (is_ascii(step.text)) {
      one["send"] = step.text;
    } else {
      one["send_base64"] = encode_base64(step.text);
    }
    if (!step.method.empty()) one["method"] = step.method;
    if (!step.twist.empty()) one["twist"] = step.twist;
    if (!step.id.is_null()) one["id"] = step.id;
    if (step.cut) one["cut"] = true;
    if (step.other) one["other"] = true;
    if (step.apart) one["apart"] = true;
    steps.push_back(std::move(one));
  }
  return file;
}

Result<FuzzCase> read_case(const Json& file) {
  if (int_or(file, "plumbline_fuzz", 0) != kVersion) {
    return wrong("expected a file of `fuzz server`, with \"plumbline_fuzz\": 1");
  }
  const Json* const steps = find(file, "steps");
  if (steps == nullptr || !steps->is_array() || steps->empty()) {
    return wrong("expected \"steps\", an array of what is sent");
  }
  FuzzCase session;
  for (const Json& one : *steps) {
    FuzzStep step;
    const std::string number = std::to_string(session.steps.size() + 1);
    if (const auto text = find_string(one, "send")) {
      step.text = *text;
    } else if (const auto coded = find_string(one, "send_base64")) {
      std::optional<std::string> bytes = decode_base64(*coded);
      if (!bytes) return wrong("step " + number + ": \"send_base64\" is no base64");
      step.text = *std::move(bytes);
    } else {
      return wrong("step " + number + ": expected \"send\" or \"send_base64\"");
    }
    step.method = string_or(one, "method", "");
    step.twist = string_or(one, "twist", "");
    if (const Json* const id = find(one, "id")) step.id = *id;
    step.cut = bool_or(one, "cut", false);
    step.other = bool_or(one, "other", false);
    step.apart = bool_or(one, "apart", false);
    session.steps.push_back(std::move(step));
  }
  return session;
}

std::size_t bytes_of(const FuzzCase& session) {
  std::size_t bytes = 0;
  for (const FuzzStep& step : session.steps) bytes += step.text.size();
  return bytes;
}

}  // namespace plumbline::conformance
