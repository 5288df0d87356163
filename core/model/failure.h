// What the status of a refused completion means. Every provider has it the same way.

#pragma once

#include <string_view>

#include "core/model/model.h"

namespace plumbline::model {

// kind_of_status returns what an answer of `status` says; `code` is the provider's own word for it
// where it has one ("context_length_exceeded"), else empty.
FailureKind kind_of_status(int status, std::string_view code);

// status_of returns what an HTTP server answers for a failure: its own status where it has one.
int status_of(const Failure& failure);

}  // namespace plumbline::model
