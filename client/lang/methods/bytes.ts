import type { Methods } from './methods.ts';

export const bytesMethods: Methods = {
  decode: (data) => new TextDecoder().decode(data),
  hex: (data) => [...data].map((byte: number) => byte.toString(16).padStart(2, '0')).join(''),
};
