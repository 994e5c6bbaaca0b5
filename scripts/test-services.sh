#!/usr/bin/env bash
# Installs the Debian packages that some tests start as real programs. Without them those tests are skipped, and say so.
set -euo pipefail
packages=(cppcheck clang-tidy gcc neovim redis-server)
missing=()
for package in "${packages[@]}"; do
  command -v "${package/neovim/nvim}" >/dev/null || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "Not installed, so their tests are skipped: ${missing[*]} (run as root on Debian to install them)." >&2
  exit 0
fi
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >/dev/null; then
  echo "Could not be installed, so their tests are skipped: ${missing[*]}." >&2
fi
