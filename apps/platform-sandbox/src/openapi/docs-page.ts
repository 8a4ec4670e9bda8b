/** A page of the OpenAPI document, without anything from elsewhere. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Routes of the sandbox</title>
<style>
:root { color-scheme: light dark; font-family: system-ui; line-height: 1.45 }
body { margin: 0 auto; max-width: 60rem; padding: 1rem }
summary { cursor: pointer; padding: .35rem 0 } code, pre { font-family: ui-monospace, monospace; font-size: .85rem }
pre { background: color-mix(in srgb, CanvasText 8%, Canvas); border-radius: .4rem; overflow: auto; padding: .7rem }
.m { display: inline-block; font-weight: 700; width: 4.5rem } h2 { margin-top: 2rem; text-transform: capitalize }
input { font: inherit; padding: .4rem; width: 100%; box-sizing: border-box }
td { padding: .1rem 1rem .1rem 0; vertical-align: top }
</style></head><body>
<h1>Routes of the sandbox</h1>
<p>Each example works when it is pasted. The document itself: <a href="/admin/openapi.json">/admin/openapi.json</a></p>
<p><input id="q" placeholder="Filter" aria-label="Filter"></p><main></main>
<script>
const text = (tag, content, className) => Object.assign(document.createElement(tag), { textContent: content, className: className ?? '' });
const pretty = (value) => JSON.stringify(value, null, 2);
function block(title, value) { return value === undefined ? [] : [text('h4', title), text('pre', typeof value === 'string' ? value : pretty(value))]; }
function curl(method, path, operation) {
  const body = operation.requestBody?.content?.['application/json']?.example;
  const security = operation.security?.[0] ?? {};
  const lines = ['curl -X ' + method.toUpperCase() + ' ' + location.origin + path];
  if ('basic' in security) lines.push("-u erp:erp -H 'x-contractAccountId: 11111111-1111-4111-8111-111111111111'");
  if ('apiKey' in security) lines.push("-H 'X-API-KEY: key'");
  if (body !== undefined) lines.push("-H 'content-type: application/json' -d '" + JSON.stringify(body) + "'");
  return lines.join(' \\\\\\n  ');
}
function entry(method, path, operation) {
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.append(text('span', method.toUpperCase(), 'm'), text('code', path), ' ' + (operation.summary ?? ''));
  details.append(summary);
  details.addEventListener('toggle', () => {
    if (details.childElementCount > 1) return;
    const good = Object.entries(operation.responses).find(([status]) => Number(status) < 400)?.[1];
    const parameters = (operation.parameters ?? []).map((one) => one.in + '  ' + one.name + '  ' + (one.description ?? '')).join('\\n');
    const body = operation.requestBody?.content?.['application/json'];
    const errors = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400).map(([status, one]) => status + '  ' + one.description).join('\\n');
    details.append(...(path.startsWith('/') ? block('Call', curl(method, path, operation)) : []), ...block('Parameters', parameters || undefined), ...block('Body', body?.example),
      ...block('Schema of the body', body?.schema), ...block('Answer', Object.values(good?.content ?? {})[0]?.example), ...block('Errors', errors || undefined));
  });
  details.dataset.text = (method + ' ' + path + ' ' + operation.summary).toLowerCase();
  return details;
}
const answer = await fetch('/admin/openapi.json');
const main = document.querySelector('main');
if (!answer.ok) main.append(text('p', 'The document needs the operations token: ' + answer.status));
else {
  const { paths, webhooks } = await answer.json();
  const groups = new Map();
  for (const [path, methods] of Object.entries(paths)) for (const [method, operation] of Object.entries(methods)) {
    const tag = operation.tags?.[0] ?? 'other';
    groups.set(tag, [...(groups.get(tag) ?? []), entry(method, path, operation)]);
  }
  groups.set('webhooks sent to you', Object.entries(webhooks).map(([name, { post }]) => entry('post', name, post)));
  for (const [tag, entries] of groups) main.append(text('h2', tag), ...entries);
}
document.querySelector('#q').addEventListener('input', (event) => {
  for (const details of document.querySelectorAll('details')) details.hidden = !details.dataset.text.includes(event.target.value.toLowerCase());
});
</script></body></html>`.replace('<script>', '<script type="module">');
