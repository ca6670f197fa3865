import type { BaseImage } from './base-image.ts';
import type { Credentials } from './credentials.ts';
import type { ImageBlob } from './oci.ts';

export interface BuiltImage {
  /** Digest that names the image exactly: of the index when there are several platforms. */
  readonly digest: string;
  readonly name: string;
  readonly images: readonly PlatformImage[];
  /** The document with that digest. */
  readonly manifest: ImageBlob;
  readonly base: BaseImage;
  /** Writes an archive that `docker load`, `podman load` and `skopeo` read. */
  save(path: string, tag: string): Promise<void>;
  /** Gives the name by digest. Sends nothing that is there. @throws DeployFailure */
  push(reference: string, options?: PushOptions): Promise<string>;
}

export interface PushOptions {
  /** Absent: those of `docker login`. */
  readonly credentials?: Credentials | undefined;
  /** Further tags beside that of the name. */
  readonly alsoAs?: readonly string[];
}

export interface PlatformImage {
  readonly platform: string;
  readonly manifest: ImageBlob;
  readonly config: ImageBlob;
  /** All layers, those of the base image first. */
  readonly layers: readonly ImageBlob[];
  /** Layers that came with the base image. */
  readonly baseLayers: number;
  /** Absent for an image without packages of its own. */
  readonly sbom?: Sbom;
}

/** List of the packages, and the document that attaches it to an image. */
export interface Sbom {
  readonly contents: ImageBlob;
  readonly manifest: ImageBlob;
}
