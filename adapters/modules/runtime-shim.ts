/** Symbol under which the host puts the runtime (`core/runtime.ts`) for generated modules to find. */
const runtimeSymbol = Symbol.for('svc.runtime');

/** Makes `runtime` the one that generated modules of this process use. */
export function provideRuntime(runtime: object): void {
  (globalThis as Record<symbol, unknown>)[runtimeSymbol] = runtime;
}

/**
 * A module that gives the runtime's members by name, so that generated code can import them like any other. A bundler may leave out what
 * nobody imports.
 */
export function runtimeShim(names: readonly string[]): string {
  const lines = names.map((name, i) => `const _${i} = /* @__PURE__ */ get(${JSON.stringify(name)});`);
  const exports = names.map((name, i) => `_${i} as ${name}`);
  return `const r = globalThis[Symbol.for('svc.runtime')];\nconst get = (name) => r[name];\n${lines.join('\n')}\nexport { ${exports.join(', ')} };\n`;
}
