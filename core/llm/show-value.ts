/** Values of the program as text for a prompt: like `repr`, without private fields, and never endless. */
import { metaOfInstance } from '../../library/classes/meta.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { AnySet } from '../../library/values/containers/sets.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { Enum, metaOf } from '../../library/values/objects/enums.ts';
import { reprOf } from '../../library/values/objects/repr.ts';
import { Image, Text, Video } from './media.ts';

const deepest = 8;

/** A place in the text where a picture or film stands. */
export type Media = Image | Video;

/** `media` collects what the text refers to as `<image 1>`, `<video 2>`. */
export function showValue(value: unknown, media: Media[], around: readonly object[] = []): string {
  if (value === null || typeof value !== 'object') return reprOf(value ?? null);
  if (value instanceof Text) return String(value.text);
  if (value instanceof Image || value instanceof Video) {
    media.push(value);
    return `<${value instanceof Image ? 'image' : 'video'} ${media.length}>`;
  }
  if (value instanceof Enum) return `${metaOf(value.constructor).name}.${value.name}`;
  if (around.length >= deepest || around.includes(value)) return '…';
  const inside = [...around, value];
  const show = (inner: unknown) => showValue(inner, media, inside);
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (value instanceof Tuple) return `(${value.items.map(show).join(', ')}${value.items.length === 1 ? ',' : ''})`;
  if (value instanceof AnySet) return `{${[...value.items].map(show).join(', ')}}`;
  if (value instanceof Dict)
    return `{${[...value.entries()].map(([key, item]) => `${show(key)}: ${show(item)}`).join(', ')}}`;
  const meta = metaOfInstance(value);
  if (meta === undefined || meta.isException) return reprOf(value);
  const fields = meta.fields.filter((field) => field.isPublic);
  return `${meta.name}(${fields.map((field) => `${field.name}=${show((value as any)[field.property])}`).join(', ')})`;
}
