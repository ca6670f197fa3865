/** Documents of container images, as https://github.com/opencontainers/image-spec (1.1) has them. */

export interface Descriptor {
  readonly mediaType: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
  readonly platform?: Platform;
  readonly artifactType?: string;
  readonly annotations?: Texts;
}

export interface Platform {
  readonly os: string;
  /** Name of the processor as Go has it: `amd64`, `arm64`. */
  readonly architecture: string;
  readonly variant?: string;
}

export interface Manifest {
  readonly schemaVersion: 2;
  readonly mediaType: string;
  readonly artifactType?: string;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly subject?: Descriptor;
  readonly annotations?: Texts;
}

export interface ImageIndex {
  readonly schemaVersion: 2;
  readonly mediaType: string;
  readonly manifests: readonly Descriptor[];
  readonly annotations?: Texts;
}

export interface ImageConfig extends Platform {
  readonly created?: string;
  readonly config?: {
    readonly User?: string;
    readonly Env?: readonly string[];
    readonly Entrypoint?: readonly string[] | null;
    readonly Cmd?: readonly string[] | null;
    readonly WorkingDir?: string;
    readonly ExposedPorts?: Readonly<Record<string, object>>;
    readonly Volumes?: Readonly<Record<string, object>>;
    readonly Labels?: Texts;
    readonly StopSignal?: string;
    readonly Healthcheck?: object;
  };
  readonly rootfs: { readonly type: 'layers'; readonly diff_ids: readonly string[] };
  readonly history?: readonly object[];
}

export type Texts = Readonly<Record<string, string>>;

/** Contents with their descriptor. Those of a registry stay on the disk. */
export interface ImageBlob {
  readonly descriptor: Descriptor;
  /** Opens the contents, again for each use. */
  open(): Promise<Blob>;
}

export const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  dockerIndex: 'application/vnd.docker.distribution.manifest.list.v2+json',
  dockerManifest: 'application/vnd.docker.distribution.manifest.v2+json',
  empty: 'application/vnd.oci.empty.v1+json',
  sbom: 'application/spdx+json',
} as const;

/** Every kind of document that a name of an image may stand for. */
export const manifestTypes = [
  mediaTypes.index,
  mediaTypes.dockerIndex,
  mediaTypes.manifest,
  mediaTypes.dockerManifest,
] as const;

export function isIndex(document: Manifest | ImageIndex): document is ImageIndex {
  return 'manifests' in document;
}

/** `linux/amd64` */
export function platformName({ os, architecture, variant }: Platform): string {
  return [os, architecture, ...(variant === undefined || architecture === 'arm64' ? [] : [variant])].join('/');
}
