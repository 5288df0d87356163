// PageServer shows pages to a browser on this machine, by cpp-httplib.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace plumbline::os {

struct Page {
  std::string type;  // "text/html; charset=utf-8".
  std::string body;
};

class PageServer {
 public:
  // Answers GET of `path` with the parameters of its query; nothing: there is no such page. Called
  // from another thread than listen(), one call at a time.
  using Pages = std::function<std::optional<Page>(const std::string& path,
                                                  const std::map<std::string, std::string>& query)>;

  // listen serves at a loopback address until the server is destroyed; port 0 is a free one. Who
  // calls it by another name than that of this machine is refused, so that no page of the web can
  // look in. `policy` is the Content-Security-Policy of each answer. kInvalidInput: the address is
  // none of loopback, or taken. kUnsupported: built without cpp-httplib.
  static Result<std::unique_ptr<PageServer>> listen(const std::string& host, std::uint16_t port,
                                                    std::string policy, Pages pages);

  virtual ~PageServer() = default;

  // url returns where it is: "http://127.0.0.1:34567/".
  virtual std::string url() const = 0;
};

}  // namespace plumbline::os
