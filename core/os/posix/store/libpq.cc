#ifdef PLUMBLINE_LIBPQ

#include "core/os/posix/store/libpq.h"

namespace plumbline::os {

Libpq::Libpq() : LoadedLibrary("libpq.so.5") {
  find(PQclear, "PQclear");
  find(PQcmdTuples, "PQcmdTuples");
  find(PQconnectPoll, "PQconnectPoll");
  find(PQconnectStart, "PQconnectStart");
  find(PQconsumeInput, "PQconsumeInput");
  find(PQerrorMessage, "PQerrorMessage");
  find(PQfinish, "PQfinish");
  find(PQflush, "PQflush");
  find(PQgetResult, "PQgetResult");
  find(PQgetlength, "PQgetlength");
  find(PQgetvalue, "PQgetvalue");
  find(PQisBusy, "PQisBusy");
  find(PQnfields, "PQnfields");
  find(PQntuples, "PQntuples");
  find(PQping, "PQping");
  find(PQport, "PQport");
  find(PQresultErrorField, "PQresultErrorField");
  find(PQresultErrorMessage, "PQresultErrorMessage");
  find(PQresultStatus, "PQresultStatus");
  find(PQsendPrepare, "PQsendPrepare");
  find(PQsendQuery, "PQsendQuery");
  find(PQsendQueryPrepared, "PQsendQueryPrepared");
  find(PQsetErrorVerbosity, "PQsetErrorVerbosity");
  find(PQsetNoticeProcessor, "PQsetNoticeProcessor");
  find(PQsetnonblocking, "PQsetnonblocking");
  find(PQsocket, "PQsocket");
  find(PQstatus, "PQstatus");
}

const Libpq& libpq() {
  static const Libpq kLibpq;
  return kLibpq;
}

}  // namespace plumbline::os

#endif  // PLUMBLINE_LIBPQ
