#include "core/os/store/postgres.h"

#ifdef PLUMBLINE_LIBPQ

#include <fcntl.h>

#include <algorithm>
#include <string_view>

#include "core/base/wait.h"
#include "core/os/fd_watch.h"
#include "core/os/store/libpq.h"

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

// why_not returns why there is no connection. A server that was reached and refuses us does so
// again, unless it is just starting, ending or full; a string that is no address never is one.
Error why_not(const char* message) {
  constexpr std::string_view kRefusal = "FATAL: ";
  std::string why = one_sentence(message);
  const std::size_t refusal = why.find(kRefusal);
  if (refusal == std::string::npos) {
    const bool tried = why.starts_with("connection to server") || why.starts_with("could not");
    return {tried ? ErrorCode::kDisconnected : ErrorCode::kInvalidInput, std::move(why)};
  }
  why = why.substr(refusal + kRefusal.size());
  for (const std::string_view passing : {"starting up", "shutting down", "too many", "recovery"}) {
    if (why.find(passing) != std::string::npos) return {ErrorCode::kDisconnected, std::move(why)};
  }
  return {ErrorCode::kInvalidInput, std::move(why)};
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

Task<Status> Postgres::connect(Instant deadline) {
  connection_.reset(libpq().PQconnectStart(at_named_host(uri_).c_str()));
  if (connection_ == nullptr) co_return Error{ErrorCode::kLimitReached, "out of memory"};
  PostgresPollingStatusType next = PGRES_POLLING_WRITING;
  if (libpq().PQstatus(connection_.get()) == CONNECTION_BAD) next = PGRES_POLLING_FAILED;
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
