// Why a certificate is refused, in words.

#pragma once

#include <string>

struct x509_store_ctx_st;

namespace plumbline::os {

// certificate_refusal returns what is wrong with the certificate that `verification` stopped at:
// "it expired on 2020-01-31", "it is for a.example, b.example". Text of the certificate is cut and
// cleaned for a terminal.
std::string certificate_refusal(x509_store_ctx_st* verification);

}  // namespace plumbline::os
