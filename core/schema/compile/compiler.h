// compile_program turns a schema into a Program. The work behind Schema::compile.

#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/schema/program.h"

namespace plumbline::schema {

Result<std::unique_ptr<const Program>> compile_program(Json schema, const CompileOptions& options);

}  // namespace plumbline::schema
