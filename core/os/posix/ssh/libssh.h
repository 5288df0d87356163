// libssh: loaded when the first command is to run on another machine, so that the program also runs
// where it is not installed.

#pragma once

#include <libssh/callbacks.h>
#include <libssh/libssh.h>
#include <libssh/server.h>

#include "core/os/posix/loaded_library.h"

namespace plumbline::os {

// Libssh has the functions that we use, by their own names. They may be called once complete() has
// returned true.
struct Libssh : LoadedLibrary {
  Libssh();

  decltype(&::ssh_channel_free) ssh_channel_free = nullptr;
  decltype(&::ssh_channel_new) ssh_channel_new = nullptr;
  decltype(&::ssh_channel_open_session) ssh_channel_open_session = nullptr;
  decltype(&::ssh_channel_request_exec) ssh_channel_request_exec = nullptr;
  decltype(&::ssh_channel_request_send_signal) ssh_channel_request_send_signal = nullptr;
  decltype(&::ssh_channel_send_eof) ssh_channel_send_eof = nullptr;
  decltype(&::ssh_connect) ssh_connect = nullptr;
  decltype(&::ssh_disconnect) ssh_disconnect = nullptr;
  decltype(&::ssh_event_add_session) ssh_event_add_session = nullptr;
  decltype(&::ssh_event_dopoll) ssh_event_dopoll = nullptr;
  decltype(&::ssh_event_free) ssh_event_free = nullptr;
  decltype(&::ssh_event_new) ssh_event_new = nullptr;
  decltype(&::ssh_event_remove_session) ssh_event_remove_session = nullptr;
  decltype(&::ssh_free) ssh_free = nullptr;
  decltype(&::ssh_get_error) ssh_get_error = nullptr;
  decltype(&::ssh_get_fd) ssh_get_fd = nullptr;
  decltype(&::ssh_get_poll_flags) ssh_get_poll_flags = nullptr;
  decltype(&::ssh_get_server_publickey) ssh_get_server_publickey = nullptr;
  decltype(&::ssh_is_connected) ssh_is_connected = nullptr;
  decltype(&::ssh_key_free) ssh_key_free = nullptr;
  decltype(&::ssh_new) ssh_new = nullptr;
  decltype(&::ssh_options_set) ssh_options_set = nullptr;
  decltype(&::ssh_pki_export_pubkey_base64) ssh_pki_export_pubkey_base64 = nullptr;
  decltype(&::ssh_pki_import_privkey_file) ssh_pki_import_privkey_file = nullptr;
  decltype(&::ssh_remove_channel_callbacks) ssh_remove_channel_callbacks = nullptr;
  decltype(&::ssh_send_keepalive) ssh_send_keepalive = nullptr;
  decltype(&::ssh_session_is_known_server) ssh_session_is_known_server = nullptr;
  decltype(&::ssh_string_free_char) ssh_string_free_char = nullptr;
  decltype(&::ssh_set_blocking) ssh_set_blocking = nullptr;
  decltype(&::ssh_set_channel_callbacks) ssh_set_channel_callbacks = nullptr;
  decltype(&::ssh_userauth_agent) ssh_userauth_agent = nullptr;
  decltype(&::ssh_userauth_password) ssh_userauth_password = nullptr;
  decltype(&::ssh_userauth_publickey) ssh_userauth_publickey = nullptr;
};

// libssh loads it the first time.
const Libssh& libssh();

}  // namespace plumbline::os
