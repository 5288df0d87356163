// HttpModel is a language model of a provider, asked over HTTP in the dialect that the provider
// speaks.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/limits.h"
#include "core/json/redactor.h"
#include "core/model/model.h"
#include "core/model/providers/dialect.h"
#include "core/net/http_client.h"

namespace plumbline::model {

class HttpModel final : public Model {
 public:
  struct Options {
    std::size_t answer_bytes_max = limits::kMessageBytesMax;  // As they come, with all around it.
  };

  // `client` and `dialect` must outlive the model. `name` is the model as the provider names it.
  // No Failure holds the key of `account`, even where the provider repeats it.
  HttpModel(net::HttpClient& client, const Dialect& dialect, std::string name, Account account,
            Options options);
  HttpModel(net::HttpClient& client, const Dialect& dialect, std::string name, Account account)
      : HttpModel(client, dialect, std::move(name), std::move(account), Options()) {}

  // implements Model ---
  //
  // Without a word to the provider it fails with kInvalidRequest for a conversation that none takes
  // (fault_of) and for media that the dialect does not, with kAuthentication for a key that no
  // header can hold. kUnavailable: there is no way to the provider, or its answer was cut; and
  // `deadline` has passed. kUnreadable: the answer is not what the interface says, or too long.
  std::string_view name() const override { return name_; }
  Task<Completed> complete(Prompt prompt, DeltaReader* reader, Instant deadline) override;

 private:
  std::optional<Failure> refusal_of(const Prompt& prompt) const;
  wire::HttpRequest request_for(const Prompt& prompt, wire::Url& to) const;
  Completed redacted(Completed completed) const;

  net::HttpClient& client_;
  const Dialect& dialect_;
  std::string name_;
  Account account_;
  Options options_;
  Redactor redactor_;
};

}  // namespace plumbline::model
