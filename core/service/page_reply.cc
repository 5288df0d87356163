#include <string>

#include "core/service/page_files.h"

namespace plumbline::service {

namespace {

constexpr const char* kPagePolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src "
    "'self'; img-src data:; media-src data:; base-uri 'none'; form-action 'none'; frame-ancestors "
    "'none'";

}  // namespace

wire::HttpResponse page_reply(std::string_view name) {
  return {200,
          {{"Content-Type", "text/html; charset=utf-8"},
           {"Content-Security-Policy", kPagePolicy},
           {"Referrer-Policy", "no-referrer"},
           {"X-Content-Type-Options", "nosniff"},
           {"Cache-Control", "no-cache"}},
          std::string(embedded_text(page_files(), name))};
}

}  // namespace plumbline::service
