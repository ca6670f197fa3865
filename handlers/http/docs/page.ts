/**
 * One of the two pages. Everything it needs comes from this server by relative addresses, so it also works behind a proxy that adds a
 * prefix; nothing is inline but this markup.
 *
 * @param root from the page to the root of the server: empty, or `../` for an address with a trailing slash
 */
export function pageText(title: string, script: string, root: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)}</title>
<link rel="icon" href="${root}static/_docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}static/_docs/docs.css">
<script type="module" src="${root}static/_docs/${script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<div id="app"><p class="loading" role="status">Loading the description…</p></div>
<noscript><p class="loading">This page needs JavaScript. The description itself is at <a href="${root}openapi.json">openapi.json</a>.</p></noscript>
</body>
</html>
`;
}

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
