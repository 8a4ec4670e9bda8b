/**
 * What a child needs of the machine. Nothing else is inherited: a developer's `DATABASE_URL` must not reach an app
 * under test.
 */
const OF_EVERY_PROGRAM = ['PATH', 'HOME', 'USER', 'LANG', 'TZ', 'TMPDIR'];
const OF_JAVA = ['JAVA_HOME', 'JAVA_TOOL_OPTIONS', 'M2_HOME', 'MAVEN_ARGS', 'MAVEN_OPTS'];

/** The machine's part of this process's environment (where programs and temporary folders are), for children. */
export function hostEnvironment(): Record<string, string> {
  const entries = [...OF_EVERY_PROGRAM, ...OF_JAVA].map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
