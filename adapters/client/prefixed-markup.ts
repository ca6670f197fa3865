/** Addresses in the markup of programs that stand below a path of their host: to a program `/` is where it begins (decisions/0983). */
import type { Plugin } from 'vite';

const runtimes = /^react\/jsx(-dev)?-runtime$/;
const mark = '\0svc-prefixed:';

/** Puts a prefix before the addresses of elements that the project's own modules make, `<img src="/logo.svg"/>`. */
export function prefixedMarkup(prefix: string): Plugin {
  return {
    name: 'svc:prefixed-markup',
    enforce: 'pre',
    resolveId: {
      filter: { id: runtimes },
      handler(id, importer = '') {
        const isOwn = /\.(svc|[jt]sx)(\?|$)/.test(importer) && !importer.includes('/node_modules/');
        return isOwn ? mark + id : undefined;
      },
    },
    load(id) {
      return id.startsWith(mark) ? { code: runtimeText(id.slice(mark.length), prefix), moduleType: 'js' } : undefined;
    },
  };
}

/** Module with the exports of a runtime of React. Addresses that have the prefix, as those of the router, are left as they are. */
function runtimeText(runtime: string, prefix: string): string {
  const makers = runtime.includes('dev') ? ['jsxDEV'] : ['jsx', 'jsxs'];
  return `import { Fragment, ${makers.map((name) => `${name} as $${name}`).join(', ')} } from ${JSON.stringify(runtime)};
const prefix = ${JSON.stringify(prefix)};
const names = ['src', 'href', 'action', 'formAction', 'poster', 'data'];
const isBare = (value) =>
  typeof value === 'string' && /^\\/(?!\\/)/.test(value) && !\`\${value}/\`.replace(/[?#]/, '/').startsWith(\`\${prefix}/\`);
const placed = (type, props) => {
  if (typeof type !== 'string') return props;
  let own = props;
  for (const name of names) if (isBare(props[name])) own = { ...own, [name]: prefix + props[name] };
  return own;
};
export { Fragment };
${makers.map((name) => `export const ${name} = (type, props, ...rest) => $${name}(type, placed(type, props), ...rest);`).join('\n')}
`;
}
