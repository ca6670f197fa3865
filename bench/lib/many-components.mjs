// A client of 100 files, written twice: in `.svc`, and by hand for Vite and React. Ten sections with nine parts each, and the application above
// them; each part has state, a list, a form and a derived value.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchFolder } from './server.mjs';

const sections = 10;
const partsOf = (section) => Array.from({ length: section === 0 ? 8 : 9 }, (_, i) => `Part${section}${i}`);
const numbers = Array.from({ length: sections }, (_, i) => i);
const packages = join(benchFolder, '../node_modules');

/** The part that is saved again and again; the last section draws it. */
export const savedPart = 'Part95';

export function writeSvc(folder) {
  mkdirSync(join(folder, 'components'), { recursive: true });
  symlinkSync(packages, join(folder, 'node_modules'), 'dir');
  writeFileSync(join(folder, 'svc.toml'), `[project]\nname = "parts"\nversion = "1.0.0"\nentry-point = "main.svc"\n`);
  writeFileSync(
    join(folder, 'main.svc'),
    `${numbers.map((i) => `import from components.Section${i} { Section${i} }`).join('\n')}

node Note { has text: str; }
walker:pub AddNote { has text: str; can add with Root entry { report here ++> Note(text=self.text); } }
walker:pub ListNotes { can list with Root entry { visit [-->[?:Note]]; } can show with Note entry { report here; } }

def:pub app() -> JsxElement {
    has notes: list[Note] = [];
    async can with entry { notes = (root spawn ListNotes()).reports; }
    return <main><h1>Parts</h1><p>{len(notes)} notes</p>${numbers.map((i) => `<Section${i} />`).join('')}</main>;
}
`,
  );
  for (const section of numbers) {
    const parts = partsOf(section);
    writeFileSync(
      join(folder, `components/Section${section}.svc`),
      `${parts.map((name) => `import from .${name} { ${name} }`).join('\n')}

def:pub Section${section}() -> JsxElement {
    has open: bool = True;
    return <section>
        <h2>Section ${section}</h2>
        <button onClick={lambda -> None { open = not open; }}>{"close" if open else "open"}</button>
        {open and <div>${parts.map((name, i) => `<${name} title="${name}" start={${i}} />`).join('')}</div>}
    </section>;
}
`,
    );
    for (const name of parts) writeFileSync(join(folder, `components/${name}.svc`), svcPart(name, 'as it was'));
  }
}

/** `shown` is what the saved file changes. */
export function svcPart(name, shown) {
  return `"""A part of the page."""

def price_of(count: int, each: float) -> float { return round(count * each * 1.19, 2); }

def:pub ${name}(title: str, start: int = 0) -> JsxElement {
    has count: int = start, text: str = "", lines: list[str] = ["first", "second"];

    kept = [line for line in lines if text in line];
    longest = max([len(line) for line in lines]) if len(lines) > 0 else 0;

    def add(event: any) -> None {
        event.preventDefault();
        if text.strip() != "" { lines = lines + [text.strip()]; }
        text = "";
    }

    return <article id="${name}">
        <h3>{title}: <span className="shown">${shown}</span></h3>
        <button className="more" onClick={lambda -> None { count += 1; }}>{count} times</button>
        <p>{f"{price_of(count, 2.5):.2f}"} EUR, the longest line has {longest} letters</p>
        <form onSubmit={add}>
            <label>New line <input value={text} onChange={lambda e: any -> None { text = e.target.value; }} /></label>
            <button disabled={text.strip() == ""}>Add</button>
        </form>
        <ul>{for (i, line) in enumerate(kept) { <li key={line}>{i + 1}. {line.capitalize()}</li> }}</ul>
        {if len(kept) < len(lines) { <p>{len(lines) - len(kept)} lines are hidden</p> }}
    </article>;
}
`;
}

/**
 * The same with Vite and its plug-in for React, as `npm create vite` lays it out. Bundled packages stand in a folder of their own, as `node_modules` is shared, and are
 * left out of the plug-in's work as they are there.
 */
export function writeReact(folder) {
  mkdirSync(join(folder, 'components'), { recursive: true });
  symlinkSync(packages, join(folder, 'node_modules'), 'dir');
  writeFileSync(join(folder, 'package.json'), '{"name":"parts","private":true,"type":"module"}\n');
  writeFileSync(
    join(folder, 'vite.config.js'),
    `import react from '@vitejs/plugin-react';\nexport default { plugins: [react({ exclude: [/node_modules/, /[.]vite/] })], cacheDir: '.vite' };\n`,
  );
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><html lang="en"><head><title>Parts</title></head><body><div id="root"></div><script type="module" src="/main.jsx"></script></body></html>\n`,
  );
  writeFileSync(
    join(folder, 'main.jsx'),
    `import { createRoot } from 'react-dom/client';\nimport App from './App.jsx';\ncreateRoot(document.getElementById('root')).render(<App />);\n`,
  );
  writeFileSync(
    join(folder, 'App.jsx'),
    `import { useEffect, useState } from 'react';
${numbers.map((i) => `import { Section${i} } from './components/Section${i}.jsx';`).join('\n')}

export default function App() {
  const [notes, setNotes] = useState([]);
  useEffect(() => { Promise.resolve([]).then(setNotes); }, []);
  return <main><h1>Parts</h1><p>{notes.length} notes</p>${numbers.map((i) => `<Section${i} />`).join('')}</main>;
}
`,
  );
  for (const section of numbers) {
    const parts = partsOf(section);
    writeFileSync(
      join(folder, `components/Section${section}.jsx`),
      `import { useState } from 'react';
${parts.map((name) => `import { ${name} } from './${name}.jsx';`).join('\n')}

export function Section${section}() {
  const [open, setOpen] = useState(true);
  return <section>
    <h2>Section ${section}</h2>
    <button onClick={() => setOpen(!open)}>{open ? 'close' : 'open'}</button>
    {open && <div>${parts.map((name, i) => `<${name} title="${name}" start={${i}} />`).join('')}</div>}
  </section>;
}
`,
    );
    for (const name of parts) writeFileSync(join(folder, `components/${name}.jsx`), reactPart(name, 'as it was'));
  }
}

export function reactPart(name, shown) {
  return `import { useState } from 'react';

function priceOf(count, each) { return Math.round(count * each * 119) / 100; }

export function ${name}({ title, start = 0 }) {
  const [count, setCount] = useState(start);
  const [text, setText] = useState('');
  const [lines, setLines] = useState(['first', 'second']);

  const kept = lines.filter((line) => line.includes(text));
  const longest = Math.max(0, ...lines.map((line) => line.length));

  function add(event) {
    event.preventDefault();
    if (text.trim() !== '') setLines([...lines, text.trim()]);
    setText('');
  }

  return <article id="${name}">
    <h3>{title}: <span className="shown">${shown}</span></h3>
    <button className="more" onClick={() => setCount(count + 1)}>{count} times</button>
    <p>{priceOf(count, 2.5).toFixed(2)} EUR, the longest line has {longest} letters</p>
    <form onSubmit={add}>
      <label>New line <input value={text} onChange={(e) => setText(e.target.value)} /></label>
      <button disabled={text.trim() === ''}>Add</button>
    </form>
    <ul>{kept.map((line, i) => <li key={line}>{i + 1}. {line[0].toUpperCase() + line.slice(1)}</li>)}</ul>
    {kept.length < lines.length && <p>{lines.length - kept.length} lines are hidden</p>}
  </article>;
}
`;
}
