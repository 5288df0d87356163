// AnswerParser turns the bytes of one HTTP answer into what a model said, without I/O. What comes
// out depends on the bytes alone, never on how they were cut.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/model/providers/dialect.h"
#include "core/wire/http.h"
#include "core/wire/lines.h"
#include "core/wire/sse.h"

namespace plumbline::model {

class AnswerParser {
 public:
  // All must outlive the parser; `reader` may be null. An answer of more than `bytes_max` bytes is
  // a Failure of kUnreadable.
  AnswerParser(const Dialect& dialect, const Prompt& prompt, DeltaReader* reader,
               std::size_t bytes_max);

  // on_head comes first, then on_body with the bytes in any pieces.
  void on_head(int status, const wire::HttpHeaders& headers);
  void on_body(std::string_view bytes);

  // over returns whether nothing that may still come changes the answer; failed, whether it is over
  // because it went wrong.
  bool over() const { return over_ || builder_.failed(); }
  bool failed() const { return builder_.failed(); }

  // take returns the answer at its end. `broken` says why that is not in order; a stream that was
  // finished before is whole all the same.
  Completed take(const Error* broken);

 private:
  enum class Form { kEvents, kLines, kWhole, kRefusal };

  void read_events(std::string_view bytes);
  void read_lines();
  void too_long();

  const Dialect& dialect_;
  AnswerBuilder builder_;
  std::unique_ptr<AnswerReader> reader_;
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  int status_ = 0;
  wire::HttpHeaders headers_;
  Form form_ = Form::kEvents;
  wire::SseReader events_;
  wire::LineReader lines_;
  std::string body_;  // Of kWhole and kRefusal.
  bool over_ = false;
};

}  // namespace plumbline::model
