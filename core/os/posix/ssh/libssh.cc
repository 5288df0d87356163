#ifdef PLUMBLINE_LIBSSH

#include "core/os/posix/ssh/libssh.h"

namespace plumbline::os {

Libssh::Libssh() : LoadedLibrary("libssh.so.4") {
  find(ssh_channel_free, "ssh_channel_free");
  find(ssh_channel_new, "ssh_channel_new");
  find(ssh_channel_open_session, "ssh_channel_open_session");
  find(ssh_channel_request_exec, "ssh_channel_request_exec");
  find(ssh_channel_request_send_signal, "ssh_channel_request_send_signal");
  find(ssh_channel_send_eof, "ssh_channel_send_eof");
  find(ssh_connect, "ssh_connect");
  find(ssh_disconnect, "ssh_disconnect");
  find(ssh_event_add_session, "ssh_event_add_session");
  find(ssh_event_dopoll, "ssh_event_dopoll");
  find(ssh_event_free, "ssh_event_free");
  find(ssh_event_new, "ssh_event_new");
  find(ssh_event_remove_session, "ssh_event_remove_session");
  find(ssh_free, "ssh_free");
  find(ssh_get_error, "ssh_get_error");
  find(ssh_get_fd, "ssh_get_fd");
  find(ssh_get_poll_flags, "ssh_get_poll_flags");
  find(ssh_get_server_publickey, "ssh_get_server_publickey");
  find(ssh_is_connected, "ssh_is_connected");
  find(ssh_key_free, "ssh_key_free");
  find(ssh_new, "ssh_new");
  find(ssh_options_set, "ssh_options_set");
  find(ssh_pki_export_pubkey_base64, "ssh_pki_export_pubkey_base64");
  find(ssh_pki_import_privkey_file, "ssh_pki_import_privkey_file");
  find(ssh_remove_channel_callbacks, "ssh_remove_channel_callbacks");
  find(ssh_send_keepalive, "ssh_send_keepalive");
  find(ssh_session_is_known_server, "ssh_session_is_known_server");
  find(ssh_string_free_char, "ssh_string_free_char");
  find(ssh_set_blocking, "ssh_set_blocking");
  find(ssh_set_channel_callbacks, "ssh_set_channel_callbacks");
  find(ssh_userauth_agent, "ssh_userauth_agent");
  find(ssh_userauth_password, "ssh_userauth_password");
  find(ssh_userauth_publickey, "ssh_userauth_publickey");
}

const Libssh& libssh() {
  static const Libssh kLibssh;
  return kLibssh;
}

}  // namespace plumbline::os

#endif  // PLUMBLINE_LIBSSH
