/**
 * The Redis client. ioredis declares a class that extends `String`; V8 then takes every method of a text from a slow prototype, and
 * `text.charCodeAt(i)` costs four times as much in the whole process. Methods read through an object make the prototype fast again.
 */
export { Redis, type RedisOptions } from 'ioredis';

// Number of reads after which V8 takes note of the place where the method is read.
const reads = 2000;

function readThroughObject(text: object): unknown {
  return (text as { charCodeAt?: unknown }).charCodeAt;
}

const text = Object.create(String.prototype);
for (let i = 0; i < reads; i++) readThroughObject(text);
