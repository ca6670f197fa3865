/** What a gateway of sockets does for a function: sends a frame to a connection it holds. */
/** The gateway's side of connections. Both wait until the gateway has taken the order. */
export interface PostToConnection {
  /** False when the connection is gone. Rejects when the gateway cannot be reached. */
  post(cid: string, text: string): Promise<boolean>;
  /** Ends a connection; nothing happens when it is gone. The gateway sends no code of ours. */
  cut(cid: string): Promise<void>;
}
