/** Written so that the character is really asked for. */
export let lastAsked = 0;

/**
 * The text in one piece. V8 keeps a text that was put together as a tree of its parts, one object each, until a character of it is asked for: who
 * keeps many such texts for long pays for all these objects at each collection.
 */
export function flatText(text: string): string {
  lastAsked = text.charCodeAt(0);
  return text;
}
