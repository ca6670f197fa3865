/** Script of `/graph`: draws what `/graph/data` gives, nodes in rings by distance, then moved until neighbours are near. */

/**
 * @typedef {{ readonly id: string, readonly type: string, readonly label: string, readonly color: string }} Dot
 * @typedef {{ readonly from: string, readonly to: string, readonly label?: string }} Line
 * @typedef {{ readonly node: Dot, x: number, y: number }} Place
 * @typedef {{ readonly edge: Line, readonly from: Place, readonly to: Place }} Link
 */

const form = /** @type {HTMLFormElement} */ (document.getElementById('controls'));
const status = /** @type {HTMLElement} */ (document.getElementById('status'));
const picture = /** @type {HTMLElement} */ (document.getElementById('picture'));
const { source = '', needsToken } = document.body.dataset;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void show();
});
if (needsToken === 'true') {
  const input = form.elements.namedItem('token');
  if (input instanceof HTMLInputElement) {
    input.required = true;
    input.placeholder = 'of an administrator';
  }
  status.textContent = 'Paste the access token of an administrator, then Show.';
} else void show();

async function show() {
  const fields = new FormData(form);
  const query = new URLSearchParams();
  for (const name of ['root', 'depth', 'limit']) if (fields.get(name)) query.set(name, String(fields.get(name)));
  const token = fields.get('token');
  /** @type {Record<string, string>} */
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  status.textContent = 'Loading…';
  try {
    const answer = await fetch(`${source}?${query}`, { headers });
    const { data, error } = await answer.json();
    if (error) throw new Error(error.message);
    status.textContent = `${data.nodes.length} nodes, ${data.edges.length} edges${data.truncated ? ', cut' : ''}`;
    draw(data);
  } catch (error) {
    status.textContent = error instanceof Error ? error.message : String(error);
  }
}

/** @param {{ readonly nodes: readonly Dot[], readonly edges: readonly Line[] }} data */
function draw({ nodes, edges }) {
  /** @type {Map<string, Place>} */
  const places = new Map();
  for (const [i, node] of nodes.entries()) {
    const far = 60 * Math.sqrt(i);
    places.set(node.id, { node, x: far * Math.cos(i * 2.4), y: far * Math.sin(i * 2.4) });
  }
  const all = [...places.values()];
  const links = edges.flatMap((edge) => {
    const from = places.get(edge.from);
    const to = places.get(edge.to);
    return from && to ? [{ edge, from, to }] : [];
  });
  for (let round = 0; round < (all.length > 400 ? 30 : 120); round++) settle(all, links, 1 - round / 120);
  picture.replaceChildren();
  const xs = all.map(({ x }) => x);
  const ys = all.map(({ y }) => y);
  const [left, top] = [Math.min(0, ...xs) - 80, Math.min(0, ...ys) - 40];
  picture.setAttribute(
    'viewBox',
    [left, top, Math.max(0, ...xs) - left + 160, Math.max(0, ...ys) - top + 60].join(' '),
  );
  for (const { edge, from, to } of links) {
    svg('line', { x1: from.x, y1: from.y, x2: to.x, y2: to.y }, picture);
    if (edge.label)
      svg(
        'text',
        { class: 'edge', x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, 'text-anchor': 'middle' },
        picture,
        edge.label,
      );
  }
  for (const { node, x, y } of all) {
    const dot = svg('circle', { cx: x, cy: y, r: 10, fill: node.color, tabindex: 0 }, picture);
    svg('title', {}, dot, `${node.type} ${node.id}`);
    dot.addEventListener('click', () => {
      const start = form.elements.namedItem('root');
      if (start instanceof HTMLInputElement) start.value = node.id;
      void show();
    });
    svg('text', { x: x + 13, y: y + 4 }, picture, node.label);
  }
}

/**
 * One round of moving: all push each other apart, links pull theirs together.
 *
 * @param {readonly Place[]} all
 * @param {readonly Link[]} links
 * @param {number} heat 1 in the first round, less in each that follows
 */
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

/**
 * Adds an element to the picture. Texts of the graph only ever become text nodes.
 *
 * @param {string} name
 * @param {Readonly<Record<string, string | number>>} attributes
 * @param {Element} parent
 * @param {string} [text]
 */
function svg(name, attributes, parent, text) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}
