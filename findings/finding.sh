# Steps that the findings share. A finding sources this file.
set -euo pipefail

# Installs packages, each as name@version, in a temporary folder, and goes there.
install_packages() {
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cd "$folder"
  npm init --yes >/dev/null
  npm install --loglevel=error --no-audit --no-fund --ignore-scripts "$@" >/dev/null
}

# Runs a program and compares its output with the lines of standard input. Exits with 1 if they differ.
run_and_compare() {
  local expected seen
  expected=$(cat)
  seen=$(node "$1")
  echo "$seen"
  if [ "$seen" != "$expected" ]; then
    echo 'The behaviour has changed.' >&2
    exit 1
  fi
}
