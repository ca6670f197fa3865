import { findCredentials } from '../../images/credentials.ts';
import { manifestTypes } from '../../images/oci.ts';
import { parseReference } from '../../images/reference.ts';
import { openRegistry } from '../../images/registry-client.ts';
import { DeployFailure } from '../deploy-failure.ts';
import type { Environment } from '../run-tool.ts';

/**
 * Gives the name by the digest that a tag means at this moment (docs/server/security.md; decisions/0186): `node@sha256:…` for `node:22-slim`. An image
 * that is named by a digest stays as it is. @throws DeployFailure
 */
export async function pinImage(image: string, env: Environment): Promise<string> {
  if (image.includes('@sha256:')) return image;
  const reference = parseReference(image);
  const { name, host, tag } = reference;
  try {
    const credentials = await findCredentials(host, env);
    const registry = await openRegistry({ reference, credentials, env, actions: 'pull' });
    return `${name}@${(await registry.document(tag, manifestTypes)).digest}`;
  } catch (error) {
    throw new DeployFailure('prerequisite', `the digest of ${image} cannot be found: ${(error as Error).message}`, {
      hints: [`name the image by its digest: ${name}@sha256:…`],
    });
  }
}
