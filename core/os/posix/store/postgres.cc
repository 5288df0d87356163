#include "core/os/store/postgres.h"

#ifdef PLUMBLINE_LIBPQ

#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

#include "core/base/wait.h"
#include "core/os/fd_watch.h"
#include "core/os/posix/store/libpq.h"

namespace plumbline::os {

namespace {

constexpr int kBinary = 1;

// one_sentence returns a message of libpq, which has several lines, as ours are.
std::string one_sentence(std::string_view message) {
  std::string text;
  for (const char c : message) {
    const bool space = c == '\n' || c == '\t' || c == ' ';
    if (space && (text.empty() || text.back() == ' ')) continue;
    text.push_back(space ? ' ' : c);
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// code_of tells by the SQLSTATE what the caller can do.
ErrorCode code_of(std::string_view state) {
  if (state.starts_with("08") || state.starts_with("57P")) return ErrorCode::kDisconnected;
  if (state.starts_with("53") || state.starts_with("54")) return ErrorCode::kLimitReached;
  if (state.starts_with("40") || state == "55P03") return ErrorCode::kDeadlineExceeded;
  return ErrorCode::kInvalidInput;
}

// Refused is what a server says that lets nobody in.
struct Refused {
  std::string_view state;  // SQLSTATE. Empty: no server has said anything.
  std::string_view words;
};

// refused_in finds that in a message of PQERRORS_VERBOSE, the only place where libpq has the
// SQLSTATE of a connection: "..., FATAL:  57P03: the database system is starting up", in any
// language.
Refused refused_in(std::string_view message) {
  constexpr std::string_view kBefore = ":  ";
  constexpr std::size_t kStateBytes = 5;
  for (std::size_t at = message.find(kBefore); at != std::string_view::npos;
       at = message.find(kBefore, at + 1)) {
    const std::string_view rest = message.substr(at + kBefore.size());
    const std::string_view state = rest.substr(0, kStateBytes);
    const bool is_state = state.size() == kStateBytes && std::ranges::all_of(state, [](char c) {
                            return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
                          });
    if (!is_state || rest.substr(kStateBytes, 2) != ": ") continue;
    const std::string_view words = rest.substr(kStateBytes + 2);
    return {state, words.substr(0, words.find('\n'))};
  }
  return {};
}

// why_not returns why there is no connection. A server that was reached and refuses us does so
// again, unless its SQLSTATE says that it is just starting, ending or full.
Error why_not(std::string_view message) {
  const Refused refused = refused_in(message);
  if (refused.state.empty()) return {ErrorCode::kDisconnected, one_sentence(message)};
  const ErrorCode code = code_of(refused.state);
  const bool passes = code == ErrorCode::kDisconnected || code == ErrorCode::kLimitReached;
  return {passes ? ErrorCode::kDisconnected : ErrorCode::kInvalidInput,
          one_sentence(refused.words)};
}

// is_port returns whether `text` is one, or nothing, which stands for the usual one.
bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
  return text.empty() || (failed == std::errc() && end == text.data() + text.size() && port > 0);
}

// at_named_host returns `address` so that its host is where we connect: of PGHOSTADDR, which is set
// for another program, libpq would go elsewhere.
std::string at_named_host(std::string address) {
  if (address.find("hostaddr") != std::string::npos) return address;
  const bool by_option = address.find("host=") != std::string::npos;
  const std::size_t scheme = address.find("://");
  if (scheme == std::string::npos) return by_option ? address + " hostaddr=''" : address;
  const std::size_t begin = scheme + 3;
  const std::string authority = address.substr(begin, address.find_first_of("/?", begin) - begin);
  if (!by_option && (authority.empty() || authority.ends_with('@'))) return address;
  const char* const joint = address.find('?') == std::string::npos ? "?" : "&";
  return address + joint + "hostaddr=";
}

struct Clear {
  void operator()(PGresult* result) const { libpq().PQclear(result); }
};
using Answered = std::unique_ptr<PGresult, Clear>;

// take adds what one result says to `answer`.
Status take(const PGresult* result, PostgresAnswer& answer) {
  const ExecStatusType status = libpq().PQresultStatus(result);
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
    for (int row = 0; row < libpq().PQntuples(result); ++row) {
      std::vector<std::string>& columns = answer.rows.emplace_back();
      for (int column = 0; column < libpq().PQnfields(result); ++column) {
        columns.emplace_back(libpq().PQgetvalue(result, row, column),
                             static_cast<std::size_t>(libpq().PQgetlength(result, row, column)));
      }
    }
    answer.changed = std::atoll(libpq().PQcmdTuples(const_cast<PGresult*>(result)));
    return Done{};
  }
  const char* const state = libpq().PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const std::string_view known = state == nullptr ? std::string_view("08000") : state;
  if (known == "23505") {
    answer.exists_already = true;
    return Done{};
  }
  const char* const primary = libpq().PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  return Error{code_of(known),
               one_sentence(primary != nullptr ? primary : libpq().PQresultErrorMessage(result))};
}

}  // namespace

PostgresValue postgres_number(std::int64_t number) { return {std::to_string(number), false}; }

std::int64_t number_of(const std::string& column) {
  std::uint64_t number = 0;
  for (const char c : column) number = number << 8U | static_cast<unsigned char>(c);
  return static_cast<std::int64_t>(number);
}

void Postgres::Finish::operator()(pg_conn* connection) const { libpq().PQfinish(connection); }

Postgres::Postgres(RealLoop& loop, std::string uri) : loop_(loop), uri_(std::move(uri)) {}
Postgres::~Postgres() = default;

bool Postgres::connected() const {
  return connection_ != nullptr && libpq().PQstatus(connection_.get()) == CONNECTION_OK;
}

Error Postgres::lost() {
  std::string why = one_sentence(libpq().PQerrorMessage(connection_.get()));
  connection_.reset();
  return {ErrorCode::kDisconnected, why.empty() ? "the database has ended the connection" : why};
}

Error Postgres::late() {
  connection_.reset();
  return {ErrorCode::kDeadlineExceeded, "the database takes too long"};
}

// ready waits until the socket can be read or written.
Task<bool> Postgres::ready(bool to_write, Instant deadline) {
  Event event;
  Fd copy(fcntl(libpq().PQsocket(connection_.get()), F_DUPFD_CLOEXEC, 0));
  if (!copy.open()) co_return true;  // Whoever reads next finds out.
  FdWatch watch(loop_, std::move(copy), [&event] { event.set(); });
  if (to_write) {
    watch.await_writable();
  } else {
    watch.await_readable();
  }
  const bool came = co_await event.wait(loop_, deadline);
  co_return came;
}

// not_begun tells why a connection failed at once: nobody is there, or `address` is none, of which
// libpq says that it makes no attempt. It makes one where a port is no number.
Error Postgres::not_begun(const std::string& address) {
  std::string why = one_sentence(libpq().PQerrorMessage(connection_.get()));
  const char* const port = libpq().PQport(connection_.get());
  const bool has_port = port == nullptr || is_port(port);
  connection_.reset();
  const bool tried = has_port && libpq().PQping(address.c_str()) != PQPING_NO_ATTEMPT;
  return {tried ? ErrorCode::kDisconnected : ErrorCode::kInvalidInput, std::move(why)};
}

Task<Status> Postgres::connect(Instant deadline) {
  const std::string address = at_named_host(uri_);
  connection_.reset(libpq().PQconnectStart(address.c_str()));
  if (connection_ == nullptr) co_return Error{ErrorCode::kLimitReached, "out of memory"};
  if (libpq().PQstatus(connection_.get()) == CONNECTION_BAD) co_return not_begun(address);
  libpq().PQsetErrorVerbosity(connection_.get(), PQERRORS_VERBOSE);
  PostgresPollingStatusType next = PGRES_POLLING_WRITING;
  while (next == PGRES_POLLING_READING || next == PGRES_POLLING_WRITING) {
    const bool came = co_await ready(next == PGRES_POLLING_WRITING, deadline);
    if (!came) co_return late();
    next = libpq().PQconnectPoll(connection_.get());
  }
  if (next == PGRES_POLLING_FAILED) {
    Error why = why_not(libpq().PQerrorMessage(connection_.get()));
    connection_.reset();
    co_return why;
  }
  libpq().PQsetErrorVerbosity(connection_.get(), PQERRORS_DEFAULT);
  libpq().PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
  libpq().PQsetnonblocking(connection_.get(), 1);
  co_return Done{};
}

Task<Result<PostgresAnswer>> Postgres::answer(bool sent, Instant deadline) {
  if (!sent) co_return lost();
  for (;;) {
    const int left = libpq().PQflush(connection_.get());
    if (left < 0) co_return lost();
    if (left == 0) break;
    const bool came = co_await ready(true, deadline);
    if (!came) co_return late();
    if (libpq().PQconsumeInput(connection_.get()) == 0) co_return lost();
  }
  PostgresAnswer answer;
  Status failed = Done{};
  for (;;) {
    while (libpq().PQisBusy(connection_.get()) != 0) {
      const bool came = co_await ready(false, deadline);
      if (!came) co_return late();
      if (libpq().PQconsumeInput(connection_.get()) == 0) co_return lost();
    }
    const Answered result(libpq().PQgetResult(connection_.get()));
    if (result == nullptr) break;
    Status taken = take(result.get(), answer);
    if (failed.ok()) failed = std::move(taken);
  }
  if (!failed.ok() && failed.error().code == ErrorCode::kDisconnected) {
    connection_.reset();
    co_return failed.error();
  }
  if (!connected()) co_return lost();
  if (!failed.ok()) co_return failed.error();
  co_return answer;
}

Task<Result<PostgresAnswer>> Postgres::run(std::string script, Instant deadline) {
  const bool sent = libpq().PQsendQuery(connection_.get(), script.c_str()) == 1;
  return answer(sent, deadline);
}

Task<Status> Postgres::prepare(std::string name, std::string sql, Instant deadline) {
  const bool sent =
      libpq().PQsendPrepare(connection_.get(), name.c_str(), sql.c_str(), 0, nullptr) == 1;
  Result<PostgresAnswer> answered = co_await answer(sent, deadline);
  if (!answered.ok()) co_return answered.error();
  co_return Done{};
}

Task<Result<PostgresAnswer>> Postgres::run_prepared(std::string name,
                                                    std::vector<PostgresValue> values,
                                                    Instant deadline) {
  std::vector<const char*> bytes;
  std::vector<int> sizes;
  std::vector<int> formats;
  for (const PostgresValue& value : values) {
    bytes.push_back(value.bytes.c_str());
    sizes.push_back(static_cast<int>(value.bytes.size()));
    formats.push_back(value.binary ? kBinary : 0);
  }
  const bool sent =
      libpq().PQsendQueryPrepared(connection_.get(), name.c_str(), static_cast<int>(values.size()),
                                  bytes.data(), sizes.data(), formats.data(), kBinary) == 1;
  return answer(sent, deadline);
}

}  // namespace plumbline::os

#endif  // PLUMBLINE_LIBPQ
