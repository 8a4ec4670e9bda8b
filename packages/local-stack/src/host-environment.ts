/** What a child needs of the machine. Nothing else is inherited: a developer's `DATABASE_URL` must not reach an app under test. */
const INHERITED = ['PATH', 'HOME', 'USER', 'LANG', 'TZ', 'TMPDIR', 'JAVA_HOME', 'MAVEN_OPTS', 'MAVEN_ARGS', 'M2_HOME'];

/** The machine's part of this process's environment (where programs and temporary folders are), for children. */
export function hostEnvironment(): Record<string, string> {
  const entries = INHERITED.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
