// Secrets in every form that there is, through everything that records: none is left, whichever way
// they came and wherever they were cut.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/events/redacting_sink.h"
#include "core/json/planted_fixture.h"
#include "scenarios/record/import.h"
#include "scenarios/record/masker.h"
#include "scenarios/record/recorder.h"
#include "scenarios/record/web_recorder.h"

namespace plumbline::scenarios {
namespace {

constexpr Duration kRecordedAt{1'000};

// Tape is a recorder and what it has written.
struct Tape {
  std::string text;
  Masker masker{{}, {}};
  Recorder recorder{masker, [this](const std::string& line) {
                      text += line;
                      return Done();
                    }};
};

Json call_of(const PlantedForm& form) {
  Json arguments = Json::object();
  if (form.is_text) arguments["note"] = form.whole();
  if (form.is_json) arguments["given"] = parse_json(form.text).value();
  return {{"jsonrpc", "2.0"},
          {"id", 1},
          {"method", "tools/call"},
          {"params", {{"name", "t"}, {"arguments", std::move(arguments)}}}};
}

// in_pieces hands `text` out in two pieces, cut in the middle of the secret.
void in_pieces(const PlantedForm& form, const std::string& text,
               const std::function<void(std::string_view)>& take) {
  const std::size_t at = text.find(form.secret.substr(0, 4));
  const std::size_t cut = at == text.npos ? text.size() / 2 : at + 5;
  take(std::string_view(text).substr(0, cut));
  take(std::string_view(text).substr(cut));
}

std::string over_stdio(const PlantedForm& form) {
  Tape tape;
  in_pieces(form, dump_json(call_of(form)) + "\n", [&](std::string_view piece) {
    tape.recorder.bytes(Side::kServer, piece, kRecordedAt);
  });
  return tape.text;
}

// is_of_lines: what has the end of a key and not its beginning cannot be told, line by line.
bool is_of_lines(const PlantedForm& form) {
  return form.is_text && (form.text.find("-----END ") == std::string::npos ||
                          form.text.find("-----BEGIN ") != std::string::npos);
}

std::string on_stderr(const PlantedForm& form) {
  Tape tape;
  if (!is_of_lines(form)) return "";
  in_pieces(form, form.whole() + "\n",
            [&](std::string_view piece) { tape.recorder.stderr_bytes(piece, kRecordedAt); });
  return tape.text;
}

std::string as_no_message(const PlantedForm& form) {
  Tape tape;
  const std::string before = parse_json(form.whole()).ok() ? "oops " : "";
  if (is_of_lines(form))
    tape.recorder.bytes(Side::kClient, before + form.whole() + "\n", kRecordedAt);
  return tape.text;
}

wire::HttpRequest request_of(const PlantedForm& form) {
  wire::HttpRequest request;
  request.method = "POST";
  request.target = "/mcp?api_key=" + form.secret + "&sig=" + form.secret;
  request.headers.set("Authorization", "token " + form.secret);
  request.headers.set("X-Key", form.secret);
  request.headers.set("Cookie", "sid=" + form.secret);
  request.body = dump_json(call_of(form));
  return request;
}

std::string over_http(const PlantedForm& form) {
  Tape tape;
  WebRecorder web(tape.recorder);
  const std::int64_t exchange = web.request(request_of(form), kRecordedAt);
  web.status(exchange, 302, {{"Location", "https://h.example/?code=" + form.secret}}, kRecordedAt);
  web.said(exchange, Side::kClient, dump_json(call_of(form)), kRecordedAt, "message", "1");
  if (form.is_text) web.said(exchange, Side::kServer, form.whole(), kRecordedAt);
  web.end(exchange, "", kRecordedAt);
  return tape.text;
}

std::string imported(const PlantedForm& form) {
  Tape tape;
  const std::string body = dump_json(call_of(form));
  const Json header = {{"name", "Authorization"}, {"value", "Digest " + form.secret}};
  Json entry = {{"startedDateTime", "2026-07-28T09:30:00Z"}, {"time", 5}};
  entry["request"] = {{"method", "POST"},
                      {"url", "https://h.example/mcp?token=" + form.secret},
                      {"headers", Json::array({header})},
                      {"postData", {{"text", body}}}};
  entry["response"] = {{"status", 200},
                       {"headers", Json::array()},
                       {"content", {{"mimeType", "application/json"}, {"text", body}}}};
  const Json archive = {{"log", {{"entries", Json::array({entry})}}}};
  const Result<std::size_t> taken = import_har(archive, tape.recorder);
  EXPECT_TRUE(taken.ok() || form.text.find("[redacted]") != form.text.npos) << form.text;
  return tape.text;
}

std::string traced(const PlantedForm& form) {
  struct TracedTo final : EventSink {
    void on_event(const TraceEvent& event) override {
      text += std::string(event.who) + dump_json(event.detail);
    }
    std::string text;
  } told;
  const Redactor redactor;
  RedactingSink sink(redactor, told);
  const Json detail = call_of(form);
  sink.on_event(TraceEvent{Instant(), EventKind::kMessageSent, "server", detail});
  return told.text;
}

TEST(PlantedSecretsTest, NoRecordingAndNoTraceHasOne) {
  const std::vector<std::pair<const char*, std::string (*)(const PlantedForm&)>> ways = {
      {"recording, stdio", over_stdio},      {"recording, stderr", on_stderr},
      {"recording, no JSON", as_no_message}, {"recording, HTTP", over_http},
      {"recording, imported", imported},     {"trace", traced}};
  for (const auto& [name, way] : ways) {
    int planted = 0;
    int found = 0;
    for (const PlantedForm& form : planted_forms()) {
      ++planted;
      const std::string text = way(form);
      if (is_hidden(form, text)) continue;
      ++found;
      ADD_FAILURE() << name << ": " << text;
    }
    EXPECT_GE(planted, 120);
    GTEST_LOG_(INFO) << name << ": " << planted << " planted, " << found << " found";
  }
}

// A key that goes over lines, of which each is a line of the recording.
TEST(PlantedSecretsTest, AKeyOfManyLinesOnStderrIsHidden) {
  Tape tape;
  tape.recorder.stderr_bytes(
      "-----BEGIN PRIVATE KEY-----\npl4ntedFirst\npl4ntedSecond\n-----END PRIVATE KEY-----\n"
      "up\n",
      kRecordedAt);
  EXPECT_EQ(tape.text.find("pl4nted"), std::string::npos) << tape.text;
  EXPECT_NE(tape.text.find("\"up\""), std::string::npos) << tape.text;
}

// A stream that ends in the middle of a line, and of a secret.
TEST(PlantedSecretsTest, WhatIsLeftOfALineThatHasNoEndIsHidden) {
  Tape tape;
  tape.recorder.bytes(Side::kClient, R"({"id":1,"result":{"password":"pl4nt)", kRecordedAt);
  tape.recorder.end(Side::kClient, kRecordedAt);
  tape.recorder.stderr_bytes("it is ghp_pl4nt", kRecordedAt);
  tape.recorder.stderr_end(kRecordedAt);
  EXPECT_EQ(tape.text.find("pl4nt"), std::string::npos) << tape.text;
}

}  // namespace
}  // namespace plumbline::scenarios
