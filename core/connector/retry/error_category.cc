#include "core/connector/retry/error_category.h"

#include "core/base/check.h"

namespace plumbline::connector {

std::string_view name_of(ErrorCategory category) {
  return kErrorCategories[static_cast<std::size_t>(category)];
}

ErrorCategory category_of(mcp::FailureClass kind) {
  switch (kind) {
    case mcp::FailureClass::kNetwork:
      return ErrorCategory::kNetwork;
    case mcp::FailureClass::kAuthentication:
    case mcp::FailureClass::kAuthorization:
      return ErrorCategory::kAuthentication;
    case mcp::FailureClass::kRateLimit:
      return ErrorCategory::kRateLimit;
    case mcp::FailureClass::kTimeout:
      return ErrorCategory::kTimeout;
    case mcp::FailureClass::kInvalidRequest:
    case mcp::FailureClass::kExecution:
      return ErrorCategory::kInvalidRequest;
    case mcp::FailureClass::kProtocol:
      return ErrorCategory::kAgentUnavailable;
  }
  check(false, "unknown FailureClass");
  return {};
}

ErrorCategory category_of_opening(mcp::FailureClass kind) {
  const ErrorCategory category = category_of(kind);
  return category == ErrorCategory::kNetwork ? ErrorCategory::kAgentUnavailable : category;
}

}  // namespace plumbline::connector
