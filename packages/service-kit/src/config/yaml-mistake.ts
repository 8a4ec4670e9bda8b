import type { ErrorCode } from 'yaml';

/**
 * Every kind of mistake that the parser knows: it cannot be forgotten here. None of them quotes the file, which may
 * hold a secret by mistake.
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

/** What a mistake of this kind is, Portuguese first; one line, without a word of the file. */
export function yamlMistake(code: ErrorCode): string {
  return MISTAKES[code];
}
