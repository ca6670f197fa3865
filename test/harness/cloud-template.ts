/** Templates of CloudFormation that osls makes of a `serverless.yml`. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cloudTools, oslsBin, requireCloudTools } from './offline-server.ts';

export interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties: any;
}

export interface Template {
  readonly text: string;
  readonly resources: Readonly<Record<string, Resource>>;
  ofType(type: string): ({ readonly name: string } & Resource)[];
}

/** Packages the service in a folder; gives the template of its stack. */
export function packageWithOsls(folder: string, env: Readonly<Record<string, string>> = {}): Template {
  requireCloudTools();
  const options = { cwd: folder, env: { ...process.env, NO_COLOR: '1', ...env }, stdio: 'pipe' } as const;
  execFileSync(process.execPath, [oslsBin, 'package'], options);
  const text = readFileSync(join(folder, templateFiles[0]), 'utf8');
  const resources = JSON.parse(text).Resources as Record<string, Resource>;
  return {
    text,
    resources,
    ofType: (type) => Object.entries(resources).flatMap(([name, one]) => (one.Type === type ? [{ name, ...one }] : [])),
  };
}

/** The stack, and what is made before it. */
const templateFiles = [
  '.serverless/cloudformation-template-update-stack.json',
  '.serverless/cloudformation-template-create-stack.json',
] as const;

/** Lists the errors that the vendor's checker finds in the templates of a folder. */
export function templateErrors(folder: string): unknown[] {
  const { CelEngine, TemplateFile } = createRequire(join(cloudTools, 'x'))('@aws/cloudformation-validate');
  const engine = new CelEngine();
  try {
    return templateFiles.flatMap((path) => {
      const { diagnostics } = engine.validateStandard(new TemplateFile(join(folder, path)));
      return diagnostics.filter(({ severity }: any) => severity === 'ERROR' || severity === 'FATAL');
    });
  } finally {
    engine.free();
  }
}
