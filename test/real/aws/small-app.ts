/** A small application for tests of the life of a deployment, which do not run its functions; and the target, opened in this process. */
import { createHash } from 'node:crypto';
import { resolveConfig } from '../../../core/config/resolve.ts';
import { parseToml } from '../../../core/config/toml.ts';
import { commonVariables } from '../../../infra/cloud/environment.ts';
import { type Needs, neededFunctions } from '../../../infra/cloud/needs.ts';
import { tableNames } from '../../../infra/cloud/tables.ts';
import { makeTemplate } from '../../../infra/cloud/template.ts';
import { buildFunctionImage } from '../../../infra/images/function-image.ts';
import { archiveKey } from '../../../infra/targets/cloud/artifacts.ts';
import { type Cloud, openCloud } from '../../../infra/targets/cloud/cloud.ts';
import type { CloudApp } from '../../../infra/targets/cloud/find-changes.ts';
import type { FunctionImage, SharedRepository } from '../../../infra/targets/cloud/images.ts';
import type { Deployed, Progress } from '../../../infra/targets/target.ts';
import type { Account } from './account.ts';

export interface SmallApp {
  readonly code?: string;
  readonly toml?: string;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly needs?: Partial<Needs>;
  /** The functions are in this image instead of archives. */
  readonly image?: FunctionImage;
  /** Repository that images go to instead of one of the stack's own. */
  readonly sharedRepository?: SharedRepository;
  /** Names of files of its pages. */
  readonly pages?: readonly string[];
}

export const stack = 'demo-prod';

export function smallApp({
  code = 'one',
  toml = '',
  secrets = {},
  needs: more = {},
  image,
  sharedRepository,
  pages = [],
}: SmallApp = {}): CloudApp {
  const config = smallConfig(toml);
  const needs: Needs = {
    hasWebhooks: false,
    hasSockets: true,
    hasLive: false,
    streams: false,
    hasPages: pages.length > 0,
    hasGraphTable: true,
    ...more,
  };
  const archives = neededFunctions(needs).map((name) => {
    const bytes = Buffer.from(`archive of ${name}: ${code}`);
    return { name, key: archiveKey(stack, createHash('sha256').update(bytes).digest('hex')), bytes: async () => bytes };
  });
  const keys = Object.fromEntries(archives.map(({ name, key }) => [name, key]));
  const common = commonVariables(config, needs, () => undefined);
  return {
    name: 'demo',
    version: '1.0.0',
    sourceDigest: createHash('sha256').update(code).digest('hex'),
    stack,
    template: makeTemplate({
      ...{ config, needs, common },
      code: image === undefined ? { archives: keys } : { image: `${sharedRepository?.name ?? stack}@${image.digest}` },
    }),
    archives: image === undefined ? archives : [],
    pageFiles: pages.map((name) => ({ name, bytes: Buffer.from(name), type: 'text/javascript' })),
    ...{ image, sharedRepository },
    secrets: { texts: secrets, makesJwtSecret: true },
  };
}

/** A version of the application in which code and secrets differ from every other one. */
export function numberedApp(number: number): CloudApp {
  const secrets = { KEY: `canary-${number}`, [`NEW${number}`]: 'canary-new' };
  return smallApp({ code: `code ${number}`, secrets });
}

function smallConfig(toml: string) {
  return resolveConfig({
    file: { name: 'svc.toml', ...parseToml(`[project]\nname = "demo"\n${toml}`, 'svc.toml') },
    ...{ env: {}, mode: 'test', profile: undefined, flags: {}, isTerminal: false, isScript: true },
    ...{ projectDir: '/app', dataDir: '/app/data' },
  }).config;
}

/** An image of functions that nobody runs. @param base folder with a base image */
export async function smallImage(base: string, code = 'one'): Promise<FunctionImage> {
  const files = { 'handlers/http.mjs': Buffer.from(`// ${code}`) };
  const functions = [{ name: 'http', files }];
  const request = { name: 'demo', version: '1.0.0', functions, base: `oci:${base}`, platform: 'linux/arm64', env: {} };
  return { ...(await buildFunctionImage(request)), tag: `1.0.0-${code.replaceAll(' ', '-')}` };
}

/** Steps and notes of the last work on a target. */
export interface Told extends Progress {
  readonly steps: string[];
  readonly details: string[];
  readonly notes: string[];
}

export function listen(): Told {
  const told = { steps: [] as string[], details: [] as string[], notes: [] as string[] };
  return {
    ...told,
    begin: () => {},
    step: async (name, work) => {
      told.steps.push(name);
      return await work();
    },
    detail: (text) => void told.details.push(text),
    note: (text) => void told.notes.push(text),
  };
}

export interface Opened extends AsyncDisposable {
  readonly target: Cloud;
  readonly ended: AbortController;
  deploy(app: CloudApp, told?: Told, allowDataLoss?: readonly string[]): Promise<Deployed>;
}

/** The clients look for credentials and addresses in the environment of the process. */
export async function open(
  account: Account,
  more: { readonly bucket?: string; readonly checksRights?: boolean } = {},
): Promise<Opened> {
  Object.assign(process.env, account.env);
  const ended = new AbortController();
  const target = await openCloud({
    ...{
      region: 'eu-west-1',
      stack,
      app: 'demo',
      bucket: '',
      checksRights: true,
      tables: tableNames(smallConfig('')),
    },
    ...{ env: process.env, signal: ended.signal, who: 'ada@laptop', patienceMs: 300 },
    goBack: 'svc rollback main.svc --target cloud',
    ...more,
  });
  return {
    target,
    ended,
    async deploy(app, told = listen(), allowDataLoss = []) {
      const { version, sourceDigest } = app;
      await target.requireRights(app, told.note);
      const plan = await target.plan(app);
      return await target.apply(plan, { allowDataLoss, revision: { version, sourceDigest, schema: {} } }, told);
    },
    async [Symbol.asyncDispose]() {
      target.close();
    },
  };
}
