#include "conformance/broken/stdio_middleman.h"

#include <utility>

#include "core/base/rng.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

StdioMiddleman::StdioMiddleman(Loop& loop, net::Pipe& outer, const Deviation* deviation,
                               std::function<void()> exit, Altered* altered)
    : loop_(loop),
      outer_(outer),
      deviation_(deviation),
      altered_(altered),
      exit_(std::move(exit)),
      server_end_(fakes::make_sim_pipe(loop, {}, Rng(3))) {
  outer_.start(judge_side_);
  server_end_.near->start(server_side_);
}

void StdioMiddleman::say_text(std::string text) {
  if (altered_ != nullptr) altered_->said(text);
  outer_.write(std::move(text) + "\n");
}

void StdioMiddleman::work(const std::string& line, const Json& asked,
                          const std::function<void()>& deviate) {
  if (altered_ == nullptr) return deviate();
  altered_->work(line, asked, deviate);
}

Task<void> StdioMiddleman::say_at(Instant when, Json message) {
  co_await Sleep(loop_, when);
  say(message);
}

void StdioMiddleman::pass_text(std::string text) {
  if (altered_ != nullptr) altered_->said(text);
  server_end_.near->write(std::move(text) + "\n");
}

void StdioMiddleman::from_judge(std::string line) {
  Result<Json> message = parse_json(line);
  if (message.ok()) note_request(message.value());
  const Json asked = message.ok() ? message.value() : Json();
  if (altered_ != nullptr) altered_->heard(line, asked);
  if (message.ok() && deviation_ != nullptr && deviation_->from_client_message != nullptr) {
    return work(line, asked,
                [&] { deviation_->from_client_message(*this, std::move(message).value()); });
  }
  if (deviation_ == nullptr || deviation_->from_client == nullptr) {
    server_end_.near->write(std::move(line) + "\n");
    return;
  }
  work(line, asked, [&] { deviation_->from_client(*this, line); });
}

void StdioMiddleman::from_server(std::string line) {
  Result<Json> message = parse_json(line);
  if (message.ok() && altered_ != nullptr) altered_->answered(message.value());
  if (!message.ok() && deviation_ != nullptr && deviation_->unreadable != nullptr) {
    return work(line, Json(), [&] { deviation_->unreadable(*this, line); });
  }
  if (deviation_ == nullptr || deviation_->from_server == nullptr || !message.ok()) {
    outer_.write(std::move(line) + "\n");
    return;
  }
  const Json request = asked(message.value());
  work(line, request, [&] { deviation_->from_server(*this, std::move(message).value()); });
}

void StdioMiddleman::Side::on_bytes(std::string_view bytes) {
  const std::size_t end = bytes.find("\r\n");
  const bool strange = owner_.deviation_ != nullptr && owner_.deviation_->reads_lf_alone;
  if (strange && from_judge_ && end != bytes.npos) {
    if (owner_.altered_ != nullptr) owner_.altered_->keep(std::string(bytes.substr(0, end)));
    return owner_.stop();
  }
  lines_.feed(bytes);
  while (const std::optional<wire::Line> line = lines_.next()) {
    if (from_judge_) {
      owner_.from_judge(std::string(line->bytes));
    } else {
      owner_.from_server(std::string(line->bytes));
    }
  }
}

void StdioMiddleman::Side::on_end(const Error*) {
  if (from_judge_) {
    if (owner_.deviation_ != nullptr && owner_.deviation_->deaf) return;
    owner_.server_end_.near->close_write();
  } else {
    owner_.outer_.close_write();
  }
}

}  // namespace plumbline::conformance
