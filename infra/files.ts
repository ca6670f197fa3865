/** Contents by path in an archive, an image or a package. */
export type Files = Readonly<Record<string, Uint8Array>>;
