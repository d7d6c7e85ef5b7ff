#!/bin/sh
# Restarts Platen without a failed request: starts the instance that rests, platen@a or platen@b, waits until it
# answers on the same port, and stops the other. When the new one does not start, the old one goes on.
set -eu

is_active() {
  systemctl is-active --quiet "platen@$1"
}

if is_active a && is_active b; then
  echo 'platen@a and platen@b are both running: another restart is under way, or one was cut off. Stop one of them.' >&2
  exit 1
fi
if is_active a; then old=a new=b; else old=b new=a; fi

# Of connections that are just being made some would fail without it.
if [ "$(sysctl -n net.ipv4.tcp_migrate_req 2>/dev/null || echo 0)" != 1 ]; then
  echo 'net.ipv4.tcp_migrate_req is not 1: install platen-sysctl.conf, or a connection may be reset.' >&2
fi

# With Type=notify this returns when the service is ready.
if ! systemctl start "platen@$new"; then
  # It would try again and again beside the one that works.
  systemctl stop "platen@$new"
  echo "platen@$new did not start, platen@$old was not touched: see journalctl -u platen@$new" >&2
  exit 1
fi
# From here on the machine would boot with the new one.
systemctl enable --quiet "platen@$new"
systemctl disable --quiet "platen@$old"
systemctl stop "platen@$old"
echo "platen@$new has taken over."
