#!/usr/bin/env bash
# Calls every operation as the document describes it and holds each reply to it, with schemathesis (Python 3.11):
#   pip install schemathesis==4.32.5
#   npm run build && scripts/contract/check.sh [EXAMPLES] [further options of `schemathesis run`]
# The server asks for a key, so that what needs one is seen to need it. positive_data_acceptance is run by hooks.py, which knows
# what the document says in words only.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
examples=${1:-200}
port=${PORT:-8787}
export CAIRN_API_KEY=a-key-for-this-run
export SCHEMATHESIS_HOOKS=hooks.py
# What schemathesis keeps of its runs stays out of the repository.
cd "$(mktemp -d)"
cp "$root"/scripts/contract/hooks.py .
"$root/dist/cairn" serve --ephemeral --port "$port" --ready-json --embedder hash \
  --rate-writes 0 --rate-bulk 0 --rate-searches 0 --rate-reads 0 >/dev/null 2>&1 &
trap 'kill $!' EXIT
schemathesis --config-file "$root/scripts/contract/schemathesis.toml" run "http://127.0.0.1:$port/api/openapi.json" \
  --wait-for-schema 20 --checks all --exclude-checks positive_data_acceptance --max-examples "$examples" --no-color "${@:2}"
