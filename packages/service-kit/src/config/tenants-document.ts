import { readFileSync } from 'node:fs';
import { type Document, type ErrorCode, LineCounter, parseDocument, visit } from 'yaml';
import { ConfigError, type ConfigProblem } from './config.ts';
import { codeOf } from '../logging/safe-error.ts';

export const TENANTS_TITLE = 'Arquivo de lojas inválido / Invalid tenants file';

/** Enough for content that every tenant repeats; the limit stops aliases of aliases, which grow exponentially. */
const MAX_ALIASES = 1_000;
/** The checks of the content are recursive, and aliases can nest deeper than the parser's own limit. */
const MAX_LEVELS = 100;

/**
 * Content of the tenants file (YAML or JSON), not yet checked against its schema; a tree without cycles.
 *
 * @throws ConfigError with line and column, if known, and without any text of the file
 */
export function readTenantsDocument(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw refused([`não é possível ler o arquivo / the file cannot be read (${codeOf(error) ?? 'error'})`]);
  }
  const content = contentOf(text);
  if (isDeeperThan(MAX_LEVELS, content))
    throw refused([`mais de ${MAX_LEVELS} níveis / more than ${MAX_LEVELS} levels`]);
  return content;
}

function contentOf(text: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  // The parser's messages quote the file, so they are replaced.
  const problems = document.errors.map(({ code, pos }) => `${lineOf(lines, pos[0])}: ${yamlMistake(code)}`);
  if (problems.length === 0) problems.push(...aliasProblems(document, lines));
  if (problems.length > 0) throw refused(problems);
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw refused([`mais de ${MAX_ALIASES} repetições por alias / more than ${MAX_ALIASES} repetitions by alias`]);
  }
}

/** An alias can only form a cycle inside the node that it refers to. */
function aliasProblems(document: Document.Parsed, lines: LineCounter): string[] {
  const problems: string[] = [];
  visit(document, {
    Alias: (_key, alias, ancestors) => {
      const target = alias.resolve(document);
      const where = lineOf(lines, alias.range?.[0] ?? 0);
      if (target === undefined)
        problems.push(`${where}: alias sem âncora antes dele / alias without an anchor before it`);
      else if (ancestors.includes(target))
        problems.push(`${where}: alias dentro do que ele repete / alias inside of what it repeats`);
    },
  });
  return problems;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

function lineOf(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `linha ${line}, coluna ${col} / line ${line}, column ${col}`;
}

function refused(problems: readonly string[]): ConfigError {
  return new ConfigError(
    problems.map((problem): ConfigProblem => ({ where: 'TENANTS_FILE', problem })),
    TENANTS_TITLE,
  );
}

/**
 * A message for every kind of mistake that the parser knows; the type requires all of them. No message quotes the
 * file, which may contain a secret by mistake.
 */
const MISTAKES: Record<ErrorCode, string> = {
  ALIAS_PROPS: 'um alias não leva âncora nem tag / an alias takes no anchor and no tag',
  BAD_ALIAS: 'o nome do alias não vale / the name of the alias is not valid',
  BAD_COLLECTION_TYPE: 'a tag não combina com a lista ou o mapa / the tag does not fit the list or the map',
  BAD_DIRECTIVE: 'a diretiva (%) não vale / the directive (%) is not valid',
  BAD_DQ_ESCAPE:
    'depois de \\ vem um caractere que não vale entre aspas duplas: use aspas simples / ' +
    'what follows the \\ is not valid between double quotes: use single quotes',
  BAD_INDENT:
    'o recuo não é o dos vizinhos, ou falta fechar [ ou { / the indentation is not that of its neighbours, or a [ or { is not closed',
  BAD_PROP_ORDER: 'âncora e tag vêm antes do valor / anchor and tag stand before the value',
  BAD_SCALAR_START:
    'um texto não pode começar por este caractere: ponha-o entre aspas / a text cannot begin with this character: put it in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'há dois ":" na mesma linha: ponha o texto entre aspas, ou o mapa em outra linha / ' +
    'there are two ":" in one line: put the text in quotes, or the map on another line',
  BLOCK_IN_FLOW:
    'dentro de [ ] ou { } não cabe um bloco com recuo ou "- " / a block by indentation or "- " cannot stand inside of [ ] or { }',
  DUPLICATE_KEY: 'a chave aparece duas vezes no mesmo mapa / the key stands twice in one map',
  IMPOSSIBLE: 'o YAML não vale / the YAML is not valid',
  KEY_OVER_1024_CHARS: 'a chave tem mais de 1024 caracteres / the key has more than 1024 characters',
  MISSING_CHAR:
    'falta algo antes daqui (o fim das aspas, ":" depois da chave, uma vírgula), ou o recuo está errado / ' +
    'something is missing before this (the closing quote, ":" after the key, a comma), or the indentation is wrong',
  MULTILINE_IMPLICIT_KEY:
    'a chave não pode ocupar mais de uma linha: confira o recuo e o ":" / the key cannot take more than one line: check the indentation and the ":"',
  MULTIPLE_ANCHORS: 'há mais de uma âncora no mesmo valor / there is more than one anchor on one value',
  MULTIPLE_DOCS:
    'começa um segundo documento ("---"): o arquivo tem um só / a second document begins ("---"): the file holds one',
  MULTIPLE_TAGS: 'há mais de uma tag no mesmo valor / there is more than one tag on one value',
  NON_STRING_KEY: 'a chave não é um texto / the key is not a text',
  RESOURCE_EXHAUSTION: 'está aninhado demais / it is nested too deep',
  TAB_AS_INDENT: 'há um tab no recuo: use espaços / there is a tab in the indentation: use spaces',
  TAG_RESOLVE_FAILED: 'a tag não combina com o valor / the tag does not fit the value',
  UNEXPECTED_TOKEN:
    'algo não cabe aqui: confira o recuo, e ponha entre aspas o texto com caracteres especiais / ' +
    'something does not belong here: check the indentation, and put a text with special characters in quotes',
};

/** Description of a mistake, Portuguese first; one line, without any text of the file. */
function yamlMistake(code: ErrorCode): string {
  return MISTAKES[code];
}
