#include "core/os/posix/net/tls_refusal.h"

#include <arpa/inet.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <array>
#include <cstddef>
#include <ctime>
#include <memory>
#include <string_view>

namespace plumbline::os {

namespace {

constexpr int kNamesShown = 3;
constexpr std::size_t kNameBytesShown = 100;

struct FreeNames {
  void operator()(GENERAL_NAMES* names) const { GENERAL_NAMES_free(names); }
};

// shown returns `raw` with what is no plain letter replaced: it is the peer's text.
std::string shown(std::string_view raw) {
  std::string text(raw.substr(0, kNameBytesShown));
  for (char& c : text) {
    if (c <= ' ' || c > '~') c = '?';
  }
  return text;
}

std::string text_of(const GENERAL_NAME& name) {
  if (name.type != GEN_DNS && name.type != GEN_IPADD) return "";
  const ASN1_STRING* const value = name.type == GEN_DNS ? name.d.dNSName : name.d.iPAddress;
  const unsigned char* const data = ASN1_STRING_get0_data(value);
  const auto size = static_cast<std::size_t>(ASN1_STRING_length(value));
  if (name.type == GEN_DNS) return shown({reinterpret_cast<const char*>(data), size});
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (size != 4 && size != 16) return "";
  inet_ntop(size == 4 ? AF_INET : AF_INET6, data, text.data(), text.size());
  return text.data();
}

// names_of returns the hosts that a certificate is for.
std::string names_of(const X509* certificate) {
  const std::unique_ptr<GENERAL_NAMES, FreeNames> names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  std::string text;
  const int count = names == nullptr ? 0 : sk_GENERAL_NAME_num(names.get());
  for (int i = 0; i < count; ++i) {
    const std::string name = text_of(*sk_GENERAL_NAME_value(names.get(), i));
    if (name.empty()) continue;
    if (!text.empty()) text += ", ";
    if (i == kNamesShown) return text + "...";
    text += name;
  }
  return text.empty() ? "no host" : text;
}

std::string day_of(const ASN1_TIME* time) {
  std::tm parts{};
  std::array<char, 32> text{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return "a day that cannot be read";
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts)};
}

}  // namespace

std::string certificate_refusal(x509_store_ctx_st* verification) {
  const int error = X509_STORE_CTX_get_error(verification);
  const X509* const certificate = X509_STORE_CTX_get_current_cert(verification);
  if (certificate == nullptr) return X509_verify_cert_error_string(error);
  switch (error) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return "it is for " + names_of(certificate);
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return "it expired on " + day_of(X509_get0_notAfter(certificate));
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return "it is not valid before " + day_of(X509_get0_notBefore(certificate));
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      return "it is signed by itself alone";
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return "no authority that is trusted here has signed it";
    default:
      return X509_verify_cert_error_string(error);
  }
}

}  // namespace plumbline::os
