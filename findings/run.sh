#!/usr/bin/env bash
# Runs every finding and prints one line for each. Exits with 1 if one of them has changed or cannot run.
set -uo pipefail
cd "$(dirname "$0")"

changed=0
for script in */*.sh; do
  if output=$(bash "$script" 2>&1); then
    echo "same     $script"
  else
    echo "changed  $script: $(tail -n 1 <<<"$output")"
    changed=1
  fi
done
exit "$changed"
