#include "core/os/optional/secret_service.h"

#ifdef PLUMBLINE_LIBSECRET

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include <libsecret/secret.h>

#include "core/os/child/environment.h"
#include "core/os/posix/loaded_library.h"

namespace plumbline::os {

namespace {

constexpr std::chrono::seconds kUnlockMax{60};
constexpr const char* kName = "name";  // The attribute by which a secret is found.

// Library is libsecret and what lies beneath it, loaded when the first secret is asked for: most
// runs need none, and starting it takes longer than some of them.
struct Library : LoadedLibrary {
  Library() : LoadedLibrary("libsecret-1.so.0") {
    find(g_cancellable_cancel, "g_cancellable_cancel");
    find(g_cancellable_new, "g_cancellable_new");
    find(g_error_free, "g_error_free");
    find(g_error_matches, "g_error_matches");
    find(g_hash_table_lookup, "g_hash_table_lookup");
    find(g_hash_table_unref, "g_hash_table_unref");
    find(g_io_error_quark, "g_io_error_quark");
    find(g_list_free_full, "g_list_free_full");
    find(g_object_unref, "g_object_unref");
    find(secret_attributes_build, "secret_attributes_build");
    find(secret_password_clearv_sync, "secret_password_clearv_sync");
    find(secret_password_free, "secret_password_free");
    find(secret_password_lookupv_sync, "secret_password_lookupv_sync");
    find(secret_password_searchv_sync, "secret_password_searchv_sync");
    find(secret_password_storev_sync, "secret_password_storev_sync");
    find(secret_retrievable_get_attributes, "secret_retrievable_get_attributes");
    find(secret_schema_new, "secret_schema_new");
    find(secret_service_get_sync, "secret_service_get_sync");
  }

  decltype(&::g_cancellable_cancel) g_cancellable_cancel = nullptr;
  decltype(&::g_cancellable_new) g_cancellable_new = nullptr;
  decltype(&::g_error_free) g_error_free = nullptr;
  decltype(&::g_error_matches) g_error_matches = nullptr;
  decltype(&::g_hash_table_lookup) g_hash_table_lookup = nullptr;
  decltype(&::g_hash_table_unref) g_hash_table_unref = nullptr;
  decltype(&::g_io_error_quark) g_io_error_quark = nullptr;
  decltype(&::g_list_free_full) g_list_free_full = nullptr;
  decltype(&::g_object_unref) g_object_unref = nullptr;
  decltype(&::secret_attributes_build) secret_attributes_build = nullptr;
  decltype(&::secret_password_clearv_sync) secret_password_clearv_sync = nullptr;
  decltype(&::secret_password_free) secret_password_free = nullptr;
  decltype(&::secret_password_lookupv_sync) secret_password_lookupv_sync = nullptr;
  decltype(&::secret_password_searchv_sync) secret_password_searchv_sync = nullptr;
  decltype(&::secret_password_storev_sync) secret_password_storev_sync = nullptr;
  decltype(&::secret_retrievable_get_attributes) secret_retrievable_get_attributes = nullptr;
  decltype(&::secret_schema_new) secret_schema_new = nullptr;
  decltype(&::secret_service_get_sync) secret_service_get_sync = nullptr;
};

// library returns it; its functions are there once open() has found it complete.
const Library& library() {
  static const Library kLibrary;
  return kLibrary;
}

struct Free {
  void operator()(GError* error) const { library().g_error_free(error); }
  void operator()(GHashTable* table) const { library().g_hash_table_unref(table); }
  void operator()(GList* list) const { library().g_list_free_full(list, library().g_object_unref); }
  void operator()(gchar* secret) const { library().secret_password_free(secret); }
  void operator()(GCancellable* object) const { library().g_object_unref(object); }
  void operator()(SecretService* object) const { library().g_object_unref(object); }
};
template <typename Type>
using Owned = std::unique_ptr<Type, Free>;

const SecretSchema* schema() {
  static SecretSchema* const kSchema = library().secret_schema_new(
      "org.plumbline.Secret", SECRET_SCHEMA_NONE, kName, SECRET_SCHEMA_ATTRIBUTE_STRING, nullptr);
  return kSchema;
}

Owned<GHashTable> attributes_of(const std::string& name) {
  return Owned<GHashTable>(
      library().secret_attributes_build(schema(), kName, name.c_str(), nullptr));
}

// Asking is one question to the service, which is given up after kUnlockMax.
class Asking {
 public:
  GCancellable* until() const { return given_up_.get(); }
  GError** error() { return &error_; }

  // outcome returns what came of it: what the service complains of about `name`.
  Status outcome(const std::string& name) {
    const Owned<GError> error(std::exchange(error_, nullptr));
    if (error == nullptr) return Done{};
    if (library().g_error_matches(error.get(), library().g_io_error_quark(),
                                  G_IO_ERROR_CANCELLED) != 0) {
      return Error{ErrorCode::kDeadlineExceeded,
                   name + ": the keyring is locked, and nobody unlocked it for a minute"};
    }
    return Error{ErrorCode::kInvalidInput, name + ": the keyring says: " + error->message};
  }

 private:
  void wait(const std::stop_token& answered) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any bell;
    bell.wait_for(lock, answered, kUnlockMax, [] { return false; });
    if (!answered.stop_requested()) library().g_cancellable_cancel(given_up_.get());
  }

  Owned<GCancellable> given_up_{library().g_cancellable_new()};
  GError* error_ = nullptr;
  std::jthread timer_{[this](const std::stop_token& answered) { wait(answered); }};
};

class Keyring final : public SecretServiceStore {
 public:
  explicit Keyring(SecretStore& claims) : claims_(claims) {}

  Task<Result<std::optional<std::string>>> get(std::string name) override {
    Asking asking;
    const Owned<gchar> secret(library().secret_password_lookupv_sync(
        schema(), attributes_of(name).get(), asking.until(), asking.error()));
    const Status status = asking.outcome(name);
    if (!status.ok()) co_return status.error();
    if (secret == nullptr) co_return std::optional<std::string>();
    co_return std::optional<std::string>(secret.get());
  }

  Task<Status> set(std::string name, std::string secret) override {
    Asking asking;
    library().secret_password_storev_sync(schema(), attributes_of(name).get(),
                                          SECRET_COLLECTION_DEFAULT, ("plumbline: " + name).c_str(),
                                          secret.c_str(), asking.until(), asking.error());
    co_return asking.outcome(name);
  }

  Task<Result<std::vector<std::string>>> names() override {
    Asking asking;
    const Owned<GHashTable> any(library().secret_attributes_build(schema(), nullptr));
    const Owned<GList> found(library().secret_password_searchv_sync(
        schema(), any.get(), SECRET_SEARCH_ALL, asking.until(), asking.error()));
    const Status status = asking.outcome("secrets");
    if (!status.ok()) co_return status.error();
    std::vector<std::string> names;
    for (const GList* each = found.get(); each != nullptr; each = each->next) {
      const Owned<GHashTable> attributes(
          library().secret_retrievable_get_attributes(static_cast<SecretRetrievable*>(each->data)));
      const auto* const name =
          static_cast<const char*>(library().g_hash_table_lookup(attributes.get(), kName));
      if (name != nullptr) names.emplace_back(name);
    }
    std::ranges::sort(names);
    co_return names;
  }

  Task<Status> remove(std::string name) override {
    Asking asking;
    library().secret_password_clearv_sync(schema(), attributes_of(name).get(), asking.until(),
                                          asking.error());
    co_return asking.outcome(name);
  }

  Task<Result<bool>> claim(std::string name, Duration time) override {
    return claims_.claim(std::move(name), time);
  }
  Task<Status> release(std::string name) override { return claims_.release(std::move(name)); }

 private:
  SecretStore& claims_;
};

Error unsupported(const std::string& why) { return Error{ErrorCode::kUnsupported, why}; }

}  // namespace

Result<std::unique_ptr<SecretServiceStore>> SecretServiceStore::open(SecretStore& claims) {
  // Without it, GLib would start a bus of its own, which nobody else uses.
  if (environment_variable("DBUS_SESSION_BUS_ADDRESS").value_or("").empty()) {
    return unsupported("there is no session bus");
  }
  if (!library().complete()) return unsupported("libsecret is not installed");
  Asking asking;
  const Owned<SecretService> service(library().secret_service_get_sync(
      SECRET_SERVICE_OPEN_SESSION, asking.until(), asking.error()));
  const Status status = asking.outcome("secrets");
  if (!status.ok()) return unsupported(status.error().message);
  return std::unique_ptr<SecretServiceStore>(std::make_unique<Keyring>(claims));
}

bool SecretServiceStore::is_loadable() { return library().complete(); }

}  // namespace plumbline::os

#else

namespace plumbline::os {

Result<std::unique_ptr<SecretServiceStore>> SecretServiceStore::open(SecretStore& claims) {
  static_cast<void>(claims);
  return Error{ErrorCode::kUnsupported, "this plumbline was built without libsecret"};
}

bool SecretServiceStore::is_loadable() { return false; }

}  // namespace plumbline::os

#endif
