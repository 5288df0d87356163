// What the status of a refused completion means. Every provider has it the same way.

#pragma once

#include <string_view>

#include "core/model/model.h"

namespace plumbline::model {

// kind_of_status returns what an answer of `status` says; `code` is the provider's own word for it
// where it has one ("context_length_exceeded"), else empty.
FailureKind kind_of_status(int status, std::string_view code);

// status_of is the other way round: what an HTTP server answers for a failure of this kind.
int status_of(FailureKind kind);

// name_of returns "rate_limit" and the like, for settings and people.
std::string_view name_of(FailureKind kind);

}  // namespace plumbline::model
