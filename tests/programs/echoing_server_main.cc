// A hostile server for tests: whatever it is given, by arguments, environment, URL or headers, it
// says again wherever it can: in results, errors, names of members, on stderr, plainly, escaped, in
// base64, and behind ever longer texts, so that some of it is cut.
//
//     echoing_server [WORDS...]                 over standard input and output
//     echoing_server --http-server [WORDS...]   over HTTP; prints its URL
//
// It speaks of nothing but words with "planted" in them, and ends after two minutes.

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/base/base64.h"
#include "core/json/json.h"
#include "core/os/net/real_network.h"
#include "core/os/real_loop.h"

namespace plumbline {
namespace {

std::string& heard() {
  static std::string words;
  return words;
}

void hear(const std::string& text) {
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    if (word.find("planted") == std::string::npos || heard().find(word) != std::string::npos)
      continue;
    heard() += " " + word + " " + encode_base64(word.substr(word.find("planted")));
  }
}

// everything returns what was heard behind a text of another length each time.
std::string everything() {
  static std::size_t calls = 0;
  return std::string(calls++ % 200, 'x') + heard() + " \"quoted" + heard() + "\"";
}

Json tool() {
  Json one = Json::object();
  one["name"] = everything();
  one["description"] = everything();
  one["inputSchema"] = {{"type", "object"}, {everything(), everything()}};
  one["annotations"] = {{"readOnlyHint", true}, {"title", everything()}};
  return one;
}

Json result_of(const std::string& method, const Json& message) {
  Json result = Json::object();
  if (method == "initialize") {
    const Json* const params = find(message, "params");
    result["protocolVersion"] = params ? string_or(*params, "protocolVersion", "") : "";
    result["capabilities"] = {{"tools", {{everything(), true}}}, {"logging", Json::object()}};
    result["serverInfo"] = {{"name", everything()}, {"version", everything()}};
    result["instructions"] = everything();
  } else if (method == "tools/list") {
    result["tools"] = Json::array({tool(), tool()});
    result["tools"][0]["name"] = "plain";
  } else {
    result["content"] = Json::array({{{"type", everything()}, {everything(), heard()}}});
  }
  return result;
}

// answer_to returns a response to one message, or nothing to a notification.
std::string answer_to(const std::string& text) {
  const Result<Json> message = parse_json(text);
  if (!message.ok() || !message.value().is_object()) return everything();
  const Json* const id = find(message.value(), "id");
  if (id == nullptr) return "";
  static int count = 0;
  const std::string method = string_or(message.value(), "method", "");
  Json answer = {{"jsonrpc", "2.0"}, {"id", *id}};
  const bool needed = method == "initialize" || method == "tools/list" || method == "ping";
  if (needed || ++count % 3 == 0) {
    answer["result"] = result_of(method, message.value());
  } else {
    answer["error"] = {{"code", -32601}, {"message", everything()}, {"data", {{heard(), heard()}}}};
    if (count % 3 == 1) answer[everything()] = everything();
  }
  return dump_json(answer);
}

void serve_streams() {
  for (std::string line; std::getline(std::cin, line);) {
    std::cerr << everything() << std::endl;
    const std::string answer = answer_to(line);
    if (!answer.empty()) std::cout << answer << std::endl;
  }
}

std::string reply_to(const std::string& head, const std::string& body) {
  const bool post = head.starts_with("POST ");
  const std::string answer = post ? answer_to(body) : everything();
  const std::string status = !post            ? "405 " + everything()
                             : answer.empty() ? "202 Accepted"
                                              : "200 OK";
  return "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nX-Echo: " + heard() +
         "\r\nContent-Length: " + std::to_string(answer.size()) + "\r\nConnection: close\r\n\r\n" +
         answer;
}

// Connection answers one request, and ends.
class Connection final : public net::PipeReader {
 public:
  explicit Connection(std::unique_ptr<net::Pipe> pipe) : pipe_(std::move(pipe)) {
    pipe_->start(*this);
  }

  void on_bytes(std::string_view bytes) override {
    request_ += bytes;
    const std::size_t end = request_.find("\r\n\r\n");
    if (answered_ || end == std::string::npos) return;
    const std::string head = request_.substr(0, end);
    std::string lower = head;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    const std::size_t length = lower.find("content-length:");
    const std::size_t body =
        length == std::string::npos ? 0 : std::stoul(lower.substr(length + 15));
    if (request_.size() < end + 4 + body) return;
    answered_ = true;
    std::string words = head;
    std::ranges::replace(words, '=', ' ');
    hear(words);
    pipe_->write(reply_to(head, request_.substr(end + 4)));
    pipe_->close_write();
  }

  void on_end(const Error*) override {}

 private:
  std::unique_ptr<net::Pipe> pipe_;
  std::string request_;
  bool answered_ = false;
};

int serve_http() {
  os::RealLoop loop;
  os::RealNetwork network(loop);
  std::vector<std::unique_ptr<Connection>> connections;
  const auto listener = network.listen(
      {"127.0.0.1", 0}, std::nullopt, [&connections](std::unique_ptr<net::Pipe> pipe) {
        connections.push_back(std::make_unique<Connection>(std::move(pipe)));
      });
  if (!listener.ok()) return 1;
  std::cout << "http://127.0.0.1:" << listener.value()->port() << "/mcp" << std::endl;
  loop.run_until([] { return false; });
  return 0;
}

}  // namespace
}  // namespace plumbline

int main(int argc, char** argv) {
  alarm(120);
  for (int i = 1; i < argc; ++i) plumbline::hear(argv[i]);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string text = *entry;
    std::ranges::replace(text, '=', ' ');
    plumbline::hear(text);
  }
  if (argc > 1 && std::string(argv[1]) == "--http-server") return plumbline::serve_http();
  plumbline::serve_streams();
  return 0;
}
