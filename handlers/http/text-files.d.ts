/** Files that are read as text: `import page from './pages/docs/page.html' with { type: 'text' }`. Bundles carry them. */

declare module '*.html' {
  const text: string;
  export default text;
}

declare module '*.css' {
  const text: string;
  export default text;
}

declare module '*.svg' {
  const text: string;
  export default text;
}

/** Scripts of pages only: what runs in Node is written in TypeScript. */
declare module '*.js' {
  const text: string;
  export default text;
}
