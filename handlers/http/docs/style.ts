/** Style sheet of both documentation pages: light and dark, narrow and wide. */
export const style = `:root {
  color-scheme: light dark;
  --page: #f6f7f9;
  --surface: #ffffff;
  --raised: #f0f2f6;
  --text: #1a1f29;
  --muted: #586173;
  --line: #dde2ea;
  --accent: #2f4fd0;
  --on-accent: #ffffff;
  --focus: #2f4fd0;
  --get: #0b6b50;
  --post: #2345b8;
  --put: #8a4b00;
  --patch: #6b3fa0;
  --delete: #b3261e;
  --good: #0b6b50;
  --bad: #b3261e;
  --warn: #8a4b00;
  --code: #f3f5f9;
  --json-key: #2345b8;
  --json-text: #0b6b50;
  --json-number: #8a4b00;
  --json-word: #6b3fa0;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11141a;
    --surface: #191d25;
    --raised: #222733;
    --text: #e6e9ef;
    --muted: #9da7b8;
    --line: #2e3543;
    --accent: #a9bbff;
    --on-accent: #10162e;
    --focus: #a9bbff;
    --get: #5fd3ab;
    --post: #a0b5ff;
    --put: #f3b765;
    --patch: #cda8ff;
    --delete: #ff9b93;
    --good: #5fd3ab;
    --bad: #ff9b93;
    --warn: #f3b765;
    --code: #13171e;
    --json-key: #a0b5ff;
    --json-text: #7fd9b6;
    --json-number: #f3b765;
    --json-word: #cda8ff;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.55 var(--sans); overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 0.5rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2.25rem 0 0.75rem; }
h3 { font-size: 1.05rem; margin: 0 0 0.5rem; }
h4 { font-size: 0.8rem; text-transform: uppercase; letter-spacing: 0.06em; color: var(--muted); margin: 1.5rem 0 0.5rem; }
p { margin: 0 0 0.75rem; }
.prose { white-space: pre-line; }
code, pre, .editor { font-family: var(--mono); font-size: 0.875em; }
p code, dd code, summary code, h3 code { background: var(--raised); padding: 0.1em 0.35em; border-radius: 4px; }
.muted { color: var(--muted); }
.offscreen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--surface); padding: 0.5rem 1rem; z-index: 30; border-radius: 6px; }
.skip:focus { top: 0.5rem; }
.loading, .failed { max-width: 40rem; margin: 20vh auto; padding: 0 1rem; text-align: center; color: var(--muted); }

.top {
  position: sticky; top: 0; z-index: 20; display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
  gap: 0.5rem 1.5rem; padding: 0.6rem 1.25rem; background: var(--surface); border-bottom: 1px solid var(--line);
}
.brand { display: flex; align-items: baseline; gap: 0.6rem; min-width: 0; }
.brand-name { font-weight: 650; font-size: 1.05rem; }
.version { font-size: 0.8rem; color: var(--muted); font-family: var(--mono); }
.top-links { display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem 1.1rem; }
.top-links a { text-decoration: none; color: var(--muted); font-size: 0.925rem; padding: 0.25rem 0; }
.top-links a:hover { color: var(--text); }
.top-links a[aria-current] { color: var(--text); font-weight: 600; box-shadow: 0 2px 0 var(--accent); }

.columns { max-width: 92rem; margin: 0 auto; display: grid; grid-template-columns: minmax(0, 1fr); }
main { padding: 1.5rem 1.25rem 6rem; min-width: 0; }
.side { padding: 0.75rem 1.25rem; border-bottom: 1px solid var(--line); font-size: 0.9rem; }
.side > summary { cursor: pointer; color: var(--muted); font-weight: 600; }
.side nav { padding-top: 0.75rem; }
.side ul { list-style: none; margin: 0.15rem 0 1rem; padding: 0; }
.side li a {
  display: flex; align-items: baseline; gap: 0.5rem; padding: 0.25rem 0.5rem; margin: 0 -0.5rem; border-radius: 6px;
  text-decoration: none; color: var(--text);
}
.side li a:hover { background: var(--raised); }
.side li a[aria-current] { background: var(--raised); }
.side .method { font-size: 0.65rem; min-width: 3.2rem; padding: 0.1rem 0.25rem; }
.side-path { min-width: 0; overflow-wrap: anywhere; font-family: var(--mono); font-size: 0.8rem; }
.side-tag { display: block; margin-top: 0.5rem; font-weight: 650; color: var(--text); text-decoration: none; }
.filter { margin-bottom: 0.5rem; }
@media (min-width: 62rem) {
  .columns { grid-template-columns: 19rem minmax(0, 1fr); }
  .side {
    position: sticky; top: 3.3rem; align-self: start; max-height: calc(100vh - 3.3rem); overflow-y: auto; border-bottom: 0;
    padding: 1.25rem;
  }
  .side > summary { display: none; }
  .side nav { padding-top: 0; }
  main { padding: 2rem 2.25rem 8rem; border-left: 1px solid var(--line); min-height: calc(100vh - 3.3rem); }
}

.method {
  display: inline-block; min-width: 4.1rem; text-align: center; font: 650 0.72rem/1.5 var(--mono); letter-spacing: 0.02em;
  border-radius: 5px; padding: 0.15rem 0.4rem; border: 1px solid currentColor; flex: none; color: var(--muted);
}
.method-get { color: var(--get); }
.method-post { color: var(--post); }
.method-put { color: var(--put); }
.method-patch { color: var(--patch); }
.method-delete { color: var(--delete); }
.method-ws { color: var(--patch); }
.frames { margin: 0.75rem 0; padding: 0; max-height: 24rem; overflow: auto; list-style: none; border: 1px solid var(--line); border-radius: 0.4rem; background: var(--code); font: 0.85rem/1.5 var(--mono); }
.frames:empty { display: none; }
.frame { display: flex; gap: 0.6rem; align-items: baseline; padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--line); }
.frame:last-child { border-bottom: 0; }
.frame time { white-space: nowrap; }
.frame code { overflow-wrap: anywhere; }
.frame-mark { font-weight: 700; }
.frame-sent .frame-mark { color: var(--post); }
.frame-received .frame-mark { color: var(--get); }
.path { font-size: 0.925rem; overflow-wrap: anywhere; }
code.path { background: none !important; padding: 0 !important; }
.path .param, .side-path .param { color: var(--muted); }
.deprecated { text-decoration: line-through; }
.lock { margin-left: auto; color: var(--muted); display: inline-flex; }

.operation { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; margin-bottom: 0.6rem; }
.operation[open] { border-color: color-mix(in srgb, var(--accent) 45%, var(--line)); }
.operation > summary {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem 0.75rem; padding: 0.7rem 0.9rem; cursor: pointer; list-style: none;
  border-radius: 10px;
}
.operation > summary::-webkit-details-marker { display: none; }
.operation > summary:hover { background: var(--raised); }
.operation .summary { color: var(--muted); font-size: 0.925rem; }
.operation-body { padding: 0.9rem; border-top: 1px solid var(--line); }
.warning { color: var(--warn); font-weight: 600; }
.hint { color: var(--warn); font-size: 0.925rem; }

fieldset { border: 0; padding: 0; margin: 0 0 1rem; min-width: 0; }
legend, .responses h3 {
  font-size: 0.8rem; font-weight: 650; text-transform: uppercase; letter-spacing: 0.06em; color: var(--muted); padding: 0; margin-bottom: 0.5rem;
}
.field { margin-bottom: 0.85rem; max-width: 44rem; }
.field label { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 0.6rem; margin-bottom: 0.3rem; font-size: 0.925rem; }
.field p { font-size: 0.875rem; color: var(--muted); margin: 0.3rem 0 0; }
input[type="text"], input[type="password"], input[type="search"], select, textarea {
  width: 100%; font: inherit; font-size: 0.925rem; color: var(--text); background: var(--surface); border: 1px solid var(--line);
  border-radius: 7px; padding: 0.45rem 0.65rem; border-color: color-mix(in srgb, var(--muted) 45%, var(--line));
}
select { width: auto; max-width: 100%; margin-bottom: 0.6rem; }
.field select { margin-bottom: 0; }
input[type="file"] { max-width: 100%; font: inherit; font-size: 0.925rem; }
textarea { resize: vertical; }
.editor { background: var(--code); line-height: 1.5; tab-size: 2; white-space: pre; overflow-x: auto; }
[aria-invalid="true"] { border-color: var(--bad) !important; }
.problem { color: var(--bad); font-size: 0.9rem; margin: 0.4rem 0; }
.problem:empty { display: none; }
.content-type { font-family: var(--mono); font-size: 0.8rem; margin-bottom: 0.4rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.6rem; margin: 0.9rem 0; }
button {
  font: inherit; font-size: 0.925rem; font-weight: 600; color: var(--text); background: var(--surface); cursor: pointer;
  border: 1px solid color-mix(in srgb, var(--muted) 45%, var(--line)); border-radius: 7px; padding: 0.4rem 0.95rem;
}
button:hover { background: var(--raised); }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.primary:hover { filter: brightness(1.08); }
button:disabled { opacity: 0.55; cursor: default; }
button.quiet { border: 0; background: none; padding: 0.1rem 0.4rem; font-size: 0.8rem; color: var(--muted); }
button.quiet:hover { color: var(--text); }
button.link { border: 0; background: none; padding: 0; color: var(--accent); text-decoration: underline; font-weight: 500; }

.code { border: 1px solid var(--line); border-radius: 8px; background: var(--code); margin: 0 0 1rem; overflow: hidden; }
.code-head {
  display: flex; justify-content: space-between; align-items: center; gap: 1rem; padding: 0.3rem 0.5rem 0.3rem 0.8rem; font-size: 0.8rem;
  color: var(--muted); border-bottom: 1px solid var(--line);
}
.code pre { margin: 0; padding: 0.75rem 0.8rem; overflow: auto; max-height: 34rem; line-height: 1.5; }
.json-key { color: var(--json-key); }
.json-text { color: var(--json-text); }
.json-number { color: var(--json-number); }
.json-word { color: var(--json-word); }

.answer-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.3rem 0.9rem; margin-bottom: 0.6rem; }
.answer:not(:empty) { border-left: 3px solid var(--line); padding-left: 0.9rem; margin-bottom: 1.25rem; }
.status { font-family: var(--mono); font-weight: 650; }
.status-2, .status-3 { color: var(--good); }
.status-4, .status-5 { color: var(--bad); }
.headers { display: grid; grid-template-columns: minmax(8rem, max-content) minmax(0, 1fr); gap: 0.15rem 1rem; font: 0.8rem/1.5 var(--mono); margin: 0.5rem 0 0; }
.headers dd { margin: 0; overflow-wrap: anywhere; }
.headers dt { color: var(--muted); }

.inner { margin: 0.4rem 0; }
.inner > summary, .response > summary { cursor: pointer; font-size: 0.9rem; color: var(--muted); }
.inner > summary:hover, .response > summary:hover { color: var(--text); }
.response { border-top: 1px solid var(--line); padding: 0.5rem 0; }
.response > summary { color: var(--text); }
.response[open] > summary { margin-bottom: 0.5rem; }
.responses { margin-top: 1.25rem; }
.members { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 8px; }
.members > li { padding: 0.5rem 0.75rem; }
.members > li + li { border-top: 1px solid var(--line); }
.members p { margin: 0.2rem 0 0; font-size: 0.9rem; color: var(--muted); }
.members .members { margin-top: 0.5rem; }
.member { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.15rem 0.7rem; }
.member-name { font-weight: 650; overflow-wrap: anywhere; }
.type { color: var(--muted); font: 0.825rem/1.5 var(--mono); overflow-wrap: anywhere; }
.required { color: var(--bad); font-size: 0.78rem; }
.note { font-size: 0.8rem; color: var(--muted); min-width: 0; overflow-wrap: anywhere; }
.schema-head { display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; margin-bottom: 0.4rem; }
.schema-title { font-weight: 600; margin: 0.75rem 0 0.35rem; font-size: 0.9rem; }

dialog {
  border: 1px solid var(--line); border-radius: 12px; background: var(--surface); color: var(--text); width: min(30rem, calc(100vw - 2rem));
  padding: 1.25rem 1.4rem; max-height: calc(100vh - 2rem);
}
dialog::backdrop { background: rgb(10 12 18 / 55%); }
dialog h2 { margin: 0 0 0.25rem; }
.sign-in { border-bottom: 1px solid var(--line); margin-bottom: 1rem; }

.facts { display: grid; grid-template-columns: minmax(7rem, max-content) minmax(0, 1fr); gap: 0.5rem 1.25rem; margin: 0; }
.facts dt { font-weight: 600; }
.facts dd { margin: 0; }
.facts dd p { margin: 0.3rem 0 0; color: var(--muted); font-size: 0.9rem; }
.reference .entry { padding: 1.75rem 0; border-top: 1px solid var(--line); }
.endpoint { display: flex; align-items: center; gap: 0.7rem; }
.entry-text { min-width: 0; }
.entry-code { min-width: 0; margin-top: 1rem; }
@media (min-width: 80rem) {
  .reference .entry { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 26rem); gap: 2.25rem; }
  .entry-code { margin-top: 0; }
  .entry-code > :first-child { position: static; }
}
@media (max-width: 40rem) {
  .top { position: static; }
  html { scroll-padding-top: 0.5rem; }
  .operation > summary .summary { flex-basis: 100%; order: 3; }
  .headers { grid-template-columns: minmax(0, 1fr); }
  .headers dd { margin-bottom: 0.3rem; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0.15rem; }
  .facts dd { margin-bottom: 0.6rem; }
}
`;
