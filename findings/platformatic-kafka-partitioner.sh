#!/usr/bin/env bash
# The default partitioner of @platformatic/kafka 2.12.1 chooses other partitions than Kafka's own clients.
#
# Java, librdkafka (murmur2_random) and kafkajs take murmur2 of the key without its sign bit, modulo the number of partitions.
# @platformatic/kafka takes murmur2 as an unsigned number, so that keys with the sign bit set go elsewhere unless 2^31 is a
# multiple of the number of partitions. Its `compatibilityPartitioner` agrees with the others.
#
# Seen: with 12 partitions 486 of 1000 keys on the same partition by default, 1000 with compatibilityPartitioner;
# with 8 partitions 1000 by both. Exits with 1 if that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @platformatic/kafka@2.12.1 kafkajs@2.2.4
cat >compare.mjs <<'END'
import { compatibilityPartitioner, defaultPartitioner } from '@platformatic/kafka';
import kafkajs from 'kafkajs';

const chosenByKafka = kafkajs.Partitioners.DefaultPartitioner();
function agreed(partitioner, partitions) {
  const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({ partitionId, leader: 1 }));
  const keys = Array.from({ length: 1000 }, (_, index) => Buffer.from(`sku-${index}`));
  return keys.filter((key) => {
    const usual = chosenByKafka({ topic: 't', partitionMetadata, message: { key, value: null } });
    return Number(partitioner({}, key)) % partitions === usual;
  }).length;
}
for (const partitions of [12, 8])
  console.log(`${partitions} partitions: default ${agreed(defaultPartitioner, partitions)}, compatible ${agreed(compatibilityPartitioner, partitions)}`);
END
seen=$(node compare.mjs)
printf '@platformatic/kafka 2.12.1, of 1000 keys on the partition of Kafka'"'"'s own clients\n%s\n' "$seen"
[ "$seen" = $'12 partitions: default 486, compatible 1000\n8 partitions: default 1000, compatible 1000' ]
