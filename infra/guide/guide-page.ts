import { readFile } from 'node:fs/promises';
import { Marked, type Tokens } from 'marked';

/** A guide as one page without scripts and external resources, for screens, phones and print. */

const DOCS = new URL('../../docs/', import.meta.url);

/** A guide in one language, and its generated page. */
interface Guide {
  readonly name: 'erp' | 'pictures';
  readonly language: 'en' | 'pt-BR';
  readonly markdown: URL;
  readonly page: URL;
}

export const GUIDES: readonly Guide[] = [
  guideOf('erp', 'en', 'erp-guide'),
  guideOf('erp', 'pt-BR', 'pt-BR/guia-erp'),
  guideOf('pictures', 'en', 'erp-pictures'),
  guideOf('pictures', 'pt-BR', 'pt-BR/guia-imagens'),
];

function guideOf(name: Guide['name'], language: Guide['language'], path: string): Guide {
  return { name, language, markdown: new URL(`${path}.md`, DOCS), page: new URL(`${path}.html`, DOCS) };
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 46rem; padding: 1rem; overflow-wrap: break-word; }
h1, h2 { line-height: 1.2; }
h2 { border-top: 1px solid; margin-top: 2.5rem; padding-top: 1rem; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { border: 1px solid; border-radius: 0.3rem; padding: 0.7rem; white-space: pre-wrap; }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
td, th { border: 1px solid; padding: 0.3rem 0.5rem; text-align: left; vertical-align: top; }
@media print { body { font-size: 10pt; max-width: none; } h2 { break-after: avoid; } pre, tr { break-inside: avoid; } a { color: inherit; text-decoration: none; } }
`;

/** Anchor of a heading in a link, in GitHub's form. */
export function slugOfHeading(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

export async function pageOf({ markdown, language }: Guide): Promise<string> {
  return guidePage(await readFile(markdown, 'utf8'), language);
}

function guidePage(markdown: string, language: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${slugOfHeading(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text, lang = '' }: Tokens.Code) {
        const [, topic] = lang.split(' ');
        const label = topic === undefined ? '' : `<p><code>${topic}</code>:</p>\n`;
        return `${label}<pre><code>${escaped(text)}</code></pre>\n`;
      },
    },
  });
  const body = marked
    .parse(markdown, { async: false })
    .replaceAll('<table>', '<div class="table"><table>')
    .replaceAll('</table>', '</table></div>');
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? '';
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
