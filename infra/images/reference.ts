import { DeployFailure } from '../orchestrator/deploy-failure.ts';

/** Name of an image: where it is and which one of a repository is meant. */
export interface ImageReference {
  /** Name without tag and digest, as it was written: `node`, `ghcr.io/acme/shop`. */
  readonly name: string;
  /** `dockerHub` for names without a host. */
  readonly host: string;
  readonly repository: string;
  readonly tag: string;
  readonly digest?: string;
}

/** Host of the registry that names without a host are of. */
export const dockerHub = 'registry-1.docker.io';

/** Reads a name of an image by the grammar of https://github.com/distribution/reference. @throws DeployFailure */
export function parseReference(text: string): ImageReference {
  const [, name = '', tag = 'latest', digest] =
    /^(.+?)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(text) ?? [];
  const [first = '', ...rest] = name.split('/');
  const hasHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const path = hasHost ? rest.join('/') : name;
  const isName = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/.test(path);
  if (!isName || name.length > 255 || (hasHost && !/^[a-zA-Z0-9.-]+(:\d+)?$|^\[[0-9a-f:]+\](:\d+)?$/.test(first))) {
    throw new DeployFailure('invalid', `'${text}' is not a name of an image`, {
      hints: ['for example registry.example.com/team/shop:1.2: the host, lower-case names with /, a tag after :'],
    });
  }
  const isHub = !hasHost || first === 'docker.io' || first === 'index.docker.io';
  return {
    name,
    host: isHub ? dockerHub : first,
    repository: isHub && !path.includes('/') ? `library/${path}` : path,
    tag,
    ...(digest === undefined ? {} : { digest }),
  };
}

/** Address of a registry's API. Registries of this machine need no certificate, as with the engines. */
export function registryAddress(host: string): string {
  return `${/^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(host) ? 'http' : 'https'}://${host}/v2/`;
}
