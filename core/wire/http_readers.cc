#include <cstdint>
#include <deque>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/wire/http.h"
#include "core/wire/http_body.h"
#include "core/wire/http_head.h"

namespace plumbline::wire {

namespace {

// Backlog holds bytes that are not to be read yet.
class Backlog {
 public:
  explicit Backlog(const HttpLimits& limits)
      : bytes_max_(limits.header_bytes_max + limits.body_bytes_max) {}

  bool empty() const { return at_ == bytes_.size(); }
  std::size_t size() const { return bytes_.size() - at_; }

  // has_room_for returns false when they would pile up: what one feed() brings is always taken.
  bool has_room_for(std::string_view bytes) const {
    return empty() || size() + bytes.size() <= bytes_max_;
  }

  void append(std::string_view bytes) {
    drop_used();
    bytes_.append(bytes);
  }
  std::string take() {
    drop_used();
    return std::exchange(bytes_, {});
  }

  // read lets `use` take bytes off the front of what is here.
  template <typename Use>
  void read(Use use) {
    std::string_view rest = std::string_view(bytes_).substr(at_);
    use(rest);
    at_ = bytes_.size() - rest.size();
    if (empty()) take();  // Gives the memory back.
  }

 private:
  void drop_used() {
    bytes_.erase(0, at_);
    at_ = 0;
  }

  std::size_t bytes_max_;
  std::string bytes_;
  std::size_t at_ = 0;  // In bytes_: what is before was read.
};

}  // namespace

struct HttpRequestReader::Impl {
  explicit Impl(HttpLimits its_limits) : limits(its_limits), behind(its_limits) { expect_head(); }

  void expect_head() { head.emplace(HttpHeadParser::Kind::kRequest, limits.header_bytes_max); }

  // read takes bytes until a request is whole.
  void read(std::string_view& bytes) {
    while (!bytes.empty() && wanted && !problem) {
      if (!body) {
        read_head(bytes);
      } else {
        waits = false;
        body->feed(bytes, request.body, std::numeric_limits<std::size_t>::max());
        problem = body->fault();
      }
      if (body && body->done()) finish_request();
    }
  }

  void read_head(std::string_view& bytes) {
    head->feed(bytes);
    problem = head->fault();
    if (problem || !head->done()) return;
    HttpHead& found = head->head();
    if (found.content_length > limits.body_bytes_max) {
      problem = Problem{413, "the body is too long"};
      return;
    }
    waits = found.expects_continue && found.framing != HttpFraming::kNone;
    body.emplace(found, limits.body_bytes_max, limits.header_bytes_max);
    request.method = std::move(found.method);
    request.target = std::move(found.target);
    request.headers = std::move(found.headers);
    request.keep_alive = found.keep_alive;
  }

  void finish_request() {
    ready = std::exchange(request, {});
    wanted = false;
    body.reset();
    expect_head();
  }

  HttpLimits limits;
  std::optional<HttpHeadParser> head;  // Always there; not to be moved.
  std::optional<HttpBodyReader> body;  // Once the head is whole.
  HttpRequest request;                 // The one that is being read.
  std::optional<HttpRequest> ready;
  bool wanted = true;  // Off from a whole request until next() asks for one more.
  Backlog behind;
  bool waits = false;  // For "100 Continue".
  std::optional<Problem> problem;
};

HttpRequestReader::HttpRequestReader(HttpLimits limits) : impl_(std::make_unique<Impl>(limits)) {}

HttpRequestReader::~HttpRequestReader() = default;

void HttpRequestReader::feed(std::string_view bytes) {
  if (impl_->problem) return;
  if (impl_->behind.empty()) impl_->read(bytes);
  if (bytes.empty() || impl_->problem) return;
  if (!impl_->behind.has_room_for(bytes)) {
    impl_->problem = Problem{400, "too much behind a request"};
    return;
  }
  impl_->behind.append(bytes);
}

std::optional<HttpRequest> HttpRequestReader::next() {
  if (!impl_->ready && !impl_->problem) {
    impl_->wanted = true;
    impl_->behind.read([this](std::string_view& rest) { impl_->read(rest); });
  }
  return std::exchange(impl_->ready, std::nullopt);
}

std::size_t HttpRequestReader::held_bytes() const {
  const std::size_t ready = impl_->ready ? impl_->ready->body.size() : 0;
  return impl_->head->bytes() + impl_->request.body.size() + ready + impl_->behind.size();
}

bool HttpRequestReader::wants_continue() {
  return !impl_->problem && std::exchange(impl_->waits, false);
}

bool HttpRequestReader::idle() const {
  return !impl_->body && !impl_->head->started() && impl_->behind.empty() && !impl_->problem;
}

std::string HttpRequestReader::drain() { return impl_->behind.take(); }

const std::optional<HttpRequestReader::Problem>& HttpRequestReader::problem() const {
  return impl_->problem;
}

struct HttpResponseReader::Impl {
  explicit Impl(HttpLimits its_limits) : limits(its_limits), behind(its_limits) {}

  // read takes bytes until a response has ended.
  void read(std::string_view& bytes) {
    while (!bytes.empty() && !ended && !broken) {
      if (body) {
        read_body(bytes);
      } else {
        read_head(bytes);
      }
      if (body && body->done()) finish_response();
    }
  }

  void read_head(std::string_view& bytes) {
    if (!head) {
      started = true;
      const auto kind =
          bodiless ? HttpHeadParser::Kind::kResponseWithoutBody : HttpHeadParser::Kind::kResponse;
      head.emplace(kind, limits.header_bytes_max);
    }
    head->feed(bytes);
    if (head->fault()) return fail(head->fault()->what);
    if (!head->done()) return;
    HttpHead& found = head->head();
    if (found.status < 100) return fail("a status below 100");
    if (found.status < 200 && found.status != 101) {
      head.reset();
      return;
    }
    upgraded = found.status == 101;
    keep_alive = found.keep_alive && !upgraded;
    body.emplace(found, std::numeric_limits<std::uint64_t>::max(), limits.header_bytes_max);
    events.push_back(Head{found.status, std::move(found.headers)});
  }

  void read_body(std::string_view& bytes) {
    constexpr std::size_t piece_bytes_max = limits::kMessageBytesMax;
    auto* piece = events.empty() ? nullptr : std::get_if<Body>(&events.back());
    if (piece == nullptr || piece->bytes.size() >= piece_bytes_max) {
      piece = &std::get<Body>(events.emplace_back(Body{}));
    }
    body->feed(bytes, piece->bytes, piece_bytes_max - piece->bytes.size());
    if (piece->bytes.empty()) events.pop_back();
    if (body->fault()) fail(body->fault()->what);
  }

  void finish_response() {
    events.push_back(End{keep_alive});
    head.reset();
    body.reset();
    bodiless = started = false;
    ended = true;
  }

  // settle says how the peer's close ends what is being read, if anything is.
  void settle() {
    if (!started || broken) return;
    if (!body || !body->finish()) return fail("the connection closed inside a response");
    finish_response();
  }

  void fail(std::string what) {
    events.push_back(Broken{std::move(what)});
    broken = true;
  }

  HttpLimits limits;
  std::optional<HttpHeadParser> head;  // From the first byte of a response to its end.
  std::optional<HttpBodyReader> body;  // Once the head is whole.
  std::deque<Event> events;
  Backlog behind;
  bool bodiless = false;    // The response to come answers HEAD.
  bool started = false;     // A byte of a response came, its End did not.
  bool keep_alive = false;  // As the head says.
  bool ended = false;       // On from an End until next() asks for what follows it.
  bool upgraded = false;    // After 101: nothing behind it is a response.
  bool broken = false;
  bool finished = false;  // The peer closed.
};

HttpResponseReader::HttpResponseReader(HttpLimits limits) : impl_(std::make_unique<Impl>(limits)) {}

HttpResponseReader::~HttpResponseReader() = default;

void HttpResponseReader::expect_no_body() { impl_->bodiless = true; }

void HttpResponseReader::feed(std::string_view bytes) {
  if (impl_->broken) return;
  if (impl_->behind.empty()) impl_->read(bytes);
  if (bytes.empty() || impl_->broken) return;
  if (!impl_->behind.has_room_for(bytes)) {
    return impl_->fail("too much behind a response");
  }
  impl_->behind.append(bytes);
}

void HttpResponseReader::finish() { impl_->finished = true; }

std::optional<HttpResponseReader::Event> HttpResponseReader::next() {
  if (impl_->events.empty()) {
    impl_->ended = impl_->upgraded;
    impl_->behind.read([this](std::string_view& rest) { impl_->read(rest); });
    if (impl_->events.empty() && impl_->finished) impl_->settle();
  }
  if (impl_->events.empty()) return std::nullopt;
  Event event = std::move(impl_->events.front());
  impl_->events.pop_front();
  return event;
}

bool HttpResponseReader::started() const { return impl_->started || !impl_->behind.empty(); }

std::string HttpResponseReader::drain() { return impl_->behind.take(); }

}  // namespace plumbline::wire
