/** All that is needed to talk to a cluster: where it is, and as whom. */

export interface ClusterAccess {
  /** Name of the context, or `in-cluster`: shown to people. */
  readonly context: string;
  /** `https://host:port`, perhaps with a path. */
  readonly server: string;
  /** The namespace that the context names. */
  readonly namespace: string | undefined;
  readonly tls: ServerTrust;
  /** `http://host:port` of a proxy that tunnels (`CONNECT`). */
  readonly proxy: string | undefined;
  /**
   * Gives what proves who is calling, from memory where it still holds.
   * @throws DeployFailure when a plugin or a file does not give it
   */
  identify(): Promise<Identity>;
  /** Forgets what `identify` gave: the cluster did not accept it. */
  forget(): void;
}

export interface ServerTrust {
  readonly ca?: string | Buffer;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

export interface Identity {
  /** `Authorization` and such. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
}
