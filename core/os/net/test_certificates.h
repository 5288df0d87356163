// TestAuthority makes certificates for tests: an authority of its own, and server certificates that
// it signs, as PEM files in a folder that goes with it.

#pragma once

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/check.h"
#include "core/net/network.h"

namespace plumbline::os {

class TestAuthority {
 public:
  TestAuthority() {
    std::string folder = (std::filesystem::temp_directory_path() / "plumbline-tls-XXXXXX").string();
    check(mkdtemp(folder.data()) != nullptr, "no temporary folder");
    folder_ = folder;
    key_ = make_key();
    certificate_ = make_certificate("plumbline test authority", *key_, "", 0, 1);
    write(ca_file(), *certificate_);
  }
  ~TestAuthority() { std::filesystem::remove_all(folder_); }
  TestAuthority(const TestAuthority&) = delete;
  TestAuthority& operator=(const TestAuthority&) = delete;

  // ca_file is what a client trusts who trusts this authority.
  std::string ca_file() const { return (folder_ / "ca.pem").string(); }

  // issue makes a certificate for `names`, as OpenSSL writes them ("DNS:a.example,IP:127.0.0.1"),
  // valid from `first_day` to `last_day`, counted from today.
  net::TlsServer issue(const std::string& names, int first_day = -1, int last_day = 1) {
    const Key key = make_key();
    const Certificate certificate =
        make_certificate("plumbline test server", *key, names, first_day, last_day);
    const std::string stem = (folder_ / std::to_string(++issued_)).string();
    net::TlsServer files{stem + ".pem", stem + ".key"};
    write(files.certificate_file, *certificate);
    const File file(std::fopen(files.key_file.c_str(), "w"), std::fclose);
    check(file != nullptr && PEM_write_PrivateKey(file.get(), key.get(), nullptr, nullptr, 0,
                                                  nullptr, nullptr) == 1,
          "a key cannot be written");
    return files;
  }

 private:
  struct Free {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    void operator()(X509* certificate) const { X509_free(certificate); }
  };
  using Key = std::unique_ptr<EVP_PKEY, Free>;
  using Certificate = std::unique_ptr<X509, Free>;
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

  static Key make_key() { return Key(EVP_EC_gen("P-256")); }

  static void add_extension(X509& certificate, X509& issuer, int kind, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, &issuer, &certificate, nullptr, nullptr, 0);
    X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
    check(extension != nullptr, "a certificate's extension is malformed");
    X509_add_ext(&certificate, extension, -1);
    X509_EXTENSION_free(extension);
  }

  Certificate make_certificate(const std::string& subject, EVP_PKEY& key, const std::string& names,
                               int first_day, int last_day) {
    constexpr long kDaySeconds = 86'400;
    Certificate made(X509_new());
    X509_set_version(made.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial_);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), first_day * kDaySeconds);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), last_day * kDaySeconds);
    X509_set_pubkey(made.get(), &key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(subject.c_str()), -1, -1, 0);
    X509& issuer = certificate_ == nullptr ? *made : *certificate_;
    X509_set_issuer_name(made.get(), X509_get_subject_name(&issuer));
    if (certificate_ == nullptr) {
      add_extension(*made, issuer, NID_basic_constraints, "critical,CA:TRUE");
      add_extension(*made, issuer, NID_key_usage, "critical,keyCertSign");
    } else {
      add_extension(*made, issuer, NID_subject_alt_name, names);
    }
    check(X509_sign(made.get(), key_.get(), EVP_sha256()) > 0, "a certificate cannot be signed");
    return made;
  }

  static void write(const std::string& path, X509& certificate) {
    const File file(std::fopen(path.c_str(), "w"), std::fclose);
    check(file != nullptr && PEM_write_X509(file.get(), &certificate) == 1,
          "a certificate cannot be written");
  }

  std::filesystem::path folder_;
  Key key_;
  Certificate certificate_;
  int issued_ = 0;
  long serial_ = 0;
};

}  // namespace plumbline::os
