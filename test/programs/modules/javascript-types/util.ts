export interface City {
  readonly name: string;
  readonly size: number;
  readonly tags: readonly string[];
  mayor?: string;
}

export function city(name: string, size = 1): City {
  return { name, size, tags: ['old', 'small'] };
}

export const half = (n: number): number => n / 2;

export async function later(word: string): Promise<string> {
  return `${word}!`;
}

export function parts(text: string, separator?: string, ...more: readonly string[]): string[] {
  return [...text.split(separator ?? ' '), ...more];
}

export class Counter {
  count: number;
  constructor(count = 0) {
    this.count = count;
  }
  bump(): this {
    this.count += 1;
    return this;
  }
  static of(count: number): Counter {
    return new Counter(count);
  }
}

export const WORD = 'word';
