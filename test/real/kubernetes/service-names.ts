/** Names of services for pods, as a cluster's DNS has them: a name without addresses of its own leads to the pods that are ready. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Pod {
  readonly object: any;
  readonly ip: string;
  readonly isReady: boolean;
  readonly isEnding: boolean;
}

/** Looks names up in the file that `writeNames` keeps, before the machine's own resolver. */
const resolver = `
const dns = require('node:dns');
const { readFileSync } = require('node:fs');
const { lookup } = dns;
dns.lookup = (name, options, callback) => {
  const done = callback ?? options;
  const addresses = JSON.parse(readFileSync(process.env.SERVICE_NAMES, 'utf8'))[name];
  if (addresses === undefined) return lookup(name, options, callback);
  const found = addresses.map((address) => ({ address, family: 4 }));
  process.nextTick(() => {
    if (found.length === 0) done(Object.assign(new Error('getaddrinfo ENOTFOUND ' + name), { code: 'ENOTFOUND' }));
    else if (options.all) done(null, found);
    else done(null, found[0].address, 4);
  });
};
`;

/** Environment with which the programs of a pod know the names. */
export function namesOf(podRoot: string): Readonly<Record<string, string>> {
  const folder = join(podRoot, '../..');
  return { NODE_OPTIONS: `--require ${join(folder, 'resolver.cjs')}`, SERVICE_NAMES: join(folder, 'names.json') };
}

const written = new Map<string, string>();

export function writeNames(folder: string, services: readonly any[], pods: readonly Pod[]): void {
  const names = services.map(({ metadata, spec }) => {
    const ready = pods.filter(
      ({ object, isReady, isEnding }) =>
        isReady &&
        !isEnding &&
        object.metadata.namespace === metadata.namespace &&
        Object.entries(spec.selector ?? {}).every(([key, value]) => object.metadata.labels[key] === value),
    );
    return [metadata.name, ready.map(({ ip }) => ip)] as const;
  });
  const text = JSON.stringify(Object.fromEntries(names));
  if (written.get(folder) === text) return;
  if (!written.has(folder)) writeFileSync(join(folder, 'resolver.cjs'), resolver);
  writeFileSync(join(folder, 'names.new'), text);
  renameSync(join(folder, 'names.new'), join(folder, 'names.json'));
  written.set(folder, text);
}
