/**
 * Cause of a code of Kafka. `record`: the record as it is, whenever, wherever and by whomever it is sent. All
 * others depend on time, place and rights, so the same record is accepted later.
 */
export type CodeCause = 'record' | 'clock' | 'rights' | 'topic' | 'replicas' | 'network' | 'quota' | 'broker';

/** Remedy of each cause, for operators; it stands in the log beside topic and code. */
export const REMEDY: Readonly<Record<CodeCause, string>> = {
  record: 'raise max.message.bytes of the topic, or give it back its cleanup.policy, then release the record',
  clock:
    'compare the clock of this machine with those of the brokers; message.timestamp.before.max.ms and .after.max.ms of the topic say how far they may differ',
  rights: 'grant the account of this app the right Write on the topic',
  topic: 'create the topic, or correct its name, its prefix or its settings',
  replicas: 'bring the brokers back: the partition needs a leader, and min.insync.replicas in sync',
  network: 'look at the network between this app and the brokers if it lasts',
  quota: 'raise the quota of the account if it lasts',
  broker: "look at the brokers' log, and whether their version takes requests of this one",
};

/**
 * Every error code of Kafka's protocol, by its number and its name in Kafka 4.1. Three depend on the record:
 *
 * | code | why |
 * |---|---|
 * | MESSAGE_TOO_LARGE | alone in its batch it is larger than the topic's `max.message.bytes` |
 * | RECORD_LIST_TOO_LARGE | alone in its batch it is larger than a segment of the topic |
 * | INVALID_RECORD | the broker read it and refuses its form, such as one without a key on a compacted topic |
 *
 * A batch is refused with these codes, too, if one of its records is; it is divided until that one is alone.
 * INVALID_TIMESTAMP is not one of them: the timestamp is that of the send, so a repeat has another one.
 * CORRUPT_MESSAGE is not either: the bytes were damaged on their way, and a repeat is encoded anew.
 */
const CODES = [
  [-1, 'UNKNOWN_SERVER_ERROR', 'broker'],
  [1, 'OFFSET_OUT_OF_RANGE', 'broker'],
  [2, 'CORRUPT_MESSAGE', 'network'],
  [3, 'UNKNOWN_TOPIC_OR_PARTITION', 'topic'],
  [4, 'INVALID_FETCH_SIZE', 'broker'],
  [5, 'LEADER_NOT_AVAILABLE', 'replicas'],
  [6, 'NOT_LEADER_OR_FOLLOWER', 'replicas'],
  [7, 'REQUEST_TIMED_OUT', 'replicas'],
  [8, 'BROKER_NOT_AVAILABLE', 'replicas'],
  [9, 'REPLICA_NOT_AVAILABLE', 'replicas'],
  [10, 'MESSAGE_TOO_LARGE', 'record'],
  [11, 'STALE_CONTROLLER_EPOCH', 'replicas'],
  [12, 'OFFSET_METADATA_TOO_LARGE', 'broker'],
  [13, 'NETWORK_EXCEPTION', 'network'],
  [14, 'COORDINATOR_LOAD_IN_PROGRESS', 'broker'],
  [15, 'COORDINATOR_NOT_AVAILABLE', 'broker'],
  [16, 'NOT_COORDINATOR', 'broker'],
  [17, 'INVALID_TOPIC_EXCEPTION', 'topic'],
  [18, 'RECORD_LIST_TOO_LARGE', 'record'],
  [19, 'NOT_ENOUGH_REPLICAS', 'replicas'],
  [20, 'NOT_ENOUGH_REPLICAS_AFTER_APPEND', 'replicas'],
  [21, 'INVALID_REQUIRED_ACKS', 'broker'],
  [22, 'ILLEGAL_GENERATION', 'broker'],
  [23, 'INCONSISTENT_GROUP_PROTOCOL', 'broker'],
  [24, 'INVALID_GROUP_ID', 'broker'],
  [25, 'UNKNOWN_MEMBER_ID', 'broker'],
  [26, 'INVALID_SESSION_TIMEOUT', 'broker'],
  [27, 'REBALANCE_IN_PROGRESS', 'broker'],
  [28, 'INVALID_COMMIT_OFFSET_SIZE', 'broker'],
  [29, 'TOPIC_AUTHORIZATION_FAILED', 'rights'],
  [30, 'GROUP_AUTHORIZATION_FAILED', 'rights'],
  [31, 'CLUSTER_AUTHORIZATION_FAILED', 'rights'],
  [32, 'INVALID_TIMESTAMP', 'clock'],
  [33, 'UNSUPPORTED_SASL_MECHANISM', 'rights'],
  [34, 'ILLEGAL_SASL_STATE', 'rights'],
  [35, 'UNSUPPORTED_VERSION', 'broker'],
  [36, 'TOPIC_ALREADY_EXISTS', 'topic'],
  [37, 'INVALID_PARTITIONS', 'topic'],
  [38, 'INVALID_REPLICATION_FACTOR', 'topic'],
  [39, 'INVALID_REPLICA_ASSIGNMENT', 'topic'],
  [40, 'INVALID_CONFIG', 'topic'],
  [41, 'NOT_CONTROLLER', 'replicas'],
  [42, 'INVALID_REQUEST', 'broker'],
  [43, 'UNSUPPORTED_FOR_MESSAGE_FORMAT', 'topic'],
  [44, 'POLICY_VIOLATION', 'topic'],
  [45, 'OUT_OF_ORDER_SEQUENCE_NUMBER', 'broker'],
  [46, 'DUPLICATE_SEQUENCE_NUMBER', 'broker'],
  [47, 'INVALID_PRODUCER_EPOCH', 'broker'],
  [48, 'INVALID_TXN_STATE', 'broker'],
  [49, 'INVALID_PRODUCER_ID_MAPPING', 'broker'],
  [50, 'INVALID_TRANSACTION_TIMEOUT', 'broker'],
  [51, 'CONCURRENT_TRANSACTIONS', 'broker'],
  [52, 'TRANSACTION_COORDINATOR_FENCED', 'broker'],
  [53, 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED', 'rights'],
  [54, 'SECURITY_DISABLED', 'rights'],
  [55, 'OPERATION_NOT_ATTEMPTED', 'broker'],
  [56, 'KAFKA_STORAGE_ERROR', 'replicas'],
  [57, 'LOG_DIR_NOT_FOUND', 'replicas'],
  [58, 'SASL_AUTHENTICATION_FAILED', 'rights'],
  [59, 'UNKNOWN_PRODUCER_ID', 'broker'],
  [60, 'REASSIGNMENT_IN_PROGRESS', 'replicas'],
  [61, 'DELEGATION_TOKEN_AUTH_DISABLED', 'rights'],
  [62, 'DELEGATION_TOKEN_NOT_FOUND', 'rights'],
  [63, 'DELEGATION_TOKEN_OWNER_MISMATCH', 'rights'],
  [64, 'DELEGATION_TOKEN_REQUEST_NOT_ALLOWED', 'rights'],
  [65, 'DELEGATION_TOKEN_AUTHORIZATION_FAILED', 'rights'],
  [66, 'DELEGATION_TOKEN_EXPIRED', 'rights'],
  [67, 'INVALID_PRINCIPAL_TYPE', 'rights'],
  [68, 'NON_EMPTY_GROUP', 'broker'],
  [69, 'GROUP_ID_NOT_FOUND', 'broker'],
  [70, 'FETCH_SESSION_ID_NOT_FOUND', 'broker'],
  [71, 'INVALID_FETCH_SESSION_EPOCH', 'broker'],
  [72, 'LISTENER_NOT_FOUND', 'replicas'],
  [73, 'TOPIC_DELETION_DISABLED', 'topic'],
  [74, 'FENCED_LEADER_EPOCH', 'replicas'],
  [75, 'UNKNOWN_LEADER_EPOCH', 'replicas'],
  [76, 'UNSUPPORTED_COMPRESSION_TYPE', 'topic'],
  [77, 'STALE_BROKER_EPOCH', 'replicas'],
  [78, 'OFFSET_NOT_AVAILABLE', 'broker'],
  [79, 'MEMBER_ID_REQUIRED', 'broker'],
  [80, 'PREFERRED_LEADER_NOT_AVAILABLE', 'replicas'],
  [81, 'GROUP_MAX_SIZE_REACHED', 'broker'],
  [82, 'FENCED_INSTANCE_ID', 'broker'],
  [83, 'ELIGIBLE_LEADERS_NOT_AVAILABLE', 'replicas'],
  [84, 'ELECTION_NOT_NEEDED', 'broker'],
  [85, 'NO_REASSIGNMENT_IN_PROGRESS', 'broker'],
  [86, 'GROUP_SUBSCRIBED_TO_TOPIC', 'broker'],
  [87, 'INVALID_RECORD', 'record'],
  [88, 'UNSTABLE_OFFSET_COMMIT', 'broker'],
  [89, 'THROTTLING_QUOTA_EXCEEDED', 'quota'],
  [90, 'PRODUCER_FENCED', 'broker'],
  [91, 'RESOURCE_NOT_FOUND', 'topic'],
  [92, 'DUPLICATE_RESOURCE', 'topic'],
  [93, 'UNACCEPTABLE_CREDENTIAL', 'rights'],
  [94, 'INCONSISTENT_VOTER_SET', 'broker'],
  [95, 'INVALID_UPDATE_VERSION', 'broker'],
  [96, 'FEATURE_UPDATE_FAILED', 'broker'],
  [97, 'PRINCIPAL_DESERIALIZATION_FAILURE', 'rights'],
  [98, 'SNAPSHOT_NOT_FOUND', 'broker'],
  [99, 'POSITION_OUT_OF_RANGE', 'broker'],
  [100, 'UNKNOWN_TOPIC_ID', 'topic'],
  [101, 'DUPLICATE_BROKER_REGISTRATION', 'broker'],
  [102, 'BROKER_ID_NOT_REGISTERED', 'broker'],
  [103, 'INCONSISTENT_TOPIC_ID', 'topic'],
  [104, 'INCONSISTENT_CLUSTER_ID', 'broker'],
  [105, 'TRANSACTIONAL_ID_NOT_FOUND', 'broker'],
  [106, 'FETCH_SESSION_TOPIC_ID_ERROR', 'broker'],
  [107, 'INELIGIBLE_REPLICA', 'replicas'],
  [108, 'NEW_LEADER_ELECTED', 'replicas'],
  [109, 'OFFSET_MOVED_TO_TIERED_STORAGE', 'broker'],
  [110, 'FENCED_MEMBER_EPOCH', 'broker'],
  [111, 'UNRELEASED_INSTANCE_ID', 'broker'],
  [112, 'UNSUPPORTED_ASSIGNOR', 'broker'],
  [113, 'STALE_MEMBER_EPOCH', 'broker'],
  [114, 'MISMATCHED_ENDPOINT_TYPE', 'broker'],
  [115, 'UNSUPPORTED_ENDPOINT_TYPE', 'broker'],
  [116, 'UNKNOWN_CONTROLLER_ID', 'broker'],
  [117, 'UNKNOWN_SUBSCRIPTION_ID', 'broker'],
  [118, 'TELEMETRY_TOO_LARGE', 'broker'],
  [119, 'INVALID_REGISTRATION', 'broker'],
  [120, 'TRANSACTION_ABORTABLE', 'broker'],
  [121, 'INVALID_RECORD_STATE', 'broker'],
  [122, 'SHARE_SESSION_NOT_FOUND', 'broker'],
  [123, 'INVALID_SHARE_SESSION_EPOCH', 'broker'],
  [124, 'FENCED_STATE_EPOCH', 'broker'],
  [125, 'INVALID_VOTER_KEY', 'broker'],
  [126, 'DUPLICATE_VOTER', 'broker'],
  [127, 'VOTER_NOT_FOUND', 'broker'],
  [128, 'INVALID_REGULAR_EXPRESSION', 'broker'],
  [129, 'REBOOTSTRAP_REQUIRED', 'replicas'],
  [130, 'STREAMS_INVALID_TOPOLOGY', 'broker'],
  [131, 'STREAMS_INVALID_TOPOLOGY_EPOCH', 'broker'],
  [132, 'STREAMS_TOPOLOGY_FENCED', 'broker'],
  [133, 'SHARE_SESSION_LIMIT_REACHED', 'broker'],
] as const satisfies readonly (readonly [number: number, name: string, cause: CodeCause])[];

/** Name of a code of Kafka, or `CODE_` and the number of one that a later version of Kafka added. */
export type KafkaCode = string;

const NAMES: ReadonlyMap<number, string> = new Map(CODES.map(([number, name]) => [number, name]));
const CAUSES: ReadonlyMap<string, CodeCause> = new Map(CODES.map(([, name, cause]) => [name, cause]));

/** All codes of the table. */
export const KAFKA_CODES: readonly { readonly number: number; readonly name: KafkaCode; readonly cause: CodeCause }[] =
  CODES.map(([number, name, cause]) => ({ number, name, cause }));

/** Name of the code with this number. */
export function codeOf(number: number): KafkaCode {
  return NAMES.get(number) ?? `CODE_${number}`;
}

/** Cause of a code; one that is not known depends on the broker, so that no record is parked for it. */
export function causeOf(code: KafkaCode): CodeCause {
  return CAUSES.get(code) ?? 'broker';
}
