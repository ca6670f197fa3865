/** Packages that the browser half needs and that are not there, or not in the version that the project asks for. */

import satisfies from 'semver/functions/satisfies.js';
import intersects from 'semver/ranges/intersects.js';
import validRange from 'semver/ranges/valid.js';
import {
  buildTools,
  folderOfPackage,
  placeOfPackage,
  placeOfSvc,
  type Ranges,
  readManifest,
  versionIn,
} from './packages.ts';

/** Versions that svc was tested with, for projects that do not say otherwise. */
const testedVersions: Readonly<Record<string, string>> = {
  vite: '^8.3.8',
  '@vitejs/plugin-react': '^6.3.0',
  react: '^19.3.1',
  'react-dom': '^19.3.1',
  'react-router-dom': '^7.18.5',
  zod: '^4.6.7',
  '@tanstack/react-form': '^1.33.5',
  typescript: '^7.0.2',
  '@types/react': '^19.3.0',
  '@types/react-dom': '^19.3.0',
};

export interface PackageNeeds {
  readonly projectDir: string;
  /** `[dependencies.npm]`, and what a build needs of `[dependencies.npm.dev]`. */
  readonly listed: Ranges;
  /** The rest of `[dependencies.npm.dev]`, where the work at hand wants it. */
  readonly listedForWork: Ranges;
  /** Packages that the program imports and nothing lists, where they may be brought all the same. */
  readonly unlisted: readonly string[];
  /** Packages that sheets import, and plug-ins that they go through: they are looked for in the project alone. */
  readonly ofSheets: readonly string[];
  /** Build tools that the project's own configuration of Vite imports: they are looked for in the project alone, too. */
  readonly ofConfig: readonly string[];
  readonly usesRouter: boolean;
  readonly usesForms: boolean;
  /** `[plugins.client] typescript` */
  readonly checksTypes: boolean;
}

export interface MissingPackage {
  readonly name: string;
  /** Argument for npm: `name@range`. */
  readonly wanted: string;
  /** Version or range as a list of the project has it; empty: none has, or it says nothing of versions, as `latest` and `*`. */
  readonly listed: string;
  /** Belongs to those that only who works on the program has. */
  readonly isDev: boolean;
  /** The program imports it, and no list names it. */
  readonly isUnlisted: boolean;
}

/** Finds what is not there, in the order of need. */
export function missingPackages(needs: PackageNeeds): readonly MissingPackage[] {
  const { projectDir, listed, listedForWork } = needs;
  const { dependencies, devDependencies } = readManifest(projectDir);
  const own = ownNeeds(needs);
  const ranges = withoutOtherTools({ ...dependencies, ...listed });
  const devRanges = withoutOtherTools({ ...devDependencies, ...listedForWork });
  const rangeOf = (name: string) => ranges[name] ?? devRanges[name];
  const isIn = (name: string, from: string) => fits(folderOfPackage(name, from), rangeOf(name));
  const ownListed = Object.keys(own).filter((name) => rangeOf(name) !== undefined);
  const absent = [...ownListed, ...Object.keys(ranges), ...Object.keys(withoutOtherTools(listedForWork))].filter(
    (name) => !isIn(name, projectDir),
  );
  // Where svc has all of them, as a checkout does, nothing has to be brought.
  const isLent = absent.every((name) => isIn(name, placeOfSvc) && !needs.ofSheets.includes(name));
  const ownAbsent = Object.keys(own).filter((name) => rangeOf(name) === undefined && !isThere(name, projectDir));
  // Tools that svc lends build the pages, and the configuration gets those that the project lists.
  const lentTools = needs.ofConfig.filter(
    (name) => placeOfPackage(name, projectDir) === placeOfSvc && !isIn(name, projectDir),
  );
  const toolRanges: Ranges = { ...devDependencies, ...dependencies, ...listed };
  const isAnywhere = (name: string) =>
    needs.ofSheets.includes(name)
      ? folderOfPackage(name, projectDir) !== undefined
      : placeOfPackage(name, projectDir) !== undefined;
  const unlisted = needs.unlisted.filter(
    (name) => rangeOf(name) === undefined && own[name] === undefined && !isAnywhere(name),
  );
  return [...new Set([...ownAbsent, ...lentTools, ...(isLent ? [] : absent), ...unlisted])].map((name) => {
    const asked = rangeOf(name) ?? (lentTools.includes(name) ? toolRanges[name] : undefined);
    const range = asked ?? partnerVersion(name, projectDir) ?? own[name] ?? testedVersions[name] ?? '';
    return {
      name,
      wanted: `${name}@${range === '' ? 'latest' : range}`,
      listed: saysVersions(asked) ? asked! : '',
      isDev: ranges[name] === undefined && devRanges[name] !== undefined && own[name] === undefined,
      isUnlisted: unlisted.includes(name),
    };
  });
}

/** Packages by which older programs list React and what builds with it: svc has all of that, and npm has them under no name of ours. */
const toolkit = /^(svc-client-node$|@svc-client\/)/;

/** Ranges, among those given, of build tools that leave out the versions which svc is written for, and of the toolkit. */
export function otherTools(listed: Ranges): Ranges {
  const isOther = ([name, range]: [string, string]) =>
    toolkit.test(name) ||
    (buildTools[name] !== undefined && validRange(range) !== null && !intersects(range, buildTools[name]));
  return Object.fromEntries(Object.entries(listed).filter(isOther));
}

/** Tools among them that nothing uses: the project's configuration gets what it imports. */
export function unusedTools({ listed, ofConfig }: Pick<PackageNeeds, 'listed' | 'ofConfig'>): Ranges {
  return Object.fromEntries(Object.entries(otherTools(listed)).filter(([name]) => !ofConfig.includes(name)));
}

function withoutOtherTools(listed: Ranges): Ranges {
  const others = otherTools(listed);
  return Object.fromEntries(Object.entries(listed).filter(([name]) => others[name] === undefined));
}

function saysVersions(range: string | undefined): boolean {
  return range !== undefined && (validRange(range) ?? '*') !== '*';
}

/** Is the copy in a folder one that the range means? What is no range of versions, a path or a tag, means whatever is there. */
function fits(folder: string | undefined, range: string | undefined): boolean {
  if (folder === undefined || range === undefined || validRange(range) === null) return folder !== undefined;
  return satisfies(versionIn(folder), range, { includePrerelease: true });
}

/** React and its renderer come from one place: they refuse another version of each other. Types are looked for in the project alone. */
function isThere(name: string, projectDir: string): boolean {
  const mayBeLent = partnerVersion(name, projectDir) === undefined && !/^(typescript$|@types\/)/.test(name);
  return mayBeLent ? placeOfPackage(name, projectDir) !== undefined : folderOfPackage(name, projectDir) !== undefined;
}

const partners: Ranges = { react: 'react-dom', 'react-dom': 'react' };

/** Version of the other one that the project has. */
function partnerVersion(name: string, projectDir: string): string | undefined {
  const partner = partners[name];
  const folder = partner === undefined ? undefined : folderOfPackage(partner, projectDir);
  return folder === undefined ? undefined : versionIn(folder);
}

function ownNeeds({ usesRouter, usesForms, checksTypes }: PackageNeeds): Ranges {
  const names = [
    'vite',
    '@vitejs/plugin-react',
    'react',
    'react-dom',
    ...(usesRouter ? ['react-router-dom'] : []),
    ...(usesForms ? ['zod', '@tanstack/react-form'] : []),
    ...(checksTypes ? ['typescript', '@types/react', '@types/react-dom'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, testedVersions[name]!]));
}
