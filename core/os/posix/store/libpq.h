// libpq, the client library of PostgreSQL: loaded when the first database is opened, so that the
// program also runs where it is not installed.

#pragma once

#include <libpq-fe.h>

#include "core/os/posix/loaded_library.h"

namespace plumbline::os {

// Libpq has the functions that we use, by their own names. They may be called once complete() has
// returned true.
struct Libpq : LoadedLibrary {
  Libpq();

  decltype(&::PQclear) PQclear = nullptr;
  decltype(&::PQcmdTuples) PQcmdTuples = nullptr;
  decltype(&::PQconnectPoll) PQconnectPoll = nullptr;
  decltype(&::PQconnectStart) PQconnectStart = nullptr;
  decltype(&::PQconsumeInput) PQconsumeInput = nullptr;
  decltype(&::PQerrorMessage) PQerrorMessage = nullptr;
  decltype(&::PQfinish) PQfinish = nullptr;
  decltype(&::PQflush) PQflush = nullptr;
  decltype(&::PQgetResult) PQgetResult = nullptr;
  decltype(&::PQgetlength) PQgetlength = nullptr;
  decltype(&::PQgetvalue) PQgetvalue = nullptr;
  decltype(&::PQisBusy) PQisBusy = nullptr;
  decltype(&::PQnfields) PQnfields = nullptr;
  decltype(&::PQntuples) PQntuples = nullptr;
  decltype(&::PQping) PQping = nullptr;
  decltype(&::PQport) PQport = nullptr;
  decltype(&::PQresultErrorField) PQresultErrorField = nullptr;
  decltype(&::PQresultErrorMessage) PQresultErrorMessage = nullptr;
  decltype(&::PQresultStatus) PQresultStatus = nullptr;
  decltype(&::PQsendPrepare) PQsendPrepare = nullptr;
  decltype(&::PQsendQuery) PQsendQuery = nullptr;
  decltype(&::PQsendQueryPrepared) PQsendQueryPrepared = nullptr;
  decltype(&::PQsetErrorVerbosity) PQsetErrorVerbosity = nullptr;
  decltype(&::PQsetNoticeProcessor) PQsetNoticeProcessor = nullptr;
  decltype(&::PQsetnonblocking) PQsetnonblocking = nullptr;
  decltype(&::PQsocket) PQsocket = nullptr;
  decltype(&::PQstatus) PQstatus = nullptr;
};

// libpq loads it the first time.
const Libpq& libpq();

}  // namespace plumbline::os
