/**
 * The image of an application's functions on AWS: one layer over the base image of the runtime, which has the client that takes events
 * (https://docs.aws.amazon.com/lambda/latest/dg/nodejs-image.html).
 */
import type { Files } from '../files.ts';
import { DeployFailure } from '../orchestrator/deploy-failure.ts';
import type { Environment } from '../orchestrator/run-tool.ts';
import { openBaseImage } from './base-image.ts';
import { cacheFolder, finished, imageOf, labelsOf } from './build-image.ts';
import type { BuiltImage } from './built-image.ts';
import { withLayers } from './image-config.ts';
import { entriesOf, makeLayer } from './make-layer.ts';

export interface FunctionImageRequest {
  readonly name: string;
  readonly version: string;
  /** Files of each function, which get a folder of its name. */
  readonly functions: readonly { readonly name: string; readonly files: Files }[];
  /** Name of the base image, or `oci:DIR`. */
  readonly base: string;
  /** `linux/arm64`: a function takes an image for its own processor only. */
  readonly platform: string;
  /** Environment of requests. */
  readonly env: Environment;
}

/** Reads documents of the base image, and none of its layers. @throws DeployFailure */
export async function buildFunctionImage(request: FunctionImageRequest): Promise<BuiltImage> {
  const { base: name, platform, functions, env } = request;
  const base = await openBaseImage({ name, env, cache: cacheFolder(env) });
  const found = await base.parts(platform);
  const folder = found.config.config?.Env?.find((line) => line.startsWith(`${root}=`))?.slice(root.length + 1);
  if (folder === undefined)
    throw new DeployFailure('invalid', `the base image ${name} does not run functions of AWS: it has no ${root}`, {
      hints: ['an image such as public.ecr.aws/lambda/nodejs:22, or base_image under [plugins.scale.cloud]'],
    });
  const entries = functions.flatMap((one) => entriesOf(one.files, `${folder}/${one.name}`));
  const layer = await makeLayer(entries, 'functions');
  const labels = labelsOf(request, base);
  const config = withLayers(found, [layer], { ...found.config.config, Labels: labels });
  return finished([{ platform, ...imageOf(config, found, [layer], labels) }], base, request);
}

/** Variable of the base image with the folder in which handlers are looked for. */
const root = 'LAMBDA_TASK_ROOT';
