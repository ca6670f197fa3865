/** List of the packages in an image: SPDX 2.3 (https://spdx.github.io/spdx-spec/v2.3/), made of the lock file. */
import { createHash } from 'node:crypto';
import type { Files } from '../files.ts';

export interface SbomRequest {
  readonly name: string;
  readonly version: string;
  readonly files: Files;
  /** Base image with its digest. */
  readonly base: string;
  /** Paths of the packages that are installed, below the application: `node_modules/ioredis`. */
  readonly installed: ReadonlySet<string>;
}

interface Locked {
  readonly version?: string;
  readonly name?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** The same document for the same packages: it has no time of its own, its name is made of its contents. */
export function makeSbom({ name, version, files, base, installed }: SbomRequest): object {
  const lock = JSON.parse(Buffer.from(files['package-lock.json']!).toString()) as {
    readonly packages?: Readonly<Record<string, Locked>>;
  };
  const locked = Object.entries(lock.packages ?? {})
    .filter(([path]) => installed.has(path))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const application = {
    SPDXID: 'SPDXRef-application',
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    primaryPackagePurpose: 'APPLICATION',
  };
  const image = {
    SPDXID: 'SPDXRef-base',
    name: base.replace(/@.*$/, ''),
    versionInfo: base.replace(/^[^@]*@/, ''),
    downloadLocation: 'NOASSERTION',
    primaryPackagePurpose: 'CONTAINER',
  };
  const packages = [application, image, ...locked.map(([path, one], at) => packageOf(path, one, at))];
  const digest = createHash('sha256').update(JSON.stringify(packages)).digest('hex');
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `${name}-${version}`,
    documentNamespace: `https://svc.dev/spdx/${name}-${digest}`,
    creationInfo: { created: '1970-01-01T00:00:00Z', creators: ['Tool: svc-scale'] },
    packages,
    relationships: [
      relation('SPDXRef-DOCUMENT', 'DESCRIBES', application.SPDXID),
      ...packages.slice(1).map(({ SPDXID }) => relation(application.SPDXID, 'DEPENDS_ON', SPDXID)),
    ],
  };
}

function packageOf(path: string, { version = '', name, license, integrity }: Locked, at: number) {
  const own = name ?? path.slice(path.lastIndexOf('node_modules/') + 13);
  const sha512 = /^sha512-(\S+)/.exec(integrity ?? '')?.[1];
  return {
    SPDXID: `SPDXRef-package-${at + 1}`,
    name: own,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    ...(license === undefined ? {} : { licenseDeclared: /^[\w.+() -]+$/.test(license) ? license : 'NOASSERTION' }),
    ...(sha512 === undefined
      ? {}
      : {
          checksums: [{ algorithm: 'SHA512', checksumValue: Buffer.from(sha512, 'base64').toString('hex') }],
        }),
    externalRefs: [
      {
        referenceCategory: 'PACKAGE-MANAGER',
        referenceType: 'purl',
        referenceLocator: `pkg:npm/${own.replace(/^@/, '%40')}@${version}`,
      },
    ],
  };
}

function relation(spdxElementId: string, relationshipType: string, relatedSpdxElement: string) {
  return { spdxElementId, relationshipType, relatedSpdxElement };
}
