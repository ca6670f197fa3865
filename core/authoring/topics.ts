import * as topics from '../topics/calls.ts';

/** Sends a message to all who hear the topic, once what the call changed is stored. */
export function publish(topic: string, value: unknown): void {
  topics.publish(topic, value);
}

/** Makes the connection of this call hear the topic. Throws in calls whose peer can be sent nothing later. */
export function subscribe(topic: string): void {
  topics.subscribe(topic);
}

/** Ends that; with `rootId` the memberships of everybody whose root it is. */
export function unsubscribe(topic: string, { rootId }: { readonly rootId?: string } = {}): void {
  topics.unsubscribe(topic, rootId ?? null);
}
