#!/bin/sh
# Package: ssh2 1.17.0 (npm), on its own.
# Behaviour: `utils.generateKeyPairSync('ed25519')` returns keys that `utils.parseKey` of the same version does not read.
# Seen: about 1 in 256 of them, with "Error: Malformed OpenSSH private key". A host key that is made at a first start
# is therefore one that the server cannot load, once in some hundred installations.
# Exits 0 while that is so, 1 if all keys are read.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ssh2@1.17.0 > /dev/null
cat > keys.cjs <<'JS'
const { generateKeyPairSync, parseKey } = require('ssh2').utils;
const errors = new Map();
const KEYS = 10_000;
for (let key = 0; key < KEYS; key += 1) {
  const parsed = parseKey(generateKeyPairSync('ed25519').private);
  if (parsed instanceof Error) errors.set(String(parsed), (errors.get(String(parsed)) ?? 0) + 1);
}
for (const [error, count] of errors) console.log(`${count} of ${KEYS} keys: ${error}`);
if (errors.size === 0) console.log(`All ${KEYS} keys are read`);
process.exit(errors.size === 0 ? 1 : 0);
JS
node keys.cjs
