/** Carries messages between the processes of one application (docs/server/sockets.md#broadcast). Delivery is at most once. */
export interface Backplane {
  /**
   * Receives messages published on the channel by other processes, from the time the promise resolves, in the order of
   * each process. Gives a function that ends it. Rejects when the channel cannot be subscribed.
   */
  subscribe(channel: string, receive: (message: string) => void): Promise<() => void>;
  /** Rejects when the message could not be handed over. */
  publish(channel: string, message: string): Promise<void>;
}
