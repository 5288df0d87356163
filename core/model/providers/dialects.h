// Which dialect a provider of the settings speaks.

#pragma once

#include <string>

#include "core/model/providers/dialect.h"
#include "core/model/registry/model_registry.h"

namespace plumbline::model {

// dialect_of returns the one of an interface; it lives as long as the program.
const Dialect& dialect_of(Interface interface);

// account_for puts together what HttpModel has to know of a model: `key` as find_key found it.
Account account_for(const Provider& provider, const ModelInfo& info, std::string key);

}  // namespace plumbline::model
