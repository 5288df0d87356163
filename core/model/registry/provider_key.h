// Where the key of a provider comes from: a variable of the environment, or the secret store.

#pragma once

#include <map>
#include <string>

#include "core/base/doors/secret_store.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/model/registry/model_registry.h"

namespace plumbline::model {

// find_key returns the key; empty for a provider that needs none. kInvalidInput: it is nowhere to
// be found, and the message says where it was looked for; errors of the store are its own.
// `secrets` may be null, and must outlive the task. Tell the program's Redactor of the key before
// anything else.
Task<Result<std::string>> find_key(Provider provider, std::map<std::string, std::string> variables,
                                   SecretStore* secrets);

}  // namespace plumbline::model
