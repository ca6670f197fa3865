/**
 * The emitted modules of the constructs that programs use most, as a reader of the bundle's source sees them. `UPDATE=1` rewrites them; the
 * difference is read before it is committed. `updates.svc` shows what is said in development alone.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compileClient } from './compile-client.ts';

const folder = fileURLToPath(new URL('golden', import.meta.url));
const update = process.env['UPDATE'] === '1';

for (const name of readdirSync(folder).filter((file) => file.endsWith('.svc') && !file.endsWith('.impl.svc'))) {
  test(name, () => {
    const path = join(folder, name);
    const { modules, diagnostics } = compileClient(path, name === 'updates.svc' ? 'development' : 'production');
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const code = modules.get(path)?.code ?? '';
    const golden = path.replace(/\.svc$/, '.js.txt');
    if (update) writeFileSync(golden, code);
    expect(code).toBe(readFileSync(golden, 'utf8'));
  });
}
