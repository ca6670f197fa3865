(globalThis as any).document.title = 'only in a browser';
export const label = (n: number): string => `clicked ${n} times`;
