#include "conformance/broken/http_middleman.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/check.h"
#include "core/base/wait.h"
#include "core/wire/sse.h"

namespace plumbline::conformance {

// Relay is one exchange: the judge's request and reply, and the server's.
class HttpMiddleman::Relay final : public net::HttpExchangeReader {
 public:
  Relay(HttpMiddleman& owner, wire::HttpRequest request, net::HttpReply reply)
      : owner_(owner), asked_(std::move(request)), reply_(std::move(reply)) {
    reply_.on_gone([this] {
      if (!owner_.deviation_.works_on) upstream_.reset();
    });
  }

  void begin() {
    Result<Json> message = parse_json(asked_.body);
    if (message.ok()) message_ = std::move(message).value();
    if (owner_.altered_ != nullptr && !asked_.body.empty()) {
      owner_.altered_->heard(asked_.body, message_);
    }
    if (const Json* const id = find(message_, "id")) {
      owner_.posted_[asked_.target + dump_json(*id)] = message_;
    }
    const Deviation& deviation = owner_.deviation_;
    const bool more =
        asked_.headers.count("Origin") > 0 || asked_.headers.count("Last-Event-ID") > 0;
    if (deviation.holds_gets && asked_.method == "GET" && !more) return note_altered("");
    const auto answers = [&](auto&& way) {
      const wire::HttpRequest before = asked_;
      std::optional<wire::HttpResponse> own = way(asked_);
      if (own || before.body != asked_.body || before.headers.fields() != asked_.headers.fields() ||
          before.target != asked_.target) {
        note_altered(own ? own->body : "");
      }
      if (own) reply_.respond(*own);
      return own.has_value();
    };
    const auto keeps = [&](wire::HttpRequest& asked) { return owner_.keeper_->answer(asked); };
    if (owner_.keeper_ != nullptr && answers(keeps)) return;
    if (deviation.request != nullptr && answers(deviation.request)) return;
    if (deviation.from_client_message != nullptr && message_.is_structured()) {
      working(asked_.body, message_, [&] { deviation.from_client_message(owner_, message_); });
    } else if (deviation.from_client == nullptr || asked_.body.empty()) {
      return forward(asked_.body);
    } else {
      working(asked_.body, message_, [&] { deviation.from_client(owner_, asked_.body); });
    }
    if (upstream_ == nullptr && !said_.empty()) answer(200, {});
  }

  void forward(std::string body) {
    wire::HttpRequest request = asked_;
    request.body = std::move(body);
    request.headers.set("Host", owner_.to_.host_header());
    request.headers.erase("Content-Length");
    // What is of the judge's connection ends here.
    const std::string named(request.headers.get("Connection").value_or(""));
    if (!named.empty()) request.headers.erase(named);
    request.headers.erase("Connection");
    request.headers.erase("Proxy-Authorization");
    wire::Url to = owner_.to_;
    to.target = asked_.target;
    if (upstream_ == nullptr) {
      upstream_ = owner_.client_.start(to, std::move(request), *this, kNever);
    } else {
      extra_.push_back(owner_.client_.start(to, std::move(request), unheard_, kNever));
    }
  }

  // note_altered keeps this exchange as one that a deviation has changed, with what came of it.
  void note_altered(const std::string& body) {
    if (owner_.altered_ == nullptr) return;
    owner_.altered_->keep(asked_.body.empty() ? asked_.method + " " + asked_.target : asked_.body);
    if (!body.empty()) owner_.altered_->keep(body);
  }

  void say(std::string text) {
    if (!streaming_) return said_.push_back(std::move(text));
    event_.data = std::move(text);
    if (std::exchange(held_, false)) reply_.open_stream(200, headers_);
    std::string bytes(std::exchange(unended_, false) ? "\n" : "");
    wire::append_sse(bytes, event_);
    unended_ = owner_.deviation_.unended != nullptr && owner_.deviation_.unended(asked_, event_);
    if (unended_) bytes.pop_back();
    if (unended_) note_altered(event_.data);
    reply_.write(bytes);
    event_.id.reset();  // What a deviation adds is no event that could be come back to.
    event_.retry_ms.reset();
  }

  void stop() {
    upstream_.reset();
    reply_ = net::HttpReply();
  }

  const Json& message() const { return message_; }
  const std::string& endpoint() const { return endpoint_; }
  std::string session() const {
    return std::string(asked_.headers.get("Mcp-Session-Id").value_or(""));
  }
  bool listens() const {
    const bool resumes = asked_.headers.count("Last-Event-ID") > 0;
    return streaming_ && asked_.method == "GET" && !resumes && reply_.open();
  }

  // implements transport::HttpExchangeReader ---
  void on_head(int status, const wire::HttpHeaders& headers) override {
    status_ = status;
    headers_ = headers;
    for (const char* const framing : {"Content-Length", "Transfer-Encoding", "Connection"}) {
      headers_.erase(framing);
    }
    lead_back();
    if (owner_.keeper_ != nullptr) owner_.keeper_->answered(asked_, headers_);
    if (owner_.deviation_.response) {
      const wire::HttpHeaders before = headers_;
      owner_.deviation_.response(asked_, status_, headers_);
      if (status_ != status || before.fields() != headers_.fields()) note_altered("");
      untyped_ = before.count("Content-Type") > 0 && headers_.count("Content-Type") == 0;
    }
    joined_ = owner_.deviation_.joins_gets && asked_.method == "GET" && status == 409;
    if (joined_) {
      status_ = 200;
      headers_.set("Content-Type", "text/event-stream");
    }
    const std::string_view type = headers.get("Content-Type").value_or("");
    if (!joined_ && !type.starts_with("text/event-stream")) return;
    streaming_ = true;
    held_ = status_ == 0;  // The head waits for the first event.
    if (!held_) reply_.open_stream(status_, headers_);
    for (std::string& text : said_) say(std::move(text));
    if (owner_.keeper_ != nullptr) owner_.keeper_->streams(asked_);
  }

  void on_body(std::string_view bytes) override {
    if (joined_) return;
    if (!streaming_) {
      body_ += bytes;
      return;
    }
    if (owner_.deviation_.holds_pieces && (!pieces_.empty() || !bytes.ends_with("\n\n"))) {
      note_altered(std::string(bytes));
      pieces_ += bytes;
      return;
    }
    read_events(bytes);
  }

  void read_events(std::string_view bytes) {
    events_.feed(bytes);
    while (std::optional<wire::SseEvent> event = events_.next()) {
      event_ = std::move(*event);
      const auto change = owner_.deviation_.event;
      if (change != nullptr) {
        const wire::SseEvent before = event_;
        const bool kept = change(asked_, event_);
        if (!kept || before.data != event_.data || before.id != event_.id ||
            before.event != event_.event || before.retry_ms != event_.retry_ms) {
          note_altered(event_.data);
        }
        if (!kept) continue;
      }
      std::string data = event_.data;
      if (event_.event == "endpoint") endpoint_ = data;
      if (data.empty()) {
        say("");
      } else {
        from_server(std::move(data));
      }
    }
  }

  void on_end() override {
    if (streaming_ && !joined_) read_events(std::exchange(pieces_, {}));
    if (joined_ || (streaming_ && owner_.deviation_.streams_never_end)) return;
    if (std::exchange(held_, false)) reply_.open_stream(200, headers_);
    if (streaming_) return reply_.end();
    const bool empty = body_.empty();
    if (!empty) from_server(std::move(body_));
    if (!empty && said_.empty()) return;  // Kept back: silence.
    answer(status_, headers_);
  }

  void on_failed(const Error&, bool) override {
    if (streaming_ && owner_.deviation_.streams_never_end) return;
    if (!streaming_ || owner_.deviation_.last_word == nullptr) return stop();
    note_altered(owner_.deviation_.last_word);
    say(owner_.deviation_.last_word);
    reply_.end();
  }

 private:
  // Unheard takes the answers to what was passed on once more.
  struct Unheard final : net::HttpExchangeReader {
    void on_head(int, const wire::HttpHeaders&) override {}
    void on_body(std::string_view) override {}
    void on_end() override {}
    void on_failed(const Error&, bool) override {}
  };

  // lead_back has redirects within the server lead here; others are followed by who does so.
  void lead_back() {
    std::string to(headers_.get("Location").value_or(""));
    if (to.empty()) return;
    const std::string behind = owner_.to_.origin();
    if (to.starts_with(behind + "/")) {
      headers_.set("Location", owner_.url().origin() + to.substr(behind.size()));
    } else if (owner_.deviation_.follows_redirects) {
      Result<wire::Url> away = wire::parse_url(to);
      if (!away.ok()) return;
      wire::HttpRequest again = asked_;
      for (const char* const own : {"Content-Length", "Host"}) again.headers.erase(own);
      extra_.push_back(
          owner_.client_.start(std::move(away).value(), std::move(again), unheard_, kNever));
    }
  }

  // working lets a deviation work on `text`, which answers or is the request `asked`.
  void working(const std::string& text, const Json& asked, const std::function<void()>& work) {
    Relay* const before = std::exchange(owner_.current_, this);
    if (owner_.altered_ == nullptr) {
      work();
    } else {
      owner_.altered_->work(text, asked, work);
    }
    owner_.current_ = before;
  }

  void from_server(std::string text) {
    Result<Json> message = parse_json(text);
    if (owner_.altered_ != nullptr && message.ok()) owner_.altered_->answered(message.value());
    if (owner_.deviation_.from_server == nullptr || !message.ok()) return say(std::move(text));
    working(text, message_,
            [&] { owner_.deviation_.from_server(owner_, std::move(message).value()); });
  }

  // answer gives the judge everything that was said.
  void answer(int status, wire::HttpHeaders headers) {
    if (said_.size() > 1) {
      headers.set("Content-Type", "text/event-stream");
      reply_.open_stream(status, headers);
      streaming_ = true;
      for (std::string& text : std::exchange(said_, {})) say(std::move(text));
      return reply_.end();
    }
    wire::HttpResponse response{status, std::move(headers), said_.empty() ? "" : said_.front()};
    if (!response.body.empty() && response.headers.count("Content-Type") == 0 && !untyped_) {
      response.headers.set("Content-Type", "application/json");
    }
    reply_.respond(response);
  }

  HttpMiddleman& owner_;
  wire::HttpRequest asked_;
  Json message_;
  net::HttpReply reply_;
  std::unique_ptr<net::HttpExchange> upstream_;
  Unheard unheard_;
  std::vector<std::unique_ptr<net::HttpExchange>> extra_;
  int status_ = 200;
  wire::HttpHeaders headers_;
  std::string body_;
  std::string endpoint_;  // HTTP+SSE: where the answers of this stream are asked for.
  bool streaming_ = false;
  bool joined_ = false;   // A GET stream that the server does not know of.
  bool unended_ = false;  // The last event is.
  bool held_ = false;     // The head of the stream was kept back.
  bool untyped_ = false;  // The deviation took its Content-Type away.
  std::string pieces_;    // Of a stream: kept until its end.
  wire::SseReader events_;
  wire::SseEvent event_;
  std::vector<std::string> said_;
};

HttpMiddleman::HttpMiddleman(Loop& loop, net::Network& network, wire::Url to,
                             const Deviation& deviation, std::string upstream, Altered* altered)
    : loop_(loop),
      network_(network),
      to_(std::move(to)),
      deviation_(deviation),
      altered_(altered),
      client_(loop, network) {
  if (deviation.keeper != nullptr) keeper_ = deviation.keeper(behind(std::move(upstream)));
  open();
  listen(0);
}

void HttpMiddleman::tell(const std::string& session, const Json& message) {
  if (altered_ != nullptr) altered_->keep(dump_json(message));
  std::set<std::string> told;
  for (auto relay = relays_.rbegin(); relay != relays_.rend(); ++relay) {
    if (!(*relay)->listens() || (!session.empty() && (*relay)->session() != session)) continue;
    if (told.insert((*relay)->session()).second) (*relay)->say(dump_json(message));
  }
}

void HttpMiddleman::open() {
  net::HttpHandler& handler = *this;
  server_ = std::make_unique<net::HttpServer>(loop_, handler, net::HttpAccess::anybody());
}

void HttpMiddleman::listen(std::uint16_t port) {
  Result<std::unique_ptr<net::Listener>> listener = network_.listen(
      {to_.host, port}, std::nullopt,
      [this](std::unique_ptr<net::Pipe> pipe) { server_->accept(std::move(pipe)); });
  check(listener.ok(), "no place to listen");
  listener_ = std::move(listener).value();
  port_ = listener_->port();
}

HttpMiddleman::~HttpMiddleman() = default;

wire::Url HttpMiddleman::url() const {
  wire::Url url = to_;
  url.port = port_;
  return url;
}

void HttpMiddleman::say_text(std::string text) {
  if (altered_ != nullptr) altered_->said(text);
  current_->say(std::move(text));
}

void HttpMiddleman::pass_text(std::string text) {
  if (altered_ != nullptr) altered_->said(text);
  current_->forward(std::move(text));
}
void HttpMiddleman::stop() { current_->stop(); }

void HttpMiddleman::die() {
  dead_ = true;
  listener_.reset();
  tasks_.spawn(fall());
}

// fall cuts every connection, once nobody is at work on one.
Task<void> HttpMiddleman::fall() {
  co_await Sleep(loop_, loop_.now());
  server_.reset();
  unanswered_.clear();
  for (const std::unique_ptr<Relay>& relay : relays_) relay->stop();
}

Task<void> HttpMiddleman::begin_at(Instant when, Relay* relay) {
  co_await Sleep(loop_, when);
  relay->begin();
}

void HttpMiddleman::say_on_stream(const Json& message) {
  if (altered_ != nullptr) altered_->said(dump_json(message));
  for (auto relay = relays_.rbegin(); relay != relays_.rend(); ++relay) {
    const bool same = current_ == nullptr || (*relay)->session() == current_->session();
    if (same && (*relay)->listens()) return (*relay)->say(dump_json(message));
  }
}

int HttpMiddleman::streams() const {
  return static_cast<int>(std::ranges::count_if(relays_, [this](const auto& relay) {
    const bool same = current_ == nullptr || relay->session() == current_->session();
    return same && relay->listens();
  }));
}

Json HttpMiddleman::asked(const Json& response) const {
  const Json* const id = find(response, "id");
  if (id != nullptr && !current_->endpoint().empty()) {
    const auto found = posted_.find(current_->endpoint() + dump_json(*id));
    return found == posted_.end() ? Json() : found->second;
  }
  const Json* const request = find(current_->message(), "id");
  if (id == nullptr || request == nullptr || find(response, "method") || *id != *request) return {};
  return current_->message();
}

void HttpMiddleman::on_request(wire::HttpRequest request, net::HttpReply reply) {
  if (dead_) return unanswered_.push_back(std::move(reply));
  const bool posts = request.method == "POST";
  const std::string session(request.headers.get("Mcp-Session-Id").value_or(""));
  if (!session.empty() && lives_.emplace(session, life_).first->second != life_) {
    return reply.respond({404, {}, ""});
  }
  relays_.push_back(std::make_unique<Relay>(*this, std::move(request), std::move(reply)));
  if (deviation_.work == Duration{} || !posts) return relays_.back()->begin();
  tasks_.spawn(begin_at(done_with_work(), relays_.back().get()));
}

}  // namespace plumbline::conformance
