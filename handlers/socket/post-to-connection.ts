/** Service of a socket gateway to functions: it sends frames to a connection it holds. */
/** The gateway's side of connections. Both wait until the gateway has taken the order. */
export interface PostToConnection {
  /** False when the connection is gone. Rejects when the gateway cannot be reached. */
  post(cid: string, text: string): Promise<boolean>;
  /** Ends a connection; nothing happens when it is gone. The gateway sends no code of ours. */
  cut(cid: string): Promise<void>;
}
