/**
 * The page of `/graph` (docs/server/inspection.md#graph-page): a picture of the graph that `/graph/data` describes. It
 * asks for a token where that needs one.
 */
export function graphPage(title: string, root: string, needsToken: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)}</title>
<link rel="stylesheet" href="${root}static/_graph/graph.css">
<script type="module" src="${root}static/_graph/graph.js"></script>
</head>
<body data-source="${root}graph/data"${needsToken ? ' data-needs-token' : ''}>
<form id="controls">
<label>Start <input name="root" placeholder="root or an id" size="34"></label>
<label>Depth <input name="depth" type="number" min="0" max="32" value="3"></label>
<label>Limit <input name="limit" type="number" min="1" max="2000" value="500"></label>
<label>Token <input name="token" type="password" autocomplete="off" placeholder="${needsToken ? 'of an administrator' : 'none: guest'}"${needsToken ? ' required' : ''}></label>
<button>Show</button>
<output id="status" role="status"></output>
</form>
<svg id="picture" role="img" aria-label="The graph"></svg>
<noscript>This page needs JavaScript. The data itself is at graph/data.</noscript>
</body>
</html>
`;
}

export const graphStyle = `body { margin: 0; font: 14px system-ui, sans-serif; height: 100vh; display: flex; flex-direction: column; }
form { display: flex; flex-wrap: wrap; gap: 0.75rem; padding: 0.5rem 1rem; border-bottom: 1px solid #d4d4d8; align-items: center; }
input[type='number'] { width: 4.5rem; }
svg { flex: 1; min-height: 0; background: #fafafa; touch-action: none; }
line { stroke: #a1a1aa; }
circle { stroke: #52525b; cursor: pointer; }
text { font-size: 11px; fill: #27272a; pointer-events: none; }
text.edge { font-size: 9px; fill: #71717a; }
`;

/** Texts of the graph only ever become text nodes. */
export const graphScript = `// Draws what /graph/data gives: nodes in rings by distance, then moved until neighbours are near.
const form = document.getElementById('controls');
const status = document.getElementById('status');
const picture = document.getElementById('picture');
const svg = (name, attributes, parent, text) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  show();
});
if (document.body.dataset.needsToken === undefined) show();
else status.textContent = 'Paste the access token of an administrator, then Show.';

async function show() {
  const fields = new FormData(form);
  const query = new URLSearchParams();
  for (const name of ['root', 'depth', 'limit']) if (fields.get(name)) query.set(name, fields.get(name));
  const token = fields.get('token');
  const headers = token ? { Authorization: 'Bearer ' + token } : {};
  status.textContent = 'Loading…';
  try {
    const answer = await fetch(document.body.dataset.source + '?' + query, { headers });
    const { data, error } = await answer.json();
    if (error) throw new Error(error.message);
    status.textContent = data.nodes.length + ' nodes, ' + data.edges.length + ' edges' + (data.truncated ? ', cut' : '');
    draw(data);
  } catch (error) {
    status.textContent = error.message;
  }
}

function draw({ nodes, edges }) {
  const places = new Map(nodes.map((node, i) => [node.id, { node, x: 60 * Math.sqrt(i) * Math.cos(i * 2.4), y: 60 * Math.sqrt(i) * Math.sin(i * 2.4) }]));
  const all = [...places.values()];
  const links = edges.map((edge) => ({ edge, from: places.get(edge.from), to: places.get(edge.to) })).filter(({ from, to }) => from && to);
  for (let round = 0; round < (all.length > 400 ? 30 : 120); round++) settle(all, links, 1 - round / 120);
  picture.replaceChildren();
  const xs = all.map(({ x }) => x);
  const ys = all.map(({ y }) => y);
  const [left, top] = [Math.min(0, ...xs) - 80, Math.min(0, ...ys) - 40];
  picture.setAttribute('viewBox', [left, top, Math.max(0, ...xs) - left + 160, Math.max(0, ...ys) - top + 60].join(' '));
  for (const { edge, from, to } of links) {
    svg('line', { x1: from.x, y1: from.y, x2: to.x, y2: to.y }, picture);
    if (edge.label) svg('text', { class: 'edge', x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, 'text-anchor': 'middle' }, picture, edge.label);
  }
  for (const { node, x, y } of all) {
    const dot = svg('circle', { cx: x, cy: y, r: 10, fill: node.color, tabindex: 0 }, picture);
    svg('title', {}, dot, node.type + ' ' + node.id);
    dot.addEventListener('click', () => {
      form.elements.root.value = node.id;
      show();
    });
    svg('text', { x: x + 13, y: y + 4 }, picture, node.label);
  }
}

function settle(all, links, heat) {
  for (const one of all) {
    for (const other of all) {
      if (one === other) continue;
      const [dx, dy] = [one.x - other.x, one.y - other.y];
      const push = Math.min(8, 2000 / (dx * dx + dy * dy + 1)) * heat;
      const length = Math.hypot(dx, dy) || 1;
      one.x += (dx / length) * push;
      one.y += (dy / length) * push;
    }
  }
  for (const { from, to } of links) {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const pull = ((Math.hypot(dx, dy) - 90) / (Math.hypot(dx, dy) || 1)) * 0.1 * heat;
    from.x += dx * pull;
    from.y += dy * pull;
    to.x -= dx * pull;
    to.y -= dy * pull;
  }
}
`;
