#!/bin/sh
# Package: json-schema-to-typescript 16.0.0 (npm), on its own.
# Behaviour: a property whose schema has nothing but a description becomes an object's type, to which neither null nor
# a text can be assigned, though every value is valid by the schema. Without the description it is `unknown`.
# Seen: `described: { [k: string]: unknown }` beside `plain: unknown`.
# Exits 0 while that is so, 1 if the type changes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent json-schema-to-typescript@16.0.0
cat >schema.json <<'SCHEMA'
{
  "title": "Record",
  "type": "object",
  "properties": { "described": { "description": "Any JSON value" }, "plain": {} },
  "required": ["described", "plain"],
  "additionalProperties": false
}
SCHEMA
npx --no-install json2ts schema.json >record.ts
cat record.ts
tr -d '\n' <record.ts | grep -Eq 'described: \{ *\[k: string\]: unknown;? *\}' || exit 1
grep -q 'plain: unknown' record.ts || exit 1
echo 'As described.'
